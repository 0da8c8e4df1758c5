"""Zhao et al. 2024, Definition 1: (12), f_k(sum_r y_r) = sum_r f_r^k(y_r), and the utilities (54) of the experiments.

One resource, a port with two nodes. A nice setup needs (12) for all amounts.
"""

from fractions import Fraction as F


def reciprocal(y):
    """(54) with alpha = 1."""
    return 1 - 1 / (F(y) + 1)


def linear(alpha):
    """(54)."""
    return lambda y: alpha * F(y)


f = reciprocal
# If (54) is f_k, then (12) at (1, 0), (0, 1), (1, 1), (0, 0) gives f_k(1) + f_k(1) = f_k(2) + f_k(0), for any f_1, f_2.
apart = abs(f(1) + f(1) - f(2) - f(0))
print(f"reciprocal as f_k: f(1) + f(1) = {f(1) + f(1)}, f(2) + f(0) = {f(2) + f(0)}")
print(f"(54) is f_k: {apart} should be at most 0")
assert apart > 0

# If it is f_r^k, the right side of (12) is one number for all ways to have the same total.
for name, one, two in (("reciprocal on both nodes", f, f), ("linear, alpha = 1 and 2", linear(1), linear(2))):
    worth = sorted(one(y) + two(2 - y) for y in range(3))
    print(f"{name}: a total of 2 on the two nodes is worth", *worth)
    apart = worth[-1] - worth[0]
    print(f"(54) is f_r^k: {apart} should be at most 0")
    assert apart > 0
