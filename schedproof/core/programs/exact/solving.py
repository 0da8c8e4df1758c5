"""Multipliers that prove a bound on a linear program: HiGHS's, repaired exactly."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain
from math import inf

import numpy as np

from schedproof.core.base.lazy import sparse
from schedproof.core.base.untyped import Matrix
from schedproof.core.errors import NoSolution, ProgramError
from schedproof.core.programs.exact.entries import Column, Row
from schedproof.core.programs.exact.listing import Listing
from schedproof.core.programs.exact.repair import Limits, Need, repair
from schedproof.core.programs.exact.scaling import Scaled
from schedproof.core.runtime.context import USUAL, Context
from schedproof.core.solvers.linear_program import LinearProgram

DENOMINATORS, MOST_TERMS = 10**7, 10**5  # largest denominators of multipliers at a vertex, and of their rows
HAIRS = tuple(2.0**-n for n in range(44, 22, -4))  # relative reduction of a cost whose column has no limit


def multipliers(listing: Listing, context: Context = USUAL) -> tuple[dict[int, Fraction], Fraction]:
    """Return the best multipliers found, and their proven bound.

    Raises
    ------
    NoSolution
        If the program is infeasible or unbounded, or at the time limit.
    """
    scaled = Scaled.of(listing)
    if scaled.listing is listing:
        return _multipliers(listing, context)
    proof, _ = _multipliers(scaled.listing, context)
    proof = scaled.multipliers(proof)
    return proof, listing.bound(proof)


def _multipliers(listing: Listing, context: Context) -> tuple[dict[int, Fraction], Fraction]:
    limits, doubles, why_not = Limits(listing), Doubles(listing), ""
    for hair in (0.0, *HAIRS):
        if (result := doubles.multipliers(context, hair, limits.open if hair else ())) is None:
            break
        try:
            return near(listing, result, limits)
        except ValueError as error:
            why_not = str(error)
    raise NoSolution(f"the multipliers prove no bound: {why_not}" if why_not else doubles.ended)


def multipliers_from(
    listing: Listing, found: np.ndarray, context: Context = USUAL
) -> tuple[dict[int, Fraction], Fraction]:
    """Repair given multipliers in doubles; return them and their bound, if any."""
    try:
        return near(listing, found, less=HAIRS)
    except ValueError:
        pass
    try:
        return near(listing, found, Limits(listing))
    except ValueError:
        return multipliers(listing, context)


def near(
    listing: Listing, found: np.ndarray, limits: Limits | None = None, less: Sequence[float] = ()
) -> tuple[dict[int, Fraction], Fraction]:
    """Return the best nearby multipliers and their bound; ValueError without one.

    Parameters
    ----------
    less
        Relative reductions of the multipliers, tried in turn; reductions raise the reduced costs of columns with
        positive costs.
    """
    proofs, why_not = list[tuple[Fraction, dict[int, Fraction]]](), ""
    for part in (0.0, *less):
        if proofs:
            break
        for rationals in _near(listing, found * (1 - part)):
            try:
                proofs.append(_proof(listing, rationals, limits))
            except ValueError as error:
                why_not = str(error)
    if not proofs:
        raise ValueError(why_not)
    value, proof = max(proofs, key=lambda pair: pair[0])
    return proof, listing.sign * value


def _proof(
    listing: Listing, rationals: Mapping[int, Fraction], limits: Limits | None
) -> tuple[Fraction, dict[int, Fraction]]:
    """Return the bound times the sense's sign, and its repaired multipliers."""
    proof = repair(listing, rationals)
    try:
        value = listing.bound(proof)
    except ValueError:
        if limits is None:
            raise
        proof = repair(listing, rationals, limits)
        value = listing.bound(proof)
    return listing.sign * value, proof


