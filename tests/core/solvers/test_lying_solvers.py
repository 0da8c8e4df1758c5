from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pyomo.environ as pyo
import pytest

import schedproof as sp
from schedproof.core.data.checking import Violation
from schedproof.core.programs.backends import BACKENDS
from schedproof.core.programs.program import Program
from schedproof.core.programs.route import EXHAUSTIVE, Route
from schedproof.core.programs.solve import _flaw_of_point
from schedproof.core.runtime.context import Context
from schedproof.core.solvers import cvx, pyomo_models
from schedproof.core.solvers.exact_check import broken_row, rational
from schedproof.core.solvers.linear_program import LinearProgram
from schedproof.core.solvers.solution import Solution
from schedproof.core.solvers.status import Outcome
from schedproof.formulations.multiserver.gang import gang
from tests.core.toys import Toy, knapsack, projection
from tests.formulations.preemptive.micro import micro_instance

BEST = Outcome("optimal", 5.0, 5.0, exact=Fraction(5))
Lie = Callable[[Any], Outcome]


def says(outcome: Outcome, *taken: float) -> Lie:
    def lie(model: Any) -> Outcome:
        for x, value in zip(model.taken.x.values(), taken, strict=True):
            x.set_value(value, skip_validation=True)
        return outcome

    return lie


def solved(monkeypatch: pytest.MonkeyPatch, lie: Lie, confirm: bool = False) -> Solution:
    """Solve the knapsack by a wrong solver; a route by enumeration finds 5."""
    honest = BACKENDS["pyomo"]
    solve = lambda model, solver, limit: lie(model)  # noqa: E731
    monkeypatch.setitem(BACKENDS, "pyomo", honest._replace(solve=solve))
    program = replace(knapsack(), routes={"brute": Route(lambda instance, context, bonus: BEST, EXHAUSTIVE)})
    return program.solve(Toy(), confirm=confirm)


SUBOPTIMAL, INFEASIBLE = says(Outcome("optimal", 4.0, 4.0), 0, 1, 0), lambda model: Outcome("infeasible")


def test_a_second_route_disputes_a_false_claim(monkeypatch: pytest.MonkeyPatch) -> None:
    alone = solved(monkeypatch, SUBOPTIMAL)
    assert (alone.status, alone.rests_on) == ("optimal (claimed by highs)", "the unproven answer of highs")
    assert not alone.proven and alone.ended == "optimal"
    both = solved(monkeypatch, SUBOPTIMAL, confirm=True)
    assert (both.status, both.rests_on, both.proven) == ("disputed", "", False)
    assert both.message == "highs reports optimal 4, but brute reports optimal 5"


def test_a_small_program_that_is_called_infeasible_is_settled_by_branching(monkeypatch: pytest.MonkeyPatch) -> None:
    solution = solved(monkeypatch, INFEASIBLE)
    assert (solution.status, solution.objective, solution.proven) == ("optimal", 5, True)
    assert solution.rests_on.startswith("a tree of ") and solution.message == "highs reports infeasible, which is wrong"
    assert solution.values == {"taken.x": {0: 1.0}}


def test_a_true_optimum_is_a_claim_until_a_second_route_agrees(monkeypatch: pytest.MonkeyPatch) -> None:
    truth = says(Outcome("optimal", 5.0, 5.0), 1, 0, 0)
    assert solved(monkeypatch, truth).status == "optimal (claimed by highs)"
    both = solved(monkeypatch, truth, confirm=True)
    assert (both.status, both.rests_on) == ("optimal", "two exact methods that share no solver, highs and brute")


