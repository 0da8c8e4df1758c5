"""Multipliers that prove a bound on a listed program: from HiGHS, in doubles, then repaired exactly."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from math import inf

import numpy as np
from scipy import sparse

from schedproof.core.context import USUAL, Context
from schedproof.core.errors import NoSolution, ProgramError
from schedproof.core.exact.listing import Column, Listing, Row
from schedproof.core.exact.repair import Limits, Need, repaired
from schedproof.core.solving.linear_program import LinearProgram

DENOMINATORS = 10**7  # of multipliers at a vertex
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
    limits, doubles, why_not = Limits(listing), _Doubles(listing), ""
    for hair in (0.0, *HAIRS):
        if (result := doubles.multipliers(context, hair, limits.open)) is None:
            break
        proofs = []
        for near in _near(result):
            proof = repaired(listing, near, limits)
            try:
                proofs.append((listing.sign * listing.proven(proof), proof))
            except ValueError as error:
                why_not = str(error)
        if proofs:
            value, proof = max(proofs, key=lambda pair: pair[0])
            return proof, listing.sign * value
    raise NoSolution(f"the multipliers prove nothing: {why_not}" if why_not else doubles.ended)


def _near(found: np.ndarray) -> Iterator[dict[int, Fraction]]:
    """As rationals: with small denominators, as at a vertex, and as they are."""
    doubles = {i: Fraction(y) for i, y in enumerate(found.tolist()) if y}
    yield {i: y.limit_denominator(DENOMINATORS) for i, y in doubles.items()}
    yield doubles


class _Doubles:
    """The program in doubles, as a minimization.

    Attributes
    ----------
    ended
        How the last solve ended, where it found no optimum.
    """

    def __init__(self, listing: Listing) -> None:
        columns, rows = listing.columns, listing.rows
        self._sign = listing.sign
        try:
            self._costs = np.array([float(self._sign * column.cost) for column in columns])
            entries = [(i, j, float(a)) for i, row in enumerate(rows) for j, a in row.terms.items()]
            self._sides = [_ends(part) for part in (rows, columns)]
        except OverflowError:
            raise ProgramError("a number of the program is beyond all doubles, in which it is solved first") from None
        i, j, a = (np.array(part) for part in zip(*entries, strict=True)) if entries else (np.zeros(0, int),) * 3
        self._matrix = sparse.csr_array((a, (i, j)), shape=(len(rows), len(columns)))
        self.ended = ""
        self._size = np.abs(self._costs)  # of what a column's cost is a difference of

    def multipliers(self, context: Context, hair: float, open_ends: Iterable[Need]) -> np.ndarray | None:
        """HiGHS's, (rows,), with a hair given away of the costs that would need an open end; None where it has none."""
        costs = self._costs.copy()
        for j, end in open_ends:
            costs[j] += end * hair * self._size[j]
        (lower, upper), (lowest, highest) = self._sides
        handle = LinearProgram(costs, self._matrix, lower, upper, lowest=lowest, highest=highest)
        outcome = handle.solve(context)
        if outcome.status != "optimal":
            self.ended = f"highs says {outcome.status}: there is nothing to prove a bound with"
            return None
        self._size = np.abs(self._costs) + np.abs(self._matrix).T @ np.abs(handle.multipliers)
        return self._sign * handle.multipliers


def _ends(entries: Sequence[Row | Column]) -> tuple[np.ndarray, np.ndarray]:
    return (
        np.array([-inf if entry.lower is None else float(entry.lower) for entry in entries]),
        np.array([inf if entry.upper is None else float(entry.upper) for entry in entries]),
    )
