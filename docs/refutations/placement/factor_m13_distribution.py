"""Li et al. 2023, (13): pi(j, x) = Pr(j|n) Pr*(x|j, n)^m, m = 0 for a task that the agent does not get.

Two tasks, two allocations of each, all equally likely. Agent 0 chose task 0 and gets it; the sum is agent 1's.
"""

from fractions import Fraction as F

HALF = F(1, 2)
total = F(0)
for task in (0, 1):
    m = int(task != 0)
    for _ in ("x", "x'"):
        total += HALF * HALF**m
print(f"a_n = (j, x): {total} should be equal to 1")
assert total > 1