@pytest.mark.parametrize(
    ("lie", "sentence"),
    [
        (says(Outcome("optimal", 7.0, 7.0), 0, 1, 1), "the row not_both.row is violated by 1"),
        (says(Outcome("optimal", 9.0, 9.0), 1, 1, 0), "the row fits.row is violated by 2"),
        (says(Outcome("optimal", 6.25, 6.25), 1.25, 0, 0), "the row of the range of taken.x[0] is violated by 0.25"),
        (says(Outcome("optimal", 5.5, 5.5), 0.5, 0, 1), "taken.x[0] is 0.5, not an integer"),
        (says(Outcome("optimal", 5.0, 9.0), 1, 0, 0), "its bound is 9.0"),
        (says(Outcome("optimal", 5.0, 4.0), 1, 0, 0), "its bound is 4.0"),
        (says(Outcome("feasible", 5.0, 4.0), 1, 0, 0), "its bound is 4.0"),
    ],
)
def test_a_point_or_a_bound_that_cannot_be_is_no_solution(
    lie: Lie, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for confirm in (False, True):
        solution = solved(monkeypatch, lie, confirm)
        assert (solution.status, solution.ended, solution.objective) == ("solver_failed", "solver_failed", None)
        assert solution.message.endswith(f", but {sentence}") and solution.values == {}


def test_a_bound_that_is_not_attained_is_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    solution = solved(monkeypatch, says(Outcome("feasible", 4.0, 9.0), 0, 1, 0), confirm=True)
    assert (solution.status, solution.rests_on, solution.bound) == ("feasible", "", 9.0)


def test_without_a_second_route_a_claim_stays_unproven(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = BACKENDS["pyomo"]
    monkeypatch.setitem(BACKENDS, "pyomo", honest._replace(solvers=("highs",)))
    solution = knapsack().solve(Toy(), confirm=True)
    assert solution.status == "optimal (claimed by highs)" and not solution.proven
    assert solution.message == "no second exact method confirms it: the program has no other exact method"
    slow = Route(lambda instance, context, bonus: Outcome("time_limit"), "slow")
    solution = replace(knapsack(), routes={"slow": slow}).solve(Toy(), confirm=True)
    assert solution.message == "no second exact method confirms it: slow ended as time_limit"


@pytest.mark.parametrize(
    ("found", "disputes"),
    [
        (Outcome("feasible", 6.0, 9.0), True),  # better than an optimum of 5
        (Outcome("feasible", 4.0, 9.0), False),
        (Outcome("optimal", 5.001, 5.001), True),
        (Outcome("unbounded"), True),
    ],
)
def test_reasons_that_dispute_an_optimum(found: Outcome, disputes: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BACKENDS, "pyomo", BACKENDS["pyomo"]._replace(solvers=("highs",)))
    program = replace(knapsack(), routes={"other": Route(lambda instance, context, bonus: found, "other")})
    assert (program.solve(Toy(), confirm=True).status == "disputed") is disputes


def test_routes_on_one_solver_do_not_confirm_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BACKENDS, "pyomo", BACKENDS["pyomo"]._replace(solvers=("highs",)))
    program = replace(knapsack(), routes={"again": Route(lambda instance, context, bonus: BEST, "highs")})
    assert not program.solve(Toy(), confirm=True).confirmed


def test_two_agreeing_solvers_are_no_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BACKENDS, "pyomo", BACKENDS["pyomo"]._replace(solvers=("highs",)))
    for engine, status in (("other", "optimal (two solvers agree)"), (EXHAUSTIVE, "optimal")):
        route = Route(lambda instance, context, bonus: BEST, engine)
        solution = replace(knapsack(), routes={"second": route}).solve(Toy(), confirm=True)
        assert (solution.status, solution.confirmed, solution.proven) == (status, True, engine == EXHAUSTIVE)


class Plan:
    """A schedule with objective 5 that may violate a rule."""

    def __init__(self, *broken: Violation) -> None:
        self._broken = broken

    def violations(self, instance: Any) -> tuple[Violation, ...]:
        return self._broken

    def objective(self, instance: Any) -> Fraction:
        return Fraction(5)


@pytest.mark.parametrize(
    ("value", "plan", "sentence"),
    [
        (5.0, Plan(), ""),
        (6.0, Plan(), "its schedule has the value 5.0"),
        (5.0, Plan(Violation("capacity", "sack", Fraction(2))), "its schedule breaks capacity at sack by 2"),
    ],
)
def test_the_familys_checker_judges_the_schedule_of_a_route(value: float, plan: Plan, sentence: str) -> None:
    outcome = Outcome("optimal", value, value, schedule=plan)
    route = Route(lambda instance, context, bonus: outcome, EXHAUSTIVE)
    solution = replace(knapsack(), routes={"brute": route}).solve(Toy(), solver="brute")
    assert solution.status == ("solver_failed" if sentence else "optimal")
    assert solution.message == (sentence and f"brute reports optimal {value}, but {sentence}")


