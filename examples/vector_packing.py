"""A family of my own in one file, vectors in bins, to ask where first fit fails.

schedproof --plugin examples/vector_packing.py worst first_fit --option order=sum --against vector_packing.fewest

Namyar et al. (NSDI 2024) ask this with MetaOpt and a commercial solver, and prove from what they find that with two
resources first fit by decreasing sums takes twice as many bins as needed, however many these are; Karimi et al. (NSDI
2026) find such inputs from the policy's source code. With one resource the worst ratios are known: 17/10 of first fit
(Dósa and Sgall, STACS 2013); of decreasing sizes 11/9, and two thirds of a bin (Dósa, ESCAPE 2007).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from random import Random
from typing import Annotated, Any

from schedproof.core import checking
from schedproof.core.checking import Violation, violation
from schedproof.core.codecs import ref
from schedproof.core.context import USUAL, Context
from schedproof.core.errors import expect
from schedproof.core.family import Data, Entry, Family, Measure
from schedproof.core.group import group
from schedproof.core.instance import Instance, Schedule
from schedproof.core.lazy import pyo
from schedproof.core.options import Option, choice, pick
from schedproof.core.pictures import axes, job_colour
from schedproof.core.policy import DecidedBy
from schedproof.core.program import Program
from schedproof.core.reading import Count, Name, Positive
from schedproof.core.records import Entity
from schedproof.core.route import EXHAUSTIVE, Route
from schedproof.core.solving.status import Outcome
from schedproof.core.sources import Paper

PRESETS = {"line": (10, 1), "plane": (9, 2)}  # items, resources
SIZES = {"given": lambda item: 0, "sum": lambda item: sum(item.sizes), "product": lambda item: prod(item.sizes)}


# --- instances and packings ------------------------------------------------------------------------------------------


class Item(Entity):
    """What goes into a bin: how much it takes of each resource."""

    name: Name
    sizes: tuple[Count, ...]


@dataclass(frozen=True, eq=False, repr=False)
class Items(Instance):
    """Items, and the capacity of bins, the same of each resource."""

    capacity: Positive
    items: tuple[Item, ...]

    family = "vector_packing"
    sense = "minimize"

    def validate(self) -> None:
        """Each item has a size of each resource, and fits a bin."""
        for n, item in enumerate(self.items):
            fits = len(item.sizes) == len(self.items[0].sizes) and max(item.sizes, default=0) <= self.capacity
            expect(fits, "expected a size of each resource, at most the capacity", f"items[{n}].sizes")


@dataclass(frozen=True, repr=False)
class Packing(Schedule):
    """The items of each bin, by position."""

    bins: tuple[tuple[Annotated[int, ref("items")], ...], ...]

    family = "vector_packing"

    def objective(self, instance: Items) -> Fraction:
        """The bins that are used."""
        return Fraction(len(self.bins))

    def to_frame(self, instance: Items) -> Any:
        """A row for each item (pandas)."""
        import pandas as pd

        return pd.DataFrame(
            [(instance.items[i].name, n) for n, held in enumerate(self.bins) for i in held], columns=["item", "bin"]
        )


def generate(preset: str, seed: int, settings: Mapping[str, str]) -> dict[str, Any]:
    """Items of 1 to 12 units, bins of 12."""
    (items, resources), rng = pick("preset", preset, PRESETS), Random(seed)
    rows = [{"name": f"i{n}", "sizes": [rng.randint(1, 12) for _ in range(resources)]} for n in range(items)]
    return {"version": 1, "family": "vector_packing", "capacity": 12, "items": rows}


# --- what is asked of a packing --------------------------------------------------------------------------------------


def violations(packing: Packing, instance: Items) -> list[Violation]:
    """Every broken constraint."""
    return checking.violations(packing, instance, once, (fits,))


def once(packing: Packing, instance: Items) -> Iterator[Violation]:
    """Every item is in one bin."""
    held = [i for held in packing.bins for i in held]
    for item in instance.items:
        if held.count(item.index) != 1:
            yield violation("once", item.name, abs(held.count(item.index) - 1))


def fits(packing: Packing, instance: Items) -> Iterator[Violation]:
    """What is in a bin fits, in every resource."""
    for n, held in enumerate(packing.bins):
        over = max(total([instance.items[i] for i in held]), default=0) - instance.capacity
        if over > 0:
            yield violation("fits", f"bin {n}", over)


def total(items: Sequence[Item]) -> list[int]:
    """What items take together, of each resource."""
    return [sum(sizes) for sizes in zip(*(item.sizes for item in items), strict=True)]


# --- the program, and a second route ---------------------------------------------------------------------------------


@group("variables", "(1d)", r"x_{ib},\, y_b \in \{0,1\}")
def packed(block: Any, instance: Items) -> None:
    """An item is in a bin or not, a bin is used or not; there are as many bins as items."""
    many = range(len(instance.items))
    block.x, block.y = pyo.Var(many, many, domain=pyo.Binary), pyo.Var(many, domain=pyo.Binary)


@group("objective", "(1)", r"\min \textstyle\sum_b y_b", needs=("packed",))
def used(block: Any, instance: Items) -> None:
    """The bins that are used."""
    block.term = pyo.quicksum(block.model().packed.y.values())


@group("constraints", "(1a)", r"\textstyle\sum_b x_{ib} = 1", needs=("packed",))
def somewhere(block: Any, instance: Items) -> None:
    """Every item is in a bin."""
    x, many = block.model().packed.x, range(len(instance.items))
    block.row = pyo.Constraint(many, rule=lambda _, i: pyo.quicksum(x[i, b] for b in many) == 1)


@group("constraints", "(1b)", r"\textstyle\sum_i s_{ir} x_{ib} \le C y_b", needs=("packed",))
def capacity(block: Any, instance: Items) -> None:
    """What is in a bin fits, in every resource."""
    x, y, items = block.model().packed.x, block.model().packed.y, instance.items
    resources = range(len(items[0].sizes) if items else 0)

    def row(_: Any, b: int, r: int) -> Any:
        return pyo.quicksum(item.sizes[r] * x[item.index, b] for item in items) <= instance.capacity * y[b]

    block.row = pyo.Constraint(range(len(items)), resources, rule=row)


@group("constraints", "(1c)", r"x_{ib} = 0 \quad b > i", needs=("packed",))
def in_order(block: Any, instance: Items) -> None:
    """Bins are told apart by their first items."""
    x, many = block.model().packed.x, range(len(instance.items))
    block.row = pyo.Constraint([(i, b) for i in many for b in many if b > i], rule=lambda _, i, b: x[i, b] == 0)


def to_packing(model: Any, instance: Items) -> Packing:
    """The bins of a solved model."""
    many = range(len(instance.items))
    bins = (tuple(i for i in many if model.packed.x[i, b].value > 0.5) for b in many)
    return Packing.by("vector_packing.fewest", instance, tuple(held for held in bins if held))


def by_hand(instance: Items, *, context: Context = USUAL) -> Outcome:
    """Try every packing, each item in a bin that has some or in the next empty one."""

    def fewest(n: int, bins: list[list[Item]]) -> int:
        if n == len(instance.items):
            return len(bins)
        item = instance.items[n]
        rooms = [k for k, held in enumerate(bins) if max(total([*held, item])) <= instance.capacity]
        tried = [fewest(n + 1, [*bins[:k], [*bins[k], item], *bins[k + 1 :]]) for k in rooms]
        return min([*tried, fewest(n + 1, [*bins, [item]])])

    best = fewest(0, [])
    return Outcome("optimal", float(best), float(best), exact=Fraction(best))


def fewest() -> Program:
    """The fewest bins."""
    groups = (used, somewhere, capacity, in_order, packed)
    routes = {"by_hand": Route(by_hand, EXHAUSTIVE)}
    return Program("vector_packing.fewest", "minimize", groups, routes=routes, to_schedule=to_packing)


# --- the policy ------------------------------------------------------------------------------------------------------


class FirstFit:
    """First fit: items one by one, each into the first bin that has room; in file order, or the largest first."""

    def __init__(self, *, order: str = "given") -> None:
        self.order = order

    def assign(self, instance: Items) -> list[list[Item]]:
        """The items of each bin."""
        bins: list[list[Item]] = []
        for item in sorted(instance.items, key=SIZES[self.order], reverse=True):  # of equals in file order
            room = next((held for held in bins if max(total([*held, item])) <= instance.capacity), None)
            if room is None:
                bins.append([item])
            else:
                room.append(item)
        return bins


def drive(policy: FirstFit, instance: Items, decided_by: DecidedBy, context: Context) -> Packing:
    """Ask once for all items."""
    return Packing.by(
        decided_by, instance, tuple(tuple(item.index for item in held) for held in policy.assign(instance))
    )


def draw(packing: Packing, instance: Items, ax: Any = None) -> Any:
    """The bins as bars, one beside the other for each resource, an item in one colour."""
    ax = axes(ax, (5, 3))
    for n, held in enumerate(packing.bins):
        for r in range(len(instance.items[0].sizes)):
            low = 0
            for i in held:
                size = instance.items[i].sizes[r]
                ax.bar(n + 0.3 * r, size, 0.28, bottom=low, color=job_colour(i), edgecolor="white")
                low += size
    ax.axhline(instance.capacity, color="black", linewidth=1)
    ax.set(xlabel="bin, a bar for each resource", ylabel="units", xticks=range(len(packing.bins)))
    return ax


HERE = __name__
FAMILY = Family(
    name="vector_packing",
    sentence="Items that take some of each resource, in as few bins as possible.",
    paper=Paper(
        "Garey et al. 1976",
        ("M. R. Garey", "R. L. Graham", "D. S. Johnson", "A. C.-C. Yao"),
        "Resource Constrained Scheduling as Generalized Bin Packing",
        "Journal of Combinatorial Theory A",
        1976,
    ),
    data=Data(
        instance=f"{HERE}:Items",
        schedule=f"{HERE}:Packing",
        drive=f"{HERE}:drive",
        check=f"{HERE}:violations",
        picture=f"{HERE}:draw",
        measure=Measure("bins"),
        size=("items", "item"),
    ),
    programs=(Entry("fewest", f"{HERE}:fewest", "The fewest bins."),),
    policies=(
        Entry(
            "first_fit",
            f"{HERE}:FirstFit",
            "First fit: items one by one, each into the first bin that has room.",
            (Option("order", choice(*SIZES), "given", "file order, or decreasing sums or products of sizes"),),
        ),
    ),
    generators=(
        Entry("vector_packing", f"{HERE}:generate", "Items of 1 to 12 units, bins of 12.", presets=tuple(PRESETS)),
    ),
)
