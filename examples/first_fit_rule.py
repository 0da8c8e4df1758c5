"""First fit as a program: item sizes for which it needs the most bins, by big-M.

schedproof --plugin examples/vector_packing.py --plugin examples/first_fit_rule.py worst first_fit six.json \
    --option order=sum --against vector_packing.fewest --free 'items[*].sizes[*]=0..24'

Namyar et al. (NSDI 2024) solve this with MetaOpt and a commercial solver. The rule is linear: an item is in the
first bin with room in every resource; each earlier bin lacks room in some resource. The card extends the family of
`vector_packing.py` by a start for `worst`: the program proposes sizes, and the policy packs them like any others.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from schedproof.core.base.lazy import pyo
from schedproof.core.cards.family import Attack, Entry, Family
from schedproof.core.data.options import Option, choice, whole
from schedproof.core.programs.group import group
from schedproof.core.programs.program import Program

SUFFICE = 2  # bins, in the proposal to `worst`


# --- the program -----------------------------------------------------------------------------------------------------


@group("variables", "(2d)", r"s_{ir} \in \{0, \dots, C\}")
def sizes(block: Any, instance: Any) -> None:
    """An item takes an integer amount of each resource; the file's sizes are ignored."""
    block.items, block.resources = range(len(instance.items)), range(len(instance.items[0].sizes))
    block.size = pyo.Var(block.items, block.resources, domain=pyo.Integers, bounds=(0, instance.capacity))


@group("variables", "(2e)", r"o_{ib}, p_{ibr}", needs=("sizes",))
def few(block: Any, instance: Any, *, suffice: int) -> None:
    """A packing with few bins: each item's bin, and its amounts there."""
    _packing(block, range(suffice), instance.capacity)


@group("variables", "(2e)", r"z_{ib}, q_{ibr}", needs=("sizes",))
def first_fit(block: Any, instance: Any) -> None:
    """First fit's packing."""
    _packing(block, range(len(instance.items)), instance.capacity)


def _packing(block: Any, bins: range, capacity: int) -> None:
    of = block.model().sizes
    block.bins, block.within = bins, pyo.Var(of.items, bins, domain=pyo.Binary)
    block.part = pyo.Var(of.items, bins, of.resources, bounds=(0, capacity))
    size, within, part = of.size, block.within, block.part
    block.one = pyo.Constraint(of.items, rule=lambda _, i: pyo.quicksum(within[i, b] for b in bins) == 1)
    block.product = pyo.ConstraintList()
    for i, b, r in part:
        block.product.add(part[i, b, r] <= size[i, r])
        block.product.add(part[i, b, r] <= capacity * within[i, b])
        block.product.add(part[i, b, r] >= size[i, r] - capacity * (1 - within[i, b]))
    block.room = pyo.Constraint(
        bins, of.resources, rule=lambda _, b, r: pyo.quicksum(part[i, b, r] for i in of.items) <= capacity
    )


@group("variables", "(2f)", r"u_b \in [0, 1]", needs=("first_fit",))
def opened(block: Any, instance: Any) -> None:
    """A bin has an item, or none."""
    packing = block.model().first_fit
    block.is_open = pyo.Var(packing.bins, bounds=(0, 1))
    items = block.model().sizes.items
    block.row = pyo.Constraint(
        packing.bins, rule=lambda _, b: block.is_open[b] <= pyo.quicksum(packing.within[i, b] for i in items)
    )


@group("objective", "(2)", r"\max \textstyle\sum_b u_b", needs=("opened",))
def taken(block: Any, instance: Any) -> None:
    """The bins of first fit."""
    block.term = pyo.quicksum(block.model().opened.is_open.values())


@group("constraints", "(2a)", r"\textstyle\sum_{j < i} q_{jbr} + s_{ir} \ge (C + 1) f_{ibr}", needs=("first_fit",))
def no_room_before(block: Any, instance: Any) -> None:
    """Each bin before an item's own lacks room in some resource."""
    of, packing, capacity = block.model().sizes, block.model().first_fit, instance.capacity
    block.short = pyo.Var(of.items, packing.bins, of.resources, domain=pyo.Binary)
    block.row = pyo.ConstraintList()
    for i in of.items:
        for b in packing.bins:
            block.row.add(
                pyo.quicksum(block.short[i, b, r] for r in of.resources)
                >= pyo.quicksum(packing.within[i, later] for later in packing.bins[b + 1 :])
            )
            for r in of.resources:
                held = pyo.quicksum(packing.part[j, b, r] for j in range(i))
                block.row.add(held + of.size[i, r] >= (capacity + 1) * block.short[i, b, r])


@group("constraints", "(2b)", r"\textstyle\sum_r s_{ir} \ge \sum_r s_{i + 1, r}", needs=("sizes",))
def by_decreasing_sums(block: Any, instance: Any) -> None:
    """Items are sorted by decreasing sums."""
    of = block.model().sizes
    total = [pyo.quicksum(of.size[i, r] for r in of.resources) for i in of.items]
    block.row = pyo.Constraint(of.items[:-1], rule=lambda _, i: total[i] >= total[i + 1])


def most_bins(*, order: str = "sum", suffice: int = SUFFICE) -> Program:
    """Maximise first fit's bins over sizes that fit into ``suffice`` bins."""
    ordered = (by_decreasing_sums,) if order == "sum" else ()
    groups = (taken, no_room_before, *ordered, sizes, few, first_fit, opened)
    return Program("vector_packing.most_bins", "maximize", groups, parameters={"suffice": suffice})


# --- the start for `worst` --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sizes:
    """The program for a file with free sizes.

    Attributes
    ----------
    read
        Returns the instance of a document.
    """

    document_: dict[str, Any]
    read: Callable[[Any], Any]
    order: str

    def model(self) -> Any:
        """The program as a Pyomo model."""
        return most_bins(order=self.order).build(self.read(self.document_))

    def document(self, model: Any) -> dict[str, Any]:
        """Return the file with the sizes of a solved model."""
        rows = [
            item | {"sizes": [round(model.sizes.size[i, r].value) for r in model.sizes.resources]}
            for i, item in enumerate(self.document_["items"])
        ]
        return self.document_ | {"items": rows}

    def most(self, bins: float) -> float:
        """Return a bound on the ratio of ``bins`` to `SUFFICE`, or one bin per item."""
        return max(bins / SUFFICE, len(self.document_["items"]) / (SUFFICE + 1))


def attack(space: Any, objective: Any) -> Sizes | None:
    """Return the program if all sizes are free, in file order or by sums."""
    from schedproof.instances import from_json

    document, order = space.starts[0], str(objective.policy.options.get("order", "given"))
    wanted, items = list(range(document["capacity"] + 1)), document["items"]
    every = {("items", i, "sizes", r): wanted for i, item in enumerate(items) for r in range(len(item["sizes"]))}
    fits = order in ("given", "sum") and every == {place: list(values) for place, values in space.free}
    return Sizes(document, from_json, order) if fits else None


HERE = __name__
FAMILY = Family(
    name="vector_packing",
    programs=(
        Entry(
            "most_bins",
            f"{HERE}:most_bins",
            "Item sizes for which first fit needs the most bins, among those that fit into a few.",
            (
                Option("order", choice(given="of the file", sum="decreasing sums"), "sum", "order of the items"),
                Option("suffice", whole(), SUFFICE, "bins for all items"),
            ),
        ),
    ),
    attacks=(Attack("first_fit", "fewest", f"{HERE}:attack"),),
)