def test_a_point_of_a_cvxpy_problem_that_breaks_a_row_or_a_range_is_no_solution(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def lies(problem: Any, solver: str, context: Context) -> Outcome:
        problem.variables()[0].value = [5.0, 4.0, 3.0]
        return Outcome("optimal", 0.0, 0.0)

    monkeypatch.setitem(BACKENDS, "cvxpy", BACKENDS["cvxpy"]._replace(solve=lies))
    solution = projection().solve(Toy())
    assert solution.status == "solver_failed" and solution.message.endswith("is violated by 7")
    import cvxpy

    x = cvxpy.Variable(2, nonneg=True, name="x")
    x.save_value([-1.0, 2.0])
    assert cvx.broken_row(cvxpy.Problem(cvxpy.Minimize(0), [x <= 3])) == "the range of x is violated by 1"


def test_a_point_where_a_root_is_undefined_is_no_solution() -> None:
    import cvxpy

    x = cvxpy.Variable(name="x")
    x.value = -1e-10
    root = cvxpy.Problem(cvxpy.Maximize(cvxpy.sqrt(x)), [cvxpy.sqrt(x) >= 0])
    assert cvx.broken_row(root).endswith("is undefined at the point")
    outcome = Outcome("optimal", 0.0, 0.0, values={})
    free = cvxpy.Problem(root.objective)
    assert _flaw_of_point(BACKENDS["cvxpy"], free, outcome) == "the objective is undefined at its point"


def test_a_route_that_builds_its_own_rows_checks_them(monkeypatch: pytest.MonkeyPatch) -> None:
    program, day = sp.program("preemptive.lp4"), sp.embedded("day")
    assert program.solve(day, solver="matrix").ended == "optimal"
    right = LinearProgram.point.fget  # type: ignore[attr-defined]
    monkeypatch.setattr(LinearProgram, "point", property(lambda self: right(self) * 1.01))
    solution = program.solve(day, solver="matrix")
    assert solution.status == "solver_failed" and "highs says optimal, but a row is broken by " in solution.message
    truly = pyomo_models.solve

    def lies(model: Any, solver: str, context: Context) -> Outcome:
        outcome = truly(model, solver, context)
        for start in model.start.started.values():
            start.set_value(1 - start.value)
        return outcome

    assert gang(slot=0).solve(sp.embedded("ports")).ended == "optimal"
    monkeypatch.setattr(pyomo_models, "solve", lies)
    solution = gang(slot=0).solve(sp.embedded("ports"))
    assert solution.status == "solver_failed" and " is violated by " in solution.message


# --- rows that HiGHS and SCIP drop ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("weights", "room", "end"),
    [((1e16, 3, 2), 5, "optimal"), ((1e15, 3, 2), 5, "optimal"), ((4, 3, 2), -1e20, "infeasible")],
)
def test_a_row_that_highs_drops_for_large_numbers_is_detected(
    weights: tuple[float, ...], room: float, end: str
) -> None:
    program = knapsack().drop("not_both")
    for relaxed in (program, program.relaxed()):
        solution = relaxed.solve(Toy(weights=weights, room=room), solver="highs")
        assert solution.status == end and solution.proven and "which is wrong" in solution.message


@pytest.mark.parametrize("solver", ["highs", "scip"])
@pytest.mark.parametrize("small", [1e-10, 5e-10])
def test_a_coefficient_dropped_for_its_size_is_detected(solver: str, small: float) -> None:
    if solver == "scip":
        pytest.importorskip("pyscipopt")
    model = pyo.ConcreteModel()
    model.x = pyo.Var(bounds=(0, 10**6))
    model.row = pyo.Constraint(expr=small * model.x <= 0)
    model.objective = pyo.Objective(expr=model.x, sense=pyo.maximize)
    outcome = pyomo_models.solve(model, solver)
    assert (outcome.status, outcome.objective) == ("optimal", 10**6)  # as it says; the optimum is 0
    assert broken_row(model) == f"the row row is violated by {small * 10**6:.3g}"


# --- proofs of linear programs ----------------------------------------------------------------------------------------


def test_a_program_with_useless_multipliers_is_settled_by_others(monkeypatch: pytest.MonkeyPatch) -> None:
    program, truly = knapsack().relaxed(), pyomo_models.solve
    assert (program.solve(Toy()).status, program.solve(Toy()).exact) == ("optimal", Fraction(27, 4))

    def lies(model: Any, solver: str, context: Context) -> Outcome:
        outcome = truly(model, solver, context)
        return replace(outcome, multipliers=dict.fromkeys(outcome.multipliers or (), float("nan")))

    monkeypatch.setitem(BACKENDS, "pyomo", BACKENDS["pyomo"]._replace(solve=lies))
    assert (program.solve(Toy()).status, program.solve(Toy()).exact) == ("optimal", Fraction(27, 4))


