"""The entries of a listed program: columns and rows with their ranges."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from schedproof.core.base.untyped import Model

Side = Fraction | None  # None for an open side
Terms = Mapping[int, Fraction | int]  # number of a column -> coefficient
ZERO = Fraction(0)


@dataclass(frozen=True, slots=True)
class Entry:
    """The common part of a column and a row.

    Attributes
    ----------
    lower, upper
        The range; an open side is None.
    place
        Component and index in the model; unknown for a program from a file.
    """

    name: str
    lower: Side
    upper: Side
    place: tuple[str, Model] = field(default=("", ()), kw_only=True, compare=False, repr=False)

    @property
    def group(self) -> str:
        """The program's group of the entry."""
        return self.name.partition(".")[0].partition("[")[0]

    def allows(self, amount: Fraction) -> bool:
        return (self.lower is None or self.lower <= amount) and (self.upper is None or amount <= self.upper)


@dataclass(frozen=True, slots=True)
class Column(Entry):
    """A variable with its cost."""

    cost: Fraction


@dataclass(frozen=True, slots=True)
class Row(Entry):
    """A sum of terms."""

    terms: Terms
