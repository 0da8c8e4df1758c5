"""A family in one file, vector packing, to find where first fit fails.

schedproof --plugin examples/vector_packing.py worst first_fit --option order=sum --against vector_packing.fewest

Namyar et al. (NSDI 2024) use MetaOpt and a commercial solver. From its answers they prove that with two resources,
first fit by decreasing sums takes twice as many bins as needed, however many these are. Karimi et al. (NSDI 2026) find
such inputs from the policy's source code. With one resource the worst ratios are known: 17/10 for first fit (Dósa and
Sgall, STACS 2013); for decreasing sizes 11/9, plus two thirds of a bin (Dósa, ESCAPE 2007).
"""

from itertools import count
from math import prod
from operator import add

import schedproof as sp
from schedproof import choice, pyo

MEANINGS = {"given": "file order", "sum": "decreasing sums of sizes", "product": "decreasing products of sizes"}
SIZES = {"given": lambda item: 0, "sum": lambda item: sum(item.sizes), "product": lambda item: prod(item.sizes)}


class Item(sp.Entity):
    """An item and its amount of each resource."""

    name: sp.Name
    sizes: tuple[sp.Count, ...]


class Items(sp.Instance):
    """Items to pack into as few bins as possible; all bins and resources have one capacity."""

    capacity: sp.Positive
    items: tuple[Item, ...]


class Packing(sp.Bins):
    """The items of each bin."""

    def objective(self, instance):
        return sum(map(bool, self.bins))


AUTHORS = ("M. R. Garey", "R. L. Graham", "D. S. Johnson", "A. C.-C. Yao")
TITLE, JOURNAL = "Resource Constrained Scheduling as Generalized Bin Packing", "Journal of Combinatorial Theory A"
PRESETS = {
    preset: {"capacity": 12, "items": items, "items[*].sizes": resources, "items[*].sizes[*]": (1, 12)}
    for preset, items, resources in (("line", 10, 1), ("plane", 9, 2))
}
PAPER = sp.Paper("Garey et al. 1976", AUTHORS, TITLE, JOURNAL, 1976)
PACKING = sp.family("vector_packing", Items, Packing, measure=sp.Measure("bins"), paper=PAPER, presets=PRESETS)


@PACKING.program
class fewest:
    """The smallest number of bins."""

    @sp.group("objective", "(1)", r"\min \textstyle\sum_b y_b")
    def used(block, instance, packed):
        """The number of used bins."""
        return sum(packed.y.values())

    @sp.group("constraints", "(1a)", r"\textstyle\sum_b x_{ib} = 1")
    def somewhere(block, instance, packed):
        """Every item is in a bin."""
        return {i: sum(packed.x[i, b] for b in packed.many) == 1 for i in packed.many}

    @sp.group("constraints", "(1b)", r"\textstyle\sum_i s_{ir} x_{ib} \le C y_b")
    def capacity(block, instance, packed):
        """The items of a bin fit in every resource."""
        x, resources = packed.x, range(len(instance.items[0].sizes))
        held = {b: [sum(i.sizes[r] * x[i.index, b] for i in instance.items) for r in resources] for b in packed.many}
        return {(b, r): held[b][r] <= instance.capacity * packed.y[b] for b in packed.many for r in resources}

    @sp.group("constraints", "(1c)", r"x_{ib} = 0 \quad b > i")
    def in_order(block, instance, packed):
        """Bins are ordered by their first items."""
        return {(i, b): packed.x[i, b] == 0 for i in packed.many for b in packed.many if b > i}

    @sp.group("variables", "(1d)", r"x_{ib},\, y_b \in \{0,1\}")
    def packed(block, instance):
        """An item is in a bin or not, a bin is used or not; there are as many bins as items."""
        many = block.many = range(len(instance.items))
        block.x, block.y = pyo.Var(many, many, domain=pyo.Binary), pyo.Var(many, domain=pyo.Binary)

    def to_schedule(model, instance):
        return [[i for i in model.packed.many if model.packed.x[i, b].value > 0.5] for b in model.packed.many]

    def by_hand(instance):
        """Enumerate all packings, each item in a used bin or the next empty one."""

        def fewest(items, bins):
            if not items:
                return len(bins)
            opened = enumerate((*bins, (0,) * len(items[0].sizes)))
            after = [(*bins[:k], tuple(map(add, held, items[0].sizes)), *bins[k + 1 :]) for k, held in opened]
            return min(fewest(items[1:], new) for new in after if max(map(max, new)) <= instance.capacity)

        return fewest(instance.items, ())

    exact = (by_hand,)


@PACKING.policy
def first_fit(items, *, order: choice(**MEANINGS) = "given"):
    """First fit: items one by one, each into the first bin that has room."""
    view = Packing.view(items)
    for item in sorted(items.items, key=SIZES[order], reverse=True):  # ties in file order
        view.put(item, next(n for n in count() if view.fits(item, n)))
    return view.bins
