"""Multipliers that prove a bound on a listed program: from HiGHS, in doubles, then repaired exactly."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import chain
from math import inf

import numpy as np
from scipy import sparse

from schedproof.core.base.untyped import Matrix
from schedproof.core.errors import NoSolution, ProgramError
from schedproof.core.programs.exact.listing import Column, Listing, Row
from schedproof.core.programs.exact.repair import Limits, Need, repair
from schedproof.core.programs.exact.scaling import Scaled
from schedproof.core.runtime.context import USUAL, Context
from schedproof.core.solvers.linear_program import LinearProgram

DENOMINATORS, MOST_TERMS = 10**7, 10**5  # of multipliers at a vertex; of the rows that they multiply
HAIRS = tuple(
    2.0**-n for n in range(44, 22, -4)
)  # of a cost, relative, that is given away where nothing limits a column


def multipliers(listing: Listing, context: Context = USUAL) -> tuple[dict[int, Fraction], Fraction]:
    """The best multipliers found, and the bound that they prove.

    Raises
    ------
    NoSolution
        When there is none: the program has no point or no end, or the time was over.
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
        if (result := doubles.multipliers(context, hair, limits.open)) is None:
            break
        try:
            return near(listing, result, limits)
        except ValueError as error:
            why_not = str(error)
    raise NoSolution(f"the multipliers prove nothing: {why_not}" if why_not else doubles.ended)


def multipliers_from(
    listing: Listing, found: np.ndarray, context: Context = USUAL
) -> tuple[dict[int, Fraction], Fraction]:
    """The same from multipliers in doubles that are known, where these prove something; cheapest first."""
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
    """The best of the multipliers near some in doubles, and the bound that they prove; raises ValueError for none.

    Parameters
    ----------
    less
        Parts of the multipliers that are given up one after another until they prove something: what is left of costs
        > 0 is then > 0 as well.
    """
    proofs, why_not = list[tuple[Fraction, dict[int, Fraction]]](), ""
    for part in (0.0, *less):
        if proofs:
            break
        for rationals in _near(listing, found * (1 - part)):
            proof = repair(listing, rationals, limits)
            try:
                proofs.append((listing.sign * listing.bound(proof), proof))
            except ValueError as error:
                why_not = str(error)
    if not proofs:
        raise ValueError(why_not)
    value, proof = max(proofs, key=lambda pair: pair[0])
    return proof, listing.sign * value


def _near(listing: Listing, found: np.ndarray) -> Iterator[dict[int, Fraction]]:
    """As rationals: as they are, and with small denominators, as at a vertex, where their sum stays short."""
    doubles = {i: Fraction(y) for i, y in enumerate(found.tolist()) if y}
    if sum(len(listing.rows[i].terms) for i in doubles) <= MOST_TERMS:
        yield {i: y.limit_denominator(DENOMINATORS) for i, y in doubles.items()}
    yield doubles


class Doubles:
    """The program in doubles, as a minimization.

    Attributes
    ----------
    matrix, sides
        The rows' coefficients; the lower and upper sides of rows, and those of columns.
    ended
        How the last solve ended, where it found no optimum.
    """

    def __init__(self, listing: Listing) -> None:
        columns, rows = listing.columns, listing.rows
        self._sign = listing.sign
        try:
            self._costs = np.array([float(self._sign * column.cost) for column in columns])
            self.matrix = matrix_of(rows, len(columns))
            self.sides = [ends_of(part) for part in (rows, columns)]
        except OverflowError:
            raise ProgramError("a number of the program is beyond all doubles, in which it is solved first") from None
        self.ended = ""
        self._size = np.abs(self._costs)  # of what a column's cost is a difference of

    def program(self, costs: np.ndarray | None = None) -> LinearProgram:
        """A handle on it, with other costs where some are given."""
        (lower, upper), (lowest, highest) = self.sides
        costs = self._costs if costs is None else costs
        return LinearProgram(costs, self.matrix, lower, upper, lowest=lowest, highest=highest)

    def multipliers(self, context: Context, hair: float, open_ends: Iterable[Need]) -> np.ndarray | None:
        """HiGHS's, (rows,), with a hair given away of the costs that would need an open end; None where it has none."""
        costs = self._costs.copy()
        for j, end in open_ends:
            costs[j] += end * hair * self._size[j]
        handle = self.program(costs)
        outcome = handle.solve(context)
        if outcome.status != "optimal":
            self.ended = f"highs says {outcome.status}: there is nothing to prove a bound with"
            return None
        self._size = np.abs(self._costs) + np.abs(self.matrix).T @ np.abs(handle.multipliers)
        return self._sign * handle.multipliers


def matrix_of(rows: Sequence[Row], columns: int) -> Matrix:
    """The rows' coefficients, sparse, (rows, columns)."""
    sizes = [len(row.terms) for row in rows]
    begin = np.concatenate([[0], np.cumsum(sizes, dtype=int)])
    j = np.fromiter(chain.from_iterable(row.terms for row in rows), int, begin[-1])
    a = np.fromiter(map(float, chain.from_iterable(row.terms.values() for row in rows)), float, begin[-1])
    return sparse.csr_array((a, j, begin), shape=(len(rows), columns))


def ends_of(entries: Sequence[Row | Column]) -> tuple[np.ndarray, np.ndarray]:
    """Lower and upper sides, infinite where one is open."""
    return (
        np.array([-inf if entry.lower is None else float(entry.lower) for entry in entries]),
        np.array([inf if entry.upper is None else float(entry.upper) for entry in entries]),
    )
