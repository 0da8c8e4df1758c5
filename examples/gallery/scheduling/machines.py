"""Makespan on m identical machines as a game: jobs arrive one by one and are assigned at once."""

from fractions import Fraction
from functools import cache

from schedproof.adversary.games import Game


class Makespan(Game):
    """The adversary sends at most n jobs of some sizes; the payoff is the makespan over the offline optimum."""

    name = "makespan"

    def __init__(self, m, sizes, n):
        self.m, self.sizes, self.n = m, sizes, n
        self.setting = {"m": m, "sizes": list(sizes), "n": n}

    def start(self):
        return (), (0,) * self.m  # the jobs, and the machines' loads

    def moves(self, state):
        return self.sizes if len(state[0]) < self.n else ()

    def answers(self, state, move):
        return {(tuple(sorted((*state[0], move))), loads) for loads in assigned(state[1], move)}

    def payoff(self, state):
        return Fraction(self.cost(state[1]), self.optimum(*state)) if state[0] else Fraction(0)

    def cost(self, loads):
        return max(loads)

    def optimum(self, jobs, loads):
        return min(map(max, assignments(jobs, self.m)))


def assigned(loads, job):
    """The loads, sorted, after each machine could have got the job; the least loaded machine's first."""
    return [tuple(sorted((*loads[:i], loads[i] + job, *loads[i + 1 :]))) for i in range(len(loads))]


@cache
def assignments(jobs, m):
    """The loads of all assignments."""
    found = {(0,) * m}
    for job in jobs:
        found = {after for loads in found for after in assigned(loads, job)}
    return found


class ListScheduling(Makespan):
    """Each job goes to the machine with the least load."""

    def answers(self, state, move):
        yield tuple(sorted((*state[0], move))), assigned(state[1], move)[0]
