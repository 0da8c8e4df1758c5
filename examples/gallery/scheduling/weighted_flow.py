"""Highest density first is at most (1 + 1/e)-competitive at speed 1 + e for the total weighted flow time.

Source: Becchetti, Leonardi, Marchetti-Spaccamela and Pruhs, Journal of Discrete Algorithms 4 (2006).

One machine, jobs of up to ``sizes`` slots with weights up to 3, and up to 3 jobs present. A job's time at the higher
speed is rounded up to slots. The source covers all jobs; here these are proven.
"""

from fractions import Fraction
from pathlib import Path

import schedproof as sp

RULE = Path(__file__).parents[2] / "highest_density.py"


def proof(sizes, speed):
    return sp.prove(RULE, machines=1, present=3, weights=3, sizes=sizes, speed=speed)


def theory(sizes, speed):
    return 1 + 1 / (speed - 1)


SIZES = ({"sizes": 4, "speed": Fraction(3, 2)}, {"sizes": 6, "speed": Fraction(5, 4)})
RELATION = "<="
KNOWN = "proven for these sizes"
