"""Wang et al. 2022, Appendix A: (10), the sum of completion times, is NP-hard and "can be viewed as a special case of
our problem" (2), with D_j = 1, where "constraints (2a), (2c) and (2i) are redundant".
"""

from itertools import combinations, product

MACHINES = 2


def optimum(sizes: tuple[int, ...], per_job: int) -> int:
    """The least sum of completion slots when a job may use `per_job` machines at once: all schedules, slot by slot."""
    done, best, costs = (0,) * len(sizes), [], {sizes: 0}  # the least cost so far, by what is left
    for _ in range(sum(sizes)):
        after = {}
        for left, cost in costs.items():
            cost += sum(slots > 0 for slots in left)  # each unfinished job completes in this slot or later
            for use in product(range(per_job + 1), repeat=len(sizes)):
                if sum(use) <= MACHINES:
                    rest = tuple(max(0, slots - machines) for slots, machines in zip(left, use, strict=True))
                    after[rest] = min(cost, after.get(rest, cost))
        best += [after.pop(done)] if done in after else []
        costs = after
    return min(best)


def shortest_first(sizes: tuple[int, ...]) -> int:
    """Jobs are dealt to the machines, shortest first: the k-th from the end on a machine delays k jobs, itself too."""
    return sum((n // MACHINES + 1) * size for n, size in enumerate(sorted(sizes, reverse=True)))


for sizes in ((2,), (1, 2, 3)):
    one, both = optimum(sizes, 1), optimum(sizes, MACHINES)
    print(f"Jobs of {sizes} slots, two machines. (10a)-(10c) let a job use both at once, (2c) with D = 1 does not.")
    print(f"(10) as printed: {both} should be equal to {one}")
    assert both != one

print("With (2c) in (10) the optima agree, but then shortest-first solves (10), in O(n log n); sizes 1, 2, 3:")
subsets = [some for n in (1, 2, 3) for some in combinations((1, 2, 3), n)]
for some in subsets:
    print(f"  {some}: shortest-first {shortest_first(some)}, optimum {optimum(some, 1)}")
missed = sum(shortest_first(some) != optimum(some, 1) for some in subsets)
print("A hard problem has instances that it misses; this one has none (see the page). Missed here:")
print(f"one machine at a time: {missed} should be at least 1")
assert missed == 0
