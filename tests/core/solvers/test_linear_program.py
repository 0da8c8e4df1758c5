from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import sparse

from schedproof.core.runtime.context import Context
from schedproof.core.solvers.linear_program import LinearProgram
from tests.support import size


def lp(columns: int = 6, rows: int = 4, seed: int = 0) -> tuple[Any, ...]:
    """A covering program min c x, A x >= b, with everything positive."""
    rng = np.random.default_rng(seed)
    matrix = sparse.csc_array(rng.integers(0, 4, (rows, columns)) + np.eye(rows, columns))
    return (
        rng.integers(1, 9, columns).astype(float),
        matrix,
        rng.integers(1, 9, rows).astype(float),
        np.full(rows, np.inf),
    )


def fresh(costs: Any, matrix: Any, lower: Any, upper: Any) -> float:
    outcome = LinearProgram(costs, matrix, lower, upper).solve()
    assert outcome.objective is not None
    return outcome.objective


def test_a_hot_start_after_changed_sides_and_added_columns_agrees_with_a_fresh_solve() -> None:
    for seed in range(size(5, 24, 400)):
        rng = np.random.default_rng(seed)
        costs, matrix, lower, upper = lp(seed=seed)
        handle = LinearProgram(costs, matrix, lower, upper)
        assert handle.solve().objective == pytest.approx(fresh(costs, matrix, lower, upper), abs=1e-9)
        for _ in range(4):
            row = rng.choice(lower.size, 1)
            lower[row] += 1
            handle.change_sides(row, lower[row], upper[row])
            more, price = (
                sparse.csc_array(rng.integers(0, 5, (lower.size, 2)).astype(float)),
                rng.integers(1, 4, 2).astype(float),
            )
            handle.add_columns(price, more)
            costs, matrix = np.concatenate([costs, price]), sparse.hstack([matrix, more], format="csc")
            assert handle.solve().objective == pytest.approx(fresh(costs, matrix, lower, upper), abs=1e-9), seed
            assert costs @ handle.point == pytest.approx(handle.solve().objective, abs=1e-9)


def test_multipliers_are_nonnegative_on_rows_from_below_and_prove_the_optimum() -> None:
    for seed in range(size(5, 12, 200)):
        costs, matrix, lower, upper = lp(seed=seed)
        handle = LinearProgram(costs, matrix, lower, upper)
        value = handle.solve().objective
        assert (handle.multipliers >= -1e-9).all() and (costs - matrix.T @ handle.multipliers >= -1e-9).all()
        assert lower @ handle.multipliers == pytest.approx(value, abs=1e-9)
        turned = LinearProgram(costs, -matrix, -upper, -lower)
        assert turned.solve().objective == pytest.approx(value, abs=1e-9) and (turned.multipliers <= 1e-9).all()


def test_an_interior_point_has_the_same_optimum_and_a_simplex_solve_may_follow() -> None:
    for seed in range(size(5, 12, 200)):
        costs, matrix, lower, upper = lp(seed=seed)
        handle = LinearProgram(costs, matrix, lower, upper, "simplex")
        value = fresh(costs, matrix, lower, upper)
        for method, error in (("ipm", 1e-6), ("simplex", 1e-9), ("ipm", 1e-6)):
            handle.change_method(method)
            assert handle.solve().objective == pytest.approx(value, abs=error)
            assert lower @ handle.multipliers == pytest.approx(value, abs=error)
            assert (matrix @ handle.point - lower >= -1e-6).all()


def test_a_hot_start_after_added_rows_and_changed_highest_values_agrees_with_a_fresh_solve() -> None:
    for seed in range(size(5, 5, 400)):
        rng = np.random.default_rng(seed)
        costs, matrix, upper, lower = lp(seed=seed)
        costs, lower, highest = -costs, np.full(upper.size, -np.inf), rng.integers(1, 5, costs.size) / 2
        upper = rng.integers(1, 9, upper.size).astype(float)
        handle = LinearProgram(costs, matrix, lower, upper, highest=highest)
        for _ in range(4):
            value = handle.solve().objective
            again = LinearProgram(costs, matrix, lower, upper, highest=highest).solve()
            boxed = sparse.vstack([matrix, sparse.eye_array(costs.size)])  # the same ends as rows
            ends = np.concatenate([lower, np.full(costs.size, -np.inf)]), np.concatenate([upper, highest])
            assert value == pytest.approx(again.objective, abs=1e-9), seed
            assert value == pytest.approx(fresh(costs, boxed, *ends), abs=1e-9), seed
            assert (handle.point <= highest + 1e-9).all() and (matrix @ handle.point <= upper + 1e-9).all(), seed
            assert handle.multipliers.shape == upper.shape, seed
            more, sides = rng.integers(0, 4, (2, costs.size)).astype(float), rng.integers(0, 6, 2).astype(float)
            handle.add_rows(sparse.csc_array(more), np.full(2, -np.inf), sides)
            matrix, upper = sparse.vstack([matrix, sparse.csc_array(more)]), np.concatenate([upper, sides])
            lower = np.full(upper.size, -np.inf)
            some = rng.choice(costs.size, 2, replace=False)
            highest[some] = [0.0, np.inf]
            handle.change_highest(some, highest[some])


def test_a_column_is_unbounded_unless_it_has_a_bound() -> None:
    one = sparse.csc_array(np.array([[1.0]]))
    open_end = np.array([-1.0]), one, np.array([-np.inf]), np.array([np.inf])
    assert LinearProgram(*open_end).solve().status == "unbounded"
    handle = LinearProgram(*open_end, highest=np.array([2.5]))
    assert (handle.solve().objective, handle.point.tolist()) == (-2.5, [2.5])
    handle.change_highest(np.array([0]), np.array([np.inf]))
    assert handle.solve().status == "unbounded"


def test_the_handles_statuses() -> None:
    def ends(costs: list[float], matrix: list[list[float]], lower: list[float], **more: Any) -> str:
        rows = sparse.csc_array(np.array(matrix, dtype=float))
        return LinearProgram(np.array(costs), rows, np.array(lower), np.full(len(lower), np.inf)).solve(**more).status

    assert ends([1, 1], [[1, 1]], [2]) == "optimal"
    assert ends([1, 1], [[-1, -1]], [2]) == "infeasible"
    assert ends([-1, 1], [[1, 1]], [2]) == "unbounded"
    assert ends([-1, 1], [[1, -1], [-1, 1]], [2, 2]) == "infeasible"
    costs, matrix, lower, upper = lp(400, 300)
    assert LinearProgram(costs, matrix, lower, upper).solve(Context(time_limit=0.0)).status == "time_limit"
    hot = LinearProgram(costs, matrix, lower, upper)
    assert [hot.solve(Context(time_limit=t)).status for t in (0.0, 60.0)] == ["time_limit", "optimal"]


def test_an_empty_program_is_optimal_at_zero() -> None:
    empty = LinearProgram(np.empty(0), sparse.csc_array((0, 0)), np.empty(0), np.empty(0))
    assert (empty.solve().status, empty.solve().objective) == ("optimal", 0)
