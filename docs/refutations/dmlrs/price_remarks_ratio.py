"""Yu et al. 2022, section 4.2: L is chosen "to yield a larger ratio of U^r/L. The larger the ratio of U^r/L is, the
greater the price will be." The price is L (U^r/L)^(rho/C), (12).
"""

from fractions import Fraction
from math import isqrt

U, share = Fraction(4), Fraction(1, 2)  # rho/C: half of the resource is in use


def price(L: Fraction) -> Fraction:
    """(12) at rho/C = 1/2, where U/L is a square: p >= 0 with p^2 = L^2 (U/L) = L U."""
    p = L * Fraction(isqrt((U / L).numerator), isqrt((U / L).denominator))
    assert p**2 == L**2 * (U / L)
    return p


before, after = Fraction(1), Fraction(1, 4)
for L in (before, after):
    print(f"U = {U}, L = {L}, half in use: the ratio U/L is {U / L}, the price {price(L)}")
print("The ratio grows, so the price should not fall:")
print(f"U fixed: {price(after)} should be at least {price(before)}")
assert U / after > U / before and price(after) < price(before)
