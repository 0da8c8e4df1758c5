"""What solving a program gives back: a status, an objective it recomputes itself, a bound, and the values."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from time import perf_counter
from typing import Any

from schedproof.core.errors import InexactPoint, NoSolution, ProgramError
from schedproof.core.program import Program
from schedproof.core.solving.status import Outcome, Status

AGREEMENT = 1e-6  # of a solver's own objective with ours, relative; a larger gap is a failed solve, not a result


@dataclass(frozen=True)
class Solution:
    """The outcome of solving a program on an instance.

    Attributes
    ----------
    status, objective, bound
        As in `Outcome`; ``objective`` is recomputed from ``values``, not the solver's word.
    exact
        The objective as a rational, where the route computed in integers.
    values
        Variable name -> index -> value, nonzero entries only.
    """

    program: str
    family: str
    status: Status
    objective: float | None
    bound: float | None
    exact: Fraction | None
    solver: str
    build_seconds: float
    solve_seconds: float
    values: dict[str, dict[Any, float]] = field(repr=False)
    message: str = ""
    _schedule: Any = field(default=None, repr=False)

    @property
    def gap(self) -> float | None:
        """The relative distance of objective and bound; None where one of them is missing."""
        if self.objective is None or self.bound is None:
            return None
        return abs(self.objective - self.bound) / max(abs(self.objective), 1e-9)

    def schedule(self) -> Any:
        """The family's Schedule that this point describes.

        Raises
        ------
        NoSolution, ProgramError
            When there is no point, or the program does not decide a schedule.
        """
        if self.status not in ("optimal", "feasible"):
            raise NoSolution(f"{self.program}: no schedule, the solve ended as '{self.status}'")
        if self._schedule is None:
            raise ProgramError(f"{self.program} does not decide a schedule")
        return self._schedule

    def to_json(self) -> dict[str, Any]:
        """The result object of ``solve --json``."""
        return {
            "program": self.program,
            "family": self.family,
            "status": self.status,
            "objective": self.objective,
            "bound": self.bound,
            "gap": self.gap,
            "solver": self.solver,
            "build_seconds": round(self.build_seconds, 4),
            "solve_seconds": round(self.solve_seconds, 4),
            "values": {
                name: {_index_text(index): value for index, value in entries.items()}
                for name, entries in self.values.items()
            },
        }


def solve(program: Program, instance: Any, solver: str, time_limit: float | None) -> Solution:
    """Solve a program on an instance through a solver or one of the program's own routes."""
    if solver in program.routes:
        started = perf_counter()
        outcome = program.routes[solver](instance, time_limit=time_limit, **program.parameters)
        return _solution(program, outcome, solver, 0.0, perf_counter() - started)
    if program.backend == "cvxpy" and solver == "highs":
        solver = "clarabel"  # "highs" is every program's default, but it takes no cones
    if solver in ("cpsat", "brute", "packing", "flow", "matrix", "tangents"):
        raise ProgramError(
            f"{program.id} has no route '{solver}' (a route belongs to a whole program, unchanged and unrelaxed); "
            f"use highs, scip or gurobi"
        )
    started = perf_counter()
    model = program.build(instance)
    built = perf_counter()
    outcome = _solve_model(program, model, instance, solver, time_limit)
    return _solution(program, outcome, solver, built - started, perf_counter() - built)


def _solution(program: Program, outcome: Outcome, solver: str, build: float, solved: float) -> Solution:
    return Solution(
        program=program.id,
        family=program.family,
        status=outcome.status,
        objective=outcome.objective,
        bound=outcome.bound,
        exact=outcome.exact,
        solver=solver,
        build_seconds=build,
        solve_seconds=solved,
        values=outcome.values,
        message=outcome.message,
        _schedule=outcome.schedule,
    )


def _solve_model(program: Program, model: Any, instance: Any, solver: str, time_limit: float | None) -> Outcome:
    """Through the door of the program's backend; what the point is worth is computed anew."""
    from schedproof.core.solving import cvx, pyomo_models

    door, read = {"pyomo": (pyomo_models, pyomo_point), "cvxpy": (cvx, _cvxpy_point)}[program.backend]
    outcome = door.solve(model, solver, time_limit)
    if not outcome.has_point:
        return outcome
    recomputed, values = read(model)
    if outcome.objective is not None and abs(recomputed - outcome.objective) > AGREEMENT * max(1.0, abs(recomputed)):
        return Outcome("solver_failed", message=f"{solver} says {outcome.objective}, its point costs {recomputed}")
    try:
        schedule = program.to_schedule(model, instance) if program.to_schedule else None
    except InexactPoint as error:
        return Outcome("solver_failed", bound=outcome.bound, message=str(error))
    return Outcome(outcome.status, recomputed, outcome.bound, values, schedule=schedule)


def pyomo_point(model: Any) -> tuple[float, dict[str, dict[Any, float]]]:
    """A solved Pyomo model's objective and the nonzero entries of its variables."""
    import pyomo.environ as pyo

    values = {
        f"{variable.name}": {i: v.value for i, v in variable.items() if v.value}
        for variable in model.component_objects(pyo.Var, descend_into=True)
        if "._" not in f".{variable.name}"  # what a transformation adds has a name of its own, with an underscore
    }
    return float(pyo.value(model.objective)), values


def _cvxpy_point(problem: Any) -> tuple[float, dict[str, dict[Any, float]]]:
    """The same of a solved CVXPY problem."""
    import numpy as np

    values = {v.name(): {i: float(x) for i, x in np.ndenumerate(v.value) if x} for v in problem.variables()}
    return float(problem.objective.value), values


def _index_text(index: Any) -> str:
    return ",".join(map(str, index)) if isinstance(index, tuple) else str(index)
