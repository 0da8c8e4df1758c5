"""Wang et al. 2022, Theorem 3: "For ILP (4), the online algorithm A_online is (1+eps)-speed (1+1/eps)-competitive".

By Definition 2: the sum of f_jd over A_online's own y, in continuous time, is at most (1 + 1/eps) times the optimum.
"""

from fractions import Fraction
from math import isqrt, prod

LENGTH = 10**9  # slots of a chunk at double speed; at speed 1 it takes twice as long
ONE = 1 << 256  # the sums are kept in whole numbers, rounded to the side that shows less

# A small ladder, job by job. Servers that hold k jobs are put into groups of m + 1, of which one stops: a short job
# comes for it, then m jobs, each for it or for one of the others.
small = [1, 1, 2]
servers = list(range(prod(m + 1 for m in small)))
held, begun, online, offline = dict.fromkeys(servers, 0), dict.fromkeys(servers, 0), Fraction(0), Fraction(0)
for m in small:
    for group in [servers[n : n + m + 1] for n in range(0, len(servers), m + 1)]:
        stops, *others = group
        held[stops] += 1  # the short job, of one slot at double speed
        offline, begun[stops] = offline + 1, 2
        for other in others:
            chosen = min((stops, other), key=held.__getitem__)  # (5): what is on it, and the job's own time
            assert chosen == other
            online += held[other] + Fraction(LENGTH, 2)  # the mean of t over its run
            held[other] += LENGTH
            offline += begun[stops] + LENGTH  # the schedule: the job runs where the group stops
            begun[stops] += 2 * LENGTH
    servers = [s for s in servers if held[s] % LENGTH == 0]
print(f"With m = {small}: A_online at double speed {online}, the schedule at speed 1 {offline}.")

# The same by shares: A_k of the servers get a (k+1)-st job.
share, long_online, long_offline = Fraction(1), Fraction(0), Fraction(0)
for k, m in enumerate(small):
    share *= Fraction(m, m + 1)
    long_online += share * (2 * k + 1) * LENGTH / 2
    long_offline += share * (m * LENGTH + 2) + share / m
assert (online, offline) == (12 * long_online, 12 * long_offline)
print(f"By shares, for each of 12 servers: {long_online} and {long_offline}.\n")

# The ladder. The next m is the one that pays most for the servers that hold k jobs.
rest, stops_at, goal = 0, [], 4 * ONE
while rest >= 0:
    near = isqrt(rest // goal)
    price, m = min((rest // m + goal * m, m) for m in range(max(1, near - 1), near + 3))
    rest += price - (2 * len(stops_at) + 1) * ONE
    stops_at.append(m)

low, high, mine, shown = ONE, ONE, 0, 0
for k, m in enumerate(stops_at):
    low, high = low * m // (m + 1), -(-high * m // (m + 1))
    mine += (2 * k + 1) * low
    shown += (LENGTH * m + 2) * high - (-high // m)
mine, shown = LENGTH * mine // (2 * ONE), -(-shown // ONE)
print(f"{len(stops_at):,} levels: m = {', '.join(map(str, stops_at[:20]))}, ...")
print(f"For each server {mine:,} at double speed and {shown:,} at speed 1; eps = 1 allows twice that.")
print(f"objective, continuous: {mine} should be at most {2 * shown}")
assert mine > 2 * shown
