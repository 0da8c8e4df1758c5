"""If each unit job may run on two of m machines, a load of ceil(log2(m + 1)) is forced; the offline optimum is 1.

Source: Azar, Naor and Rom, Journal of Algorithms 18 (1995).

Greedy has at most ceil(log2 m) + 1. The source covers all m; here the game is solved for m <= 4.
"""

from fractions import Fraction
from itertools import combinations
from math import log2

from schedproof.adversary.games import Game


class Restricted(Game):
    """The payoff is the largest load, as long as one machine for each job is possible."""

    name = "restricted_machines"

    def __init__(self, m):
        self.m, self.setting = m, {"m": m}

    def start(self):
        return (), (0,) * self.m  # the jobs, and the loads

    def moves(self, state):
        pairs = [*combinations(range(self.m), 2), *((i,) for i in range(self.m))]
        return [pair for pair in pairs if perfect((*state[0], pair), frozenset())]

    def answers(self, state, move):
        for i in move:
            yield tuple(sorted((*state[0], move))), (*state[1][:i], state[1][i] + 1, *state[1][i + 1 :])

    def payoff(self, state):
        return Fraction(max(state[1]))


def perfect(jobs, taken):
    """Whether each job can have a machine of its own."""
    return not jobs or any(perfect(jobs[1:], taken | {i}) for i in jobs[0] if i not in taken)


def theory(m):
    return -int(-log2(m + 1) // 1)


GAME = Restricted
SIZES = ({"m": 2}, {"m": 3}, {"m": 4})
KNOWN = "proven for every algorithm"
