"""No online algorithm for bin packing has an absolute ratio below 3/2.

Source: Yao, Journal of the ACM 27 (1980).

Two items of 2/5, then perhaps two of 3/5. The best lower bound with items of many sizes is 5/3 (Balogh, Bekesi, Dosa,
Sgall and van Stee, Journal of Computer and System Sciences 102 (2019)), which is cited only.
"""

from fractions import Fraction

from bins import Packing


def theory(capacity, sizes, n):
    return Fraction(3, 2)


GAME = Packing
SIZES = ({"capacity": 5, "sizes": (2, 3), "n": 4},)
KNOWN = "proven for every algorithm"
