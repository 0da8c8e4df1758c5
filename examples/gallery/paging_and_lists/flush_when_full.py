"""Flush-When-Full, which empties the full cache on a fault, is k-competitive for paging.

Source: Karlin, Manasse, Rudolph and Sleator, Algorithmica 3 (1988).

The source covers all k and n; here k <= 3 and n = k + 1 are proven.
"""

from paging import Paging


class FlushWhenFull(Paging):
    def start(self):
        return frozenset(range(self.k))

    def answer(self, state, request):
        if request in state:
            return state, 0
        return (state if len(state) < self.k else frozenset()) | {request}, 1


def theory(k, n):
    return k


SYSTEM = FlushWhenFull
SIZES = ({"k": 2, "n": 3}, {"k": 3, "n": 4})
KNOWN = "proven for these sizes"
