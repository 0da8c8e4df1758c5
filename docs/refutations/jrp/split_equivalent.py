"""Wang et al. 2019, section IV-A: "to facilitate" (10), "we transform them into" (16) and (17).

One job on one server, where (10) holds and (16), (17) do not. Truth is 1, falsehood 0.
"""

from fractions import Fraction as F

T = f = g = tau = lam = D = F(1)


def time10(h, rc, rb):
    """t_{j,k} of (4)."""
    return T * ((D / f) * (g / rc) + (1 / lam) * (D / f) * (h / rb))


def left16(h, rb, epsilon):
    """The left side of (16), with lambda_k for eta_k."""
    return T * h * D - epsilon * tau * lam * f * rb


def left17(rc, epsilon):
    """The left side of (17)."""
    return T * g * D - (1 - epsilon) * tau * f * rc


h, rc, rb, epsilon = F(1), F(2), F(2), F(1, 4)
holds10 = int(time10(h, rc, rb) <= tau)
split = int(left16(h, rb, epsilon) <= 0 and left17(rc, epsilon) <= 0)
print(f"1. h = 1, r^c = r^b = 2, epsilon = 1/4, the other letters 1. (10): {time10(h, rc, rb)} <= {tau}")
print(f"   (16): {left16(h, rb, epsilon)} <= 0, (17): {left17(rc, epsilon)} <= 0. Do (16) and (17) hold, does (10)?")
print(f"the system's epsilon: {split} should be equal to {holds10}")
assert split != holds10

h, rc, rb = F(0), F(1), F(2)
holds10 = int(time10(h, rc, rb) <= tau)
print(f"2. Nothing to send: h = 0, r^c = 1, r^b = 2. (10): {time10(h, rc, rb)} <= {tau}")
at0, at1 = left17(rc, 0), left17(rc, 1)
assert (at0, at1) == (0, 1)  # (17) is linear in epsilon, so that its left side is epsilon itself: positive in (0, 1)
split = 0
print("   the left side of (17) is epsilon: no epsilon in (0, 1) satisfies it. Do (16) and (17) hold, does (10)?")
for reading in ("the system's epsilon", "an epsilon of its own in (0, 1)"):
    print(f"{reading}: {split} should be equal to {holds10}")
assert split != holds10
