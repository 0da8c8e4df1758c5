"""k servers on a line of n points; one of them moves to each request at the cost of its way."""

from fractions import Fraction

import schedproof as sp


class Line(sp.System):
    """The offline side moves one server for each request; it loses nothing by postponing other moves."""

    def __init__(self, n=3, k=2):
        self.n, self.k = n, k

    def start(self):
        return tuple(map(Fraction, range(self.k)))

    def requests(self, offline):
        return range(self.n)

    def moves(self, offline, request):
        return [(moved(offline, i, request), abs(offline[i] - request)) for i in range(self.k)]


def moved(servers, i, point):
    """The sorted positions after server i moved."""
    return tuple(sorted((*servers[:i], Fraction(point), *servers[i + 1 :])))
