"""List scheduling is m-competitive for the least loaded of m identical machines.

Source: Azar and Epstein, ESA (1997), who call it well known; Woeginger, Operations Research Letters 20 (1997).

No deterministic algorithm is better. The payoff is the optimal least load over the algorithm's. The source covers all
m; here all sequences of n jobs with sizes up to m are searched.
"""

from fractions import Fraction
from math import inf

from machines import ListScheduling, assignments


class Covering(ListScheduling):
    def payoff(self, state):
        best = max(map(min, assignments(state[0], self.m)))
        return Fraction(best, min(state[1])) if min(state[1]) else inf if best else Fraction(0)


def theory(m, sizes, n):
    return m


GAME = Covering
SIZES = ({"m": 2, "sizes": (1, 2), "n": 5}, {"m": 3, "sizes": (1, 2, 3), "n": 6})
KNOWN = "proven for these sizes"
