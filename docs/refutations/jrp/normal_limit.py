"""Wang et al. 2019, section IV-C: n is large, the d_i are uniformly bounded and x_i^j in [eps, 1 - eps], "which ensures
that the central limit theorem can hold".

Data nodes of 1, 1/8, 1/16, 1/32, ... GB, all with x = 1/2. The distance of (D - mu)/sigma from N(0, 1), which is the
largest |Pr(D <= z) - Phi((z - mu)/sigma)|, does not tend to 0.
"""

from fractions import Fraction as F
from math import isqrt


def phi_from_0(t):
    """At most Phi(t) - Phi(0) for 0 <= t <= 1: the alternating series of exp(-u^2/2), integrated, over sqrt(2 pi)."""
    root = F(398, 1000)
    assert root**2 * 2 * F(22, 7) < 1  # root < 1/sqrt(2 pi), as pi < 22/7
    return root * (t - t**3 / 6 + t**5 / 40 - t**7 / 336)


def distance(n):
    """At most the distance: taken at the sum z of all but the first, so that D <= z exactly if that is not drawn."""
    sizes = [F(1), *(F(1, 2 ** (i + 1)) for i in range(2, n + 1))]
    z = sum(sizes[1:])
    assert z < 1
    mu, variance = sum(sizes) / 2, sum(d**2 for d in sizes) / 4
    t = F(isqrt(int(10**6 * (mu - z) ** 2 / variance)), 1000)  # z is at least t sigma below mu
    return phi_from_0(t)  # Pr(D <= z) = 1/2 = Phi(0), and Phi((z - mu)/sigma) <= Phi(-t)


for n in (5, 25, 100):
    print(f"n = {n}: the distance is at least {float(distance(n)):.4f}")
print("n = 1000, someone's 'large enough' for a distance of 1/10:")
measured = F(int(distance(1000) * 10**4), 10**4)
print(f"bound n is large enough: {measured} should be at most 1/10")
assert measured > F(1, 4)
# For every n: z <= 1/4, so mu - z = (1 - z)/2 >= 3/8, and sigma^2 <= (1 + 1/48)/4: t does not fall below 0.74.
assert F(3, 8) ** 2 > F(74, 100) ** 2 * (1 + F(1, 48)) / 4 and phi_from_0(F(74, 100)) > F(1, 4)
