"""A point of a listed program: which row it breaks, and what lies between its value and a bound.

With the multipliers y of rows, what is left of the costs d, and the sides b and ends l that the proof takes, a point x
of a minimization has

    c x - bound = sum of y_i (a_i x - b_i) + sum of d_j (x_j - l_j),

where every term is at least 0 as far as x meets the rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from schedproof.core.errors import ProgramError
from schedproof.core.exact.listing import ZERO, Entry, Listing, Multipliers
from schedproof.core.untyped import Model

Values = Mapping[str, Mapping[Model, Fraction | int]]  # component -> index -> value, 0 where there is none


@dataclass(frozen=True)
class Point:
    """A value of every column."""

    listing: Listing
    values: tuple[Fraction, ...]

    @classmethod
    def of(cls, listing: Listing, values: Values) -> Point:
        """From values by component and index.

        Raises
        ------
        ProgramError
            For one that is not 0 and has no column.
        """
        rest = {(name, index): value for name, entries in values.items() for index, value in entries.items() if value}
        result = tuple(Fraction(rest.pop(column.place, 0)) for column in listing.columns)
        for (name, index), value in rest.items():
            raise ProgramError(f"{name}[{index}] would be {float(value):g}, and the program has no such variable")
        return cls(listing, result)

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
        """Refuse a point that is out of a range or breaks a row; ProgramError names the first."""
        for entry, amount in self.entries():
            for side, sign, word in ((entry.lower, 1, "at least"), (entry.upper, -1, "at most")):
                if side is not None and sign * (amount - side) < 0:
                    raise ProgramError(f"{entry.name} is {float(amount):g}, and has to be {word} {float(side):g}")

    def losses(self, multipliers: Multipliers) -> Iterator[tuple[Entry, Fraction]]:
        """The columns and rows that the proof takes, with what each leaves at its multiplier: parts of the gap."""
        amount = {id(entry): amount for entry, amount in self.entries()}
        for entry, multiplier, side in self.listing.shares(multipliers):
            yield entry, self.listing.sign * multiplier * (amount[id(entry)] - (side or 0))
