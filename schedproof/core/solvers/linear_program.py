"""`LinearProgram`: arrays passed to HiGHS, with warm starts between solves."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Event

import numpy as np

from schedproof.core.base.lazy import sparse
from schedproof.core.base.untyped import Matrix, Model
from schedproof.core.runtime.context import USUAL, Context
from schedproof.core.solvers import highs
from schedproof.core.solvers.beside import run_beside
from schedproof.core.solvers.pyomo_models import OPTIONS
from schedproof.core.solvers.status import Outcome, Status


class LinearProgram:
    """The program min c x with lower <= A x <= upper, lowest <= x <= highest.

    Parameters
    ----------
    costs
        Shape (columns,).
    matrix
        Sparse, shape (rows, columns).
    lower, upper
        Shape (rows,); open sides are infinite.
    method
        HiGHS's method: ``simplex``, ``ipm`` or ``choose``.
    highest
        Shape (columns,), infinite for no bound; default: no bounds.
    lowest
        Shape (columns,); default: 0.
    integer
        Shape (columns,), booleans; default: continuous.
    gap
        Relative gap at which an integer program counts as optimal; default: HiGHS's.

    Notes
    -----
    Rows and columns can be added, and costs, sides and ranges changed; the next `solve` starts from the last basis.
    """

    def __init__(
        self,
        costs: np.ndarray,
        matrix: Matrix,
        lower: np.ndarray,
        upper: np.ndarray,
        method: str = "choose",
        highest: np.ndarray | None = None,
        lowest: np.ndarray | None = None,
        integer: np.ndarray | None = None,
        gap: float | None = None,
    ) -> None:
        highspy = highs.highspy()

        by_column = sparse.csc_array(matrix)
        lp = highspy.HighsLp()
        lp.num_row_, lp.num_col_ = by_column.shape
        lp.col_cost_ = np.asarray(costs, dtype=float)
        lp.col_lower_ = np.zeros(lp.num_col_) if lowest is None else np.asarray(lowest, dtype=float)
        lp.col_upper_ = np.full(lp.num_col_, highspy.kHighsInf) if highest is None else np.asarray(highest, dtype=float)
        lp.row_lower_, lp.row_upper_ = np.asarray(lower, dtype=float), np.asarray(upper, dtype=float)
        lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
        lp.a_matrix_.start_ = by_column.indptr
        lp.a_matrix_.index_ = by_column.indices
        lp.a_matrix_.value_ = by_column.data.astype(float)
        self._highs = highspy.Highs()
        self._integer = integer is not None
        if integer is not None:
            kinds = highspy.HighsVarType.kContinuous, highspy.HighsVarType.kInteger
            lp.integrality_ = [kinds[bool(whole)] for whole in integer]
            for name, value in OPTIONS["highs"].items():
                self._highs.setOptionValue(name, value)
        if gap is not None:
            self._highs.setOptionValue("mip_rel_gap", gap)
        self._highs.setOptionValue("output_flag", False)
        self._highs.setOptionValue("threads", 1)
        self._highs.setOptionValue("solver", method)
        self._highs.passModel(lp)

    def add_columns(self, costs: np.ndarray, matrix: Matrix) -> None:
        """Add columns x >= 0; ``matrix`` has their entries in the existing rows."""
        highspy = highs.highspy()

        by_column = sparse.csc_array(matrix)
        n = by_column.shape[1]
        self._highs.addCols(
            n,
            np.asarray(costs, dtype=float),
            np.zeros(n),
            np.full(n, highspy.kHighsInf),
            by_column.nnz,
            by_column.indptr[:-1],
            by_column.indices,
            by_column.data.astype(float),
        )

    def add_rows(self, matrix: Matrix, lower: np.ndarray, upper: np.ndarray) -> None:
        by_row = sparse.csr_array(matrix)
        self._highs.addRows(
            by_row.shape[0],
            np.asarray(lower, dtype=float),
            np.asarray(upper, dtype=float),
            by_row.nnz,
            by_row.indptr[:-1],
            by_row.indices,
            by_row.data.astype(float),
        )

    def change_method(self, method: str) -> None:
        """Change HiGHS's method; ``ipm`` ends at an interior optimum without a basis."""
        self._highs.setOptionValue("solver", method)
        self._highs.setOptionValue("run_crossover", "off" if method == "ipm" else "on")

    def change_highest(self, columns: np.ndarray, highest: np.ndarray) -> None:
        self.change_ranges(columns, np.zeros(len(columns)), highest)

    def change_ranges(self, columns: Sequence[int] | np.ndarray, lowest: np.ndarray, highest: np.ndarray) -> None:
        ends = np.asarray(lowest, dtype=float), np.asarray(highest, dtype=float)
        self._highs.changeColsBounds(len(columns), np.asarray(columns, dtype=np.int32), *ends)

    def change_sides(self, rows: Sequence[int] | np.ndarray, lower: np.ndarray, upper: np.ndarray) -> None:
        ends = np.asarray(lower, dtype=float), np.asarray(upper, dtype=float)
        self._highs.changeRowsBounds(len(rows), np.asarray(rows, dtype=np.int32), *ends)

    def change_costs(self, columns: Sequence[int] | np.ndarray, costs: np.ndarray) -> None:
        new = np.asarray(costs, dtype=float)
        self._highs.changeColsCost(len(columns), np.asarray(columns, dtype=np.int32), new)

    def change_coefficient(self, row: int, column: int, value: float) -> None:
        self._highs.changeCoeff(row, column, value)

    def suggest(self, point: np.ndarray) -> None:
        """Start the next search of an integer program from a point."""
        solution = highs.highspy().HighsSolution()
        solution.col_value = point.tolist()
        self._highs.setSolution(solution)

    def solve(self, context: Context = USUAL) -> Outcome:
        """Solve from the last basis; sets `point` and `multipliers`."""
        highspy = highs.highspy()

        if (seconds := context.remaining) is not None:
            self._highs.setOptionValue("time_limit", self._highs.getRunTime() + seconds)
        self._run(context)
        ended = self._highs.getModelStatus()
        unclear = highspy.HighsModelStatus
        if ended in (unclear.kSolveError, unclear.kPresolveError, unclear.kUnboundedOrInfeasible):
            self._highs.setOptionValue("presolve", "off")
            self._run(context)
            self._highs.setOptionValue("presolve", "choose")
            ended = self._highs.getModelStatus()
        names: dict[Model, Status] = {
            highspy.HighsModelStatus.kOptimal: "optimal",
            highspy.HighsModelStatus.kModelEmpty: "optimal",
            highspy.HighsModelStatus.kInfeasible: "infeasible",
            highspy.HighsModelStatus.kUnbounded: "unbounded",
            highspy.HighsModelStatus.kTimeLimit: "time_limit",
            highspy.HighsModelStatus.kInterrupt: "time_limit",
        }
        status = names.get(ended, "solver_failed")
        info = self._highs.getInfo()
        if status == "time_limit" and self._integer and info.primal_solution_status == highspy.kSolutionStatusFeasible:
            return Outcome("feasible")
        if status != "optimal":
            return Outcome(status, message=self._highs.modelStatusToString(ended))
        if not all(np.isfinite(values).all() for values in (self.point, self.multipliers)):
            return Outcome("solver_failed", message="highs reports optimal, but some of its numbers are not finite")
        return Outcome("optimal", self.value, self.value)

    def _run(self, context: Context) -> None:
        asked = context.interrupted
        if asked is None:
            self._highs.run()
            return

        left = Event()

        def look(event: Model) -> None:
            if asked.is_set() or left.is_set():
                event.interrupt()

        def run() -> None:
            self._highs.cbSimplexInterrupt += look
            self._highs.cbIpmInterrupt += look
            try:
                self._highs.run()
            finally:
                self._highs.cbSimplexInterrupt -= look
                self._highs.cbIpmInterrupt -= look

        run_beside(run, context, left.set)

    @property
    def point(self) -> np.ndarray:
        """The last solution, shape (columns,)."""
        return np.asarray(self._highs.getSolution().col_value)

    @property
    def value(self) -> float:
        """The last solution's objective."""
        return float(self._highs.getInfo().objective_function_value)

    @property
    def best_bound(self) -> float:
        """The last bound on the optimum of an integer program."""
        return float(self._highs.getInfo().mip_dual_bound)

    @property
    def multipliers(self) -> np.ndarray:
        """The last row duals, (rows,): in a minimum >= 0 on >= rows, <= 0 on <= rows."""
        return np.asarray(self._highs.getSolution().row_dual)

    @property
    def basis(self) -> tuple[list[int], list[int]]:
        """The last basis, and nonbasic variables at their upper end; row i: columns + i."""
        status, found = highs.highspy().HighsBasisStatus, self._highs.getBasis()
        kinds = [*found.col_status, *found.row_status]
        basic, upper = ([k for k, kind in enumerate(kinds) if kind == one] for one in (status.kBasic, status.kUpper))
        return basic, upper

    @property
    def ray(self) -> np.ndarray | None:
        """Farkas' multipliers of an infeasible program, shape (rows,)."""
        _, exists, ray = self._highs.getDualRay()
        return np.asarray(ray) if exists else None
