"""On two machines, no online policy for the total flow time has a ratio below 4/3 (sizes up to 2) or 7/5 (up to 3).

Source: claim preemptive.least_ratio, on Wang et al., IEEE JSAC (2022); not found in the literature.

Jobs have whole slots and may move between machines, and at most four are present. In each case an automaton attains the
ratio, and an adversary's strategy forces it.
"""

from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory

import schedproof as sp


def value(sizes, present):
    return sp.best_ratio(machines=2, sizes=sizes, present=present).exact


def proof(sizes, present):
    """The ratio of the best policy, for its worst sequence."""
    with TemporaryDirectory() as folder:
        rule = Path(folder, "best.py")
        sp.best_ratio(machines=2, sizes=sizes, present=present).write_rule(rule)
        return sp.prove(rule, machines=2, sizes=sizes, present=present)


def theory(sizes, present):
    return {2: Fraction(4, 3), 3: Fraction(7, 5)}[sizes]


SIZES = ({"sizes": 2, "present": 4}, {"sizes": 3, "present": 4})
KNOWN = "proven for every algorithm"
