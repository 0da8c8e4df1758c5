"""Matching each vertex if possible is 2-competitive for online bipartite matching.

Source: Karp, Vazirani and Vazirani, STOC (1990).

No deterministic algorithm is better. The source covers all n; here n <= 4 known vertices are proven, with any number of
arrivals.
"""

from bipartite import Matching


class Greedy(Matching):
    def answer(self, state, request):
        free = [vertex for vertex in request if vertex not in state]
        return (state | {free[0]}, 1) if free else (state, 0)


def theory(n):
    return 2


SYSTEM = Greedy
SIZES = ({"n": 2}, {"n": 3}, {"n": 4})
KNOWN = "proven for these sizes"
