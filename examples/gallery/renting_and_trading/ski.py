"""Ski rental: a day costs 1, buying costs the price, and the season ends at an unknown day."""

import schedproof as sp


class SkiRental(sp.System):
    constant = False  # one season

    def __init__(self, price=4):
        self.price = price

    def start(self):
        return 0  # days rented

    def offline(self):
        return "rent"

    def requests(self, offline):
        return ["day"]

    def moves(self, offline, request):
        return [("bought", 0)] if offline == "bought" else [("rent", 1), ("bought", self.price)]
