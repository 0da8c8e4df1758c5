"""A point of a listed program: violated rows, and its distance to a bound.

With multipliers y, reduced costs d, and the used sides b and ends l, a point x of a minimization has

    c x - bound = sum of y_i (a_i x - b_i) + sum of d_j (x_j - l_j).

Every term is nonnegative if x is feasible; terms of a cone's rows are nonnegative in total.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from schedproof.core.base.untyped import Model
from schedproof.core.errors import ProgramError, suggestion
from schedproof.core.programs.exact.entries import ZERO, Entry
from schedproof.core.programs.exact.listing import Listing, Multipliers

Values = Mapping[str, Mapping[Model, Fraction | int]]  # component -> index -> value; missing values are 0


@dataclass(frozen=True)
class Point:
    """A value of every column."""

    listing: Listing
    values: tuple[Fraction, ...]

    @classmethod
    def of(cls, listing: Listing, values: Values) -> Point:
        """Build a point from values by component and index; complete missing columns.

        Raises
        ------
        ProgramError
            For a nonzero value without a column, or a column without a best value.
        """
        from schedproof.core.programs.exact.completion import complete

        rest = {(name, index): value for name, entries in values.items() for index, value in entries.items() if value}
        own = {j: column.place for j, column in enumerate(listing.columns) if column.place[0] in values}
        result = {j: Fraction(rest.pop(place, 0)) for j, place in own.items()}
        for (name, index), value in rest.items():
            known = sorted({column.place[0] for column in listing.columns})
            near = "" if name in known else f"; {suggestion(name, known)}"
            raise ProgramError(f"the program has no variable {name}[{index}] for the value {float(value):g}{near}")
        complete(listing, result)
        return cls(listing, tuple(result[j] for j in range(len(listing.columns))))

    @property
    def value(self) -> Fraction:
        """The objective."""
        columns = zip(self.listing.columns, self.values, strict=True)
        return self.listing.constant + sum((column.cost * x for column, x in columns), ZERO)

    def entries(self) -> Iterator[tuple[Entry, Fraction]]:
        """Yield all columns and rows with their values."""
        yield from zip(self.listing.columns, self.values, strict=True)
        for row in self.listing.rows:
            yield row, sum((a * self.values[j] for j, a in row.terms.items()), ZERO)

    def require_feasible(self) -> None:
        """Raise ProgramError for the first violated range, row or cone."""
        entries = list(self.entries())
        amounts = {id(entry): amount for entry, amount in entries}
        cones = [[self.listing.rows[i] for i in cone.rows] for cone in self.listing.cones]
        in_cones = {id(row) for rows in cones for row in rows}
        for entry, amount in entries:
            for side, sign, word in ((entry.lower, 1, "at least"), (entry.upper, -1, "at most")):
                if side is not None and sign * (amount - side) < 0 and id(entry) not in in_cones:
                    raise ProgramError(f"{entry.name} is {float(amount):g}, expected {word} {float(side):g}")
        for cone, rows in zip(self.listing.cones, cones, strict=True):
            if not cone.contains([amounts[id(row)] - (row.lower or 0) for row in rows]):
                raise ProgramError(f"{rows[0].name} and the {len(rows) - 1} rows after it are outside their cone")

    def reduced_cost(self, group: str, multipliers: Multipliers) -> Fraction:
        """Return the total reduced cost of a group's columns at the point."""
        costs = zip(self.listing.columns, self.listing.remaining_costs(multipliers), self.values, strict=True)
        return sum((cost * x for column, cost, x in costs if column.group == group), ZERO)

    def losses(self, multipliers: Multipliers) -> Iterator[tuple[Entry, Fraction]]:
        """Yield the parts of the gap by column and row of the proof.

        The first row of a cone carries the total of the cone's rows.
        """
        amount = {id(entry): amount for entry, amount in self.entries()}
        first = {id(self.listing.rows[i]): cone.rows[0] for cone in self.listing.cones for i in cone.rows}
        together = {cone.rows[0]: ZERO for cone in self.listing.cones}
        for entry, multiplier, side in self.listing.shares(multipliers):
            loss = self.listing.sign * multiplier * (amount[id(entry)] - (side or 0))
            if id(entry) in first:
                together[first[id(entry)]] += loss
            else:
                yield entry, loss
        for i, loss in together.items():
            yield self.listing.rows[i], loss
