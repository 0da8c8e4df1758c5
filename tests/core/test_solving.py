"""The doors to the solvers: every way a solve can end, missing solvers, hot linear programs, one process for all."""

from __future__ import annotations

import importlib.util
import random
import subprocess
import sys
from dataclasses import replace
from typing import Any

import numpy as np
import pyomo.environ as pyo
import pytest
from scipy import sparse

import schedproof as sp
from schedproof.core.backends import BACKENDS
from schedproof.core.context import Context
from schedproof.core.errors import MissingExtra, NoSolution, ProgramError, UnknownName
from schedproof.core.solving import cpsat, cvx, pyomo_models
from schedproof.core.solving.linear_program import LinearProgram
from schedproof.core.solving.status import Outcome
from tests.core.toys import Toy, knapsack, projection
from tests.support import size
from tests.tiny.preemptive import tiny_instance

SOLVERS = ["highs", "scip"]


def model_of(*rows: Any, cost: Any = None, domain: Any = pyo.NonNegativeReals) -> Any:
    """min cost over two variables subject to rows, each a function of the model."""
    model = pyo.ConcreteModel()
    model.x, model.y = pyo.Var(domain=domain), pyo.Var(domain=pyo.NonNegativeReals)
    model.objective = pyo.Objective(expr=(cost or (lambda m: m.x + m.y))(model))
    model.rows = pyo.ConstraintList()
    for row in rows:
        model.rows.add(row(model))
    return model


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("domain", [pyo.NonNegativeReals, pyo.NonNegativeIntegers])
def test_statuses(solver: str, domain: Any) -> None:
    if solver == "scip":
        pytest.importorskip("pyscipopt")

    def ends(*rows: Any, cost: Any = None) -> Outcome:
        return pyomo_models.solve(model_of(*rows, cost=cost, domain=domain), solver)

    best = ends(lambda m: m.x + 2 * m.y >= 4)
    assert (best.status, best.objective, best.bound) == ("optimal", pytest.approx(2), pytest.approx(2))
    assert ends(lambda m: m.x + m.y <= 1, lambda m: m.x + m.y >= 2).status == "infeasible"
    assert ends(lambda m: m.x - m.y >= 1, cost=lambda m: m.y - 2 * m.x).status == "unbounded"
    degenerate = ends(lambda m: m.x >= 1, lambda m: 2 * m.x >= 2, lambda m: m.x + m.y >= 1, lambda m: m.x - m.y >= 1)
    assert (degenerate.status, degenerate.objective) == ("optimal", pytest.approx(1))
    ties = ends(lambda m: m.x + m.y >= 1, lambda m: m.x + m.y >= 1)  # every point of an edge is optimal
    assert (ties.status, ties.objective) == ("optimal", pytest.approx(1))


def market_split(rng: random.Random, items: int = 40, rows: int = 5) -> Any:
    """Small to write down, and far from solved in a tenth of a second."""
    model = pyo.ConcreteModel()
    weights = [[rng.randrange(100) for _ in range(items)] for _ in range(rows)]
    model.x = pyo.Var(range(items), domain=pyo.Binary)
    model.over, model.under = (pyo.Var(range(rows), domain=pyo.NonNegativeReals) for _ in range(2))
    model.row = pyo.Constraint(
        range(rows),
        rule=lambda m, r: (
            sum(weights[r][i] * m.x[i] for i in range(items)) + m.under[r] - m.over[r] == sum(weights[r]) // 2
        ),
    )
    model.objective = pyo.Objective(expr=sum(model.over.values()) + sum(model.under.values()))
    return model


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_time_limit_leaves_the_incumbent_and_the_bound_or_says_that_there_is_none(solver: str) -> None:
    if solver == "scip":
        pytest.importorskip("pyscipopt")
    outcome = pyomo_models.solve(market_split(random.Random(1)), solver, Context(time_limit=0.5))
    assert outcome.status == "feasible" and outcome.has_point
    assert outcome.objective is not None and outcome.bound is not None and outcome.bound < outcome.objective
    nothing = pyomo_models.solve(market_split(random.Random(1)), solver, Context(time_limit=0.0))
    assert nothing.status in ("feasible", "time_limit") and nothing.has_point == (nothing.status == "feasible")


