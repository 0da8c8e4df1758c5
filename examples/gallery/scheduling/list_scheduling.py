"""List scheduling is (2 - 1/m)-competitive for the makespan on m identical machines.

Source: Graham, Bell System Technical Journal 45 (1966).

The source covers all m and jobs; here all sequences of n jobs with sizes up to m are searched.
"""

from fractions import Fraction

from machines import ListScheduling


def theory(m, sizes, n):
    return 2 - Fraction(1, m)


GAME = ListScheduling
SIZES = ({"m": 2, "sizes": (1, 2), "n": 6}, {"m": 3, "sizes": (1, 2, 3), "n": 7})
KNOWN = "proven for these sizes"
