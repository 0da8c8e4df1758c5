"""Switching off after B - 1 idle slots, if switching on costs B, is (2 - 1/B)-competitive.

Source: Irani, Shukla and Gupta, ACM Transactions on Embedded Computing Systems 2 (2003).

The source has continuous time, where the ratio is 2, and several sleep states. Here B <= 6 is proven for slots, for any
number of idle periods.
"""

from fractions import Fraction

from power import Power


class BreakEven(Power):
    def answer(self, state, request):
        if request == "job":
            return 0, self.price if state == "off" else 0
        return (state + 1, 1) if state != "off" and state < self.price - 1 else ("off", 0)


def theory(price):
    return 2 - Fraction(1, price)


SYSTEM = BreakEven
SIZES = ({"price": 2}, {"price": 4}, {"price": 6})
KNOWN = "proven for these sizes"
