"""A point of a listed program: which row it breaks, and what lies between its value and a bound.

With the multipliers y of rows, what is left of the costs d, and the sides b and ends l that the proof takes, a point x
of a minimization has

    c x - bound = sum of y_i (a_i x - b_i) + sum of d_j (x_j - l_j),

where every term is at least 0 as far as x meets the rows; those of a cone's rows are so together, since a point of the
cone and one of its dual cone have a product of at least 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from schedproof.core.base.untyped import Model
from schedproof.core.errors import ProgramError
from schedproof.core.programs.exact.listing import ZERO, Entry, Listing, Multipliers

Values = Mapping[str, Mapping[Model, Fraction | int]]  # component -> index -> value, 0 for what has none in it


@dataclass(frozen=True)
class Point:
    """A value of every column."""

    listing: Listing
    values: tuple[Fraction, ...]

    @classmethod
    def of(cls, listing: Listing, values: Values) -> Point:
        """From values by component and index, and of components that are not named, the best ones (`complete`).

        Raises
        ------
        ProgramError
            For one that is not 0 and has no column, or a column for which no value is best.
        """
        from schedproof.core.programs.exact.completion import complete

        rest = {(name, index): value for name, entries in values.items() for index, value in entries.items() if value}
        own = {j: column.place for j, column in enumerate(listing.columns) if column.place[0] in values}
        result = {j: Fraction(rest.pop(place, 0)) for j, place in own.items()}
        for (name, index), value in rest.items():
            raise ProgramError(f"{name}[{index}] would be {float(value):g}, and the program has no such variable")
        complete(listing, result)
        return cls(listing, tuple(result[j] for j in range(len(listing.columns))))

    @property
    def value(self) -> Fraction:
        """The objective."""
        columns = zip(self.listing.columns, self.values, strict=True)
        return self.listing.constant + sum((column.cost * x for column, x in columns), ZERO)

    def entries(self) -> Iterator[tuple[Entry, Fraction]]:
        """All columns and rows with what they come to."""
        yield from zip(self.listing.columns, self.values, strict=True)
        for row in self.listing.rows:
            yield row, sum((a * self.values[j] for j, a in row.terms.items()), ZERO)

    def require_feasible(self) -> None:
        """Refuse a point that is out of a range, or breaks a row or a cone; ProgramError names the first."""
        entries = list(self.entries())
        amounts = {id(entry): amount for entry, amount in entries}
        cones = [[self.listing.rows[i] for i in cone.rows] for cone in self.listing.cones]
        in_cones = {id(row) for rows in cones for row in rows}
        for entry, amount in entries:
            for side, sign, word in ((entry.lower, 1, "at least"), (entry.upper, -1, "at most")):
                if side is not None and sign * (amount - side) < 0 and id(entry) not in in_cones:
                    raise ProgramError(f"{entry.name} is {float(amount):g}, and has to be {word} {float(side):g}")
        for cone, rows in zip(self.listing.cones, cones, strict=True):
            if not cone.contains([amounts[id(row)] - (row.lower or 0) for row in rows]):
                raise ProgramError(f"{rows[0].name} and the {len(rows) - 1} rows after it are outside of their cone")

    def losses(self, multipliers: Multipliers) -> Iterator[tuple[Entry, Fraction]]:
        """The columns and rows that the proof takes, with what each leaves at its multiplier: parts of the gap.

        What the rows of a cone leave together is with the first of them.
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
