"""Yu et al. 2022, Lemma 1: Pr{(A x^)_i <= a_i (1 - sqrt(2 ln(3m/delta)/(G W_a))) G, exists i} <= delta/(3m), where G
is defined by exp(-(1/G - 1)^2 G W_b/3) = delta/(3r), G < 1, W_a = min a_i/A_ij, W_b = min b_i/B_ij.
"""

from fractions import Fraction
from math import comb, factorial, floor

# m = r = 100 blocks side by side, each of 500 equal columns at 71/500 whose sum is to be from 71 to 142.
m = r = blocks = 100
columns, point, W_a, W_b, delta = 500, Fraction(71, 500), 71, 142, Fraction(1, 2)
print(f"{blocks} blocks of {columns} columns at {point}, each with sum >= {W_a} and sum <= {W_b}; delta = {delta}.")


def exp_bounds(x: Fraction) -> tuple[Fraction, Fraction]:
    """Bounds of e^x for 0 <= x <= 20, by its series."""
    low = sum(x**k / factorial(k) for k in range(60))
    return low, low + 2 * x**60 / factorial(60)


def at_most(k: int, n: int, p: Fraction) -> Fraction:
    """The probability that a binomial number, n times p, is at most k."""
    return sum(comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(k + 1))


g, h = Fraction(6937, 10000), Fraction(6938, 10000)
at_g, at_h = ((1 / bound - 1) ** 2 * bound * W_b / 3 for bound in (g, h))  # falls in G < 1; its exp at G is 3r/delta
assert exp_bounds(at_g)[0] > 3 * r / delta > exp_bounds(at_h)[1]
print(f"{g} < G < {h}")

log = Fraction(6397, 1000)  # above ln(3m/delta) = ln 600
assert exp_bounds(log)[0] > 3 * m / delta
assert W_a * g > 24 and (W_a * g - 24) ** 2 > 2 * log * h * W_a
print(f"The lemma is about sums up to {W_a} G - sqrt(2 ln(600) G {W_a}) > 24.")

one = at_most(24, columns, h * point)  # of rounding up 24 columns or fewer in a block: less likely for h than for G
print(f"One block: 24 or fewer with probability above {floor(one * 10**12)}/10^12, below delta/(3m) = 1/600.")
some = 1 - (1 - one) ** blocks  # the blocks are independent
measured = Fraction(floor(some * 10**12), 10**12)
print(f"some row: {measured} should be at most {delta / (3 * m)}")
assert some >= measured > delta / (3 * m) > one
