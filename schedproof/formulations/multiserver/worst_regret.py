"""The worst regret of projected online gradient ascent, as a semidefinite program.

y(t + 1) is the nearest point of a closed convex set Y to y(t) + eta_t g_t (Zhao et al. 2024, Definition 2; any Y). The
unknowns are the inner products of the gradients g_1, ..., g_T and the points y(2), ..., y(T), y, relative to y(1). A
set Y of diameter D with these points and projections exists if and only if the points' convex hull is such a set: no
distance exceeds D, and no angle at y(t + 1) between the step's end and another point is acute. In 2 T dimensions any
positive semidefinite matrix is a matrix of inner products, so the program is exact.

D = G = 1: a regret is a multiple of D G, a step is a multiple of D/G.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from schedproof.core.base.lazy import cvxpy
from schedproof.core.base.untyped import Model


class Rows(NamedTuple):
    """Limited inner products: the coefficients (m, 2 T) of both vectors."""

    one: np.ndarray
    other: np.ndarray
    most: float


class RegretProgram(NamedTuple):
    """The program; rows ordered by slots, pairs of points, and (slot, point).

    Attributes
    ----------
    products
        (2 T, 2 T) inner products of g_1, ..., g_T, y(2), ..., y(T), y.
    weights
        (T,) the weight of each slot's gain, a parameter.
    rows
        Rows of moves, distances and projections; a step longer than 1 divides its projection rows.
    """

    problem: Model
    products: Model
    weights: Model
    rows: tuple[Rows, Rows, Rows]


def worst_regret(steps: np.ndarray) -> RegretProgram:
    """Return the program for the steps eta_1, ..., eta_T, in multiples of D/G."""
    slots = len(steps)
    unit = np.eye(2 * slots)
    g, y = unit[:slots], np.vstack([np.zeros(2 * slots), unit[slots:]])  # y[0] is y(1), y[T] the best point
    i, j = np.array([(i, j) for i in range(slots + 1) for j in range(i)]).T
    turns = [(t, x) for t in range(slots - 1) for x in range(slots + 1) if x != t + 1]
    t, x = np.array(turns, dtype=int).reshape(-1, 2).T
    step = steps[t, None]
    beyond = (y[t] + step * g[t] - y[t + 1]) / np.maximum(step, 1)
    rows = Rows(g, g, 1.0), Rows(y[i] - y[j], y[i] - y[j], 1.0), Rows(beyond, y[x] - y[t + 1], 0.0)

    products = cvxpy.Variable((2 * slots, 2 * slots), PSD=True, name="products")
    weights = cvxpy.Parameter(slots, name="weights", value=np.ones(slots))

    def inner(one: np.ndarray, other: np.ndarray) -> Model:
        return cvxpy.sum(cvxpy.multiply(one @ products, other), axis=1)

    regret = weights @ inner(g, y[slots] - y[:slots])
    limits = [inner(row.one, row.other) <= row.most for row in rows if len(row.one)]
    return RegretProgram(cvxpy.Problem(cvxpy.Maximize(regret), limits), products, weights, rows)
