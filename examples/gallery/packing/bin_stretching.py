"""Two bins must be stretched by 1/3 for every online algorithm, if the items fit into two bins of capacity 1.

Source: Azar and Regev, Theoretical Computer Science 268 (2001).

The source also has an algorithm with this stretching factor. Items are multiples of 1/3.
"""

from fractions import Fraction

from schedproof.adversary.bin_stretching import BinStretching


def GAME(bins, capacity):
    return BinStretching(bins, capacity, drop=capacity)


def theory(bins, capacity):
    return Fraction(4, 3)


SIZES = ({"bins": 2, "capacity": 3}, {"bins": 2, "capacity": 6})
KNOWN = "proven for every algorithm"
