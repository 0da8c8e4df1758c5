"""The best deterministic ratio r for admitting k equal jobs satisfies (r m/k)(1 + r/k)^(k - m) = F, with m = ceil(k/r)
and utilities from 1 to F = `phi`.

Source: claim dmlrs.deterministic_bound, on Yu et al., IEEE TNSE (2022).

Utilities are in any unit. The claim covers all k and all real utilities; the game has
k = 2 and integer utilities from u to F u, and approaches r from below.
"""

from math import sqrt

from schedproof.adversary.dmlrs.offers import Offers


def GAME(unit, phi):
    return Offers(2, tuple(range(unit, phi * unit + 1)))


def theory(unit, phi):
    return round(sqrt(1 + 4 * phi) - 1, 4)  # m = 1 for k = 2


SIZES = ({"unit": 2, "phi": 4}, {"unit": 8, "phi": 4})
RELATION = "<="
KNOWN = "proven for every algorithm"
