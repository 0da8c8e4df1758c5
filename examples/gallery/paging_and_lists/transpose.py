"""Transpose is at least 2n/3-competitive for a list of n items.

Source: Sleator and Tarjan, Communications of the ACM 28 (1985).

A request exchanges the item with its predecessor. Requests to the last two items in turn cost n each; the offline
side keeps both in front. The source covers all n; here n <= 4 is proven.
"""

from fractions import Fraction

from list_update import ListUpdate, moved


class Transpose(ListUpdate):
    def answer(self, state, request):
        place = state.index(request)
        return moved(state, request, max(0, place - 1)), place + 1


def theory(n):
    return Fraction(2 * n, 3)


SYSTEM = Transpose
SIZES = ({"n": 2}, {"n": 3}, {"n": 4})
RELATION = ">="
KNOWN = "proven for these sizes"
