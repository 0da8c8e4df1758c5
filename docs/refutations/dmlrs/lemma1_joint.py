"""Yu et al. 2022, Lemma 1 and Appendix A: with probability greater than 1 - delta, at once c x^ <= (3G/delta) c x,
B x^ <= b and (A x^)_i > a_i (1 - eps) G for all i; exp(-(1/G - 1)^2 G W_b/3) = delta/(3r), G < 1, W_b = min b_i/B_ij.
"""

from fractions import Fraction
from math import factorial

# min 3x + 2y, x + y >= 1, 2x + y >= 3/2 (cover), x + y <= 1 (packing): r = 1, W_b = 1. Optimum: lemma1_packing.py.
x = y = Fraction(1, 2)
r, W_b, delta = 1, 1, Fraction(1, 10000)
print(f"min 3x + 2y, x + y >= 1, 2x + y >= 3/2, x + y <= 1: the optimum is ({x}, {y}). W_b = 1, delta = {delta}.")


def exp_bounds(x: Fraction) -> tuple[Fraction, Fraction]:
    """Bounds of e^x for 0 <= x <= 20, by its series."""
    low = sum(x**k / factorial(k) for k in range(60))
    return low, low + 2 * x**60 / factorial(60)


g = Fraction(303, 10000)
exponent = (1 / g - 1) ** 2 * g * W_b / 3  # it decreases in g < 1, and at G its exponential is 3r/delta
assert exp_bounds(exponent)[0] > 3 * r / delta
print(f"exp of (1/g - 1)^2 g W_b/3 at g = {g} is above 3r/delta = {3 * r / delta}, so G > {g}.")

fails = (g * x) * (g * y)  # both are rounded up, and x + y <= 1 is broken
print(f"B x^ <= b alone fails with probability above (g/2)^2 = {fails}; all three may fail with at most delta.")
print(f"at once: {fails} should be at most {delta}")
assert fails > delta
