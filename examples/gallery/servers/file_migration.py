"""Counting requests is 3-competitive for the migration of a file between processors at equal distances.

Source: Black and Sleator, CMU Technical Report CS-89-201 (1989).

A request of a processor without the file costs 1, a migration costs the file's size D. A request increases the
processor's counter and decreases another one; at 2D the file moves there. The source covers all D and numbers of
processors; here up to three are proven.
"""

import schedproof as sp


class FileMigration(sp.System):
    def __init__(self, n=2, size=2):
        self.n, self.size = n, size

    def start(self):
        return 0, (2 * self.size, *(0 for _ in range(1, self.n)))  # the file's processor, and the counters

    def offline(self):
        return 0

    def requests(self, offline):
        return range(self.n)

    def answer(self, state, request):
        here, counters = state
        cost, counters = int(request != here), list(counters)
        if counters[request] < 2 * self.size:
            other = max((i for i in range(self.n) if i != request), key=lambda i: (counters[i], i != here))
            counters[request], counters[other] = counters[request] + 1, counters[other] - 1
        if request != here and counters[request] == 2 * self.size:
            here, cost = request, cost + self.size
        return (here, tuple(counters)), cost

    def moves(self, offline, request):
        return [(then, (request != offline) + self.size * (then != offline)) for then in range(self.n)]


def theory(n, size):
    return 3


SYSTEM = FileMigration
SIZES = ({"n": 2, "size": 1}, {"n": 2, "size": 2}, {"n": 3, "size": 2})
KNOWN = "proven for these sizes"
