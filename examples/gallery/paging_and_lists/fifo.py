"""FIFO, which evicts the page that entered the cache first, is k-competitive for paging.

Source: Sleator and Tarjan, Communications of the ACM 28 (1985).

The source covers all k and n; here k <= 3 and n = k + 1 are proven.
"""

from paging import Paging


class FIFO(Paging):
    def answer(self, state, request):
        return (state, 0) if request in state else ((*state[1:], request), 1)


def theory(k, n):
    return k


SYSTEM = FIFO
SIZES = ({"k": 2, "n": 3}, {"k": 3, "n": 4})
KNOWN = "proven for these sizes"
