"""CP-SAT models solved by OR-tools, with the statuses of `status`."""

from __future__ import annotations

from schedproof.core.base.untyped import Model
from schedproof.core.runtime import memory
from schedproof.core.runtime.context import USUAL, Context, known_so_far
from schedproof.core.solvers.beside import run_beside
from schedproof.core.solvers.status import Outcome


def empty(program: str, columns: int, column_bytes: float, context: Context) -> Model:
    """Return an empty ``CpModel`` after a memory check.

    Parameters
    ----------
    column_bytes
        Bytes per column, with its rows and in the solver.

    Raises
    ------
    ProgramError
        If the model would exceed free memory.
    """
    from ortools.sat.python import cp_model

    memory.require(f"{program} by cpsat", columns, column_bytes, memory.SMALLER, context.progress)
    return cp_model.CpModel()


def solve(model: Model, context: Context = USUAL) -> tuple[Outcome, Model]:
    """Solve a ``CpModel``; return the outcome without values, and the solver.

    The solver object returns the values of variables.
    """
    from ortools.sat.python import cp_model

    class Report(cp_model.CpSolverSolutionCallback):  # type: ignore[misc]  # has no types
        """Report every better solution."""

        def on_solution_callback(self) -> None:
            context.progress(known_so_far(self.objective_value, self.best_objective_bound))

    solver = cp_model.CpSolver()
    solver.parameters.random_seed = context.seed
    solver.parameters.num_workers = 1  # the same seed gives the same trajectory
    solver.parameters.catch_sigint_signal = False  # otherwise the next Ctrl-C ends the process without cleanup
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
