from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from schedproof.core.errors import ProgramError
from schedproof.core.runtime.context import Context
from schedproof.core.solvers import cvx
from tests.core.toys import Toy, knapsack, projection
from tests.support import size


def cone_program(slope: float, sense: str = "maximize", offset: float = 0.0) -> Any:
    """max offset + sum ln(1 + y) - slope y, y in [0, 4]^3; or min of its negative."""
    import cvxpy

    y = cvxpy.Variable(3, nonneg=True, name="y")
    gain = offset + cvxpy.sum(cvxpy.log(1 + y)) - slope * cvxpy.sum(y)
    return cvxpy.Problem(cvxpy.Maximize(gain) if sense == "maximize" else cvxpy.Minimize(-gain), [y <= 4])


@pytest.mark.parametrize("solver", ["clarabel", "scs"])
@pytest.mark.parametrize("sense", ["maximize", "minimize"])
def test_a_conic_solvers_dual_value_is_the_bound_on_the_right_side(solver: str, sense: str) -> None:
    outcome = cvx.solve(cone_program(0.5, sense, offset=7.0), solver)
    best = (7 + 3 * (np.log(2) - 0.5)) * (1 if sense == "maximize" else -1)
    assert outcome.status == "optimal"
    assert outcome.objective == pytest.approx(best, abs=1e-8) and outcome.bound == pytest.approx(best, abs=1e-8)
    assert outcome.bound != outcome.objective


@pytest.mark.parametrize("solver", ["clarabel", "piqp", "osqp", "scs"])
@pytest.mark.parametrize("sense", ["maximize", "minimize"])
def test_every_solver_of_a_quadratic_program_has_a_bound(solver: str, sense: str) -> None:
    import cvxpy

    for seed in range(size(2, 2, 50)):
        rng = np.random.default_rng(seed)
        y, target = cvxpy.Variable(5, name="y"), rng.normal(size=5) * 3
        square = cvxpy.sum_squares(y - target) - 2
        goal = cvxpy.Minimize(square) if sense == "minimize" else cvxpy.Maximize(-square)
        outcome = cvx.solve(cvxpy.Problem(goal, [y >= 0, y <= 1]), solver)
        best = (((np.clip(target, 0, 1) - target) ** 2).sum() - 2) * (1 if sense == "minimize" else -1)
        assert outcome.status == "optimal", seed
        assert outcome.objective == pytest.approx(best, rel=1e-7, abs=1e-7), seed
        assert outcome.bound == pytest.approx(best, rel=1e-7, abs=1e-7), seed


def test_a_solver_without_the_cones_is_a_failed_solve() -> None:
    for solver in ("osqp", "piqp"):
        outcome = cvx.solve(cone_program(0.5), solver)
        assert outcome.status == "solver_failed" and "cannot solve this problem" in outcome.message


def test_a_conic_solver_at_its_time_limit_says_so() -> None:
    outcome = cvx.solve(cone_program(0.5), "clarabel", Context(time_limit=0.0))
    assert (outcome.status, outcome.objective, outcome.bound) == ("time_limit", None, None)
    for solver in ("clarabel", "scs"):
        assert cvx.solve(cone_program(0.5), solver, Context(time_limit=60.0)).status == "optimal"


def test_a_program_that_is_not_concave_gives_one_message() -> None:
    import cvxpy

    y = cvxpy.Variable(2, nonneg=True)
    with pytest.raises(ProgramError, match=r"CVXPY rejects the program: .* maximize a function that is convex"):
        cvx.solve(cvxpy.Problem(cvxpy.Maximize(cvxpy.sum_squares(y)), [y <= 1]))


@pytest.mark.parametrize("solver", ["clarabel", "piqp", "osqp", "scs"])
def test_a_conic_program_without_free_variables_is_solved(solver: str) -> None:
    import cvxpy

    nothing = cvxpy.Variable((0, 2), name="y")
    for problem in (
        cvxpy.Problem(cvxpy.Maximize(3)),
        cvxpy.Problem(cvxpy.Maximize(3 + cvxpy.sum(nothing)), [nothing <= 1]),
    ):
        outcome = cvx.solve(problem, solver)
        assert (outcome.status, outcome.objective, outcome.bound) == ("optimal", 3, 3)


def test_a_failing_conic_solver_is_retried_once(monkeypatch: pytest.MonkeyPatch) -> None:
    door = cvx.SOLVERS["clarabel"]
    stuck = {
        "iterative_refinement_enable": False,
        "static_regularization_constant": 1e6,
        **dict.fromkeys(("reduced_tol_gap_abs", "reduced_tol_gap_rel", "reduced_tol_feas"), 1e-15),
    }
    for attempts, status in (((stuck, {}), "optimal"), ((stuck, stuck), "solver_failed")):
        monkeypatch.setitem(cvx.SOLVERS, "clarabel", replace(door, attempts=attempts))
        outcome = cvx.solve(cone_program(0.5))
        assert outcome.status == status and bool(outcome.message) == (status == "solver_failed")


def test_the_common_default_solver_is_clarabel_for_a_cvxpy_program() -> None:
    assert projection().solve(Toy()).solver == "clarabel" and knapsack().solve(Toy()).solver == "highs"
