"""A family in one file, the knapsack problem, to ask how much greedy rules lose.

schedproof --plugin examples/knapsack.py worst greedy_or_largest --against knapsack.best --preset fine

Taking items by decreasing value per weight can be arbitrarily bad. The better of this packing and the most valuable
item has at least half of the optimal value (Kellerer, Pferschy and Pisinger, Knapsack Problems, 2004, section 2.1).
Karimi et al. (NSDI 2026) find bad inputs of the first rule with MetaEase.
"""

import schedproof as sp
from schedproof import pyo


class Item(sp.Entity):
    """An item of the knapsack."""

    name: sp.Name
    weight: sp.Positive
    value: sp.Positive


class Sack(sp.Instance):
    """A knapsack and its items."""

    capacity: sp.Positive
    items: tuple[Item, ...]


class Packing(sp.Bins):
    """The items in the sack, the only bin."""

    most, every = 1, False

    def sizes(sack, item):
        """Return an item's weight."""
        return (item.weight,)

    def objective(self, sack):
        """Return the items' total value."""
        return sum(sack.items[i].value for held in self.bins for i in held)


def up_to(capacity):
    return {"capacity": capacity, "items[*].weight": (1, capacity), "items[*].value": (1, capacity)}


KNAPSACK = sp.family(
    "knapsack",
    Sack,
    Packing,
    sense="maximize",
    measure=sp.Measure("value"),
    paper=sp.Paper("Dantzig 1957", ("G. B. Dantzig",), "Discrete-Variable Extremum Problems", "Op. Research", 1957),
    presets={"coarse": {"items": 5, **up_to(12)}, "fine": {"items": 4, **up_to(1000)}},
)


@KNAPSACK.program
class best:
    """The largest value that fits."""

    @sp.group("objective", "(1)", r"\max \textstyle\sum_i v_i x_i")
    def worth(block, sack, chosen):
        """The items' total value."""
        return sum(item.value * chosen.x[item.index] for item in sack.items)

    @sp.group("constraints", "(1a)", r"\textstyle\sum_i w_i x_i \le W")
    def weight(block, sack, chosen):
        """The items' weight is within the capacity."""
        return sum(item.weight * chosen.x[item.index] for item in sack.items) <= sack.capacity

    @sp.group("variables", "(1b)", r"x_i \in \{0,1\}")
    def chosen(block, sack):
        """An item is chosen or not."""
        block.x = pyo.Var(range(len(sack.items)), domain=pyo.Binary)

    def to_schedule(model, sack):
        return [[i for i, x in model.chosen.x.items() if x.value > 0.5]]

    def to_point(packing, sack):
        return {"chosen.x": {i: 1 for held in packing.bins for i in held}}

    def by_weight(sack):
        """Return the best value by weight, item by item (Bellman)."""
        best = [0] * (sack.capacity + 1)
        for item in sack.items:
            for held in range(sack.capacity, item.weight - 1, -1):
                best[held] = max(best[held], best[held - item.weight] + item.value)
        return best[-1]

    exact = (by_weight,)


@KNAPSACK.policy
def greedy(sack):
    """Pack by decreasing value per weight while items fit."""
    held, room = [], sack.capacity
    scale = max((item.weight for item in sack.items), default=1) ** 2  # different ratios differ by 1/scale or more
    for item in sorted(sack.items, key=lambda item: -(item.value * scale // item.weight)):  # ties in file order
        if item.weight <= room:
            held.append(item)
            room -= item.weight
    return [held]


@KNAPSACK.policy
def greedy_or_largest(sack):
    """Return the better one of greedy and the most valuable item."""
    alone = sorted((item for item in sack.items if item.weight <= sack.capacity), key=lambda item: -item.value)
    return max(greedy(sack), [alone[:1]], key=lambda bins: sum(item.value for item in bins[0]))
