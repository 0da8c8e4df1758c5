"""No deterministic algorithm for the makespan is better than list scheduling on two and three machines.

Source: Faigle, Kern and Turan, Acta Cybernetica 9 (1989).

The jobs 1, 1, 2 and 1, 1, 1, 3, 3, 3, 6 force 3/2 and 5/3. For four machines the source has 1 + 1/sqrt(2).
"""

from fractions import Fraction

from machines import Makespan


def theory(m, sizes, n):
    return 2 - Fraction(1, m)


GAME = Makespan
SIZES = ({"m": 2, "sizes": (1, 2), "n": 3}, {"m": 3, "sizes": (1, 3, 6), "n": 7})
KNOWN = "proven for every algorithm"
