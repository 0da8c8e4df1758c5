"""Randomised rounding of covering and packing programs (Yu et al. 2022, 27-28).

    min c x  subject to  A x >= a,  B x <= b,  x integer and nonnegative

A fractional point x is scaled to x' = G x. Each coordinate is rounded independently: up with probability x'_j -
floor(x'_j), else down. The cheapest feasible of several draws is kept; if no draw is feasible, the cost is infinite.
`schedproof.rounding.gains` computes G.

======  =====================  =========  ==========================
symbol  attribute              shape      meaning
======  =====================  =========  ==========================
c       ``costs``              (n,)       nonnegative
A, a    ``cover, demand``      (m, n), m  rows scaled to integers
B, b    ``packing, capacity``  (r, n), r  rows scaled to integers
W_a     ``cover_width``        1          min a_i/A_ij over A_ij > 0
W_b     ``packing_width``      1          min b_i/B_ij over B_ij > 0
======  =====================  =========  ==========================
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from math import inf
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from schedproof.core.base.numbers import common_denominator
from schedproof.core.errors import InputError

INT64_SAFE = 2**62  # a sum of int64 products below this cannot overflow


@dataclass(frozen=True, eq=False)
class Program:
    """A covering and packing program with integer rows.

    The rows are int64, or Python integers if too large. `Program.of` accepts any rational data.
    """

    costs: np.ndarray
    cover: np.ndarray
    demand: np.ndarray
    packing: np.ndarray
    capacity: np.ndarray

    @classmethod
    def of(
        cls, costs: ArrayLike, cover: ArrayLike, demand: ArrayLike, packing: ArrayLike, capacity: ArrayLike
    ) -> Program:
        """Return the program of these arrays; doubles are taken exactly.

        Raises
        ------
        InputError
            If a number is negative, or the shapes disagree.
        """
        costs = np.asarray(costs)
        rows = [
            *_integer_rows(cover, demand, costs.size, "cover"),
            *_integer_rows(packing, capacity, costs.size, "packing"),
        ]
        if any(value < 0 for value in costs):
            raise InputError("costs: expected numbers >= 0")
        return cls(costs, *rows)

    @property
    def cover_width(self) -> Fraction | None:
        """The width W_a of the covering rows; None if A has no positive entry."""
        return _width(self.cover, self.demand)

    @property
    def packing_width(self) -> Fraction | None:
        """The width W_b of the packing rows; None if B has no positive entry."""
        return _width(self.packing, self.capacity)

    def feasible(self, points: np.ndarray) -> np.ndarray:
        """Return which integer points, shape (points, n), satisfy every row, exactly."""
        largest_entry = max(int(points.max(initial=0)), 1)
        good = np.ones(len(points), dtype=bool)
        for matrix, side, sign in ((self.cover, self.demand, 1), (self.packing, self.capacity, -1)):
            largest = max(map(int, (matrix.max(initial=0), np.abs(side).max(initial=0))))
            exact = matrix if largest * largest_entry * points.shape[1] < INT64_SAFE else matrix.astype(object)
            sums = points.astype(exact.dtype) @ exact.T
            good &= (sign * (sums - side) >= 0).all(axis=1).astype(bool)
        return good


@dataclass(frozen=True, eq=False)
class Rounded:
    """The result of several draws.

    Attributes
    ----------
    point
        The cheapest feasible draw, the first on ties; ``None`` if no draw is feasible.
    cost
        The cost of ``point``, or inf.
    feasible, draws
        The number of feasible draws, and of all draws.
    """

    point: np.ndarray | None
    cost: Any  # an integer, or inf
    feasible: int
    draws: int


def draw(scaled: np.ndarray, draws: int, rng: np.random.Generator) -> np.ndarray:
    """Round x' = G x up or down by coordinate (27)-(28); probabilities are doubles.

    The result has shape (draws, n), int64.
    """
    below = np.floor(np.asarray(scaled, dtype=float))
    parts = np.asarray(scaled, dtype=float) - below
    return below.astype(np.int64) + (rng.random((draws, below.size)) < parts)


def round_best(
    program: Program, point: ArrayLike, gain: Fraction | float, draws: int, rng: np.random.Generator
) -> Rounded:
    """Return the cheapest feasible of ``draws`` roundings of a scaled point.

    As printed, step 11 of Algorithm 4 repeats until a draw is feasible, which may never happen; this function always
    ends.
    """
    scaled = np.maximum(np.asarray(point, dtype=float) * float(gain), 0.0)  # a solver's -1e-12 counts as 0
    used = np.flatnonzero(scaled)
    part = _columns(program, used)
    if part is None:
        return Rounded(None, inf, 0, draws)
    points = draw(scaled[used], draws, rng)
    good = np.flatnonzero(part.feasible(points))
    if not good.size:
        return Rounded(None, inf, 0, draws)
    costs = points[good] @ part.costs
    best = int(np.argmin(costs))
    whole = np.zeros(scaled.size, dtype=np.int64)
    whole[used] = points[good[best]]
    return Rounded(whole, costs[best], good.size, draws)


def fractional_optimum(program: Program) -> np.ndarray | None:
    """Return an optimal vertex of the linear relaxation, shape (n,), or ``None``."""
    from scipy import sparse

    from schedproof.core.solvers.linear_program import LinearProgram

    matrix = np.vstack([program.cover, program.packing]).astype(float)
    low = np.concatenate([program.demand.astype(float), np.full(len(program.capacity), -inf)])
    high = np.concatenate([np.full(len(program.demand), inf), program.capacity.astype(float)])
    lp = LinearProgram(program.costs.astype(float), sparse.csc_array(matrix), low, high, method="simplex")
    return lp.point if lp.solve().status == "optimal" else None


def _columns(program: Program, used: np.ndarray) -> Program | None:
    """Return the program restricted to some columns; ``None`` if it is infeasible.

    Packing rows without entries in these columns are dropped.
    """
    cover, packing = program.cover[:, used], program.packing[:, used]
    touched = (packing != 0).any(axis=1)
    if (program.capacity[~touched] < 0).any() or (program.demand[~(cover != 0).any(axis=1)] > 0).any():
        return None
    return Program(program.costs[used], cover, program.demand, packing[touched], program.capacity[touched])


def _width(matrix: np.ndarray, side: np.ndarray) -> Fraction | None:
    rows, columns = np.nonzero(matrix)
    pairs = zip(side[rows].tolist(), matrix[rows, columns].tolist(), strict=True)
    return min((Fraction(b, entry) for b, entry in pairs), default=None)


def _integer_rows(matrix: ArrayLike, side: ArrayLike, columns: int, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Return rows and right sides, multiplied by each row's common denominator.

    The integers are int64 if they fit.
    """
    sides = np.asarray(side, dtype=object)
    rows = np.zeros((sides.size, 0), dtype=object)
    if columns:
        rows = np.asarray(matrix, dtype=object).reshape(-1, columns)
    if rows.shape != (sides.size, columns):
        raise InputError(
            f"{name} rows: expected {sides.size} rows of {columns} entries, found shape {np.shape(matrix)}"
        )
    table = []
    for row in np.column_stack([rows, sides]):
        exact = [Fraction(value) for value in row]
        if min(exact) < 0:
            raise InputError(f"{name} rows: expected entries and right-hand sides >= 0")
        unit = common_denominator(exact)
        table.append([int(value * unit) for value in exact])
    result = np.array(table, dtype=object).reshape(sides.size, columns + 1)
    if reduce(max, result.flat, 0) < INT64_SAFE:
        result = result.astype(np.int64)
    return result[:, :-1], result[:, -1]
