"""A second family in one file, a sack and what to put into it, to ask how much greed loses.

schedproof --plugin examples/knapsack.py worst greedy_or_largest --against knapsack.best --preset fine

Whoever takes items by decreasing value for each unit of weight may earn as small a part of the best as one likes; who
then chooses between that and the most valuable item alone earns half of it at least (Kellerer, Pferschy and Pisinger,
Knapsack Problems, 2004, section 2.1). Karimi et al. (NSDI 2026) look for such inputs of the first rule with MetaEase.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
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
from schedproof.core.options import pick
from schedproof.core.pictures import axes, job_colour
from schedproof.core.policy import DecidedBy
from schedproof.core.program import Program
from schedproof.core.reading import Name, Positive
from schedproof.core.records import Entity
from schedproof.core.route import EXHAUSTIVE, Route
from schedproof.core.solving.status import Outcome
from schedproof.core.sources import Paper

PRESETS = {"coarse": (5, 12), "fine": (4, 1000)}  # items, and what the sack holds


# --- sacks and what is in them ---------------------------------------------------------------------------------------


class Item(Entity):
    """What may go into the sack."""

    name: Name
    weight: Positive
    value: Positive


@dataclass(frozen=True, eq=False, repr=False)
class Sack(Instance):
    """Items, and the weight that the sack holds."""

    capacity: Positive
    items: tuple[Item, ...]

    family = "knapsack"
    sense = "maximize"

    def validate(self) -> None:
        """The sack holds each item."""
        for n, item in enumerate(self.items):
            path = f"items[{n}].weight"
            expect(item.weight <= self.capacity, "expected a weight that the sack holds", path, item.weight)


@dataclass(frozen=True, repr=False)
class Packing(Schedule):
    """The items in the sack, by position."""

    items: tuple[Annotated[int, ref("items")], ...]

    family = "knapsack"

    def objective(self, instance: Sack) -> Fraction:
        """What the items are worth."""
        return Fraction(sum(instance.items[i].value for i in self.items))

    def to_frame(self, instance: Sack) -> Any:
        """A row for each item in the sack (pandas)."""
        import pandas as pd

        held = [instance.items[i] for i in self.items]
        return pd.DataFrame(
            [(item.name, item.weight, item.value) for item in held], columns=["item", "weight", "value"]
        )


def generate(preset: str, seed: int, settings: Mapping[str, str]) -> dict[str, Any]:
    """Items that weigh, and are worth, from 1 up to what the sack holds."""
    (items, capacity), rng = pick("preset", preset, PRESETS), Random(seed)
    rows = [
        {"name": f"i{n}", "weight": rng.randint(1, capacity), "value": rng.randint(1, capacity)} for n in range(items)
    ]
    return {"version": 1, "family": "knapsack", "capacity": capacity, "items": rows}


def violations(packing: Packing, sack: Sack) -> list[Violation]:
    """Every broken constraint."""
    return checking.violations(packing, sack, once, (fits,))


def once(packing: Packing, sack: Sack) -> Iterator[Violation]:
    """An item is taken once."""
    for item in sack.items:
        if packing.items.count(item.index) > 1:
            yield violation("once", item.name, packing.items.count(item.index) - 1)


def fits(packing: Packing, sack: Sack) -> Iterator[Violation]:
    """The sack holds what is in it."""
    over = sum(sack.items[i].weight for i in packing.items) - sack.capacity
    if over > 0:
        yield violation("fits", "the sack", over)


# --- the program, and a second route ---------------------------------------------------------------------------------


@group("variables", "(1b)", r"x_i \in \{0,1\}")
def chosen(block: Any, sack: Sack) -> None:
    """An item is in the sack or not."""
    block.x = pyo.Var(range(len(sack.items)), domain=pyo.Binary)


@group("objective", "(1)", r"\max \textstyle\sum_i v_i x_i", needs=("chosen",))
def worth(block: Any, sack: Sack) -> None:
    """What the items are worth."""
    block.term = pyo.quicksum(item.value * block.model().chosen.x[item.index] for item in sack.items)


@group("constraints", "(1a)", r"\textstyle\sum_i w_i x_i \le W", needs=("chosen",))
def weight(block: Any, sack: Sack) -> None:
    """The sack holds them."""
    carried = pyo.quicksum(item.weight * block.model().chosen.x[item.index] for item in sack.items)
    block.row = pyo.Constraint(expr=carried <= sack.capacity)


def to_packing(model: Any, sack: Sack) -> Packing:
    """The items of a solved model."""
    items = tuple(i for i in range(len(sack.items)) if model.chosen.x[i].value > 0.5)
    return Packing.by("knapsack.best", sack, items)


def by_weight(sack: Sack, *, context: Context = USUAL) -> Outcome:
    """The best for each weight, item by item (Bellman)."""
    best = [0] * (sack.capacity + 1)
    for item in sack.items:
        for held in range(sack.capacity, item.weight - 1, -1):
            best[held] = max(best[held], best[held - item.weight] + item.value)
    return Outcome("optimal", float(best[-1]), float(best[-1]), exact=Fraction(best[-1]))


def best() -> Program:
    """The largest value that the sack holds."""
    routes = {"by_weight": Route(by_weight, EXHAUSTIVE)}
    return Program("knapsack.best", "maximize", (worth, weight, chosen), routes=routes, to_schedule=to_packing)


# --- the policies ----------------------------------------------------------------------------------------------------


class Greedy:
    """By decreasing value for each unit of weight, whatever still fits."""

    def assign(self, sack: Sack) -> list[Item]:
        """The items in the sack."""
        held: list[Item] = []
        for item in sorted(sack.items, key=lambda item: -Fraction(item.value, item.weight)):  # of equals in file order
            if sum(one.weight for one in held) + item.weight <= sack.capacity:
                held.append(item)
        return held


class GreedyOrLargest(Greedy):
    """The same, or the most valuable item alone, whichever is worth more."""

    def assign(self, sack: Sack) -> list[Item]:
        """The items in the sack."""
        choices = [super().assign(sack), sorted(sack.items, key=lambda item: -item.value)[:1]]
        return max(choices, key=lambda held: sum(item.value for item in held))


def drive(policy: Greedy, sack: Sack, decided_by: DecidedBy, context: Context) -> Packing:
    """Ask once for all items."""
    return Packing.by(decided_by, sack, tuple(item.index for item in policy.assign(sack)))


def draw(packing: Packing, sack: Sack, ax: Any = None) -> Any:
    """The items in the sack side by side, as wide as heavy and as high as worth."""
    ax, left = axes(ax, (5, 3)), 0
    for i in packing.items:
        item = sack.items[i]
        ax.bar(left, item.value, item.weight, align="edge", color=job_colour(i), edgecolor="white")
        left += item.weight
    ax.axvline(sack.capacity, color="black", linewidth=1)
    ax.set(xlabel="weight", ylabel="value")
    return ax


HERE = __name__
FAMILY = Family(
    name="knapsack",
    sentence="A sack that holds so much weight, and items of some value.",
    paper=Paper("Dantzig 1957", ("G. B. Dantzig",), "Discrete-Variable Extremum Problems", "Operations Research", 1957),
    data=Data(
        instance=f"{HERE}:Sack",
        schedule=f"{HERE}:Packing",
        drive=f"{HERE}:drive",
        check=f"{HERE}:violations",
        picture=f"{HERE}:draw",
        measure=Measure("value"),
        size=("items", "item"),
    ),
    programs=(Entry("best", f"{HERE}:best", "The largest value that the sack holds."),),
    policies=(
        Entry("greedy", f"{HERE}:Greedy", "By decreasing value for each unit of weight, whatever still fits."),
        Entry("greedy_or_largest", f"{HERE}:GreedyOrLargest", "Greedy, or the most valuable item alone."),
    ),
    generators=(Entry("knapsack", f"{HERE}:generate", "Items of up to what the sack holds.", presets=tuple(PRESETS)),),
)
