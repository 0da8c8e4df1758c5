"""One-way trading: sell one unit at changing prices between 1 and 4; amounts are fractional.

schedproof --plugin examples/answers/trading.py worst threat --against optimum --preset tiny

The threat-based policy sells the least amount that keeps the ratio r if the price falls to 1 (El-Yaniv et al. 2001).
The rest is sold at the price 1 at the end. For the prices 1, 2, 3, 4 the smallest ratio is 17/12.
"""

from fractions import Fraction

import schedproof as sp

LOWEST, RATIO = 1, Fraction(17, 12)


class Quote(sp.Entity):
    name: sp.Name
    price: sp.Positive


class Quotes(sp.Instance):
    """Prices in their order."""

    quotes: tuple[Quote, ...]


class Sales(sp.Answers):
    """The amount sold at each price."""

    fractional = True

    def allowed(view):
        return ["sell"]

    def total(view):
        return 0, 1 - view.given("sell")

    def value(view, answer):
        return view.request.price - LOWEST

    def objective(self, quotes):
        """Return the gain, with the rest sold at the lowest price."""
        return super().objective(quotes) + LOWEST


TINY = {"quotes": (1, 4), "quotes[*].price": (1, 4)}
TRADING = sp.family("trading", Quotes, Sales, sense="maximize", presets={"tiny": TINY})


@TRADING.policy
def threat(view):
    """Sell the least amount that keeps the ratio if the price falls to the lowest."""
    gain = LOWEST + sum((quote.price - LOWEST) * sold.get("sell", 0) for quote, sold in view.past)
    lack = view.request.price / RATIO - gain
    return {"sell": lack / (view.request.price - LOWEST)} if lack > 0 else {}


@TRADING.policy
def at_once(view):
    """Sell everything at the first price."""
    return {"sell": 1 - view.given("sell")}


@TRADING.optimum
def highest(quotes):
    """Return the highest price."""
    return max((quote.price for quote in quotes.quotes), default=LOWEST)


def computed():
    """Return the worst ratio that a search finds."""
    return sp.worst(threat, "trading.optimum", sp.Space(preset="tiny"), sp.Engine(chains=1, steps=25)).exact


THEORY = RATIO