def test_optimal_means_optimal_and_not_within_the_solvers_own_gap() -> None:
    """A large constant makes every point nearly as good as the best; Gurobi and HiGHS stop at 1e-4 of it by default."""
    for seed in range(3):
        rng = random.Random(seed)
        weights = [[rng.randrange(10, 60) for _ in range(30)] for _ in range(4)]
        values = [rng.randrange(10, 60) for _ in range(30)]
        found = []
        for constant in (0, 10**6):
            model = pyo.ConcreteModel()
            model.x = pyo.Var(range(30), domain=pyo.Binary)
            model.row = pyo.Constraint(
                range(4), rule=lambda m, r, w=weights: sum(w[r][i] * m.x[i] for i in range(30)) <= sum(w[r]) // 2
            )
            worth = sum(values[i] * model.x[i] for i in range(30))
            model.objective = pyo.Objective(expr=constant - worth)
            assert pyomo_models.solve(model).status == "optimal"
            found.append(constant - round(pyo.value(model.objective)))
        assert found[0] == found[1], seed


def test_integers_come_back_as_integers() -> None:
    model = market_split(random.Random(3), items=8, rows=1)
    pyomo_models.solve(model)
    assert {v.value for v in model.x.values()} <= {0, 1}


@pytest.mark.parametrize(
    ("solver", "module", "extra"), [("scip", "pyscipopt", "minlp"), ("gurobi", "gurobipy", "gurobi")]
)
def test_a_solver_that_is_not_installed_names_its_extra(
    solver: str, module: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *a: None if name == module else found(name, *a))
    with pytest.raises(MissingExtra, match=rf"pip install 'schedproof\[{extra}\]'") as caught:
        knapsack().solve(Toy(), solver=solver)
    assert caught.value.exit_code == 2


def test_an_unknown_solver_or_a_route_that_is_not_there_is_a_sentence() -> None:
    with pytest.raises(UnknownName, match="unknown solver 'cplex'; available: gurobi, highs, scip"):
        pyomo_models.solve(market_split(random.Random(0)), "cplex")
    with pytest.raises(ProgramError, match=r"toy\.knapsack has no solver or exact method 'cpsat'"):
        knapsack().solve(Toy(), solver="cpsat")


def test_a_solution_without_a_point_has_no_schedule_and_no_gap() -> None:
    solution = knapsack().solve(Toy(room=-1))
    assert (solution.ended, solution.objective, solution.gap, solution.values) == ("infeasible", None, None, {})
    with pytest.raises(NoSolution, match="no schedule, the solve ended as 'infeasible'"):
        solution.schedule()
    with pytest.raises(ProgramError, match="does not decide a schedule"):
        knapsack().solve(Toy()).schedule()


def test_a_solver_that_misreports_its_objective_is_a_failed_solve(monkeypatch: pytest.MonkeyPatch) -> None:
    truly = pyomo_models.solve

    def lies(model: Any, solver: str, context: Context) -> Outcome:
        outcome = truly(model, solver, context)
        return Outcome(outcome.status, (outcome.objective or 0) + 1, outcome.bound)

    monkeypatch.setitem(BACKENDS, "pyomo", BACKENDS["pyomo"]._replace(solve=lies))
    solution = knapsack().solve(Toy())
    assert solution.status == "solver_failed" and "highs says 6.0, its point costs 5.0" in solution.message
    assert solution.objective is None and solution.values == {}


# --- CVXPY ------------------------------------------------------------------------------------------------------------


def cone_program(slope: float, sense: str = "maximize", offset: float = 0.0) -> Any:
    """max offset + sum ln(1 + y) - slope y over three y in [0, 4]; or the negative of it, minimized."""
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

    for seed in range(size(2, 4, 50)):
        rng = np.random.default_rng(seed)
        y, target = cvxpy.Variable(5, name="y"), rng.normal(size=5) * 3
        square = cvxpy.sum_squares(y - target) - 2
        goal = cvxpy.Minimize(square) if sense == "minimize" else cvxpy.Maximize(-square)
        outcome = cvx.solve(cvxpy.Problem(goal, [y >= 0, y <= 1]), solver)
        best = (((np.clip(target, 0, 1) - target) ** 2).sum() - 2) * (1 if sense == "minimize" else -1)
        assert outcome.status == "optimal", seed
        assert outcome.objective == pytest.approx(best, rel=1e-7, abs=1e-7), seed
        assert outcome.bound == pytest.approx(best, rel=1e-7, abs=1e-7), seed


