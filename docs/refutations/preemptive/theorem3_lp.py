"""Wang et al. 2022, Theorem 3 and Appendix D: sum alpha <= (1 + 1/eps) times the optimum of relaxed (4) at the slower
speed. In the pool below the quotient tends to 1 + 2/eps, for every eps > 0.
"""

from fractions import Fraction

CHARGED = {"slot start": Fraction(0), "slot end": Fraction(1), "continuous": Fraction(1, 2)}  # slot t at t - r + this

print("One chunk of 10 slots, three idle workers, eps = 1: alpha = Q = 5. Without (4e) the three share the chunk:")
for reading, charged in CHARGED.items():
    cost = sum(units * (t + charged) for t, units in enumerate((3, 3, 3, 1))) / Fraction(10)
    print(f"{reading}: 5 should be at most {2 * cost}")
    assert 2 * cost < 5


def pool(n: int, eps: Fraction, m: Fraction, far: set[int]) -> tuple[Fraction, list[tuple[Fraction, Fraction]]]:
    """Online's sum of alpha, and offline the JCT and the chunk time (at speed 1) of each job.

    Job i comes at m i and takes p_i = m + n - i at speed 1 + eps. It may use a hub with one worker and no delay, and
    its home server at distance i p_i + 1. Online, job i finds jobs 0 to i - 1 unfinished on the hub, since p_(i-1) > m;
    all are longer and are preempted: Q = (1 + i) p_i by (5), one less than at home. Offline, the jobs in `far` stay at
    home, the others run on the hub in order of arrival, each in one piece on one worker (so (4e) is kept).
    """
    alpha, offline, free = Fraction(0), [], Fraction(0)
    for i in range(n):
        p = m + n - i
        hub, home = (1 + i) * p, (i * p + 1) + p
        assert p > m and hub < home
        alpha += hub
        slow = (1 + eps) * p
        start = m * i + i * p + 1 if i in far else max(m * i, free)
        free = free if i in far else start + slow
        offline.append((start + slow - m * i, slow))
    return alpha, offline


alpha, offline = pool(8, Fraction(1), Fraction(200), {0, 2, 4})
print("\nThe pool, 8 jobs, eps = 1, m = 200. Online sum of alpha:", alpha, "- offline JCTs:", *(j for j, _ in offline))
KEPT = {f"{reading}, (4e) kept": CHARGED[reading] for reading in ("slot end", "continuous")}
for reading, charged in (CHARGED | KEPT).items():  # in one piece, the mean of t - r is JCT - (p + 1)/2
    cost = sum(jct - (slow + 1) / 2 + charged for jct, slow in offline)
    print(f"{reading}: {alpha} should be at most {2 * cost}")
    assert alpha > 2 * cost

print("\nMore jobs, in fluid time, m = 10^6 n. far: a share eps/(1 + eps) of the first (1 + eps)/(2 + eps) n jobs.")
print("The sum of alpha by the total JCT, which is at least the cost in each reading:")
for eps in (Fraction(1, 10), Fraction(1), Fraction(4)):
    share, first = eps / (1 + eps), (1 + eps) / (2 + eps)
    print(f"eps = {eps}, claimed at most {1 + 1 / eps}, limit {1 + 2 / eps}:")
    for n in (40, 400, 4000):
        far = {i for i in range(n) if i < first * n and (i + 1) * share // 1 > i * share // 1}
        alpha, offline = pool(n, eps, Fraction(10**6 * n), far)
        quotient = alpha / sum(jct for jct, _ in offline)
        print(f"  {n} jobs: {quotient}, about {float(quotient):.3f}")
    assert quotient > 1 + 1 / eps
