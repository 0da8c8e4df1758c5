"""Dual points of a conic program in arrays, by Clarabel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from schedproof.core.base.lazy import clarabel, sparse
from schedproof.core.base.untyped import Model
from schedproof.core.runtime.context import USUAL, Context
from schedproof.core.solvers.cvx import SHORTEST, SOLVERS
from schedproof.core.solvers.status import Status

ENDS: dict[str, Status] = {
    "Solved": "optimal",
    "AlmostSolved": "optimal",
    "PrimalInfeasible": "infeasible",
    "AlmostPrimalInfeasible": "infeasible",
    "DualInfeasible": "unbounded",
    "AlmostDualInfeasible": "unbounded",
    "MaxTime": "time_limit",
}


def dual_points(
    costs: np.ndarray, matrix: Model, sides: np.ndarray, cones: Sequence[tuple[str, int]], context: Context = USUAL
) -> Iterator[tuple[Status, float, np.ndarray]]:
    """Yield status, optimum and dual point of min ``c x``, ``b - A x`` in the cones.

    The dual points, (rows,), come from several solver settings.

    Parameters
    ----------
    cones
        Kind and number of rows in order: zero, nonnegative, second_order, exponential.
    """
    kinds = {
        "zero": clarabel.ZeroConeT,
        "nonnegative": clarabel.NonnegativeConeT,
        "second_order": clarabel.SecondOrderConeT,
        "exponential": lambda _: clarabel.ExponentialConeT(),
    }
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    quadratic = sparse.csc_matrix((len(costs), len(costs)))
    parts = [kinds[kind](count) for kind, count in cones]
    for attempt in SOLVERS["clarabel"].attempts:
        for name, value in attempt.items():
            setattr(settings, name, value)
        if context.limited:
            settings.time_limit = max(context.remaining or 0.0, SHORTEST)
        result = clarabel.DefaultSolver(quadratic, costs, matrix, sides, parts, settings).solve()
        yield ENDS.get(str(result.status), "solver_failed"), result.obj_val, np.array(result.z)
