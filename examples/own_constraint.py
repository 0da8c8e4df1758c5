"""A constraint of my own, to an optimum that two solvers which share nothing agree on."""

import schedproof as sp


@sp.group("constraints", "maintenance", r"y_{j,n,x,t} = 0 \quad \forall n = n_1, t < 3")
def maintenance(block, instance, starts):
    """Nothing starts on the first cluster before slot 3."""
    first = instance.clusters[0].name
    return {index: on == 0 for index, on in starts.on.items() if index[1] == first and index[-1] < 3}


tasks = sp.generate("placement", "tiny", seed=1, tasks=6)
printed = sp.program("placement.exact")
mine = printed.add(maintenance).solve(tasks, solver="highs", confirm=True)
print(f"as printed {printed.solve(tasks).objective:g} slots, with maintenance {mine.objective:g}: {mine.status}")
print(f"that rests on {mine.rests_on}")
print(mine.values["starts.on"])
