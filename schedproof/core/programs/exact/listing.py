"""A linear or conic program in rationals, row by row, and what multipliers prove of it.

For ``min c x`` with lower <= a_i x <= upper and ranges of x, any multipliers y give, with what is left of the costs,
d = c - y A,

    c x = sum of y_i (a_i x) + sum of d_j x_j
       >= sum over y_i > 0 of y_i lower_i + sum over y_i < 0 of y_i upper_i
        + sum over d_j > 0 of d_j lowest_j + sum over d_j < 0 of d_j highest_j,

and the same with the sides exchanged for a maximum. `bound` is the right side, exactly, or nothing where a side that
it takes is open. Rows of a cone, a_i x - lower_i over its members, may have multipliers of any signs that lie in the
dual cone together, or in its negative for a maximum; they are taken at their lower sides.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Literal

from schedproof.core.base.untyped import Model
from schedproof.core.programs.exact.cones import Cone

Side = Fraction | None  # None for one that is open
Terms = Mapping[int, Fraction | int]  # number of a column -> coefficient
Multipliers = Mapping[int, Fraction]  # number of a row -> multiplier
ZERO = Fraction(0)


@dataclass(frozen=True)
class Entry:
    """What a column and a row have in common.

    Attributes
    ----------
    lower, upper
        Its range; None for a side that is open.
    place
        The component of the model and the index in it; of what was read from a file it is not known.
    """

    name: str
    lower: Side
    upper: Side
    place: tuple[str, Model] = field(default=("", ()), kw_only=True, compare=False, repr=False)

    @property
    def group(self) -> str:
        """The group of the program that it belongs to."""
        return self.name.partition(".")[0].partition("[")[0]

    def allows(self, amount: Fraction) -> bool:
        """Whether an amount is in its range."""
        return (self.lower is None or self.lower <= amount) and (self.upper is None or amount <= self.upper)


@dataclass(frozen=True)
class Column(Entry):
    """A variable, with its cost."""

    cost: Fraction


@dataclass(frozen=True)
class Row(Entry):
    """A sum of terms."""

    terms: Terms


@dataclass(frozen=True)
class Listing:
    """A linear program; the names are for reading, what refers to a column or a row is its number.

    Attributes
    ----------
    constant
        Of the objective.
    cones
        Of rows; a row is of one at most, and has a lower side alone if it is.
    """

    sense: Literal["minimize", "maximize"]
    constant: Fraction
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    cones: tuple[Cone, ...] = ()

    @cached_property
    def sign(self) -> int:
        """1 for a minimum, -1 for a maximum."""
        return 1 if self.sense == "minimize" else -1

    @cached_property
    def conic(self) -> frozenset[int]:
        """The rows that are members of cones."""
        return frozenset(i for cone in self.cones for i in cone.rows)

    def remaining_costs(self, multipliers: Multipliers) -> list[Fraction]:
        """What is left of each cost when the rows are taken so many times."""
        scale = lcm(*(multiplier.denominator for multiplier in multipliers.values()))  # so that sums are of integers
        taken: list[Fraction | int] = [0] * len(self.columns)
        for i, multiplier in multipliers.items():
            times = multiplier.numerator * (scale // multiplier.denominator)
            for j, coefficient in self.rows[i].terms.items():
                taken[j] += times * coefficient
        return [column.cost - Fraction(sum) / scale for column, sum in zip(self.columns, taken, strict=True)]

    def shares(self, multipliers: Multipliers) -> Iterator[tuple[Row | Column, Fraction, Side]]:
        """The rows and the ranges of columns that the proof takes, how often, and the side that each is taken at."""
        for i, multiplier in multipliers.items():
            if multiplier:
                yield self.rows[i], multiplier, self.side(i, multiplier)
        for column, rest in zip(self.columns, self.remaining_costs(multipliers), strict=True):
            if rest:
                yield column, rest, column.lower if rest * self.sign > 0 else column.upper

    def side(self, i: int, multiplier: Fraction) -> Side:
        """The side that a row is taken at, with such a multiplier."""
        return self.rows[i].lower if multiplier * self.sign > 0 or i in self.conic else self.rows[i].upper

    def bound(self, multipliers: Multipliers) -> Fraction:
        """The bound on the optimum that multipliers prove, exactly.

        Raises
        ------
        ValueError
            Where they prove none, since a side is open, or those of a cone are not in its dual cone.
        """
        for cone in self.cones:
            if not cone.pays([self.sign * multipliers.get(i, ZERO) for i in cone.rows]):
                raise ValueError(f"the multipliers from {self.rows[cone.rows[0]].name} on are not in the dual cone")
        total = self.constant
        for entry, multiplier, side in self.shares(multipliers):
            if side is None:
                which = "lower" if multiplier * self.sign > 0 else "upper"
                raise ValueError(f"{entry.name} has no {which} side, and is taken {float(multiplier):.6g} times")
            total += multiplier * side
        return total

    def without_costs(self) -> Listing:
        """The same rows and ranges with costs 0: a bound > 0 on this minimum proves that no point meets them."""
        columns = tuple(replace(column, cost=ZERO) for column in self.columns)
        return replace(self, sense="minimize", constant=ZERO, columns=columns)

    def recession(self) -> Listing:
        """The program of the directions that lead from a point to points, without end: all sides are 0."""
        columns = tuple(replace(c, lower=_zero(c.lower), upper=_zero(c.upper)) for c in self.columns)
        rows = tuple(replace(row, lower=_zero(row.lower), upper=_zero(row.upper)) for row in self.rows)
        return replace(self, constant=ZERO, columns=columns, rows=rows)

    @property
    def crossed(self) -> Entry | None:
        """The first row or column whose lower side exceeds its upper one."""
        for entry in (*self.rows, *self.columns):
            if entry.lower is not None and entry.upper is not None and entry.lower > entry.upper:
                return entry
        return None


def _zero(side: Side) -> Side:
    return None if side is None else ZERO
