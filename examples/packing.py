"""Items in bins, with one column per set of items: a ratio from column generation.

schedproof --plugin examples/packing.py ratio next_fit work.json --bound sets

The linear program over all sets that fit is that of Gilmore and Gomory (1961). Its bound is at most one bin below the
optimum on all known small instances.
"""

from collections import Counter

import schedproof as sp
from schedproof.core.base.lazy import pyo


class Item(sp.Entity):
    name: sp.Name
    size: sp.Positive


class Items(sp.Instance):
    """Items to pack into bins of one capacity."""

    capacity: sp.Positive
    items: tuple[Item, ...]


class Packing(sp.Bins):
    """The items of each bin; the cost is the number of bins."""

    def sizes(work, item):
        return (item.size,)

    def objective(self, work):
        return len(self.bins)


PRESETS = {"small": {"capacity": 10, "items": 12, "items[*].size": (1, 10)}}
PACKING = sp.family("packing", Items, Packing, measure=sp.Measure("bins"), presets=PRESETS)


@PACKING.policy
def next_fit(view, item):
    """Open a new bin for an item that does not fit into the last one."""
    last = max(0, len(view.bins) - 1)
    return last if view.fits(item, last) else last + 1


def best_set(work, prices):
    """Return the set that fits with the largest total price, and this price."""
    best = [((), 0)] * (work.capacity + 1)
    for item in work.items:
        for room in range(work.capacity, item.size - 1, -1):
            names, price = best[room - item.size]
            if price + prices[item.name] > best[room][1]:
                best[room] = (*names, item.name), price + prices[item.name]
    return best[-1]


@PACKING.program
class sets:
    """The fewest bins, with fractions of sets."""

    def one_each(work):
        """Return the first columns: each item alone."""
        return [(item.name,) for item in work.items]

    def better(work, multipliers):
        """Return the set whose reduced cost, 1 - its price, is the least, if negative."""
        names, price = best_set(work, multipliers["packed.row"])
        return [names] if price > 1 + 1e-9 else []

    def at_least(work, multipliers):
        """No reduced cost is smaller, and an optimum uses at most one bin per item."""
        _, price = best_set(work, multipliers["packed.row"])
        return min(0, 1 - price) * len(work.items)

    @sp.group("objective", "(1)", r"\min \textstyle\sum_S x_S")
    def bins(block, work, filled):
        """The number of bins."""
        return sum(filled.x.values())

    @sp.group("constraints", "(1a)", r"\textstyle\sum_{S \ni i} x_S \ge 1 \quad \forall i")
    def packed(block, work, filled):
        """Each item is in a bin."""
        held = sp.sums((name, filled.x[n]) for n, names in enumerate(filled.sets) for name in names)
        return {item.name: held[item.name] >= 1 for item in work.items}

    @sp.group("variables", "(1b)", r"x_S \ge 0", start=one_each, price=better, rest=at_least)
    def filled(block, work, *, columns):
        """The number of bins with exactly the items of a set."""
        block.sets = columns
        block.x = pyo.Var(range(len(columns)), domain=pyo.NonNegativeReals)

    def to_point(packing, work):
        return {"filled": Counter(tuple(work.items[i].name for i in sorted(held)) for held in packing.bins)}
