"""Yu et al. 2022, Theorem 3: with probability greater than 1 - delta Algorithm 4 "obtains a schedule"; it keeps a
rounded point only if (24)-(26) hold (step 11). G < 1 of (29): exp(-(1/G - 1)^2 G W_2/3) = delta/(3(HR + 1)).
"""

from fractions import Fraction
from itertools import product
from math import ceil, factorial, floor

gpus, F, delta = (2, 2), 4, Fraction(1, 10)  # two machines
W_1 = 4  # workers of one GPU are needed, a parameter server takes nothing; so no machine holds the whole job
w = (Fraction(2), Fraction(2))  # of (23): the only point with w_h <= 2 and w_1 + w_2 >= 4
W_2, rows = min(F, *gpus), len(gpus) * 1 + 1  # HR + 1
print(f"Two machines with 2 GPUs each; {W_1} workers of one GPU are needed. (23): w = (2, 2). W_2 = {W_2}.")


def exp_bounds(x: Fraction) -> tuple[Fraction, Fraction]:
    """Bounds of e^x for 0 <= x <= 20, by its series."""
    low = sum(x**k / factorial(k) for k in range(60))
    return low, low + 2 * x**60 / factorial(60)


g, h = Fraction(1158, 10000), Fraction(1159, 10000)
at_g, at_h = ((1 / bound - 1) ** 2 * bound * W_2 / 3 for bound in (g, h))  # falls in G < 1; its exp at G is 90
assert exp_bounds(at_g)[0] > 3 * rows / delta > exp_bounds(at_h)[1]
print(f"{g} < G < {h}, so that w' = G w is between {2 * g} and {2 * h} on each machine")

assert [(floor(g * x), ceil(h * x)) for x in w] == [(0, 1), (0, 1)]  # (27): rounded up or down
outcomes = list(product((0, 1), repeat=2))
feasible = [x for x in outcomes if all(n <= c for n, c in zip(x, gpus, strict=True)) and W_1 <= sum(x) <= F]
print(f"Workers after rounding: {outcomes}; feasible: {feasible}. However many draws there are, none can be run.")
chance = len(feasible)
assert chance == 0
print(f"a schedule: {chance} should be at least {1 - delta}")
