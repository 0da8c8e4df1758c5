"""CVXPY problems to a conic solver."""

from __future__ import annotations

from typing import Any

import numpy as np

from schedproof.core.errors import UnknownName
from schedproof.core.solving.status import Outcome

SOLVERS = {"clarabel": "CLARABEL", "piqp": "PIQP", "osqp": "OSQP", "scs": "SCS"}


def solve(problem: Any, solver: str = "clarabel", time_limit: float | None = None) -> Outcome:
    """Solve a CVXPY problem and leave the point in its variables."""
    import cvxpy

    solver = "clarabel" if solver == "highs" else solver  # the programs' common default; HiGHS takes no cones
    if solver not in SOLVERS:
        raise UnknownName("solver for a CVXPY program", solver, SOLVERS)
    limit = {"time_limit": time_limit} if time_limit is not None and solver == "clarabel" else {}
    try:
        problem.solve(solver=SOLVERS[solver], **limit)
    except cvxpy.SolverError as error:
        return Outcome("solver_failed", message=str(error))
    if problem.status in (cvxpy.OPTIMAL, cvxpy.OPTIMAL_INACCURATE):
        status = "optimal" if problem.status == cvxpy.OPTIMAL else "feasible"
        values = {v.name(): {i: float(x) for i, x in np.ndenumerate(v.value) if x} for v in problem.variables()}
        return Outcome(status, float(problem.value), values=values)  # type: ignore[arg-type]
    if problem.status in (cvxpy.INFEASIBLE, cvxpy.INFEASIBLE_INACCURATE):
        return Outcome("infeasible")
    if problem.status in (cvxpy.UNBOUNDED, cvxpy.UNBOUNDED_INACCURATE):
        return Outcome("unbounded")
    if problem.status == cvxpy.USER_LIMIT:
        return Outcome("time_limit")
    return Outcome("solver_failed", message=str(problem.status))
