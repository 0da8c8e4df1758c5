"""Li et al. 2023, (1)-(8): each task starts at most once, (3); is a task that can be scheduled in an optimum?

One cluster with one unit, T = 4. Task 0 comes in slot 0 and runs for 3 slots, task 1 in slot 1 and for one.
"""

from itertools import product

ARRIVALS, SLOTS, T = (0, 1), (3, 1), 4
LEFT_OUT = {  # phi_j of a task that is not scheduled; the timesteps of the paper begin with 1
    "it adds nothing": lambda arrival: 0,
    "(6)": lambda arrival: 0 - (arrival + 1),
    "until T": lambda arrival: T - arrival,
}


def feasible(starts):
    """(2), (5) on half-open intervals; an omitted task is None."""
    busy = [
        t for start, slots in zip(starts, SLOTS, strict=True) if start is not None for t in range(start, start + slots)
    ]
    return len(busy) == len(set(busy))


choices = [[None, *range(a, T - d + 1)] for a, d in zip(ARRIVALS, SLOTS, strict=True)]
schedules = [starts for starts in product(*choices) if feasible(starts)]
assert any(None not in starts for starts in schedules)  # both can be scheduled
for reading, phi in LEFT_OUT.items():
    costs = {}
    for starts in schedules:
        rows = zip(starts, ARRIVALS, SLOTS, strict=True)
        costs[starts] = sum(phi(a) if start is None else start + d - a for start, a, d in rows)
    best = min(costs.values())
    most = max(sum(start is not None for start in starts) for starts, cost in costs.items() if cost == best)
    print(f"{reading}: {most} should be at least {len(SLOTS)}")
    print(f"  its cost is {best}, that of scheduling both {min(c for s, c in costs.items() if None not in s)}")
    assert most < len(SLOTS)
