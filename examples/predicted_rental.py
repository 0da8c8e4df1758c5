"""Ski rental with a prediction: consistency and robustness as curves over the parameter lambda.

The season is predicted long (at least `price` days) or short. The algorithm of Kumar, Purohit and Svitkina (Improving
Online Algorithms via ML Predictions, NeurIPS 2018) buys on day ceil(lambda * price) if it is predicted long, and on day
ceil(price / lambda) if short, with lambda in (0, 1). Theorem: it is (1 + 1/lambda)-robust and (1 + lambda)-consistent.
A small lambda follows the prediction closely.

A prediction is a request. Robustness is the ratio against every adversary, consistency the ratio against an adversary
whose predictions are correct.

    python examples/predicted_rental.py [PICTURE.png]
"""

import sys
from fractions import Fraction
from math import ceil

import schedproof as sp


class PredictedRental(sp.System):
    def __init__(self, price=6, lambda_=Fraction(1, 2), correct=0):
        self.price, self.lambda_, self.correct = price, lambda_, correct
        self.most = ceil(price / lambda_)  # days of a season; later days cost nobody anything

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
            return (ceil(self.lambda_ * self.price) if request == "long" else self.most, 0), 0
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


def curve(price, lambdas):
    """Return rows of lambda and the exact ratios for any and for correct predictions."""
    return [(x, *(sp.prove(PredictedRental(price, x, correct)).exact for correct in (0, 1))) for x in lambdas]


def draw(rows, price):
    from matplotlib.figure import Figure

    axes = Figure((7, 4), layout="constrained").subplots()
    for column, name in ((1, "robustness: any prediction"), (2, "consistency: correct predictions")):
        axes.plot([float(row[0]) for row in rows], [float(row[column]) for row in rows], "o-", label=name)
    axes.plot(
        [float(x) for x, *_ in rows], [float(1 + 1 / x) for x, *_ in rows], "k:", label="1 + 1/lambda, 1 + lambda"
    )
    axes.plot([float(x) for x, *_ in rows], [float(1 + x) for x, *_ in rows], "k:")
    axes.set(xlabel="lambda", ylabel="competitive ratio", title=f"Ski rental with a prediction, price {price}")
    axes.legend()
    return axes.figure


if __name__ == "__main__":
    rows = curve(6, [Fraction(n, 12) for n in range(2, 13)])
    for lambda_, robust, consistent in rows:
        print(f"lambda {lambda_}: robust {robust} <= {1 + 1 / lambda_}, consistent {consistent} <= {1 + lambda_}")
    if sys.argv[1:]:
        draw(rows, 6).savefig(sys.argv[1], dpi=120)
