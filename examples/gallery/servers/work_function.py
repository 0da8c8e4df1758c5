"""The work function algorithm is k-competitive for k = 2 servers, and at most (2k - 1)-competitive for all k.

Source: Chrobak and Larmore, DIMACS Series 7 (1992); Koutsoupias and Papadimitriou, Journal of the ACM 42 (1995).

The work function w(X) is the optimal cost of serving all requests and ending at X. The algorithm moves to the X with
the least w(X) plus distance. The sources cover all metric spaces; here two servers on up to five points of a line are
proven.
"""

from itertools import combinations

from line import Line


def distance(one, other):
    return sum(abs(x - y) for x, y in zip(sorted(one), sorted(other), strict=True))


class WorkFunction(Line):
    def start(self):
        first = tuple(range(self.k))
        return first, tuple(distance(first, x) for x in combinations(range(self.n), self.k))

    def offline(self):
        return tuple(range(self.k))

    def answer(self, state, request):
        places, work = state
        everywhere = list(combinations(range(self.n), self.k))
        before = dict(zip(everywhere, work, strict=True))
        serving = [x for x in everywhere if request in x]
        work = [min(before[y] + distance(x, y) for y in serving) for x in everywhere]
        after = dict(zip(everywhere, work, strict=True))
        then = min(serving, key=lambda x: after[x] + distance(places, x))
        return (then, tuple(cost - min(work) for cost in work)), distance(places, then)

    def moves(self, offline, request):
        found = [
            (tuple(sorted((*offline[:i], request, *offline[i + 1 :]))), abs(offline[i] - request))
            for i in range(self.k)
        ]
        return [(places, cost) for places, cost in found if len(set(places)) == self.k]


def theory(n, k):
    return k


SYSTEM = WorkFunction
SIZES = ({"n": 3, "k": 2}, {"n": 4, "k": 2}, {"n": 5, "k": 2})
KNOWN = "proven for these sizes"
