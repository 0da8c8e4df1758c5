"""BIT is at most 7/4-competitive for list update, against an oblivious adversary.

Source: Reingold, Westbrook and Sleator, Algorithmica 11 (1994).

Each item has a random bit. A request flips the item's bit and moves the item to the front if the bit becomes 1. The
source covers all n. The exact ratios 19/16 and 22/17 for two and three items were not found in the literature.
"""

from fractions import Fraction
from itertools import product

from list_update import ListUpdate, moved


class BIT(ListUpdate):
    def start(self):
        return "bits not drawn"

    def answer(self, state, request):
        if state == "bits not drawn":
            drawn = [(tuple(range(self.n)), bits) for bits in product((0, 1), repeat=self.n)]
            return [(Fraction(1, 2**self.n), *self.answer(each, request)) for each in drawn]
        items, bits = state
        bits = tuple(bit ^ (item == request) for item, bit in enumerate(bits))
        return (moved(items, request, 0) if bits[request] else items, bits), items.index(request) + 1


def theory(n):
    return Fraction(7, 4)


SYSTEM = BIT
SIZES = ({"n": 2}, {"n": 3})
RELATION = "<="
KNOWN = "proven for these sizes"
