"""Wang et al. 2022, section V-C: "We simplify ILP (4) by setting zeta_j = 1, whose optimal objective is smaller than
that of ILP (4). As a result, we can use the simplified problem to calculate an upper bound of our actual competitive
ratio."
"""

from fractions import Fraction
from itertools import combinations

m, G, q, b = Fraction(11, 10), 0, Fraction(2, 5), 2  # one chunk of one mini-batch on one idle edge worker, arrival 0


def optimum(zeta: int) -> Fraction:
    """ILP (4): y is 0 or 1 in each slot, (4a) asks for E B/n of them, and each costs t/(E B/n), (3)."""
    time = m + G + (0 if zeta else 2 * q / b)  # (1)
    slots = next(k for k in range(1, 5) if k >= time)  # more of them only cost more
    cost, chosen = min((sum(t / time for t in some), some) for some in combinations(range(5), slots))
    print(f"zeta = {zeta}: E B/n = {time}, best in slots {chosen}, objective {cost}")
    return cost


ilp, simplified = optimum(0), optimum(1)  # the worker is at the edge: zeta_j = 0, (4g)
print(f"as printed: {simplified} should be at most {ilp}")
assert simplified > ilp
