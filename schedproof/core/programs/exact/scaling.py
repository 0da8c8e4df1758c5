"""Exact scaling by powers of two, and numbers that solvers drop."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from schedproof.core.base.numbers import as_float
from schedproof.core.programs.exact.entries import Side
from schedproof.core.programs.exact.listing import Listing, Multipliers

LEAST, MOST = -23, 30  # powers of two: solvers drop numbers below 1e-9, or below tolerances of 1e-7,
# and the rounding of a number beyond 1e9 exceeds these tolerances
PASSES = 6  # over rows and columns
Place = tuple[str, Fraction | int]  # a number, after its place in words


def neglected(listing: Listing, others: Iterable[Place] = ()) -> str:
    """Return the first number that a solver may drop, in words; "" for none.

    Parameters
    ----------
    others
        Numbers of rows that are not listed.
    """
    harmless = listing.integers is not None and all(map(_is_kept, listing.integers.numbers()))
    for name, number in (*(() if harmless else _numbers(listing)), *others):
        if not _is_kept(number):
            return f"{as_float(number):.3g} {name}"
    return ""


def _numbers(listing: Listing) -> Iterator[Place]:
    for column in listing.columns:
        if column.cost:
            yield f"as the cost of {column.name}", column.cost
    for row in listing.rows:
        for a in row.terms.values():
            if a:
                yield f"as a coefficient of {row.name}", a
    for entry in (*listing.rows, *listing.columns):
        for side in (entry.lower, entry.upper):
            if side:
                yield f"as a side of {entry.name}", side


def _is_kept(number: Fraction | int) -> bool:
    return not number or LEAST <= _power(number) <= MOST


def _power(number: Fraction | int) -> int:
    return number.numerator.bit_length() - number.denominator.bit_length()


@dataclass(frozen=True)
class Scaled:
    """A program scaled by powers of two: column j by 2^columns[j], row i by 2^rows[i].

    Attributes
    ----------
    goal
        The costs are multiplied by 2^goal.
    """

    listing: Listing
    rows: Sequence[int]
    columns: Sequence[int]
    goal: int

    @classmethod
    def none(cls, listing: Listing) -> Scaled:
        return cls(listing, [0] * len(listing.rows), [0] * len(listing.columns), 0)

    @classmethod
    def of(cls, listing: Listing) -> Scaled:
        """Scale a program without cones, unless all its numbers are harmless."""
        if not neglected(listing):
            return cls.none(listing)
        rows, columns, goal = _powers(listing)
        scaled = replace(
            listing,
            constant=listing.constant * _two(goal),
            columns=tuple(
                replace(c, cost=c.cost * _two(goal + n), lower=_times(c.lower, -n), upper=_times(c.upper, -n))
                for c, n in zip(listing.columns, columns, strict=True)
            ),
            rows=tuple(
                replace(
                    row,
                    lower=_times(row.lower, n),
                    upper=_times(row.upper, n),
                    terms={j: a * _two(n + columns[j]) for j, a in row.terms.items()},
                )
                for row, n in zip(listing.rows, rows, strict=True)
            ),
        )
        return cls(scaled, rows, columns, goal)

    def point(self, scaled: Sequence[Fraction]) -> tuple[Fraction, ...]:
        """Convert a point of the scaled program back."""
        return tuple(x * _two(n) for x, n in zip(scaled, self.columns, strict=True))

    def multipliers(self, scaled: Multipliers) -> dict[int, Fraction]:
        """Convert multipliers of the scaled rows back."""
        return {i: y * _two(self.rows[i] - self.goal) for i, y in scaled.items()}


def _powers(listing: Listing) -> tuple[list[int], list[int], int]:
    """Return powers of rows, columns and costs by alternating geometric means."""
    m, n = len(listing.rows), len(listing.columns)
    triples = [(i, j, _power(a)) for i, row in enumerate(listing.rows) for j, a in row.terms.items() if a]
    triples += [(m, j, _power(c.cost)) for j, c in enumerate(listing.columns) if c.cost]
    for i, row in enumerate(listing.rows):  # sides are a column that is not scaled
        triples += [(i, n, _power(side)) for side in (row.lower, row.upper) if side]
    triples += [
        (m + 1 + j, k, power)  # and ranges are rows of one column
        for j, c in enumerate(listing.columns)
        for side in (c.lower, c.upper)
        if side
        for k, power in ((j, 0), (n, _power(side)))
    ]
    if not triples:
        return [0] * m, [0] * n, 0
    at, of, power = map(np.array, zip(*triples, strict=True))
    of_row, of_column = np.zeros(m + 1 + n), np.zeros(n + 1)
    for _ in range(PASSES):
        of_row = -_middles(at, power + of_column[of], m + 1 + n)
        of_column = -_middles(of, power + of_row[at], n + 1)
        of_column -= of_column[n]
        of_row = -_middles(at, power + of_column[of], m + 1 + n)
    rows, columns = (np.round(part).astype(int).tolist() for part in (of_row, of_column))
    return rows[:m], columns[:n], rows[m]


def _middles(places: np.ndarray, powers: np.ndarray, count: int) -> np.ndarray:
    low, high = np.full(count, np.inf), np.full(count, -np.inf)
    np.minimum.at(low, places, powers)
    np.maximum.at(high, places, powers)
    used = low <= high
    return np.where(used, np.where(used, low, 0.0) + np.where(used, high, 0.0), 0.0) / 2


def _two(power: int) -> Fraction:
    return Fraction(2) ** power


def _times(side: Side, power: int) -> Side:
    return None if side is None else side * _two(power)
