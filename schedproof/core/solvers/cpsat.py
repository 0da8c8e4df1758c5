"""CP-SAT models to OR-tools, with the statuses of `status`."""

from __future__ import annotations

from schedproof.core.base.untyped import Model
from schedproof.core.runtime import memory
from schedproof.core.runtime.context import USUAL, Context, known_so_far
from schedproof.core.solvers.beside import run_beside
from schedproof.core.solvers.status import Outcome


def empty(program: str, columns: int, column_bytes: float, context: Context) -> Model:
    """An empty ``CpModel``, after a check that so many columns fit, each of so many bytes with its rows and while it is
    solved.

    Raises
    ------
    ProgramError
        When it would take more memory than is free.
    """
    from ortools.sat.python import cp_model

    memory.require(f"{program} by cpsat", columns, column_bytes, memory.SMALLER, context.progress)
    return cp_model.CpModel()


def solve(model: Model, context: Context = USUAL) -> tuple[Outcome, Model]:
    """Solve a ``CpModel``; returns the outcome (without values) and the solver, to read variables from."""
    from ortools.sat.python import cp_model

    class Report(cp_model.CpSolverSolutionCallback):  # type: ignore[misc]  # has no types
        """Report every better solution."""

        def on_solution_callback(self) -> None:
            context.progress(known_so_far(self.objective_value, self.best_objective_bound))

    solver = cp_model.CpSolver()
    solver.parameters.random_seed = context.seed
    solver.parameters.num_workers = 1  # the same seed gives the same trajectory
    solver.parameters.catch_sigint_signal = False  # or the next Ctrl-C ends the process, and nobody tidies up
    if (seconds := context.remaining) is not None:
        solver.parameters.max_time_in_seconds = seconds
    ended = run_beside(lambda: solver.solve(model, Report()), context, solver.stop_search)
    if ended in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        status = "optimal" if ended == cp_model.OPTIMAL else "feasible"
        return Outcome(status, solver.objective_value, solver.best_objective_bound), solver  # type: ignore[arg-type]
    if ended == cp_model.INFEASIBLE:
        return Outcome("infeasible"), solver
    if ended == cp_model.UNKNOWN:
        return Outcome("time_limit", bound=solver.best_objective_bound), solver
    return Outcome("solver_failed", message=solver.status_name(ended)), solver
