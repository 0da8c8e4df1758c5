"""Ski rental with a prediction: each season begins with the forecast of a long or a short season.

A long season has at least ``price`` days. The algorithm buys on day ceil(lambda * price) if a long season is predicted,
else on day ceil(price / lambda). The offline side pays for a season at its end.
"""

from fractions import Fraction
from math import ceil

import schedproof as sp


class PredictedSki(sp.System):
    correct = False  # whether all predictions are correct

    def __init__(self, price=6, lambda_=Fraction(1, 2)):
        self.price, self.lambda_ = price, lambda_

    def start(self):
        return "summer"

    def requests(self, offline):
        if offline == "summer":
            return ["predict long", "predict short"]
        predicted, days = offline
        season = "predict long" if days == self.price else "predict short"
        ends = days > 0 and (season == predicted or not self.correct)
        more = not self.correct or predicted == "predict long" or days < self.price - 1
        return ["day"] * more + ["end"] * ends

    def answer(self, state, request):
        if state == "summer":
            return (ceil(self.lambda_ * self.price if request == "predict long" else self.price / self.lambda_), 0), 0
        if request == "end":
            return "summer", 0
        buy, days = state
        return (buy, min(days + 1, buy)), 0 if days == buy else self.price if days + 1 == buy else 1

    def moves(self, offline, request):
        if offline == "summer":
            return [((request, 0), 0)]
        predicted, days = offline
        return [("summer", days)] if request == "end" else [((predicted, min(days + 1, self.price)), 0)]
