"""A_online has the best possible ratio 3/2 for jobs of one or two slots that stay on one of two machines.

Source: claim preemptive.least_ratio, on Wang et al., IEEE JSAC (2022); not found in the literature.

The claim has the lower bound for every policy; here A_online's ratio is proven with up to eight present jobs.
"""

from fractions import Fraction

import schedproof as sp


def proof(present):
    return sp.prove("a_online", machines=2, sizes=2, present=present)


def theory(present):
    return Fraction(3, 2)


SIZES = ({"present": 4}, {"present": 6}, {"present": 8})
KNOWN = "ratio proven for these sizes, optimality cited"
