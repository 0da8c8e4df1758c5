"""Ski rental with a prediction: consistency and robustness as a curve over the trust in the prediction.

The season is predicted long (at least `price` days) or short. The algorithm of Kumar, Purohit and Svitkina (Improving
Online Algorithms via ML Predictions, NeurIPS 2018) buys on day ceil(trust * price) if it is predicted long, and on day
ceil(price / trust) if short. Theorem: it is (1 + 1/trust)-robust and (1 + trust)-consistent.

A prediction is a request. Robustness is the ratio against every adversary, consistency the ratio against an adversary
whose predictions are correct.

    python examples/predicted_rental.py [PICTURE.png]
"""

import sys
from fractions import Fraction
from math import ceil

import schedproof as sp


class PredictedRental(sp.System):
    def __init__(self, price=6, trust=Fraction(1, 2), correct=0):
        self.price, self.trust, self.correct = price, trust, correct
        self.most = ceil(price / trust)  # days of a season; later days cost nobody anything

    def start(self):
        return "summer"

    def requests(self, offline):
        if offline == "summer":
            return ["long", "short"]
        predicted, days = offline
        true = "long" if days >= self.price else "short"
        may_end = days > 0 and (not self.correct or predicted == true)  # the restricted adversary
        return ["day"] * (days < self.most) + ["thaw"] * may_end

    def answer(self, state, request):
        if request in ("long", "short"):
            return (ceil(self.trust * self.price) if request == "long" else self.most, 0), 0
        if request == "thaw":
            return "summer", 0
        day, days = state  # the day to buy on, and the days rented so far
        if days == day:
            return state, 0
        return (day, days + 1), self.price if days + 1 == day else 1

    def moves(self, offline, request):
        if request in ("long", "short"):
            return [((request, 0), 0)]
        predicted, days = offline
        return [("summer", min(days, self.price))] if request == "thaw" else [((predicted, days + 1), 0)]


def curve(price, trusts):
    """Return trust, robustness and consistency, each an exact ratio."""
    return [(t, *(sp.prove(PredictedRental(price, t, correct)).exact for correct in (0, 1))) for t in trusts]


def draw(rows, price):
    from matplotlib.figure import Figure

    axes = Figure((7, 4), layout="constrained").subplots()
    for column, name in ((1, "robustness: any prediction"), (2, "consistency: correct predictions")):
        axes.plot([float(row[0]) for row in rows], [float(row[column]) for row in rows], "o-", label=name)
    axes.plot([float(t) for t, *_ in rows], [float(1 + 1 / t) for t, *_ in rows], "k:", label="1 + 1/trust, 1 + trust")
    axes.plot([float(t) for t, *_ in rows], [float(1 + t) for t, *_ in rows], "k:")
    axes.set(xlabel="trust", ylabel="competitive ratio", title=f"Ski rental with a prediction, price {price}")
    axes.legend()
    return axes.figure


if __name__ == "__main__":
    rows = curve(6, [Fraction(n, 12) for n in range(2, 13)])
    for trust, robust, consistent in rows:
        print(f"trust {trust}: robust {robust} <= {1 + 1 / trust}, consistent {consistent} <= {1 + trust}")
    if sys.argv[1:]:
        draw(rows, 6).savefig(sys.argv[1], dpi=120)
