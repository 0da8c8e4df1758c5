"""Move-to-front is (2 - 2/(n + 1))-competitive for a list of n items.

Source: Irani, Information Processing Letters 38 (1991); 2-competitive by Sleator and Tarjan, CACM 28 (1985).

No deterministic algorithm is better. The source covers all n; here n <= 4 is proven.
"""

from fractions import Fraction

from list_update import ListUpdate, moved


class MoveToFront(ListUpdate):
    def answer(self, state, request):
        return moved(state, request, 0), state.index(request) + 1


def theory(n):
    return 2 - Fraction(2, n + 1)


SYSTEM = MoveToFront
SIZES = ({"n": 2}, {"n": 3}, {"n": 4})
KNOWN = "proven for these sizes"
