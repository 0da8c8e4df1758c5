"""Switching off at random is 1/(1 - (1 - 1/B)^B)-competitive if switching on costs B.

Source: Karlin, Manasse, McGeoch and Owicki, Algorithmica 11 (1994).

The machine switches off before idle slot i with a probability proportional to (1 - 1/B)^(B - i). The source covers all
B; here B <= 4 is proven, for any number of idle periods and an oblivious adversary.
"""

from fractions import Fraction

from power import Power


class RandomPowerDown(Power):
    def answer(self, state, request):
        if request == "job":
            return 0, self.price if state == "off" else 0
        if state == "off":
            return state, 0
        b = self.price
        weights = [Fraction(b - 1, b) ** (b - 1 - slot) for slot in range(b)]
        p = weights[state] / sum(weights[state:])
        return [(p, "off", 0), (1 - p, state + 1, 1)]


def theory(price):
    return 1 / (1 - Fraction(price - 1, price) ** price)


SYSTEM = RandomPowerDown
SIZES = ({"price": 2}, {"price": 3}, {"price": 4})
KNOWN = "proven for these sizes"
