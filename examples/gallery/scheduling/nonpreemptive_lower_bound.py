"""Without preemption, some n + 1 jobs force a ratio of at least n/4 for the total flow time.

Source: claim placement.online_ratio, on Li et al., IEEE INFOCOM (2023).

If a job of n slots has started, n jobs of one slot arrive. Kellerer, Tautenhahn and Woeginger, SIAM Journal on
Computing 28 (1999), have a bound of the order sqrt(n) for n jobs. The claim covers all n; here n <= 5.
"""

from fractions import Fraction

from schedproof.adversary.placement.starts import Starts


def GAME(n):
    return Starts(n + 1, (1, n), 2 * n - 1)


def theory(n):
    return Fraction(n, 4)


SIZES = ({"n": 4}, {"n": 5})
RELATION = ">="
KNOWN = "proven for every algorithm"
