"""A listed linear program as arrays of integers, for fast exact proofs.

All coefficients share one denominator, and so do all costs, all sides of rows and all ends of ranges. Sums that
may exceed 63 bits are computed with Python's integers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain
from math import lcm
from typing import Protocol

import numpy as np

from schedproof.core.programs.exact.entries import ZERO, Column, Entry, Row

LONGEST = 512  # bits of a common denominator; a longer one is not worth the time
DENOMINATORS = 10**7  # largest denominator of a value at a vertex
CLOSE = (1e-14, 1e-11, 1e-8)  # relative distances of a solver's double to its rational, tried in turn
FITS = 2.0**62


class Listed(Protocol):
    """The attributes of a listing that the arrays need."""

    @property
    def sign(self) -> int:
        """1 for a minimum, -1 for a maximum."""

    @property
    def constant(self) -> Fraction:
        """The objective's constant."""

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns with their costs."""

    @property
    def rows(self) -> tuple[Row, ...]:
        """The rows with their terms."""


@dataclass(frozen=True)
class Rationals:
    """Numerators (int64 or Python's integers) over one denominator."""

    numerators: np.ndarray
    denominator: int

    @classmethod
    def of(cls, values: Iterable[Fraction | int]) -> Rationals:
        """Return values exactly; OverflowError for a long common denominator."""
        values = list(values)
        denominator = _common({v.denominator for v in values})
        return cls(_integers([v.numerator * (denominator // v.denominator) for v in values]), denominator)

    def put(self, places: Sequence[int], values: Sequence[Fraction | int]) -> Rationals:
        """Return the array with other values at some places."""
        denominator = _common({self.denominator, *(v.denominator for v in values)})
        new = self.times(denominator // self.denominator)
        if new is self.numerators:
            new = new.copy()
        those = _integers([v.numerator * (denominator // v.denominator) for v in values])
        if those.dtype == object:
            new = new.astype(object)
        new[list(places)] = those
        return Rationals(new, denominator)

    def times(self, factor: int) -> np.ndarray:
        """Return the numerators times an integer."""
        return self.numerators if factor == 1 else product(self.numerators, factor)

    def fractions(self) -> list[Fraction]:
        some, place = np.unique(self.numerators, return_inverse=True)
        each = [Fraction(n, self.denominator) for n in some.tolist()]
        return [each[k] for k in place.tolist()]

    def distinct(self) -> list[Fraction]:
        """Return the different values."""
        return [Fraction(n, self.denominator) for n in np.unique(self.numerators).tolist()]


def _common(denominators: Iterable[int]) -> int:
    result = 1
    for denominator in denominators:
        result = lcm(result, denominator)
        if result.bit_length() > LONGEST:
            raise OverflowError("the common denominator is too long")
    return result


def _integers(values: list[int]) -> np.ndarray:
    """Return an array of int64, or of Python's integers from 2^62 on.

    The negative of -2^63 is no int64.
    """
    try:
        result = np.array(values, dtype=np.int64)
    except OverflowError:
        return np.array(values, dtype=object)
    return result if _size(result) < FITS else result.astype(object)


def _size(values: np.ndarray | int) -> float:
    """Return the largest magnitude, as a double."""
    if isinstance(values, int):
        return float(min(abs(values), 1 << 1000))
    if values.dtype == object:
        return float(min(max(map(abs, values.tolist()), default=0), 1 << 1000))
    return float(np.abs(values.astype(float)).max(initial=0.0))


def product(one: np.ndarray, other: np.ndarray | int) -> np.ndarray:
    """Return exact products of integers."""
    if _size(one) * _size(other) < FITS:
        return one * other
    return one.astype(object) * (other.astype(object) if isinstance(other, np.ndarray) else other)


def total(terms: np.ndarray) -> int:
    """Return an exact sum of integers."""
    return int(terms.sum()) if _size(terms) * len(terms) < FITS else sum(terms.tolist())


def _sums(terms: np.ndarray, begin: np.ndarray) -> np.ndarray:
    """Return exact sums of consecutive terms; sum i starts at ``begin[i]``."""
    longest = int(np.diff(begin).max(initial=0))
    terms = terms if _size(terms) * max(longest, 1) < FITS else terms.astype(object)
    result = np.zeros(len(begin) - 1, dtype=terms.dtype)
    used = np.flatnonzero(np.diff(begin))
    if used.size:
        result[used] = np.add.reduceat(terms, begin[:-1][used])
    return result


def rationals_near(values: np.ndarray, close: float) -> Rationals:
    """Return rationals with small denominators near doubles, by continued fractions.

    Raises
    ------
    OverflowError
        For a value without such a rational, or a long common denominator.
    """
    if not np.isfinite(values).all() or np.abs(values).max(initial=0.0) > 2.0**52:
        raise OverflowError("a value has no rational with a small denominator near it")
    some, place = np.unique(values, return_inverse=True)
    whole = np.rint(some)
    close_enough = close * np.maximum(1.0, np.abs(some))
    numerator, denominator = whole.astype(np.int64), np.ones(len(some), dtype=np.int64)
    for k in np.flatnonzero(np.abs(some - whole) > close_enough).tolist():
        numerator[k], denominator[k] = _near(float(some[k]), float(close_enough[k]))
    common = _common(np.unique(denominator).tolist())
    if common == 1:
        return Rationals(numerator[place], 1)
    scaled = [n * (common // d) for n, d in zip(numerator.tolist(), denominator.tolist(), strict=True)]
    return Rationals(_integers(scaled)[place], common)


def _near(value: float, close: float) -> tuple[int, int]:
    n, d = value.as_integer_ratio()
    p, q, above, below = 1, 0, 0, 1
    while d:
        quotient, rest = divmod(n, d)
        p, above = quotient * p + above, p
        q, below = quotient * q + below, q
        if q > DENOMINATORS:
            break
        if abs(value - p / q) <= close:
            return p, q
        n, d = d, rest
    raise OverflowError("a value has no rational with a small denominator near it")


class Ends:
    """Lower and upper sides of rows or columns, with a mask of finite ones."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        sides = [[entry.lower for entry in entries], [entry.upper for entry in entries]]
        self.finite = [np.array([side is not None for side in each], dtype=bool) for each in sides]
        self.values = [Rationals.of(ZERO if side is None else side for side in each) for each in sides]

    def put(self, places: Sequence[int], entries: Sequence[Entry]) -> None:
        """Change the sides at some places."""
        for k, sides in enumerate(([e.lower for e in entries], [e.upper for e in entries])):
            self.finite[k][list(places)] = [side is not None for side in sides]
            self.values[k] = self.values[k].put(places, [ZERO if side is None else side for side in sides])

    def contain(self, amounts: Rationals) -> bool:
        """Whether all amounts are within their sides."""
        for sign, finite, side in zip((1, -1), self.finite, self.values, strict=True):
            amount, least = amounts.times(side.denominator)[finite], side.times(amounts.denominator)[finite]
            if (amount < least if sign > 0 else amount > least).any():
                return False
        return True

    def value(self, multipliers: Rationals, sign: int) -> Fraction | None:
        """Return the sum of multiplier times side; None if a used side is infinite."""
        result = ZERO
        for way, finite, side in zip((sign, -sign), self.finite, self.values, strict=True):
            used = np.flatnonzero(multipliers.numerators * way > 0)
            if not finite[used].all():
                return None
            shares = product(multipliers.numerators[used], side.numerators[used])
            result += Fraction(total(shares), multipliers.denominator * side.denominator)
        return result


class IntegerForm:
    """A listed linear program in integers.

    Parameters
    ----------
    listing
        A program without cones.

    Raises
    ------
    OverflowError
        If a common denominator of the numbers is too long.
    """

    def __init__(self, listing: Listed) -> None:
        rows, columns = listing.rows, listing.columns
        self._sign, self._constant = listing.sign, listing.constant
        self._costs = Rationals.of(column.cost for column in columns)
        self._rows, self._columns = Ends(rows), Ends(columns)
        self._begin = np.concatenate([[0], np.cumsum([len(row.terms) for row in rows], dtype=np.int64)])
        self._column = np.fromiter(chain.from_iterable(row.terms for row in rows), np.int64, int(self._begin[-1]))
        self._entries = Rationals.of(chain.from_iterable(row.terms.values() for row in rows))
        self._row = np.repeat(np.arange(len(rows)), np.diff(self._begin))
        self._by_column = np.argsort(self._column, kind="stable")
        count = np.bincount(self._column, minlength=len(columns))
        self._begin_column = np.concatenate([[0], np.cumsum(count)])

    def optimum(self, point: np.ndarray, multipliers: np.ndarray) -> Optimum | None:
        """Return a proven optimum near a solver's point and multipliers, or None."""
        for close in CLOSE:
            try:
                x, y = rationals_near(point, close), rationals_near(multipliers, close)
                value = self._value_if_optimal(x, self._without_open_sides(y))
            except OverflowError:
                continue
            if value is not None:
                return Optimum(value, x, self._without_open_sides(y))
        return None

    def put(self, listing: Listed, columns: Sequence[int], rows: Sequence[int], entries: Sequence[int]) -> None:
        """Take over changed columns, rows and coefficients; the pattern is the same."""
        self._constant = listing.constant
        if columns:
            those = [listing.columns[j] for j in columns]
            self._costs = self._costs.put(columns, [column.cost for column in those])
            self._columns.put(columns, those)
        if rows:
            self._rows.put(rows, [listing.rows[i] for i in rows])
        if entries:
            places = [k for i in entries for k in range(self._begin[i], self._begin[i + 1])]
            self._entries = self._entries.put(places, [a for i in entries for a in listing.rows[i].terms.values()])

    def near(self, point: np.ndarray) -> bool:
        """Whether a point near the given one is feasible."""
        try:
            return self.allows(rationals_near(point, CLOSE[0]))
        except OverflowError:
            return False

    def allows(self, x: Rationals) -> bool:
        """Whether a point is feasible."""
        return self._columns.contain(x) and self._rows.contain(self._activities(x))

    def _activities(self, x: Rationals) -> Rationals:
        a = self._entries
        terms = product(a.numerators, x.numerators[self._column])
        return Rationals(_sums(terms, self._begin), a.denominator * x.denominator)

    def _without_open_sides(self, y: Rationals) -> Rationals:
        """Drop multipliers of open sides, as `repair` does."""
        way = y.numerators * self._sign
        lower, upper = self._rows.finite
        keep = np.where(way > 0, lower, upper)
        return y if keep[way != 0].all() else replace(y, numerators=np.where(keep, y.numerators, 0))

    def multipliers(self, given: Mapping[int, Fraction]) -> Rationals:
        """Return multipliers of all rows."""
        return Rationals.of(given.get(i, ZERO) for i in range(len(self._begin) - 1))

    def numbers(self) -> Iterator[Fraction]:
        """Yield costs, coefficients and sides, equal ones only once."""
        for part in (self._costs, self._entries, *self._rows.values, *self._columns.values):
            yield from part.distinct()

    def remaining_costs(self, y: Rationals) -> Rationals:
        """Return the reduced costs, as `Listing.remaining_costs`."""
        a, c = self._entries, self._costs
        terms = product(a.numerators, y.numerators[self._row])[self._by_column]
        taken = _sums(terms, self._begin_column)
        rest = _difference(c.times(a.denominator * y.denominator), product(taken, c.denominator))
        return Rationals(rest, c.denominator * a.denominator * y.denominator)

    def bound(self, y: Rationals) -> Fraction | None:
        """Return the bound that multipliers prove, as `Listing.bound`; None for none."""
        rows = self._rows.value(y, self._sign)
        columns = None if rows is None else self._columns.value(self.remaining_costs(y), self._sign)
        return None if rows is None or columns is None else self._constant + rows + columns

    def objective(self, x: Rationals) -> Fraction:
        shares = product(self._costs.numerators, x.numerators)
        return self._constant + Fraction(total(shares), self._costs.denominator * x.denominator)

    def _value_if_optimal(self, x: Rationals, y: Rationals) -> Fraction | None:
        value = self.objective(x)
        return value if value == self.bound(y) and self.allows(x) else None


@dataclass(frozen=True)
class Optimum:
    """A proven optimum: its value, a point and multipliers."""

    value: Fraction
    x: Rationals
    y: Rationals

    def multipliers(self) -> dict[int, Fraction]:
        """Return the nonzero multipliers by number of the row."""
        used = np.flatnonzero(self.y.numerators)
        those = replace(self.y, numerators=self.y.numerators[used]).fractions()
        return dict(zip(used.tolist(), those, strict=True))


def _difference(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    if _size(one) + _size(other) >= FITS:
        one, other = one.astype(object), other.astype(object)
    result: np.ndarray = one - other
    return result
