"""CVXPY problems to a conic solver, asked for nearly all the digits of doubles; its dual value is the bound."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec

import numpy as np

from schedproof.core.base.untyped import Model, Value
from schedproof.core.errors import MissingExtra, ProgramError, UnknownName
from schedproof.core.runtime.context import USUAL, Context
from schedproof.core.solvers.status import Outcome, Status

SHORTEST = 1e-9  # seconds; 0 is no limit for some solvers
FEASIBILITY = 1e-6  # of a row or a variable's range at the point, in doubles; every attempt asks for less


@dataclass(frozen=True)
class Solver:
    """A solver behind CVXPY.

    Attributes
    ----------
    name
        CVXPY's.
    attempts
        What it is asked for, in its own words; the next one where it gives up on the one before.
    time_limit
        Its word for a limit in seconds; empty where it knows none, and is as quick as PIQP.
    values
        Of its own result: its primal and its dual value.
    inaccurate
        What it is worth when CVXPY calls an optimum inaccurate.
    """

    name: str
    attempts: tuple[Mapping[str, Value], ...]
    time_limit: str
    values: Callable[[Model], tuple[float, float]]
    inaccurate: Status = "solver_failed"


def _clarabel(step: float) -> Mapping[str, Value]:
    """Steps of at most this part of the way to the boundary; what stalls once 1e-8 is reached is as good as solved."""
    gaps = ("tol_gap_abs", "tol_gap_rel", "tol_feas")
    tight, usual = dict.fromkeys(gaps, 1e-12), dict.fromkeys((f"reduced_{gap}" for gap in gaps), 1e-8)
    return {**tight, **usual, "max_step_fraction": step}


SOLVERS = {
    "clarabel": Solver(
        "CLARABEL",
        tuple(map(_clarabel, (0.99, 0.9, 0.8, 0.7))),  # it gives up on about 1 program in 100, seldom on the same
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
        # its acceleration has been seen to run in circles
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
        For a solver that is not one of ours, or is not installed.
    ProgramError
        For a problem that is not convex by CVXPY's rules.
    """
    if solver not in SOLVERS:
        raise UnknownName("solver for a CVXPY program", solver, SOLVERS)
    if find_spec(solver) is None:
        raise MissingExtra(f"the solver '{solver}'", "convex")
    door = SOLVERS[solver if problem.size_metrics.num_scalar_variables else "clarabel"]  # alone in taking no columns
    for settings in door.attempts:
        seconds = max(context.remaining or 0.0, SHORTEST)
        limit = {door.time_limit: seconds} if door.time_limit and context.limited else {}
        outcome = _attempt(problem, door, {**settings, **limit})
        if outcome.status != "solver_failed":
            break
    return outcome


def _attempt(problem: Model, door: Solver, settings: dict[str, Value]) -> Outcome:
    import cvxpy

    try:
        data, chain, inverse = problem.get_problem_data(door.name, solver_opts=settings)
    except cvxpy.DCPError as error:
        raise ProgramError(f"CVXPY refuses the program: {' '.join(str(error).split())}") from None
    except cvxpy.SolverError as error:
        return Outcome("solver_failed", message=str(error))
    result = chain.solve_via_data(problem, data, warm_start=False, verbose=False, solver_opts=settings)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that a result is inaccurate, the status says
        try:
            problem.unpack_results(result, chain, inverse)
        except cvxpy.SolverError:
            return Outcome("solver_failed", message=f"{door.name} gave up")
    return _outcome(problem, door, result)


def _outcome(problem: Model, door: Solver, result: Model) -> Outcome:
    """The status in our words; the dual value lies as far from the solver's objective as from its own primal value."""
    import cvxpy

    ends: dict[str, Status] = {
        cvxpy.OPTIMAL: "optimal",
        cvxpy.OPTIMAL_INACCURATE: door.inaccurate,
        cvxpy.INFEASIBLE: "infeasible",
        cvxpy.UNBOUNDED: "unbounded",
        cvxpy.USER_LIMIT: "time_limit",
    }
    status = ends.get(problem.status, "solver_failed")
    if status not in ("optimal", "feasible"):
        return Outcome(status, message=str(problem.status) if status == "solver_failed" else "")
    value = float(problem.solution.opt_val)
    if isinstance(result, type(problem.solution)):  # CVXPY itself, where nothing is left to decide
        return Outcome(status, value, value)
    primal, dual = door.values(result)
    sign = 1 if problem.objective.NAME == "minimize" else -1
    return Outcome(status, value, value + sign * (dual - primal))


def broken_row(problem: Model) -> str:
    """The first row, or range of a variable, that the point of a solved problem breaks; "" for none."""
    for variable in problem.variables():
        if not np.isfinite(variable.value).all():
            return f"{variable.name()} is not finite"
    for row in problem.constraints:
        with np.errstate(invalid="ignore"):  # CVXPY divides by the norm of a zero vector, and does not use the quotient
            short = float(np.max(row.violation(), initial=0.0))
        if short > FEASIBILITY:
            return f"the row {' '.join(str(row).split())} is broken by {short:.3g}"
    for variable in problem.variables():
        outside = np.abs(variable.value - variable.project(variable.value))
        if (short := float(np.max(outside, initial=0.0))) > FEASIBILITY:
            return f"the range of {variable.name()} is broken by {short:.3g}"
    return ""
