"""Wang et al. 2019, Theorem 1: the throughput is at least (1 - 1/(2 eta) - 1/sqrt(2 eta pi)) OPT_I.

eta is "the maximum number of data nodes that any edge server can serve". Storage only (no deadlines).
"""

from fractions import Fraction as F
from itertools import combinations
from math import isqrt


def factor(eta):
    """At most 1 - 1/(2 eta) - 1/sqrt(2 eta pi), as pi > 3.14."""
    root = F(isqrt(62800 * eta), 100)  # at most sqrt(2 eta pi)
    return 1 - F(1, 2 * eta) - 1 / root


def eta_of(sizes, room):
    """The largest number of data nodes that fit on the server, and the largest such that any of them fit."""
    up = sorted(sizes)
    counts = range(1, len(up) + 1)
    return max(n for n in counts if sum(up[:n]) <= room), max(n for n in counts if sum(up[-n:]) <= room)


print("1. A server of 9 GB, a job with one data node of 1 GB, a job with three data nodes of 3 GB")
assert eta_of([1, 3, 3, 3], 9) == (3, 3)
opt = 1 + F(8, 9)  # y + 9 z <= 9, y <= 1: a ninth of the first and 8/9 of the second give y + z <= 17/9
most = 1  # both need 10 GB. The first is drawn for certain (x = y = 1), comes first and is accepted
print(f"   eta = 3, OPT_I = {opt}; the two jobs need 10 GB, so that one is accepted")
for reading in ("at the end, most", "at the end, least", "the first iteration"):
    print(f"bound {reading}: {most} should be at least {factor(3) * opt}")
assert most < factor(3) * opt

print("2. Three servers of 4 GB; three jobs, each with four data nodes of 1 GB at each of two servers")
JOBS = [{"s0": 4, "s1": 4}, {"s0": 4, "s2": 4}, {"s1": 4, "s2": 4}]
assert eta_of([1] * 8, 4) == (4, 4)
opt = F(3, 2)  # y = 1/2 fills every server; with the price 1/8 for a GB each job costs 1, and all 12 GB cost 3/2
assert all(sum(job.get(s, 0) for job in JOBS) * F(1, 2) == 4 for s in ("s0", "s1", "s2"))
assert all(sum(job.values()) * F(1, 8) == 1 for job in JOBS) and 12 * F(1, 8) == opt
most = 1
assert all(any(one.get(s, 0) + two.get(s, 0) > 4 for s in one) for one, two in combinations(JOBS, 2))
print(f"   eta = 4, OPT_I = {opt}; two jobs need 8 GB of the server that they share: one is accepted at most")
for reading in ("at the end, most", "at the end, least"):
    print(f"bound {reading}: {most} should be at least {factor(4) * opt}")
assert most < factor(4) * opt

print("3. The data kept, of which the proof speaks: a server of 20 GB, jobs of 1 and 20 GB")
y0, y1 = 1, F(19, 20)  # LP_I: y0 + 20 y1 <= 20, y0 <= 1; y0 + y1 is largest where both are tight
assert y0 + 20 * y1 == 20 and eta_of([1, 20], 20)[1] == 1
mean, kept = 1 * y0 + 20 * y1, 1  # the 1 GB is drawn for certain and comes first; 20 GB never fit behind it
print(f"   mu = {mean}, eta = 1; kept is {kept} GB, whatever is drawn")
print(f"bound data kept: {kept} should be at least {factor(1) * mean}")
assert kept < factor(1) * mean
