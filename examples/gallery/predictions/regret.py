"""The best regret against two constant predictions after T rounds is T C(T, T/2)/2^(T + 1), for even T.

Source: Cover, Transactions of the 4th Prague Conference (1965, published 1967).

It is half of the mean distance of a random walk from its start. The game is the one of Zhao et al., IEEE TSC (2024),
with two ports and one unit. The source covers all T; here T <= 8 is proven.
"""

from fractions import Fraction
from math import comb

import schedproof as sp


def value(rounds):
    return sp.game("multiserver.regret", slots=rounds).value


def worst(rounds):
    """The expected loss against random outcomes, and the better prediction's."""
    best = [Fraction(sum(comb(t, n) * min(n, t - n) for n in range(t + 1)), 2**t) for t in range(1, rounds + 1)]
    return [(t, Fraction(t, 2), loss) for t, loss in enumerate(best, 1)]


def theory(rounds):
    return Fraction(rounds * comb(rounds, rounds // 2), 2 ** (rounds + 1))


SIZES = ({"rounds": 2}, {"rounds": 4}, {"rounds": 6}, {"rounds": 8})
KNOWN = "proven for every algorithm"