def _near(listing: Listing, found: np.ndarray) -> Iterator[dict[int, Fraction]]:
    """Return exact rationals, and rationals with small denominators as at a vertex."""
    doubles = {i: Fraction(y) for i, y in enumerate(found.tolist()) if y}
    if sum(len(listing.rows[i].terms) for i in doubles) <= MOST_TERMS:
        yield {i: y.limit_denominator(DENOMINATORS) for i, y in doubles.items()}
    yield doubles


class Doubles:
    """The program in doubles, as a minimization.

    Attributes
    ----------
    costs, matrix, sides
        Costs of the minimization; the rows' coefficients; lower and upper sides of rows and columns.
    ended
        The status of the last solve that found no optimum.
    """

    def __init__(self, listing: Listing) -> None:
        columns, rows = listing.columns, listing.rows
        self._sign = listing.sign
        try:
            self.costs = np.array([float(self._sign * column.cost) for column in columns])
            self.matrix = matrix_of(rows, len(columns))
            self.sides = [ends_of(part) for part in (rows, columns)]
        except OverflowError:
            raise ProgramError(
                "a number of the program exceeds the range of doubles, which the solver needs; rescale the program"
            ) from None
        self.ended = ""
        self._size = np.abs(self.costs)  # magnitudes of the terms of each column's reduced cost

    def program(
        self, costs: np.ndarray | None = None, integer: np.ndarray | None = None, gap: float | None = None
    ) -> LinearProgram:
        """Return a solver handle, optionally with other costs; see `LinearProgram`."""
        (lower, upper), (lowest, highest) = self.sides
        ends = lower, upper, "choose", highest, lowest
        return LinearProgram(self.costs if costs is None else costs, self.matrix, *ends, integer, gap)

    def meets(self, point: np.ndarray, tolerance: float) -> bool:
        """Whether a point surely violates no row or range by more than a tolerance."""
        (lower, upper), (lowest, highest) = self.sides
        sizes = np.abs(self.matrix) @ np.abs(point)
        for amounts, size, low, high in (
            (self.matrix @ point, sizes * (3 + np.diff(self.matrix.indptr)), lower, upper),
            (point, np.abs(point), lowest, highest),
        ):
            finite = np.where(np.isfinite(low), np.abs(low), 0.0) + np.where(np.isfinite(high), np.abs(high), 0.0)
            error = np.finfo(float).eps * (size + 2 * finite)
            if not (np.maximum(low - amounts, amounts - high) + error < tolerance).all():
                return False
        return True

    def multipliers(self, context: Context, hair: float, open_ends: Iterable[Need]) -> np.ndarray | None:
        """Return HiGHS's multipliers (rows,), or None.

        Costs whose reduced cost would need an open end are perturbed slightly.
        """
        costs = self.costs.copy()
        for j, end in open_ends:
            costs[j] += end * hair * self._size[j]
        handle = self.program(costs)
        outcome = handle.solve(context)
        if outcome.status != "optimal":
            self.ended = f"highs ended with {outcome.status} and returned no multipliers that prove a bound"
            return None
        self._size = np.abs(self.costs) + np.abs(self.matrix).T @ np.abs(handle.multipliers)
        return self._sign * handle.multipliers


def matrix_of(rows: Sequence[Row], columns: int) -> Matrix:
    """Return the sparse coefficients (rows, columns)."""
    sizes = [len(row.terms) for row in rows]
    begin = np.concatenate([[0], np.cumsum(sizes, dtype=int)])
    j = np.fromiter(chain.from_iterable(row.terms for row in rows), int, begin[-1])
    a = np.fromiter(map(float, chain.from_iterable(row.terms.values() for row in rows)), float, begin[-1])
    return sparse.csr_array((a, j, begin), shape=(len(rows), columns))


def ends_of(entries: Sequence[Row | Column]) -> tuple[np.ndarray, np.ndarray]:
    """Return lower and upper sides; open ones are infinite."""
    return (
        np.array([-inf if entry.lower is None else float(entry.lower) for entry in entries]),
        np.array([inf if entry.upper is None else float(entry.upper) for entry in entries]),
    )
