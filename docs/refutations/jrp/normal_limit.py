"""Wang et al. 2019, section IV-C: n is large, the d_i are uniformly bounded and x_i^j in [eps, 1 - eps], "which ensures
that the central limit theorem can hold".

One data node of 100 GB and n - 1 of 100/n^2 GB, all with x = 1/2. The distance of (D - mu)/sigma from N(0, 1), which is
the largest |Pr(D <= z) - Phi((z - mu)/sigma)|, does not tend to 0.
"""

from fractions import Fraction as F
from math import isqrt


def phi_from_0(t):
    """At most Phi(t) - Phi(0) for 0 <= t <= 1: the alternating series of exp(-u^2/2), integrated, over sqrt(2 pi)."""
    root = F(398, 1000)
    assert root**2 * 2 * F(22, 7) < 1  # root < 1/sqrt(2 pi), as pi < 22/7
    return root * (t - t**3 / 6 + t**5 / 40 - t**7 / 336)


def distance(n):
    """At most the distance: taken at z = 100/n, which the small data nodes never exceed together."""
    small, z = F(100, n**2), F(100, n)
    assert (n - 1) * small < z < 100  # so that D <= z exactly if the large one is not drawn
    mu = F(100, 2) + (n - 1) * small / 2
    variance = F(100**2, 4) + (n - 1) * small**2 / 4
    assert z < mu
    t = F(isqrt(int(10**6 * (mu - z) ** 2 / variance)), 1000)  # z is at least t sigma below mu
    return F(1, 2) - (F(1, 2) - phi_from_0(t))  # Pr(D <= z) = 1/2, and Phi((z - mu)/sigma) <= Phi(-t)


for n in (25, 1000, 10**6, 10**9):
    print(f"n = {n}: the distance is at least {float(distance(n)):.4f}")
# (mu - z)/50 = 1 - 1/n - 1/n^2 grows with n, and (sigma/50)^2 = 1 + (n - 1)/n^4 falls: t grows, and so does the bound.
least = F(3, 10)
assert distance(25) > least
print("the limit of the distance, which should be 0:")
print(f"bound bounded above: {least} should be at most 0")
