"""Pyomo models solved by HiGHS, SCIP or Gurobi through Pyomo's common interface."""

from __future__ import annotations

import importlib.util
import logging
from collections.abc import Mapping
from fractions import Fraction

from schedproof.core.base.lazy import pyo
from schedproof.core.base.untyped import Model, Value
from schedproof.core.errors import MissingExtra, ProgramError, UnknownName
from schedproof.core.runtime.context import USUAL, Context, known_so_far, silent
from schedproof.core.solvers import highs
from schedproof.core.solvers.beside import run_beside
from schedproof.core.solvers.exact_check import rational
from schedproof.core.solvers.status import Outcome, Status

SOLVERS = {  # our name -> Pyomo's name, the module it needs, the extra that brings it
    "highs": ("highs", "highspy", ""),
    "scip": ("scip_direct", "pyscipopt", "minlp"),
    "gurobi": ("gurobi_direct", "gurobipy", "gurobi"),
}
# One presolve rule of HiGHS 1.12 to 1.14 (bit 12) calls some feasible integer programs infeasible, and points optimal
# that are not: about 1 in 80 of our tiny programs with storage. Without the rule all of 1,400 were right, as fast.
# Pyomo reads SCIP's log from a pipe. No thread of Python runs while SCIP does, so a log that fills the pipe would
# block both for ever.
OPTIONS: dict[str, dict[str, Value]] = {
    "highs": {"presolve_rule_off": 1 << 12},
    "scip": {"display/verblevel": 0},
}


def solve(
    model: Model, solver: str = "highs", context: Context = USUAL, settings: Mapping[str, Value] | None = None
) -> Outcome:
    """Solve a Pyomo model and leave the incumbent in its variables.

    Integer variables are rounded in place; callers recheck the point.

    Parameters
    ----------
    settings
        The solver's options, by its own names.

    Raises
    ------
    UnknownName, MissingExtra
        For an unknown solver, or one that is not installed.
    ProgramError
        For a nonlinear model and a linear solver.
    """
    from pyomo.contrib.solver.common.results import SolutionStatus, TerminationCondition
    from pyomo.contrib.solver.common.util import IncompatibleModelError

    if solver not in SOLVERS:
        raise UnknownName("solver", solver, SOLVERS)
    _, module, extra = SOLVERS[solver]
    if importlib.util.find_spec(module) is None:
        raise MissingExtra(f"the solver '{solver}'", extra)
    if next(model.component_data_objects(pyo.Var, descend_into=True), None) is None:
        value = float(pyo.value(next(model.component_data_objects(pyo.Objective, active=True))))
        return Outcome("optimal", value, value, multipliers={})  # HiGHS has no answer to a model without columns

    if solver == "highs" and not _convex(next(model.component_data_objects(pyo.Objective, active=True))):
        return Outcome("solver_failed", message="highs takes no quadratic objective that is not convex")

    def attempt(**options: Value) -> Model:
        return _adapter(solver, context).solve(
            model,
            time_limit=context.remaining,
            rel_gap=0.0,  # optimal means optimal: the solvers' own default stops at a gap of 1e-4
            solver_options=OPTIONS.get(solver, {}) | dict(settings or {}) | options,
            load_solutions=False,
            raise_exception_on_nonoptimal_result=False,
        )

    try:
        results = attempt()
    except IncompatibleModelError:
        parts = model.component_data_objects((pyo.Constraint, pyo.Objective), active=True)
        first = next((part for part in parts if part.expr.polynomial_degree() not in (0, 1)), model)
        name = "the objective" if first.ctype is pyo.Objective else first.name
        raise ProgramError(
            f"{name} is not linear: the solver '{solver}' takes no nonlinear expressions; use scip"
        ) from None
    except NotImplementedError as error:  # Pyomo's words: unrecognized expression type, unable to handle
        raise ProgramError(f"{solver} cannot read the program: {error}; replace it") from None
    except Exception as error:  # PySCIPOpt raises no more special class
        if not str(error).startswith("SCIP: "):
            raise
        return Outcome("solver_failed", message=f"scip reports {str(error).removeprefix('SCIP: ')}")
    unclear = TerminationCondition.infeasibleOrUnbounded, TerminationCondition.error
    if solver == "highs" and results.termination_condition in unclear:
        results = attempt(presolve="off")  # presolve may fail, or leave open whether infeasible or unbounded
    ended = results.termination_condition
    if ended == TerminationCondition.interrupted and context.interrupted is not None:
        context.interrupted.set()  # SCIP and Gurobi handle interrupts themselves
    elif ended == TerminationCondition.unknown and context.interrupted is not None and context.interrupted.is_set():
        ended = TerminationCondition.interrupted  # Pyomo has no status for HiGHS's interrupt
    incumbent = results.solution_status in (SolutionStatus.optimal, SolutionStatus.feasible)
    status = _status(ended, incumbent)
    if status not in ("optimal", "feasible"):
        message = f"{solver} ended with '{ended.name}'" if status == "solver_failed" else ""
        return Outcome(status, bound=_finite(results.objective_bound), message=message)
    try:
        results.solution_loader.load_vars()
        whole = _round_integers(model)
    except (ValueError, OverflowError):  # for a non-finite integer variable
        return Outcome("solver_failed", message=f"{solver} reports {status}, but a number of its point is not finite")
    multipliers = _multipliers(results) if solver == "highs" and not whole else None
    bound = _finite(results.objective_bound)
    results.solution_loader = None  # it and the adapter refer to each other, so that the solver would stay in memory
    return Outcome(status, _finite(results.incumbent_objective), bound, multipliers=multipliers)


