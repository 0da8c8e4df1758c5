"""LIFO, which evicts the page that entered the cache last, is not competitive for paging.

Source: Sleator and Tarjan, Communications of the ACM 28 (1985).

Two pages alternate: LIFO always faults, and the offline side keeps both.
"""

from math import inf

from paging import Paging


class LIFO(Paging):
    def answer(self, state, request):
        return (state, 0) if request in state else ((*state[:-1], request), 1)


def theory(k, n):
    return inf


SYSTEM = LIFO
SIZES = ({"k": 2, "n": 3}, {"k": 3, "n": 4})
KNOWN = "proven for these sizes"
