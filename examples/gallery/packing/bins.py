"""Bin packing as a game: the adversary sends at most n items of some sizes, the algorithm packs each at once."""

from fractions import Fraction
from functools import cache

from schedproof.adversary.games import Game


class Packing(Game):
    """The payoff is the number of bins over the least number for the items so far."""

    name = "packing"

    def __init__(self, capacity, sizes, n):
        self.capacity, self.sizes, self.n = capacity, sizes, n
        self.setting = {"capacity": capacity, "sizes": list(sizes), "n": n}

    def start(self):
        return (), ()  # the items, and the bins' levels

    def moves(self, state):
        return self.sizes if len(state[0]) < self.n else ()

    def answers(self, state, move):
        items, levels = tuple(sorted((*state[0], move))), state[1]
        yield items, tuple(sorted((*levels, move)))
        for i, level in enumerate(levels):
            if level + move <= self.capacity:
                yield items, tuple(sorted((*levels[:i], level + move, *levels[i + 1 :])))

    def payoff(self, state):
        return Fraction(len(state[1]), fewest(state[0], self.capacity)) if state[0] else Fraction(0)


@cache
def fewest(items, capacity):
    """The least number of bins, by trying every packing."""
    packings = {()}
    for item in reversed(items):
        packings = {
            tuple(sorted((*levels[:i], level + item, *levels[i + 1 :])))
            for levels in packings
            for i, level in enumerate((*levels, 0))
            if level + item <= capacity
        }
    return min(map(len, packings))
