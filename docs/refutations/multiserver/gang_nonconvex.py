"""Zhao et al. 2024, section III-E: "The new formulated problem is more difficult because Y is no longer a convex set".

The printed Y requires, in addition to (5) and (6), that the number of tasks with sum y > 0 is at least m. As y >= 0,
a mixture of two points has sum y > 0 for a task exactly where one of them has; so Y is convex if m-sets stay so under
unions.
"""

from fractions import Fraction as F
from itertools import combinations, product

TASKS, M, GPUS = 2, 1, 1  # of one port, on one node; each task wants one gpu


def allowed(y):
    """The printed Y."""
    return sum(yq > 0 for yq in y) >= M and all(0 <= yq <= 1 for yq in y) and sum(y) <= GPUS


sets = [set(s) for n in range(M, TASKS + 1) for s in combinations(range(TASKS), n)]
print(f"tasks that may have something: {sets}")
missing = sum(len(one | two) < M for one, two in product(sets, sets))
print("unions of two of them that are not allowed, one of which it would take for Y not to be convex:")
print(f"the printed Y: {missing} should be at least 1")
assert missing < 1

# The same on a grid: no mixture of two points of Y leaves Y.
grid = [y for y in product([F(n, 4) for n in range(5)], repeat=TASKS) if allowed(y)]
for one, two, s in product(grid, grid, [F(n, 4) for n in range(5)]):
    assert allowed([s * a + (1 - s) * b for a, b in zip(one, two, strict=True)])
print(f"mixtures of the {len(grid)} points of Y with quarters of a gpu: all are in Y")