def test_a_double_means_the_shortest_rational() -> None:
    assert [rational(x) for x in (0.1, 1 / 3, 7, 1e-10)] == [
        Fraction(1, 10),
        Fraction(1, 3),
        Fraction(7),
        Fraction(1e-10),
    ]


# --- what is known of the solvers -------------------------------------------------------------------------------------

INF = float("inf")
Rows = list[tuple[float, list[float], float]]
Reported = tuple[list[float], Rows, list[tuple[float, float]], list[int], float]

REPORTED: dict[str, Reported] = {  # HiGHS issue -> costs, rows, ranges, integer columns, least cost
    "2957": ([1, 2], [(20.1, [1, 1], INF)], [(0, 20), (8, 20)], [0], 28.2),
    "3002": (
        [1, 4, 9],
        [(-INF, [1, 1, 0], 5), (10, [1, 0, 1], INF), (7.5, [0, -1, 1], 7.5)],
        [(0, 4), (-1, 1), (0, INF)],
        [2],
        64,
    ),
    "3043": ([2, 3], [(4.5, [1, 1], INF)], [(0, 10), (0, 10)], [1], 9),
    "3050": ([-100, 0.01], [(-INF, [1, -1], 0)], [(1, 3), (1, 3)], [0], -299.97),
    "3094": (
        [0, 0, 0, 0, 10, 8],
        [
            (-INF, [-1000, 0, 1, 0, 0, 0], 0),
            (-INF, [0, -1000, 0, 1, 0, 0], 0),
            (1000, [0, 0, 1, 0, 1, 0], 1000),
            (1000, [0, 0, 0, 1, 0, 1], 1000),
            (-INF, [1, 1, 0, 0, 0, 0], 1),
        ],
        [(0, 1), (0, 1), *[(0, 1000)] * 4],
        [0, 1],
        8000,
    ),
    "2432": (
        [-93, 25, 17],
        [(3994.5, [-89, -40.7, -12], INF), (-4878.3, [-0.1, 77.2, -23.7], INF), (-4930, [-8.6, -6.5, 72.78], INF)],
        [(-100, 120), (-100, 10), (-100, 0)],
        [0, 2],
        -3777.571243523,
    ),
}


@pytest.mark.parametrize("issue", REPORTED)
def test_models_on_which_another_version_of_highs_is_wrong(issue: str) -> None:
    # HiGHS 1.14 is wrong on the first five, 1.11 on the last; our settings are right.
    costs, rows, ranges, whole, least = REPORTED[issue]
    model = pyo.ConcreteModel()
    model.x = pyo.Var(
        range(len(costs)),
        bounds=lambda _, i: ranges[i],
        domain=lambda _, i: pyo.Integers if i in whole else pyo.Reals,
    )
    model.rows = pyo.ConstraintList()
    for lower, entries, upper in rows:
        body = sum(a * x for a, x in zip(entries, model.x.values(), strict=True))
        model.rows.add(pyo.inequality(None if lower == -INF else lower, body, None if upper == INF else upper))
    model.objective = pyo.Objective(expr=sum(c * x for c, x in zip(costs, model.x.values(), strict=True)))
    outcome = pyomo_models.solve(model)
    assert outcome.status == "optimal" and outcome.objective == pytest.approx(least) and not broken_row(model)


def test_a_faulty_presolve_rule_of_highs_is_disputed(monkeypatch: pytest.MonkeyPatch) -> None:
    # HiGHS 1.12 to 1.14 with default options returns infeasible; SCIP finds 6.
    pytest.importorskip("pyscipopt")
    program: Program = sp.program("preemptive.minlp7", speed="3/2")
    instance = micro_instance(29, units=5, storage=True)
    agreed = program.solve(instance, confirm=True)
    assert (agreed.status, agreed.objective, agreed.proven) == ("optimal (two solvers agree)", 6, False)
    monkeypatch.setattr(pyomo_models, "OPTIONS", {})
    assert program.solve(instance).status == "infeasible (claimed by highs)"
    solution = program.solve(instance, confirm=True)
    assert (solution.status, solution.message) == ("disputed", "highs reports infeasible, but scip reports optimal 6")
