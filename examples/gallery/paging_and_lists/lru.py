"""LRU, which evicts the page that was requested longest ago, is k-competitive for paging.

Source: Sleator and Tarjan, Communications of the ACM 28 (1985).

No deterministic algorithm is better. The source covers all k and n; here k <= 3 and n = k + 1 are proven.
"""

from paging import Paging


class LRU(Paging):
    def answer(self, state, request):
        rest = tuple(page for page in state if page != request)
        return (*rest[len(rest) + 1 - self.k :], request), int(request not in state)


def theory(k, n):
    return k


SYSTEM = LRU
SIZES = ({"k": 2, "n": 3}, {"k": 3, "n": 4})
KNOWN = "proven for these sizes"
