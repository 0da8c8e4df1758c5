"""No deterministic algorithm for online bipartite matching has a ratio below 2.

Source: Karp, Vazirani and Vazirani, STOC (1990).

A game against every deterministic algorithm. The first vertex has two neighbours; the second has only the one that was
taken. The source covers all n; two known vertices suffice.
"""

from fractions import Fraction
from itertools import combinations
from math import inf

from schedproof.adversary.games import Game


class Matching(Game):
    name = "matching"

    def __init__(self, n):
        self.n, self.setting = n, {"n": n}

    def start(self):
        return (), frozenset()  # the arrived vertices' neighbours, and the matched known vertices

    def moves(self, state):
        subsets = (edges for size in range(1, self.n + 1) for edges in combinations(range(self.n), size))
        return subsets if len(state[0]) < self.n else ()

    def answers(self, state, move):
        arrived, matched = state
        yield (*arrived, move), matched
        yield from (((*arrived, move), matched | {vertex}) for vertex in move if vertex not in matched)

    def payoff(self, state):
        arrived, matched = state
        found = {frozenset()}
        for edges in arrived:
            found |= {taken | {vertex} for taken in found for vertex in edges}
        best = max(map(len, found))
        return Fraction(best, len(matched)) if matched else inf if best else Fraction(0)


def theory(n):
    return 2


GAME = Matching
SIZES = ({"n": 2},)
KNOWN = "proven for every algorithm"
