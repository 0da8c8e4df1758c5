"""Why is there no schedule? The groups and rows that cannot be met together, none of them to spare."""

import schedproof as sp


@sp.group("constraints", "mine", r"\sum_{j,n,x,t < 3} y_{j,n,x,t} \ge 5")
def five_start_soon(block, instance, starts):
    """Five tasks start in the first three slots."""
    return sum(on for index, on in starts.on.items() if index[-1] < 3) >= 5


tasks = sp.embedded("clusters")
program = sp.program("placement.exact").add(five_start_soon)
solution = program.solve(tasks, solver="highs", confirm=True)
print(solution.status, "by", solution.rests_on)
why = program.why_infeasible(tasks)
print(why)
why.check()  # another solver finds it infeasible, and feasible without any one row or domain
