"""Li et al. 2023, IV-A: r_nt = -R_nt, the tasks associated with cluster n; a task may wait in several queues.

Two clusters with one unit each; tasks of 3, 2 and 4 slots come in slot 0; D = {1, 2}, {1}, {2}.
"""

from itertools import product

SLOTS, REACH, HORIZON = (3, 2, 4), ((1, 2), (1,), (2,)), 10


def schedules():
    """Every cluster and start of each task, one task at a time on each cluster."""
    for places in product(*REACH):
        for starts in product(*(range(HORIZON - d) for d in SLOTS)):
            busy = [(n, t) for n, s, d in zip(places, starts, SLOTS, strict=True) for t in range(s, s + d)]
            if len(busy) == len(set(busy)):
                yield places, starts


def phi(starts):
    """The total completion time."""
    return sum(s + d for s, d in zip(starts, SLOTS, strict=True))


def counted(starts):
    """The sum of R_nt over n and t: a waiting task once for each of its queues."""
    return sum(s * len(reach) + d for s, d, reach in zip(starts, SLOTS, REACH, strict=True))


every = [starts for _, starts in schedules()]
optimum, least = min(map(phi, every)), min(map(counted, every))
preferred = min(phi(starts) for starts in every if counted(starts) == least)
best = (2, 0, 0)  # B, then A on the first cluster; C on the second
assert best in every and phi(best) == optimum
print(f"every queue: {counted(best)} should be equal to {phi(best)}")
print(f"every queue, best: {preferred} should be equal to {optimum}")
assert counted(best) != phi(best) and preferred > optimum
