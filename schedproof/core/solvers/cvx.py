"""CVXPY problems solved by conic solvers at high precision.

The dual value is the bound.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from math import isnan

import numpy as np

from schedproof.core.base.untyped import Model, Value
from schedproof.core.errors import MissingExtra, ProgramError, UnknownName
from schedproof.core.runtime.context import USUAL, Context
from schedproof.core.solvers.status import Outcome, Status

SHORTEST = 1e-9  # seconds; 0 means no limit for some solvers
FEASIBILITY = 1e-6  # accepted violation of a row or range in doubles; solver tolerances are tighter

NO_INTEGERS = "write the program's groups in Pyomo, for highs, scip or gurobi"


@dataclass(frozen=True)
class Solver:
    """A solver behind CVXPY.

    Attributes
    ----------
    name
        CVXPY's name.
    attempts
        Solver settings; the next ones are used if the solver fails.
    time_limit
        The solver's option for a limit in seconds; empty if it has none.
    values
        Return primal and dual value from the solver's result.
    inaccurate
        Status for an optimum that CVXPY calls inaccurate.
    """

    name: str
    attempts: tuple[Mapping[str, Value], ...]
    time_limit: str
    values: Callable[[Model], tuple[float, float]]
    inaccurate: Status = "solver_failed"


def _clarabel(step: float) -> Mapping[str, Value]:
    """Settings with a step limit; a stall after reaching 1e-8 counts as solved."""
    gaps = ("tol_gap_abs", "tol_gap_rel", "tol_feas")
    tight, usual = dict.fromkeys(gaps, 1e-12), dict.fromkeys((f"reduced_{gap}" for gap in gaps), 1e-8)
    return {**tight, **usual, "max_step_fraction": step}


SOLVERS = {
    "clarabel": Solver(
        "CLARABEL",
        tuple(map(_clarabel, (0.99, 0.9, 0.8, 0.7))),  # each fails on about 1 program in 100, rarely on the same
        "time_limit",
        lambda result: (result.obj_val, result.obj_val_dual),
        inaccurate="optimal",
    ),
    "piqp": Solver(
        "PIQP",
        (dict.fromkeys(("eps_abs", "eps_rel", "eps_duality_gap_abs", "eps_duality_gap_rel"), 1e-12),),
        "",
        lambda result: (result.info.primal_obj, result.info.dual_obj),
    ),
    "osqp": Solver(
        "OSQP",
        ({"eps_abs": 1e-9, "eps_rel": 1e-9, "max_iter": 100_000, "polishing": True},),
        "time_limit",
        lambda result: (result.info.obj_val, result.info.dual_obj_val),
    ),
    "scs": Solver(
        "SCS",
        # the solver's acceleration can cycle
        tuple({"eps_abs": 1e-9, "eps_rel": 1e-9, "max_iters": 100_000, "acceleration_lookback": n} for n in (10, 0)),
        "time_limit_secs",
        lambda result: (result["info"]["pobj"], result["info"]["dobj"]),
    ),
}


def solve(problem: Model, solver: str = "clarabel", context: Context = USUAL) -> Outcome:
    """Solve a CVXPY problem and leave the point in its variables.

    Raises
    ------
    UnknownName, MissingExtra
        For an unknown solver, or one that is not installed.
    ProgramError
        If CVXPY does not recognise the problem as convex, or it has integers.
    """
    if solver not in SOLVERS:
        raise UnknownName("solver for a CVXPY program", solver, SOLVERS)
    if find_spec(solver) is None:
        raise MissingExtra(f"the solver '{solver}'", "convex")
    if problem.is_mixed_integer():
        raise ProgramError(f"integer variables of CVXPY are not solved; {NO_INTEGERS}")
    entry = SOLVERS[solver if problem.size_metrics.num_scalar_variables else "clarabel"]  # accepts 0 columns
    for settings in entry.attempts:
        seconds = max(context.remaining or 0.0, SHORTEST)
        limit = {entry.time_limit: seconds} if entry.time_limit and context.limited else {}
        outcome = _attempt(problem, entry, {**settings, **limit})
        if outcome.status == "time_limit" and not context.over:
            outcome = Outcome("solver_failed", message=f"{solver} reached its limit of iterations")
        if outcome.status != "solver_failed":
            break
    return outcome


def _attempt(problem: Model, entry: Solver, settings: dict[str, Value]) -> Outcome:
    import cvxpy

    try:
        data, chain, inverse = problem.get_problem_data(entry.name, solver_opts=settings)
    except cvxpy.DCPError as error:
        raise ProgramError(f"CVXPY rejects the program: {' '.join(str(error).split())}") from None
    except cvxpy.SolverError as error:
        return Outcome("solver_failed", message=str(error))
    result = chain.solve_via_data(problem, data, warm_start=False, verbose=False, solver_opts=settings)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the status tells if a result is inaccurate
        try:
            problem.unpack_results(result, chain, inverse)
        except cvxpy.SolverError:
            return Outcome("solver_failed", message=f"{entry.name} gave up")
    return _outcome(problem, entry, result)


def _outcome(problem: Model, entry: Solver, result: Model) -> Outcome:
    """Return the outcome; the bound is the objective shifted by the duality gap."""
    import cvxpy

    ends: dict[str, Status] = {
        cvxpy.OPTIMAL: "optimal",
        cvxpy.OPTIMAL_INACCURATE: entry.inaccurate,
        cvxpy.INFEASIBLE: "infeasible",
        cvxpy.UNBOUNDED: "unbounded",
        cvxpy.USER_LIMIT: "time_limit",
    }
    status = ends.get(problem.status, "solver_failed")
    if status not in ("optimal", "feasible"):
        return Outcome(status, message=str(problem.status) if status == "solver_failed" else "")
    value = float(problem.solution.opt_val)
    if isinstance(result, type(problem.solution)):  # CVXPY solved it in presolve
        return Outcome(status, value, value)
    primal, dual = entry.values(result)
    sign = 1 if problem.objective.NAME == "minimize" else -1
    return Outcome(status, value, value + sign * (dual - primal))


def broken_row(problem: Model) -> str:
    """Return the first row or variable range violated by the point; "" for none."""
    for variable in problem.variables():
        if not np.isfinite(variable.value).all():
            return f"{variable.name()} is not finite"
    for row in problem.constraints:
        with np.errstate(invalid="ignore"):  # CVXPY divides by the norm of a zero vector, unused
            short = float(np.max(row.violation(), initial=0.0))
        if isnan(short):
            return f"the row {' '.join(str(row).split())} is undefined at the point"
        if short > FEASIBILITY:
            return f"the row {' '.join(str(row).split())} is violated by {short:.3g}"
    for variable in problem.variables():
        outside = np.abs(variable.value - variable.project(variable.value))
        if (short := float(np.max(outside, initial=0.0))) > FEASIBILITY:
            return f"the range of {variable.name()} is violated by {short:.3g}"
    return ""