def _convex(objective: Model) -> bool:
    """Return whether an objective has no negative curvature, by exact elimination.

    HiGHS checks only the diagonal: it reports 0 as the least x y of any box around 0.
    """
    from pyomo.repn import generate_standard_repn

    if objective.polynomial_degree() != 2:
        return True
    repn = generate_standard_repn(objective.expr, quadratic=True)
    rows: dict[int, dict[int, Fraction]] = {}
    for coefficient, (one, other) in zip(repn.quadratic_coefs, repn.quadratic_vars, strict=True):
        for a, b in ((id(one), id(other)), (id(other), id(one))):
            row = rows.setdefault(a, {})
            row[b] = row.get(b, Fraction(0)) + objective.sense * rational(pyo.value(coefficient))
    while rows:
        column, row = rows.popitem()
        pivot = row.get(column, Fraction(0))
        rest = {k: value for k, value in row.items() if value and k in rows}
        if pivot < 0 or (not pivot and rest):
            return False
        for a, left in rest.items():
            for b, right in rest.items():
                rows[a][b] = rows[a].get(b, Fraction(0)) - left * right / pivot
    return True


def _adapter(solver: str, context: Context) -> Model:
    """Return Pyomo's adapter; it resets the time limit after translating the model."""
    from pyomo.contrib.solver.common.factory import SolverFactory

    adapter = SolverFactory(SOLVERS[solver][0])
    logging.getLogger(type(adapter).__module__).setLevel(logging.ERROR)  # the status has the same information
    if solver == "highs":
        highs.highspy()
        solve, add = adapter._solve, adapter.add_variables
        used_in: list[Model] = [{}, {}, None]

        def add_variables(variables: list[Model]) -> None:
            add(variables)
            for v in variables:  # only later changes need its range and the rows that use it, 500 bytes
                adapter._vars[id(v)], adapter._referenced_variables[id(v)] = (v,), used_in

        def solve_beside() -> Model:
            del adapter._solve, adapter.add_variables  # they refer to the adapter, and would keep it in memory
            adapter._active_config.time_limit = context.remaining
            made = adapter._solver_model
            if context.progress is not silent:
                made.cbMipLogging += lambda event: context.progress(_progress_text(event.data_out))
            made.run = lambda: run_beside(super(type(made), made).run, context, made.cancelSolve)
            try:
                return solve()
            finally:
                del made.run
                made.HandleKeyboardInterrupt = False  # its handlers refer to the solver

        adapter._solve, adapter.add_variables = solve_beside, add_variables
    elif context.limited and solver == "scip":
        translate = adapter._create_solver_model

        def translate_in_time(model: Model, config: Model) -> Model:
            translated = translate(model, config)
            config.time_limit = context.remaining
            return translated

        adapter._create_solver_model = translate_in_time
    return adapter


def _progress_text(mip: Model) -> str:
    return known_so_far(_finite(mip.mip_primal_bound), _finite(mip.mip_dual_bound))


def _status(condition: Model, incumbent: bool) -> Status:
    from pyomo.contrib.solver.common.results import TerminationCondition as End

    if condition == End.convergenceCriteriaSatisfied:
        return "optimal"
    if condition in (End.maxTimeLimit, End.iterationLimit, End.objectiveLimit, End.interrupted):
        return "feasible" if incumbent else "time_limit"
    if condition in (End.provenInfeasible, End.locallyInfeasible):
        return "infeasible"
    return "unbounded" if condition == End.unbounded else "solver_failed"


def _multipliers(results: Model) -> Mapping[Model, float] | None:
    from pyomo.contrib.solver.common.util import NoDualsError

    try:
        duals: Mapping[Model, float] = results.solution_loader.get_duals()
    except (NoDualsError, IndexError):  # no duals, or none for a row that HiGHS has dropped
        return None
    return duals


def _round_integers(model: Model) -> bool:

    some = False
    for variable in model.component_data_objects(pyo.Var, descend_into=True):
        if variable.is_integer() and variable.value is not None:
            variable.set_value(round(variable.value), skip_validation=True)
            some = True
    return some


def _finite(value: float | None) -> float | None:
    return None if value is None or abs(value) >= 1e30 else float(value)
