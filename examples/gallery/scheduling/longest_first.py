"""LPT, list scheduling of the longest jobs first, is (4/3 - 1/(3m))-approximate for the makespan.

Source: Graham, SIAM Journal on Applied Mathematics 17 (1969).

The source covers all m and jobs; here all sets of n = 2m + 1 jobs with sizes from m to 2m - 1 are searched.
"""

from fractions import Fraction

from machines import ListScheduling


class LongestFirst(ListScheduling):
    def __init__(self, m):
        super().__init__(m, tuple(range(m, 2 * m)), 2 * m + 1)

    def moves(self, state):
        return [size for size in super().moves(state) if not state[0] or size <= state[0][0]]


def theory(m):
    return Fraction(4, 3) - Fraction(1, 3 * m)


GAME = LongestFirst
SIZES = ({"m": 2}, {"m": 3}, {"m": 4})
KNOWN = "proven for these sizes"
