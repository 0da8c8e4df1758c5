"""Matching to a uniformly random free neighbour is at most 2-competitive, against an oblivious adversary.

Source: Karp, Vazirani and Vazirani, STOC (1990), where its ratio tends to 2.

The source covers all n; here n <= 3 known vertices are proven, with any number of arrivals.
"""

from fractions import Fraction

from bipartite import Matching


class RandomNeighbour(Matching):
    def answer(self, state, request):
        free = [vertex for vertex in request if vertex not in state]
        return [(Fraction(1, len(free)), state | {vertex}, 1) for vertex in free] if free else (state, 0)


def theory(n):
    return 2


SYSTEM = RandomNeighbour
SIZES = ({"n": 2}, {"n": 3})
RELATION = "<="
KNOWN = "proven for these sizes"
