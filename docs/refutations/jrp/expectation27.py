"""Wang et al. 2019, (27): E(D'_j) >= (1 - 1/(2 eta) - 1/sqrt(2 pi eta)) mu_j, where mu_j = r_j^s and eta is "the
maximum number of data nodes that any edge server can serve". Storage only (no deadlines).
"""

from fractions import Fraction as F
from math import isqrt


def root(x):
    """At most sqrt(x), by less than 1/1000."""
    return F(isqrt(int(x * 10**6)), 1000)


def claimed(eta, mu):
    """At most the right side of (27), as pi > 3.14."""
    return (1 - F(1, 2 * eta) - 1 / root(F(628, 100) * eta)) * mu


print(
    "1. Jobs of 1 and 20 GB on a server of 20 GB: y = (1, 19/20) in LP_I, mu = 20; 1 GB comes first, and 20 never fit"
)
y = (F(1), F(19, 20))
mu, kept = 1 * y[0] + 20 * y[1], 1  # kept: the 1 GB is drawn for certain
assert mu == 20 and 1 + 20 > 20  # one fits, and not both
ETAS = {
    "most here": 1,
    "most anywhere": 1,
    "all candidates": 2,
    "whichever they are": 1,
    "all as large as the largest": 1,
}
for reading, eta in ETAS.items():
    print(f"bound {reading}: {kept} should be at least {claimed(eta, mu)}")
    assert kept < claimed(eta, mu)

print("2. Ten data nodes of 90 GB and 1,100 of 1 GB, x = 1/2, on a server of 1,000 GB, and D exactly normal")
sizes, x, room = [90] * 10 + [1] * 1100, F(1, 2), 1000
mu, variance = sum(sizes) * x, sum(d**2 for d in sizes) * x * (1 - x)
eta = 110
assert mu == room and sum(sorted(sizes)[-eta:]) <= room  # any 110 of them fit; the most that fit are more
# E(D') <= E min(D, r) + E max(0, -D) <= mu - sigma/sqrt(2 pi) + sigma exp(-(mu/sigma)^2/2)/sqrt(2 pi), and data is not
# negative. Here (mu/sigma)^2/2 > 24, exp(-24) < 2^-24, 2 pi < 44/7, and the last term is less than sigma 2^-24.
assert mu**2 > 48 * variance
most = mu - root(variance * F(7, 44)) + (root(variance) + 1) / 2**24
print(f"   mu = r = {mu}, sigma^2 = {variance}, eta >= {eta}; E(D') is below {float(most):.3f}")
print(f"bound exactly normal: {most} should be at least {claimed(eta, mu)}")
assert most < claimed(eta, mu)
print("With eta = floor(r/max d) = 11 it would hold: D' >= r - 90 where D > r.")
assert mu - (root(variance) + 1) * F(2, 5) - F(90, 2) > (1 - F(1, 22) - F(1, 9)) * mu  # as 6.25 < 2 pi and 22 pi < 81
