"""A constraint of my own, to an optimum that two solvers which share nothing agree on."""

import pyomo.environ as pyo

import schedproof as sp


@sp.group("constraints", "maintenance", r"y_{j,n,x,t} = 0 \quad \forall n = n_1, t < 3", needs=("starts",))
def maintenance(block, instance):
    """Nothing starts on the first cluster before slot 3."""
    first, starts = instance.clusters[0].name, block.model().starts
    block.row = pyo.ConstraintList()
    for index in starts.on:
        if first in index[:2] and index[-1] < 3:
            block.row.add(starts.on[index] == 0)


tasks = sp.generate("placement", "tiny", seed=1, tasks=6)
printed = sp.program("placement.exact")
mine = printed.add(maintenance).solve(tasks, solver="highs", confirm=True)
print(f"as printed {printed.solve(tasks).objective:g} slots, with maintenance {mine.objective:g}: {mine.status}")
print(f"that rests on {mine.rests_on}")
print(mine.values["starts.on"])
