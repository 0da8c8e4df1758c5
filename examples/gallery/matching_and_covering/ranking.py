"""RANKING matches n known vertices with a ratio of at most 1/(1 - (1 - 1/(n + 1))^n).

Source: Karp, Vazirani and Vazirani, STOC (1990); Birnbaum and Mathieu, SIGACT News 39 (2008).

A vertex is matched to the free neighbour that is first in a random order of the known vertices. The bound tends to
e/(e - 1). The sources cover all n; here the exact ratio is proven for n <= 3, with any number of arrivals.
"""

from fractions import Fraction
from itertools import permutations
from math import factorial

from bipartite import Matching


class Ranking(Matching):
    def start(self):
        return "order not drawn"

    def answer(self, state, request):
        if state == "order not drawn":
            orders = permutations(range(self.n))
            return [(Fraction(1, factorial(self.n)), *self.answer((order, frozenset()), request)) for order in orders]
        order, matched = state
        first = next((vertex for vertex in order if vertex in request and vertex not in matched), None)
        return (state, 0) if first is None else ((order, matched | {first}), 1)


def theory(n):
    return 1 / (1 - Fraction(n, n + 1) ** n)


SYSTEM = Ranking
SIZES = ({"n": 2}, {"n": 3})
RELATION = "<="
KNOWN = "proven for these sizes"
