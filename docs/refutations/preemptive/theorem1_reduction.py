"""Wang et al. 2022, Appendix A: (10), the sum of completion times, is NP-hard and "can be viewed as a special case of
our problem" (2), with D_j = 1, where "constraints (2a), (2c) and (2i) are redundant".
"""

from functools import cache
from itertools import combinations, product

machines = 2


@cache
def optimum(left: tuple[int, ...], once: bool) -> int:
    """The least sum of completion slots, trying every first slot; `once` is (2c): one machine per job and slot."""
    running = [j for j, slots in enumerate(left) if slots]
    if not running:
        return 0
    choices = combinations(running, min(machines, len(running))) if once else product(running, repeat=machines)
    rest = (tuple(max(0, slots - choice.count(j)) for j, slots in enumerate(left)) for choice in choices)
    return len(running) + min(optimum(after, once) for after in rest)  # each unfinished job waits one more slot


def shortest_first(sizes: tuple[int, ...]) -> int:
    """The sum of completions when each job, shortest first, goes to the machine that is free first."""
    free, total = [0] * machines, 0
    for size in sorted(sizes):
        free.sort()
        free[0] += size
        total += free[0]
    return total


for sizes in ((2,), (1, 2, 3)):
    print(f"Jobs of {sizes} slots on two machines: the optimum of (10a)-(10c), where a job may use both, and of (2).")
    print(f"(10) as printed: {optimum(sizes, False)} should be equal to {optimum(sizes, True)}")
    assert optimum(sizes, False) != optimum(sizes, True)

print("With (2c) in (10) the optima agree, but then shortest-first solves (10), in O(n log n); sizes 1, 2, 3:")
subsets = [some for n in (1, 2, 3) for some in combinations((1, 2, 3), n)]
missed = [some for some in subsets if shortest_first(some) != optimum(some, True)]
for some in subsets:
    print(f"  {some}: shortest-first {shortest_first(some)}, optimum {optimum(some, True)}")
print("A hard problem would have instances that it misses (it never does: see the page). Missed here:")
print(f"one machine at a time: {len(missed)} should be at least 1")
assert not missed
