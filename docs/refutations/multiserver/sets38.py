"""Zhao et al. 2024, section III-B: "we divide the ports into three disjoint sets" B1, B2, B3, and rho is (38).

One port, one node, one resource, at the projection (32).
"""

from fractions import Fraction as F


def at_projection(z, a, c, y, rho):
    """B1, B2, B3 as printed. y is nearest to z: rho = 0 as the row is not full, and y = z is in Y."""
    assert rho == 0 and y == z and 0 <= y <= a and y < c
    return y == a, y == 0, 2 * (y - z) + rho == 0


z, a, c, y, rho = 0, 1, 1, 0, 0
b1, b2, b3 = at_projection(z, a, c, y, rho)
twice = int(b1 + b2 + b3 > 1)
print(f"1. z = {z}, a = {a}, c = {c}: y = {y}, rho = {rho}. In B1: {b1}, in B2: {b2}, in B3: {b3}. Ports in two sets:")
print(f"disjoint: {twice} should be at most 0")
print("   Without this port B3 is empty, and (38) divides by 0.")
assert twice > 0

z, a, c, y, rho = 1, 2, 2, 1, 0
assert at_projection(z, a, c, y, rho) == (False, False, True)
by_38 = F(2, 1) * (z - c)
print(f"2. z = {z}, a = {a}, c = {c}: y = {y}, rho = {rho}, and the port is in B3 alone. rho by (38), and in truth:")
print(f"(38): {by_38} should be equal to {rho}")
assert by_38 != rho
