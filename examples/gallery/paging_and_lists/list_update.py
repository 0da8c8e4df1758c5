"""List update: an access costs the item's place; two neighbours may be exchanged at cost 1.

After an access the item may move forward free of charge.
"""

from itertools import permutations

import schedproof as sp


class ListUpdate(sp.System):
    """The offline side may make paid exchanges before each access, and moves the item forward after it."""

    def __init__(self, n=3):
        self.n = n

    def start(self):
        return tuple(range(self.n))

    def offline(self):
        return tuple(range(self.n))

    def requests(self, offline):
        return range(self.n)

    def moves(self, offline, request):
        at = {item: place for place, item in enumerate(offline)}
        for order in permutations(range(self.n)):
            swaps = sum(at[order[i]] < at[order[j]] for i in range(self.n) for j in range(i))
            for place in range(order.index(request) + 1):
                yield moved(order, request, place), swaps + order.index(request) + 1


def moved(items, item, place):
    """The list with an item at another place."""
    rest = tuple(other for other in items if other != item)
    return (*rest[:place], item, *rest[place:])
