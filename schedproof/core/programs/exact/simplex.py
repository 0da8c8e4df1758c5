"""The simplex method in rationals: a point, multipliers or a ray.

Columns x and row sums r = A x are variables with ranges. A dictionary writes the basic variables as sums of the
nonbasic variables, which are at ends of their ranges, or at 0 without ends. If a basic variable is out of its range and
no nonbasic variable can move it back, its row proves infeasibility. Written as multipliers of r, the row is Farkas'
proof, and irreducible. Bland's rule ends both phases. The first dictionary may follow a solver's basis. Source of phase
1: B. Dutertre and L. de Moura, A fast linear-arithmetic solver for DPLL(T), CAV 2006.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

import flint

from schedproof.core.errors import NoSolution
from schedproof.core.programs.exact.entries import Entry, Side
from schedproof.core.programs.exact.listing import Listing

MOST_BASIC = 1000  # columns of a basis that is solved
MOST = 10**6  # operations: about a second
GOAL = -1  # the number of the objective's row
Rational = Any  # flint's, many times faster than Python's
ZERO = flint.fmpq(0)


class Simplex:
    """A dictionary of a listed program without cones, as a minimization.

    Column j has number j, row i has number columns + i.

    Parameters
    ----------
    basis
        A solver's basis, from whose columns the method starts.
    upper
        Nonbasic variables that start at their upper end, if both ends are finite.
    most
        Operations on numbers of 64 bits, beyond which NoSolution is raised.
    """

    def __init__(
        self, listing: Listing, basis: Iterable[int] = (), upper: Iterable[int] = (), most: int = MOST
    ) -> None:
        self._columns, self._left = len(listing.columns), most
        entries = [*listing.columns, *listing.rows]
        self.low, self.high = [_end(entry.lower) for entry in entries], [_end(entry.upper) for entry in entries]
        at_upper = {*upper}
        self.value: list[Rational] = [self._stand(k, k in at_upper) for k in range(len(entries))]
        self._rows: dict[int, dict[int, Rational]] = {
            self._columns + i: {j: rational(a) for j, a in row.terms.items()} for i, row in enumerate(listing.rows)
        }
        goal = {j: rational(listing.sign * c.cost) for j, c in enumerate(listing.columns) if c.cost}
        self._rows[GOAL] = goal
        self.value.append(ZERO)  # the goal's value comes last, at index -1
        self.low.append(None)
        self.high.append(None)
        self._begin([j for j in basis if j < self._columns], at_upper)

    def _begin(self, basis: list[int], at_upper: set[int]) -> None:
        for j in basis:
            ways = (k for k in self._rows if k >= self._columns and j in self._rows[k])
            if (k := min(ways, key=lambda k: (k in at_upper, len(self._rows[k])), default=None)) is not None:
                self._pivot(k, j)
                self.value[k] = self._stand(k, k in at_upper)
        for k, terms in self._rows.items():
            self.value[k] = sum((a * self.value[j] for j, a in terms.items()), ZERO)

    def _stand(self, k: int, at_upper: bool) -> Rational:
        low, high = self.low[k], self.high[k]
        first, second = (high, low) if at_upper else (low, high)
        return first if first is not None else second if second is not None else ZERO

    def narrow(self, k: int, low: Side, high: Side) -> None:
        """Change a variable's range between two calls of `contradiction`."""
        self.low[k], self.high[k] = _end(low), _end(high)
        if k not in self._rows and self._outside(k):
            self._move(k, self._stand(k, self.high[k] is not None and self.value[k] > self.high[k]) - self.value[k])

    def contradiction(self) -> dict[int, Fraction] | None:
        """Move to a feasible point, or return Farkas' multipliers by row.

        The multipliers prove a bound > 0 on the program with costs 0, as a minimum.
        """
        while (k := min(filter(self._outside, self._rows), default=None)) is not None:
            short = self.low[k] is not None and self.value[k] < self.low[k]
            terms = self._rows[k]
            ways = (j for j, a in terms.items() if self._can_move(j, up=(a > 0) == short))
            if (j := min(ways, default=None)) is None:
                sign = 1 if short else -1
                found = {k: flint.fmpq(sign)} | {j: -sign * a for j, a in terms.items()}
                return self._of_rows(found)
            self._move(j, ((self.low if short else self.high)[k] - self.value[k]) / terms[j])
            self._pivot(k, j)
        return None

    def ray(self) -> list[Fraction] | None:
        """Move from a feasible point to the optimum, or return an improving ray."""
        while True:
            goal = self._rows[GOAL]
            j = min((j for j, d in goal.items() if self._can_move(j, up=d < 0)), default=None)
            if j is None:
                return None
            way = 1 if goal[j] < 0 else -1
            steps = {k: way * terms[j] for k, terms in self._rows.items() if k != GOAL and j in terms}
            steps[j] = flint.fmpq(way)
            room, leaves = min(self._rooms(steps), default=(None, j))
            if room is None:
                return [fraction(steps.get(n, ZERO)) for n in range(self._columns)]
            self._move(j, way * room)
            if leaves != j:
                self._pivot(leaves, j)

    @property
    def multipliers(self) -> dict[int, Fraction]:
        """Return the rows' multipliers at the optimum, for the minimization."""
        return self._of_rows(self._rows[GOAL])

    @property
    def point(self) -> list[Fraction]:
        return [fraction(x) for x in self.value[: self._columns]]

    def _of_rows(self, times: Mapping[int, Rational]) -> dict[int, Fraction]:
        return {k - self._columns: fraction(y) for k, y in times.items() if k >= self._columns}

    def _rooms(self, steps: Mapping[int, Rational]) -> Iterator[tuple[Rational, int]]:
        for k, step in steps.items():
            end = self.high[k] if step > 0 else self.low[k]
            if end is not None:
                yield (end - self.value[k]) / step, k

    def _outside(self, k: int) -> bool:
        low, high = self.low[k], self.high[k]
        return (low is not None and self.value[k] < low) or (high is not None and self.value[k] > high)

    def _can_move(self, k: int, *, up: bool) -> bool:
        end = self.high[k] if up else self.low[k]
        return end is None or (self.value[k] < end if up else self.value[k] > end)

    def _move(self, j: int, by: Rational) -> None:
        self.value[j] += by
        for k, terms in self._rows.items():
            if j in terms:
                self.value[k] += by * terms[j]

    def _pivot(self, leaves: int, enters: int) -> None:
        terms = self._rows.pop(leaves)
        a = terms.pop(enters)
        new = {j: -c / a for j, c in terms.items()}
        new[leaves] = 1 / a
        for other in self._rows.values():
            if (times := other.pop(enters, None)) is not None:
                self._left -= len(new) * (1 + times.height_bits() // 64)
                for j, c in new.items():
                    total = other.get(j, ZERO) + times * c
                    if total:
                        other[j] = total
                    else:
                        del other[j]
            if self._left < 0:
                raise NoSolution("the program is too large for a solution in rationals")
        self._rows[enters] = new


def basic_solution(
    listing: Listing, basis: Iterable[int], upper: Iterable[int]
) -> tuple[list[Fraction], dict[int, Fraction]]:
    """Return the point and the multipliers of a basis, feasible or not.

    Raises
    ------
    NoSolution
        For a singular or large basis.
    """
    columns, at_upper, basic = len(listing.columns), {*upper}, {*basis}
    tight = [i for i in range(len(listing.rows)) if columns + i not in basic]
    free = [j for j in range(columns) if j in basic]
    if len(tight) != len(free) or len(free) > MOST_BASIC:
        raise NoSolution("the basis is singular, or too large for exact arithmetic")
    ends = [_end_of(entry, k in at_upper) for k, entry in enumerate((*listing.columns, *listing.rows))]
    place = {j: n for n, j in enumerate(free)}
    matrix, sides = flint.fmpq_mat(len(tight), len(free)), flint.fmpq_mat(len(tight), 1)
    for n, i in enumerate(tight):
        rest = ends[columns + i]
        for j, a in listing.rows[i].terms.items():
            if j in place:
                matrix[n, place[j]] = rational(a)
            else:
                rest -= a * ends[j]
        sides[n, 0] = rational(rest)
    costs = flint.fmpq_mat(len(free), 1, [rational(listing.columns[j].cost) for j in free])
    try:
        found, times = (m.solve(side) if free else side for m, side in ((matrix, sides), (matrix.transpose(), costs)))
    except ZeroDivisionError:
        raise NoSolution("the basis is singular, or too large for exact arithmetic") from None
    point = [fraction(found[place[j], 0]) if j in place else ends[j] for j in range(columns)]
    return point, {i: y for n, i in enumerate(tight) if (y := fraction(times[n, 0]))}


def _end_of(entry: Entry, at_upper: bool) -> Fraction:
    first, second = (entry.upper, entry.lower) if at_upper else (entry.lower, entry.upper)
    return first if first is not None else second if second is not None else Fraction(0)


def rational(number: Fraction | int) -> Rational:
    return flint.fmpq(number.numerator, number.denominator)


def fraction(number: Rational) -> Fraction:
    return Fraction(int(number.p), int(number.q))


def _end(side: Side) -> Rational | None:
    return None if side is None else rational(side)
