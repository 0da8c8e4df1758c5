"""Wang et al. 2019, section IV-B: "in order to get a feasible assignment", a server keeps what satisfies (21).

(21) tests storage only. One server with 2 GB, 4 GFLOP/s and 4 Gbit/s, epsilon = 1/2; two jobs with one data node of
1 GB each and a deadline of 1; (a, b) = (T g/(tau f), T h/(tau f lambda)) = (2, 1) and (1, 2).
"""

from fractions import Fraction as F
from itertools import product

STORAGE, COMPUTE, BANDWIDTH, EPS = 2, 4, 4, F(1, 2)
A, B, SIZE = (2, 1), (1, 2), (1, 1)
Y = F(2, 3)  # LP_I: 2 y0 + y1 <= 2, y0 + 2 y1 <= 2, (17) and (16); a third of their sum is y0 + y1 <= 4/3
assert sum(A) * Y == (1 - EPS) * COMPUTE and sum(B) * Y == EPS * BANDWIDTH


def split_fits(jobs):
    """Some r^c, r^b satisfy (8), (9), (16), (17): the least ones do."""
    return sum(A[k] for k in jobs) <= (1 - EPS) * COMPUTE and sum(B[k] for k in jobs) <= EPS * BANDWIDTH


def surely_late(jobs):
    """No r^c, r^b satisfy (8)-(10).

    By (10), a/r^c + b/r^b <= 1, so r^c + r^b >= (r^c + r^b) (a/r^c + b/r^b) >= (sqrt(a) + sqrt(b))^2 = a + b +
    2 sqrt(a b), by Cauchy and Schwarz; (8) and (9) allow COMPUTE + BANDWIDTH for all jobs together.
    """
    root = F(14, 10)
    assert root**2 < 2 == A[0] * B[0] == A[1] * B[1]
    return sum(A[k] + B[k] + 2 * root for k in jobs) > COMPUTE + BANDWIDTH


split = any_split = F(0)
for drawn in product((False, True), repeat=2):
    chance = (Y if drawn[0] else 1 - Y) * (Y if drawn[1] else 1 - Y)
    jobs = [k for k in (0, 1) if drawn[k]]
    assert sum(SIZE[k] for k in jobs) <= STORAGE  # (21): all that is drawn is kept, and its jobs are accepted
    if not split_fits(jobs):
        split += chance
        assert surely_late(jobs)  # else the resources of (16), (17) satisfy (10) as well
        any_split += chance
        print(f"jobs {jobs} are kept and accepted with probability {chance}")
print(f"They need r^c + r^b >= 6 + 4 sqrt(2) > 11.6 by (10), and there are {COMPUTE} + {BANDWIDTH}.")
print(f"By (17) they need 6 GFLOP/s, by (16) 6 Gbit/s, and there are {COMPUTE} and {BANDWIDTH}.")
for reading in ("all that is kept", "accepted jobs"):
    print(f"{reading}, split: {split} should be at most 0")
    print(f"{reading}: {any_split} should be at most 0")
assert split > 0 and any_split > 0
