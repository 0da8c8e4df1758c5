"""Renting for B - 1 days and then buying at the price B is (2 - 1/B)-competitive.

Source: Karlin, Manasse, Rudolph and Sleator, Algorithmica 3 (1988).

No deterministic algorithm is better. The source covers all B; here B <= 6 is proven.
"""

from fractions import Fraction

from ski import SkiRental


class BreakEven(SkiRental):
    def answer(self, state, request):
        if state == "bought":
            return state, 0
        return (state + 1, 1) if state < self.price - 1 else ("bought", self.price)


def theory(price):
    return 2 - Fraction(1, price)


SYSTEM = BreakEven
SIZES = ({"price": 2}, {"price": 4}, {"price": 6})
KNOWN = "proven for these sizes"
