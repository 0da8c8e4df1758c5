"""A random reservation price 2^i with i < k is k-competitive for prices from 1 to 2^k - 1.

Source: El-Yaniv, Fiat, Karp and Turpin, Algorithmica 30 (2001).

The number i is uniform, and the adversary does not see it. The source covers all k; here k <= 3 is proven.
"""

from fractions import Fraction

from price_search import PriceSearch


class RandomReservation(PriceSearch):
    def __init__(self, k=2):
        super().__init__(2**k - 1)
        self.k = k

    def answer(self, state, request):
        if state == "open":
            return [(Fraction(1, self.k), *self.answer((2**i, "open"), request)) for i in range(self.k)]
        reservation, sold = state
        if request == "end":
            return (reservation, "over"), 1 if sold == "open" else sold
        return (reservation, request if sold == "open" and request >= reservation else sold), 0


def theory(k):
    return k


SYSTEM = RandomReservation
SIZES = ({"k": 2}, {"k": 3})
KNOWN = "proven for these sizes"
