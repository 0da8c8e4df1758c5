"""Online bipartite matching: vertices arrive with their edges to n known vertices and are matched at once or never."""

from itertools import combinations

import schedproof as sp


class Matching(sp.System):
    gains = True
    constant = False

    def __init__(self, n=2):
        self.n = n

    def start(self):
        return frozenset()  # the matched known vertices

    def offline(self):
        return frozenset()

    def requests(self, offline):
        return [edges for size in range(1, self.n + 1) for edges in combinations(range(self.n), size)]

    def moves(self, offline, request):
        return [(offline, 0), *((offline | {vertex}, 1) for vertex in request if vertex not in offline)]
