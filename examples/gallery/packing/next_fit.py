"""Next Fit uses at most twice the optimal number of bins.

Source: Johnson, PhD thesis, MIT (1973).

Two consecutive bins hold more than one bin's capacity. The source covers all items; here all sequences of n items with
integer sizes are searched.
"""

from bins import Packing


class NextFit(Packing):
    """The levels keep their order; only the last bin is open."""

    def __init__(self, capacity, n):
        super().__init__(capacity, tuple(range(1, capacity + 1)), n)

    def answers(self, state, move):
        items, levels = tuple(sorted((*state[0], move))), state[1]
        fits = levels and levels[-1] + move <= self.capacity
        yield items, (*levels[:-1], levels[-1] + move) if fits else (*levels, move)


def theory(capacity, n):
    return 2


GAME = NextFit
SIZES = ({"capacity": 4, "n": 4}, {"capacity": 6, "n": 6})
RELATION = "<="
KNOWN = "proven for these sizes"
