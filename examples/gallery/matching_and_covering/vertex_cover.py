"""Taking both ends of each uncovered edge is 2-competitive for vertex cover with edges that arrive online.

Source: Gavril, in Garey and Johnson, Computers and Intractability (1979).

The chosen edges are a matching, so every cover has one end of each. The source covers all graphs; here all graphs with
n <= 4 vertices are proven, in every order of the edges.
"""

from itertools import combinations

import schedproof as sp


class BothEnds(sp.System):
    """The offline side covers an edge when it arrives; earlier is no better."""

    constant = False

    def __init__(self, n=4):
        self.n = n

    def start(self):
        return frozenset()

    def requests(self, offline):
        return list(combinations(range(self.n), 2))

    def answer(self, state, request):
        return (state, 0) if state & {*request} else (state | {*request}, 2)

    def moves(self, offline, request):
        if offline & {*request}:
            return [(offline, 0)]
        return [(offline | {vertex}, 1) for vertex in request] + [(offline | {*request}, 2)]


def theory(n):
    return 2


SYSTEM = BothEnds
SIZES = ({"n": 2}, {"n": 3}, {"n": 4})
KNOWN = "proven for these sizes"
