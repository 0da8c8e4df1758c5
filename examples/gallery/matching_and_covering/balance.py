"""BALANCE serves b requests per server with a ratio of at most 1/(1 - 1/(1 + 1/b)^b).

Source: Kalyanasundaram and Pruhs, Theoretical Computer Science 233 (2000).

A request goes to the neighbour with the most capacity left. No deterministic algorithm is better for many servers. The
source covers all b; here n <= 3 servers and b <= 2 are proven.
"""

from fractions import Fraction
from itertools import combinations

import schedproof as sp


class Balance(sp.System):
    gains = True
    constant = False

    def __init__(self, n=2, b=2):
        self.n, self.b = n, b

    def start(self):
        return (self.b,) * self.n  # the capacities left

    def requests(self, offline):
        return [edges for size in range(1, self.n + 1) for edges in combinations(range(self.n), size)]

    def answer(self, state, request):
        most = max(request, key=lambda server: state[server])
        return (used(state, most), 1) if state[most] else (state, 0)

    def moves(self, offline, request):
        return [(offline, 0), *((used(offline, server), 1) for server in request if offline[server])]


def used(left, server):
    return (*left[:server], left[server] - 1, *left[server + 1 :])


def theory(n, b):
    return 1 / (1 - 1 / (1 + Fraction(1, b)) ** b)


SYSTEM = Balance
SIZES = ({"n": 2, "b": 1}, {"n": 2, "b": 2}, {"n": 3, "b": 2})
RELATION = "<="
KNOWN = "proven for these sizes"
