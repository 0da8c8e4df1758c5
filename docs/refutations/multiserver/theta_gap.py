"""Zhao et al. 2024, after (51): the gap to the optimum "is of Theta(H_G sqrt(T))"; a Theta bounds from below, too.

One port on one node, a = c = 1, gain 0.28 y, beta = 0.96, T = 2, y(1) = 0: no unit is worth its overhead.
"""

from fractions import Fraction as F
from itertools import product

ALPHA, BETA, T = F(28, 100), F(96, 100), 2
SHARE = F(1, 100)  # a small constant of the Theta; any other is missed as well, as the regret is 0

squared39 = 2 * T * (BETA**2 + ALPHA**2)
eta = F(1)  # the step of the proof: (51)/((48) sqrt(T)), squared 2/(1 * 2)
assert eta**2 == 2 / ((BETA**2 + ALPHA**2) * T)
worst = F(0)
for jobs in product((0, 1), repeat=T):
    y, earned = F(0), F(0)
    for x in jobs:
        earned += x * (ALPHA - BETA) * y
        y = min(max(y + eta * x * (ALPHA - BETA), F(0)), F(1))  # (30), (31)
    best = max(F(0), sum(jobs) * (ALPHA - BETA))  # (10): the reward is linear in y, so y* is 0 or 1
    print(f"jobs {jobs}: the optimum earns {best}, the policy {earned}")
    worst = max(worst, best - earned)
print(f"(39) squared is {squared39}; the largest regret (11), squared, and a hundredth of (39), squared:")
print(f"each graph: {worst**2} should be at least {SHARE**2 * squared39}")
assert worst**2 < SHARE**2 * squared39