def test_a_solver_that_cannot_take_the_cones_is_a_failed_solve_and_says_so() -> None:
    for solver in ("osqp", "piqp"):
        outcome = cvx.solve(cone_program(0.5), solver)
        assert outcome.status == "solver_failed" and "cannot solve this problem" in outcome.message


def test_a_conic_solver_out_of_time_says_so() -> None:
    outcome = cvx.solve(cone_program(0.5), "clarabel", Context(time_limit=0.0))
    assert (outcome.status, outcome.objective, outcome.bound) == ("time_limit", None, None)
    for solver in ("clarabel", "scs"):
        assert cvx.solve(cone_program(0.5), solver, Context(time_limit=60.0)).status == "optimal"


def test_a_program_that_is_not_concave_is_one_sentence() -> None:
    import cvxpy

    y = cvxpy.Variable(2, nonneg=True)
    with pytest.raises(ProgramError, match=r"CVXPY refuses the program: .* maximize a function that is convex"):
        cvx.solve(cvxpy.Problem(cvxpy.Maximize(cvxpy.sum_squares(y)), [y <= 1]))


@pytest.mark.parametrize("solver", ["clarabel", "piqp", "osqp", "scs"])
def test_a_conic_program_with_nothing_to_decide_is_solved(solver: str) -> None:
    import cvxpy

    nothing = cvxpy.Variable((0, 2), name="y")
    for problem in (
        cvxpy.Problem(cvxpy.Maximize(3)),
        cvxpy.Problem(cvxpy.Maximize(3 + cvxpy.sum(nothing)), [nothing <= 1]),
    ):
        outcome = cvx.solve(problem, solver)
        assert (outcome.status, outcome.objective, outcome.bound) == ("optimal", 3, 3)


