"""Yu et al. 2022, Appendix A, (34)-(35): Pr{(B x^)_i > b_i} <= exp(-(1/G - 1)^2 G W_b/3) = delta/(3r), where G < 1 is
defined by the last equality and W_b = min b_i/B_ij.
"""

from fractions import Fraction
from math import factorial

# min 3x + 2y, x + y >= 1, 2x + y >= 3/2 (cover), x + y <= 1 (packing): r = 1, W_b = 1.
x = y = Fraction(1, 2)
r, W_b, delta = 1, 1, Fraction(1, 2000)
assert x + y == 1 and 2 * x + y == Fraction(3, 2)  # feasible, and for every feasible (x, y), with both cover rows:
assert 3 * x + 2 * y == 1 + Fraction(3, 2)  # 3x + 2y = (x + y) + (2x + y) >= 1 + 3/2, so it is optimal
print(f"min 3x + 2y, x + y >= 1, 2x + y >= 3/2, x + y <= 1: the optimum is ({x}, {y}). W_b = 1, delta = {delta}.")


def exp_bounds(x: Fraction) -> tuple[Fraction, Fraction]:
    """Bounds of e^x for 0 <= x <= 20, by its series."""
    low = sum(x**k / factorial(k) for k in range(60))
    return low, low + 2 * x**60 / factorial(60)


g = Fraction(356, 10000)
exponent = (1 / g - 1) ** 2 * g * W_b / 3  # it decreases in g < 1, and at G its exponential is 3r/delta
assert exp_bounds(exponent)[0] > 3 * r / delta
print(f"exp of (1/g - 1)^2 g W_b/3 at g = {g} is above 3r/delta = {3 * r / delta}, so G > {g}.")

both = (g * x) * (g * y)  # x and y are rounded up independently, with probabilities G x and G y
print(f"x + y <= 1 is broken when both are rounded up: with probability above (g/2)^2 = {both}.")
for reading in ("each row", "all rows"):  # there is one packing row: delta/(3r) = delta/3
    print(f"{reading}: {both} should be at most {delta / (3 * r)}")
assert both > delta / (3 * r)
