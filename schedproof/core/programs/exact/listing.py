"""A linear or conic program in rationals, row by row, and bounds by multipliers.

For ``min c x`` with lower <= a_i x <= upper, ranges of x, and any multipliers y, let d = c - y A. Then

    c x = sum of y_i (a_i x) + sum of d_j x_j
       >= sum over y_i > 0 of y_i lower_i + sum over y_i < 0 of y_i upper_i
        + sum over d_j > 0 of d_j lowest_j + sum over d_j < 0 of d_j highest_j,

and with exchanged sides for a maximum. `bound` is the exact right side, if all its sides are finite. The rows of a
cone, a_i x - lower_i, may have multipliers of any sign if the multipliers together lie in the dual cone (for a maximum:
in its negative). Such rows use their lower sides.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import TYPE_CHECKING, Literal

from schedproof.core.base.untyped import Model
from schedproof.core.programs.exact.cones import Cone
from schedproof.core.programs.exact.entries import ZERO, Column, Entry, Row, Side

if TYPE_CHECKING:
    from schedproof.core.programs.exact.integers import IntegerForm

Multipliers = Mapping[int, Fraction]  # number of a row -> multiplier
SMALL = 1000  # rows and columns up to which fractions are as fast as arrays of integers


@dataclass(frozen=True)
class Listing:
    """A linear or conic program; columns and rows are referenced by number.

    Attributes
    ----------
    constant
        The objective's constant.
    cones
        Cones of rows. A row is in at most one cone, and then has only a lower side.
    absent
        Components and indices of the model's rows without terms; unknown for a program from a file.
    """

    sense: Literal["minimize", "maximize"]
    constant: Fraction
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    cones: tuple[Cone, ...] = ()
    absent: tuple[tuple[str, Model], ...] = field(default=(), compare=False, repr=False)

    @cached_property
    def sign(self) -> int:
        return 1 if self.sense == "minimize" else -1

    @cached_property
    def conic(self) -> frozenset[int]:
        """The rows of cones."""
        return frozenset(i for cone in self.cones for i in cone.rows)

    @cached_property
    def integers(self) -> IntegerForm | None:
        """Return the program in integers, without its cones.

        None if it is small, or if the integers are too long.
        """
        from schedproof.core.programs.exact.integers import IntegerForm  # loads numpy

        with suppress(OverflowError):
            return IntegerForm(self) if len(self.rows) + len(self.columns) > SMALL else None
        return None

    def remaining_costs(self, multipliers: Multipliers) -> list[Fraction]:
        """Return the reduced costs d = c - y A."""
        with suppress(OverflowError):
            if self.integers:
                return self.integers.remaining_costs(self.integers.multipliers(multipliers)).fractions()
        scale = lcm(*(multiplier.denominator for multiplier in multipliers.values()))  # makes all sums integer
        taken: list[Fraction | int] = [0] * len(self.columns)
        for i, multiplier in multipliers.items():
            times = multiplier.numerator * (scale // multiplier.denominator)
            for j, coefficient in self.rows[i].terms.items():
                taken[j] += times * coefficient
        return [column.cost - Fraction(sum) / scale for column, sum in zip(self.columns, taken, strict=True)]

    def shares(self, multipliers: Multipliers) -> Iterator[tuple[Row | Column, Fraction, Side]]:
        """Yield the rows and column ranges of the proof, with multiplier and side."""
        for i, multiplier in multipliers.items():
            if multiplier:
                yield self.rows[i], multiplier, self.side(i, multiplier)
        for column, rest in zip(self.columns, self.remaining_costs(multipliers), strict=True):
            if rest:
                yield column, rest, column.lower if rest * self.sign > 0 else column.upper

    def side(self, i: int, multiplier: Fraction) -> Side:
        """Return the side that a row uses with this multiplier."""
        return self.rows[i].lower if multiplier * self.sign > 0 or i in self.conic else self.rows[i].upper

    def bound(self, multipliers: Multipliers) -> Fraction:
        """Return the exact bound on the optimum by multipliers.

        Raises
        ------
        ValueError
            If the multipliers use an open side, or are not in the dual cone.
        """
        for cone in self.cones:
            if not cone.pays([self.sign * multipliers.get(i, ZERO) for i in cone.rows]):
                raise ValueError(f"the multipliers from {self.rows[cone.rows[0]].name} on are not in the dual cone")
        with suppress(OverflowError):
            if self.integers and not self.cones:
                value = self.integers.bound(self.integers.multipliers(multipliers))
                if value is not None:
                    return value
        total = self.constant
        for entry, multiplier, side in self.shares(multipliers):
            if side is None:
                raise ValueError(_open(entry, multiplier, "lower" if multiplier * self.sign > 0 else "upper"))
            total += multiplier * side
        return total

    def without_costs(self) -> Listing:
        """Return the program as a minimum with costs 0; a bound > 0 proves infeasibility."""
        columns = tuple(replace(column, cost=ZERO) for column in self.columns)
        return replace(self, sense="minimize", constant=ZERO, columns=columns)

    def recession(self) -> Listing:
        """Return the program of the recession directions: all sides are 0."""
        columns = tuple(replace(c, lower=_zero(c.lower), upper=_zero(c.upper)) for c in self.columns)
        rows = tuple(replace(row, lower=_zero(row.lower), upper=_zero(row.upper)) for row in self.rows)
        return replace(self, constant=ZERO, columns=columns, rows=rows)

    @property
    def crossed(self) -> Entry | None:
        """Return the first row or column with an empty range, or None."""
        for entry in (*self.rows, *self.columns):
            if entry.lower is not None and entry.upper is not None and entry.lower > entry.upper:
                return entry
        return None


def _zero(side: Side) -> Side:
    return None if side is None else ZERO


def _open(entry: Row | Column, multiplier: Fraction, side: str) -> str:
    """Describe a multiplier, or a column's reduced cost, that uses a missing side."""
    expected = f"expected {'<' if multiplier > 0 else '>'}= 0, because it has no {side} "
    if isinstance(entry, Row):
        return f"the multiplier of the row {entry.name} is {float(multiplier):.6g}, {expected}side"
    paid = f"its cost is {float(entry.cost):.6g} and its rows pay {float(entry.cost - multiplier):.6g}"
    return f"the reduced cost of the variable {entry.name} is {float(multiplier):.6g} ({paid}), {expected}bound"