def test_a_conic_solver_that_gives_up_is_asked_again_and_then_fails(monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_a_conic_solver_that_misreports_its_objective_is_a_failed_solve(monkeypatch: pytest.MonkeyPatch) -> None:
    truly = cvx.solve

    def lies(problem: Any, solver: str, context: Context) -> Outcome:
        outcome = truly(problem, solver, context)
        return Outcome(outcome.status, (outcome.objective or 0) + 1, outcome.bound)

    monkeypatch.setitem(BACKENDS, "cvxpy", BACKENDS["cvxpy"]._replace(solve=lies))
    solution = projection().solve(Toy())
    assert solution.status == "solver_failed" and "clarabel says" in solution.message
    assert solution.objective is None and solution.values == {}


def test_the_common_default_solver_is_clarabel_for_a_cvxpy_program() -> None:
    assert projection().solve(Toy()).solver == "clarabel" and knapsack().solve(Toy()).solver == "highs"


# --- CP-SAT -----------------------------------------------------------------------------------------------------------


def test_cpsat_statuses() -> None:
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    x = model.new_int_var(0, 10, "x")
    model.minimize(x)
    model.add(x >= 3)
    outcome, solver = cpsat.solve(model)
    assert (outcome.status, outcome.objective, outcome.bound, solver.value(x)) == ("optimal", 3, 3, 3)
    model.add(x <= 2)
    assert cpsat.solve(model)[0].status == "infeasible"
    broken = cp_model.CpModel()
    broken.add(sum(broken.new_int_var(-(2**62), 2**62, f"x{i}") for i in range(4)) >= 0)
    assert cpsat.solve(broken)[0] == Outcome("solver_failed", message="MODEL_INVALID")


# --- the hot handle ---------------------------------------------------------------------------------------------------


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


def test_an_interior_point_has_the_same_optimum_and_the_simplex_method_goes_on_after_it() -> None:
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
    """max of something positive: rows from above, and columns that end."""
    for seed in range(size(5, 24, 400)):
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


def test_a_column_has_no_end_unless_it_is_given_one() -> None:
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


# --- all solvers in one process ---------------------------------------------------------------------------------------

FIRST = "import highspy, pyomo.environ, cvxpy"
SECOND = "from ortools.sat.python import cp_model; from ortools.graph.python import min_cost_flow"
SOLVE = """
import numpy as np
import schedproof as sp
from tests.core.toys import Toy, knapsack, projection
from tests.tiny.preemptive import tiny_instance
from tests.formulations.preemptive.micro import micro_instance
assert knapsack().solve(Toy(), solver="highs").objective == 5
assert projection().solve(Toy()).ended == "optimal"
instance = micro_instance(0, cloud=False)
found = {s: sp.program("preemptive.minlp2").solve(instance, solver=s).ended for s in ("highs", "cpsat", "brute")}
assert set(found.values()) == {"optimal"}, found
flow = sp.program("preemptive.lp4").solve(instance, solver="flow")
assert abs(flow.objective - sp.program("preemptive.lp4").solve(instance, solver="matrix").objective) < 1e-9
print("all solved")
"""


@pytest.mark.parametrize("order", [(FIRST, SECOND), (SECOND, FIRST)], ids=["highs first", "ortools first"])
def test_all_solvers_work_in_one_process_whichever_is_imported_first(order: tuple[str, str]) -> None:
    """Two copies of one shared library in a process have been seen to break the second one that is loaded."""
    done = subprocess.run(
        [sys.executable, "-c", "\n".join([*order, SOLVE])], capture_output=True, text=True, timeout=300, check=False
    )
    assert (done.returncode, done.stdout.strip()) == (0, "all solved"), done.stderr


def test_a_solve_tells_what_it_took() -> None:
    solution = sp.program("preemptive.lp4").solve(tiny_instance(0))
    assert solution.build_seconds > 0 and solution.solve_seconds > 0
    told = solution.to_json()
    assert [told[key] for key in ("program", "family", "status", "solver")] == [
        "preemptive.lp4",
        "preemptive",
        "optimal",
        "highs",
    ]
    rest = {"rests_on", "objective", "bound", "gap", "build_seconds", "solve_seconds", "values"}
    assert told.keys() == {"program", "family", "status", "solver"} | rest


def test_a_program_of_an_instance_without_jobs_is_optimal_at_zero() -> None:
    from schedproof.instances.preemptive import from_json

    servers = [{"name": "e", "workers": {"gpu": 1}, "parameter_servers": 1}]
    empty = from_json({"version": 1, "family": "preemptive", "horizon": 9, "servers": servers, "jobs": []})
    for name, solvers in (
        ("minlp2", ("highs", "cpsat", "brute")),
        ("ilp4", ("highs",)),
        ("lp4", ("highs", "matrix", "flow")),
        ("minlp7", ("highs",)),
        ("ilp8", ("highs",)),
        ("dual6", ("highs",)),
    ):
        for solver in solvers:
            solution = sp.program(f"preemptive.{name}").solve(empty, solver=solver)
            assert (solution.ended, solution.objective) == ("optimal", 0), (name, solver)
    assert sp.bound("preemptive.lp4", empty).exact == 0


def test_a_nonlinear_model_is_refused_in_one_sentence() -> None:
    model = pyo.ConcreteModel()
    model.x = pyo.Var(bounds=(0, 1))
    model.objective = pyo.Objective(expr=pyo.log(1 + model.x), sense=pyo.maximize)
    with pytest.raises(ProgramError, match="the solver 'highs' takes no nonlinear expressions; use scip"):
        pyomo_models.solve(model)


def test_an_interrupt_after_a_solver_is_still_heard() -> None:
    """CP-SAT would leave the system's own answer to Ctrl-C behind, which ends the process before anything is tidied."""
    code = (
        "import os, signal\n"
        "from ortools.sat.python import cp_model\n"
        "from schedproof.core.context import USUAL\n"
        "from schedproof.core.solving import cpsat\n"
        "cpsat.solve(cp_model.CpModel(), USUAL)\n"
        "try:\n    os.kill(os.getpid(), signal.SIGINT)\n    signal.pause()\n"
        "except KeyboardInterrupt:\n    print('heard')\n"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (0, "heard\n")
