"""The potential k times a matching's cost plus all servers' distances proves that double coverage is k-competitive.

Source: Chrobak, Karloff, Payne and Vishwanathan, SIAM Journal on Discrete Mathematics 4 (1991).

The computed value is the least multiple of 1/4 that this potential proves, checked on every step. The source covers all
k; here k <= 3 on up to five points is checked.
"""

from fractions import Fraction
from itertools import combinations, count

from double_coverage import DoubleCoverage

import schedproof as sp


def value(n, k):
    def potential(servers, others):
        matching = sum(abs(x - y) for x, y in zip(servers, others, strict=True))
        return k * matching + sum(y - x for x, y in combinations(servers, 2))

    ratios = (Fraction(quarters, 4) for quarters in count(4))
    return next(ratio for ratio in ratios if sp.check_potential(DoubleCoverage(n, k), potential, ratio).holds)


def proof(n, k):
    return sp.prove(DoubleCoverage(n, k))


def theory(n, k):
    return k


SIZES = ({"n": 3, "k": 2}, {"n": 5, "k": 2}, {"n": 5, "k": 3})
KNOWN = "proven for these sizes"
