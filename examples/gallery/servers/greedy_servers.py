"""Moving the nearest server is not competitive for servers on a line.

Source: Manasse, McGeoch and Sleator, Journal of Algorithms 11 (1990).

Requests alternate between two points close to one server. Greedy moves this server for ever; the offline side moves
another server once.
"""

from math import inf

from line import Line, moved


class Greedy(Line):
    def answer(self, state, request):
        nearest = min(range(self.k), key=lambda i: abs(state[i] - request))
        return moved(state, nearest, request), abs(state[nearest] - request)


def theory(n, k):
    return inf


SYSTEM = Greedy
SIZES = ({"n": 4, "k": 2}, {"n": 5, "k": 3})
KNOWN = "proven for these sizes"
