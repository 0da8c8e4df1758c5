from __future__ import annotations

import importlib.util
import os
import random
import subprocess
import sys
from contextlib import suppress
from threading import Barrier, BrokenBarrierError, Thread
from time import sleep
from types import SimpleNamespace
from typing import Any

import pyomo.environ as pyo
import pytest

import schedproof as sp
from schedproof.core.errors import MissingExtra, NoSolution, ProgramError, UnknownName
from schedproof.core.programs.backends import BACKENDS
from schedproof.core.runtime.context import Context
from schedproof.core.solvers import cpsat, cvx, highs, pyomo_models
from schedproof.core.solvers.status import Outcome
from tests.core.toys import Toy, knapsack, projection
from tests.tiny.preemptive import tiny_instance

SOLVERS = ["highs", "scip"]


def model_of(*rows: Any, cost: Any = None, domain: Any = pyo.NonNegativeReals) -> Any:
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


def test_scip_prints_no_log_that_could_fill_a_pipe() -> None:
    pytest.importorskip("pyscipopt")
    adapter = pyomo_models._adapter("scip", Context())
    results = adapter.solve(market_split(random.Random(1), 10, 2), solver_options=pyomo_models.OPTIONS["scip"])
    assert results.solver_log == ""


def market_split(rng: random.Random, items: int = 40, rows: int = 5) -> Any:
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
def test_a_time_limit_keeps_incumbent_and_bound_or_reports_none(solver: str) -> None:
    if solver == "scip":
        pytest.importorskip("pyscipopt")
    model = market_split(random.Random(1))
    outcomes = (pyomo_models.solve(model, solver, Context(time_limit=seconds)) for seconds in (0.5, 5.0, 50.0))
    outcome = next(each for each in outcomes if each.has_point)  # a slow machine has none at first
    assert outcome.status == "feasible"
    assert outcome.objective is not None and outcome.bound is not None and outcome.bound < outcome.objective
    nothing = pyomo_models.solve(market_split(random.Random(1)), solver, Context(time_limit=0.0))
    assert nothing.status in ("feasible", "time_limit") and nothing.has_point == (nothing.status == "feasible")


def test_optimal_is_not_the_solvers_default_gap() -> None:
    # With a large constant, Gurobi and HiGHS stop at a gap of 1e-4 by default.
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


def test_integer_variables_have_integer_values() -> None:
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


def test_an_unknown_solver_or_route_gives_a_message() -> None:
    with pytest.raises(UnknownName, match="unknown solver 'cplex'; available: gurobi, highs, scip"):
        pyomo_models.solve(market_split(random.Random(0)), "cplex")
    with pytest.raises(ProgramError, match=r"toy\.knapsack has no solver or exact method 'cpsat'"):
        knapsack().solve(Toy(), solver="cpsat")


def test_a_solution_without_a_point_has_no_schedule_and_no_gap() -> None:
    solution = knapsack().solve(Toy(room=-1))
    assert (solution.ended, solution.objective, solution.gap, solution.values) == ("infeasible", None, None, {})
    with pytest.raises(NoSolution, match="no schedule, the solver ended with 'infeasible'"):
        solution.schedule()
    with pytest.raises(ProgramError, match="defines no to_schedule, so it has no schedule"):
        knapsack().solve(Toy()).schedule()


@pytest.mark.parametrize(
    ("program", "door", "sentence"),
    [
        (knapsack, pyomo_models, "highs reports optimal 6.0, but its point costs 5.0"),
        (projection, cvx, "clarabel reports"),
    ],
)
def test_a_solver_that_misreports_its_objective_is_a_failed_solve(
    program: Any, door: Any, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    truly, backend = door.solve, program().backend

    def lies(model: Any, solver: str, context: Context) -> Outcome:
        outcome = truly(model, solver, context)
        return Outcome(outcome.status, (outcome.objective or 0) + 1, outcome.bound)

    monkeypatch.setitem(BACKENDS, backend, BACKENDS[backend]._replace(solve=lies))
    solution = program().solve(Toy())
    assert solution.status == "solver_failed" and sentence in solution.message
    assert solution.objective is None and solution.values == {}


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
def test_all_solvers_work_in_one_process_in_any_import_order(order: tuple[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", "\n".join([*order, SOLVE])], capture_output=True, text=True, timeout=300, check=False
    )
    assert (done.returncode, done.stdout.strip()) == (0, "all solved"), done.stderr


def test_two_threads_that_load_highs_do_not_redirect_stdout(monkeypatch: pytest.MonkeyPatch) -> None:
    both = Barrier(2, timeout=0.5)

    def banner() -> None:
        with suppress(BrokenBarrierError):  # one waits for the other, and the second ends last
            sleep(0.2 * both.wait())

    monkeypatch.setitem(sys.modules, "highspy", SimpleNamespace(Highs=banner))
    threads = [Thread(target=highs.highspy.__wrapped__) for _ in range(2)]
    kept = os.dup(1)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert os.path.sameopenfile(1, kept)
    finally:
        os.dup2(kept, 1)
        os.close(kept)


def test_a_solve_reports_its_resources() -> None:
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
        ("lp4", ("highs", "matrix", "flow", "network_simplex")),
        ("minlp7", ("highs",)),
        ("ilp8", ("highs",)),
        ("dual6", ("highs",)),
    ):
        for solver in solvers:
            solution = sp.program(f"preemptive.{name}").solve(empty, solver=solver)
            assert (solution.ended, solution.objective) == ("optimal", 0), (name, solver)
    assert sp.bound("preemptive.lp4", empty).exact == 0


def test_a_nonlinear_model_is_refused_with_one_message() -> None:
    model = pyo.ConcreteModel()
    model.x = pyo.Var(bounds=(0, 1))
    model.objective = pyo.Objective(expr=pyo.log(1 + model.x), sense=pyo.maximize)
    with pytest.raises(ProgramError, match="the solver 'highs' takes no nonlinear expressions; use scip"):
        pyomo_models.solve(model)


def test_an_interrupt_after_a_solver_is_still_heard() -> None:
    code = (
        "import os, signal\n"
        "from ortools.sat.python import cp_model\n"
        "from schedproof.core.runtime.context import USUAL\n"
        "from schedproof.core.solvers import cpsat\n"
        "cpsat.solve(cp_model.CpModel(), USUAL)\n"
        "try:\n    os.kill(os.getpid(), signal.SIGINT)\n    signal.pause()\n"
        "except KeyboardInterrupt:\n    print('heard')\n"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (0, "heard\n")
