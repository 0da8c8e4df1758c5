"""Wang et al. 2019, Algorithm 1, line 19: "Update r_{j,k}^c, r_{j,k}^b [...] proportionally to satisfy" (16), (17).

One server with 2 GB, 4 GFLOP/s and 4 Gbit/s, epsilon = 1/2; two jobs with one data node of 1 GB and a deadline of 1.
"""

from fractions import Fraction as F
from itertools import product
from operator import mul

STORAGE, COMPUTE, BANDWIDTH, EPS = 2, F(4), F(4), F(1, 2)
A, B = (2, 1), (1, 2)  # a = T g/(tau f), b = T h/(tau f lambda): (17) is a D <= (1 - eps) r^c, (16) is b D <= eps r^b
Y = (F(2, 3), F(2, 3))

# LP_I: (17) and (16) summed are 2 y0 + y1 <= 2 and y0 + 2 y1 <= 2. A third of their sum is y0 + y1 <= 4/3, and both
# are tight at Y alone; then r^c and r^b are what (17) and (16) ask for, as they fill the server.
assert sum(map(mul, A, Y)) == (1 - EPS) * COMPUTE and sum(map(mul, B, Y)) == EPS * BANDWIDTH
RC = [a * y / (1 - EPS) for a, y in zip(A, Y, strict=True)]
RB = [b * y / EPS for b, y in zip(B, Y, strict=True)]
assert sum(RC) == COMPUTE and sum(RB) == BANDWIDTH
print("LP_I: y =", *Y, " r^c =", *RC, " r^b =", *RB)


def in_time(k, rc, rb, split):
    """(16) and (17) if the time is split, else (10), for job k with its 1 GB."""
    return A[k] <= (1 - EPS) * rc and B[k] <= EPS * rb if split else A[k] / rc + B[k] / rb <= 1


def per_gb(jobs):
    """As much for each GB as in LP_I: D^ was y GB and D is 1."""
    return [RC[k] / Y[k] for k in jobs], [RB[k] / Y[k] for k in jobs]


def shared_out(jobs):
    """All that the server has, in the proportion of the resources in LP_I."""
    return [[r[k] / sum(r[i] for i in jobs) * has for k in jobs] for r, has in ((RC, COMPUTE), (RB, BANDWIDTH))]


READINGS = {
    "as much for each GB": (per_gb, True),
    "all of it shared": (shared_out, True),
    "all of it shared, (10)": (shared_out, False),
}
for reading, (update, split) in READINGS.items():
    broken = F(0)
    for drawn in product((False, True), repeat=2):
        chance = (Y[0] if drawn[0] else 1 - Y[0]) * (Y[1] if drawn[1] else 1 - Y[1])
        jobs = [k for k in range(2) if drawn[k]]  # all that is drawn passes (21), as 1 + 1 <= 2, and is accepted
        rc, rb = update(jobs) if jobs else ([], [])
        fits = sum(rc) <= COMPUTE and sum(rb) <= BANDWIDTH  # (8), (9)
        if not (fits and all(in_time(k, c, b, split) for k, c, b in zip(jobs, rc, rb, strict=True))):
            broken += chance
            print(f"jobs {jobs} with probability {chance}: r^c =", *rc, " r^b =", *rb, " break a constraint")
    print(f"{reading}: {broken} should be at most 0")
    assert broken > 0
