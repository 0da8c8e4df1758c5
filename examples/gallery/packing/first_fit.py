"""First Fit uses at most 17/10 times the optimal number of bins.

Source: Dosa and Sgall, STACS (2013).

The source covers all items; here all sequences of n items with integer sizes are searched.
"""

from fractions import Fraction

from bins import Packing


class FirstFit(Packing):
    """The levels keep their order; an item goes into the first bin with room."""

    def __init__(self, capacity, n):
        super().__init__(capacity, tuple(range(1, capacity + 1)), n)

    def answers(self, state, move):
        items, levels = tuple(sorted((*state[0], move))), state[1]
        first = next((i for i, level in enumerate(levels) if level + move <= self.capacity), len(levels))
        yield items, (*levels[:first], sum(levels[first : first + 1]) + move, *levels[first + 1 :])


def theory(capacity, n):
    return Fraction(17, 10)


GAME = FirstFit
SIZES = ({"capacity": 4, "n": 4}, {"capacity": 6, "n": 6})
RELATION = "<="
KNOWN = "proven for these sizes"
