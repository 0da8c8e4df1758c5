"""Yu et al. 2022, Lemma 2 and Appendix B: with probability greater than 1 - delta, at once c x^ <= (3G/delta) c x,
A x^ >= a and (B x^)_i <= b_i (1 + eps) G for all i, eps = sqrt(3 ln(3r/delta)/(G W_b)), where G > 1 is defined by
exp(-(1 - 1/G)^2 G W_a/2) = delta/(3m), W_a = min a_i/A_ij, W_b = min b_i/B_ij.
"""

from fractions import Fraction
from math import factorial

# min x + 2y, x + y >= 1 (cover), x <= 1/250 (packing): m = r = 1, W_a = 1, W_b = 1/250.
x, y, room, W_a, delta = Fraction(1, 250), Fraction(249, 250), Fraction(1, 250), 1, Fraction(1, 50)
print(f"min x + 2y, x + y >= 1, x <= {room}: the optimum is ({x}, {y}). W_a = 1, W_b = {room}, delta = {delta}.")


def exp_bounds(x: Fraction) -> tuple[Fraction, Fraction]:
    """Bounds of e^x for 0 <= x <= 20, by its series."""
    low = sum(x**k / factorial(k) for k in range(60))
    return low, low + 2 * x**60 / factorial(60)


g, h = Fraction(119375, 10000), Fraction(119376, 10000)
at_g, at_h = ((1 - 1 / bound) ** 2 * bound * W_a / 2 for bound in (g, h))  # grows in G > 1; its exp at G is 3m/delta
assert exp_bounds(at_g)[1] < 3 / delta < exp_bounds(at_h)[0]
print(f"{g} < G < {h}")

log = Fraction(5011, 1000)  # above ln(3r/delta) = ln 150
assert exp_bounds(log)[0] > 3 / delta
assert 3 * log * h / room < (1 / room - h) ** 2  # so that room (G + sqrt(3 ln(150) G/W_b)) < 1
print("The share (1 + eps) G of the room is less than 1: it is exceeded whenever x is rounded up.")

fails = g * x  # x' = G x < 1 is rounded up with probability G x
print(f"That alone happens with probability above {fails}; all three may fail with at most delta.")
print(f"at once: {fails} should be at most {delta}")
assert h * x < 1 and fails > delta
