"""The toy family's data: a sack, arriving items, and a packing."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any

from schedproof.core.data.codecs import ref
from schedproof.core.data.reading import Amount, Count, Name, PositiveAmount
from schedproof.core.data.records import Entity
from schedproof.core.simulation.instance import Instance, Schedule


class Item(Entity):
    """An item that may be taken."""

    name: Name
    arrival: Count
    value: Amount
    weight: PositiveAmount


@dataclass(frozen=True, eq=False, repr=False)
class Sack(Instance):
    """A sack and the arriving items."""

    capacity: Amount
    items: tuple[Item, ...]

    family = "toy"
    sense = "maximize"


@dataclass(frozen=True, repr=False)
class Packing(Schedule):
    """The items that were taken, by position."""

    items: tuple[Annotated[int, ref("items")], ...]

    family = "toy"

    def objective(self, instance: Sack) -> Fraction:
        return sum((instance.items[i].value for i in self.items), Fraction(0))

    def to_frame(self, instance: Sack) -> Any:
        import pandas as pd

        return pd.DataFrame([{"item": item.name, "taken": item.index in self.items} for item in instance.items])
