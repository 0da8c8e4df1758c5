"""Selling at the first price of at least sqrt(M), for prices from 1 to M, is sqrt(M)-competitive.

Source: El-Yaniv, Fiat, Karp and Turpin, Algorithmica 30 (2001).

No deterministic algorithm is better. The source has real prices and covers all M; here integer prices up to 4 and 9 are
proven.
"""

from math import isqrt

from price_search import PriceSearch


class ReservationPrice(PriceSearch):
    def answer(self, state, request):
        if request == "end":
            return "over", 1 if state == "open" else state
        return request if state == "open" and request >= isqrt(self.highest) else state, 0


def theory(highest):
    return isqrt(highest)


SYSTEM = ReservationPrice
SIZES = ({"highest": 4}, {"highest": 9})
KNOWN = "proven for these sizes"
