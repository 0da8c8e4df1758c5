from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pyomo.environ as pyo
import pytest
from pyomo.repn import generate_standard_repn

from schedproof.core.errors import ProgramError
from schedproof.core.programs.duality import dualise
from schedproof.core.solvers import pyomo_models
from tests.core.programs.test_settled import program as small
from tests.support import size


def model_of(sense: Any = pyo.minimize, cost: float = 6.0, domain: Any = pyo.NonNegativeReals) -> Any:
    model = pyo.ConcreteModel()
    model.x = pyo.Var(domain=domain)
    model.objective = pyo.Objective(expr=cost * model.x, sense=sense)
    return model


def seen(dual: Any, row: str) -> tuple[dict[str, float], float | None, float | None]:
    constraint = dual.row[row]
    body = generate_standard_repn(constraint.body)
    low, high = (None if s is None else pyo.value(s) - body.constant for s in (constraint.lower, constraint.upper))
    return {v.index(): c for v, c in zip(body.linear_vars, body.linear_coefs, strict=True)}, low, high


def objective(dual: Any) -> tuple[dict[str, float], float, Any]:
    body = generate_standard_repn(dual.objective.expr)
    terms = {v.index(): c for v, c in zip(body.linear_vars, body.linear_coefs, strict=True)}
    return terms, body.constant, dual.objective.sense


def test_the_dual_of_doubles_is_exact() -> None:
    """In doubles a proven bound on the dual was beyond one on the primal by 1e-15."""
    model = model_of(cost=0.1)
    model.p = pyo.Param(initialize=0.3, mutable=True)
    model.row = pyo.Constraint(expr=(model.x + 0.1) / (model.p * model.p) >= 0.3)
    model.x.setub(0.7)
    dual, square = dualise(model), Fraction(9, 100)
    assert seen(dual, "x") == ({"row": 1 / square, "bound:x": -1}, None, 0.1)
    assert objective(dual)[0] == {"row": Fraction(3, 10) - Fraction(1, 10) / square, "bound:x": Fraction(-7, 10)}


Add = Callable[[Any], Any]
SIGNS: list[tuple[Add, float, bool]] = [  # row a x (sense) b with a = 2, b = 3 -> sign in the sums, multiplier is free
    (lambda m: 2 * m.x >= 3, 1.0, False),
    (lambda m: 2 * m.x <= 3, -1.0, False),
    (lambda m: 2 * m.x == 3, 1.0, True),
]


@pytest.mark.parametrize(("add", "sign", "free"), SIGNS, ids=[">=", "<=", "="])
@pytest.mark.parametrize("domain", [pyo.NonNegativeReals, pyo.Reals])
def test_the_sign_table(add: Add, sign: float, free: bool, domain: Any) -> None:
    model = model_of(domain=domain)
    model.c = pyo.Constraint(expr=add(model))
    dual = dualise(model)
    assert dual.multiplier["c"].lb == (None if free else 0) and dual.multiplier["c"].ub is None
    assert objective(dual) == ({"c": 3 * sign}, 0, pyo.maximize)
    assert seen(dual, "x") == ({"c": 2 * sign}, 6.0 if domain is pyo.Reals else None, 6.0)


@pytest.mark.parametrize(("add", "sign", "free"), SIGNS, ids=[">=", "<=", "="])
def test_a_maximization_is_the_minimization_of_its_negative(add: Add, sign: float, free: bool) -> None:
    # max 6 x: the row is sum <= -6, and the dual is a minimization.
    model = model_of(pyo.maximize)
    model.c = pyo.Constraint(expr=add(model))
    dual = dualise(model)
    assert objective(dual) == ({"c": -3 * sign}, 0, pyo.minimize)
    assert seen(dual, "x") == ({"c": 2 * sign}, None, -6.0)
    assert dual.multiplier["c"].lb == (None if free else 0)


def test_a_range_is_two_rows() -> None:
    model = model_of()
    model.c = pyo.Constraint(expr=(1, 2 * model.x, 3))
    dual = dualise(model)
    assert objective(dual) == ({"c:lower": 1.0, "c:upper": -3.0}, 0, pyo.maximize)
    assert seen(dual, "x") == ({"c:lower": 2.0, "c:upper": -2.0}, None, 6.0)


BOUNDS: list[tuple[float | None, float | None, dict[str, tuple[float, float, bool]], bool]] = [
    # lower, upper -> bound's row: sign in the sums, value, multiplier is free; and whether the dual row is an equation
    (0, None, {}, False),
    (None, None, {}, True),
    (0, 3, {"bound:x": (-1.0, 3.0, False)}, False),
    (None, 3, {"bound:x": (-1.0, 3.0, False)}, True),
    (None, 0, {"bound:x": (-1.0, 0.0, False)}, True),
    (1, None, {"bound:x": (1.0, 1.0, False)}, True),
    (-2, None, {"bound:x": (1.0, -2.0, False)}, True),
    (-2, 3, {"bound:x:lower": (1.0, -2.0, False), "bound:x:upper": (-1.0, 3.0, False)}, True),
    (2, 2, {"bound:x": (1.0, 2.0, True)}, True),
    (0, 0, {"bound:x": (1.0, 0.0, True)}, True),
]


@pytest.mark.parametrize(("low", "high", "rows", "equation"), BOUNDS)
def test_a_bound_is_a_row_by_itself(
    low: float | None, high: float | None, rows: dict[str, tuple[float, float, bool]], equation: bool
) -> None:
    model = model_of(domain=pyo.Reals)
    model.x.setlb(low)
    model.x.setub(high)
    model.c = pyo.Constraint(expr=2 * model.x >= -9)
    dual = dualise(model)
    assert {name: u.lb for name, u in dual.multiplier.items()} == {
        "c": 0,
        **{name: None if free else 0 for name, (_, _, free) in rows.items()},
    }
    assert seen(dual, "x") == (
        {"c": 2.0} | {name: sign for name, (sign, _, _) in rows.items()},
        6.0 if equation else None,
        6.0,
    )
    terms, _, sense = objective(dual)
    assert sense == pyo.maximize
    assert {n: c for n, c in terms.items() if c} == {"c": -9.0} | {n: s * v for n, (s, v, _) in rows.items() if v}
    assert solve(model) == pytest.approx(solve(dual))


def test_constants_move_to_the_right_and_fixed_or_inactive_parts_are_omitted() -> None:
    model = model_of()
    model.y = pyo.Var(domain=pyo.NonNegativeReals)
    model.y.fix(4)
    model.c = pyo.Constraint(expr=2 * model.x + model.y + 1 >= 8)
    model.off = pyo.Constraint(expr=model.x >= 100)
    model.off.deactivate()
    model.objective.set_value(6 * model.x + 5)
    dual = dualise(model)
    assert objective(dual) == ({"c": 3.0}, 5, pyo.maximize)
    assert solve(model) == solve(dual) == pytest.approx(6 * 1.5 + 5)


def test_rows_and_multipliers_carry_the_full_names_of_columns_and_rows_in_blocks() -> None:
    model = pyo.ConcreteModel()
    model.b = pyo.Block()
    model.b.x = pyo.Var(["a", "b c"], domain=pyo.NonNegativeReals)
    model.b.c = pyo.Constraint(["a", "b c"], rule=lambda b, i: b.x[i] >= 1)
    model.objective = pyo.Objective(expr=model.b.x["a"] + model.b.x["b c"])
    dual = dualise(model)
    assert set(dual.multiplier) == {row.name for row in model.b.c.values()}
    assert set(dual.row) == {column.name for column in model.b.x.values()}


def solve(model: Any) -> float:
    outcome = pyomo_models.solve(model)
    assert outcome.status == "optimal", outcome
    return float(pyo.value(model.objective))


def random_program(rng: random.Random) -> Any:
    model = pyo.ConcreteModel()
    n, m = rng.randrange(1, 6), rng.randrange(1, 6)
    free = [rng.random() < 0.3 for _ in range(n)]
    model.x = pyo.Var(range(n), domain=lambda _, i: pyo.Reals if free[i] else pyo.NonNegativeReals)
    point = [rng.randrange(-4, 5) if free[i] else rng.randrange(5) for i in range(n)]
    matrix = [[rng.choice([0, 0, 1, -1, 2, -3]) for _ in range(n)] for _ in range(m)]
    costs = [0.0] * n
    for i in range(n):  # bounds that hold at the point, some of them tight, with a multiplier
        if rng.random() < 0.4:
            u, tight = rng.randrange(3), rng.random() < 0.6
            model.x[i].setub(point[i] + (0 if tight else 2))
            costs[i] -= u if tight else 0
        if free[i] and rng.random() < 0.3:
            model.x[i].setlb(point[i] - rng.randrange(2))
    model.c = pyo.ConstraintList()
    for row in matrix:
        if not any(row):
            continue
        at, body = sum(a * v for a, v in zip(row, point, strict=True)), sum(row[i] * model.x[i] for i in range(n))
        kind, u = rng.choice([">=", "<=", "=", "range"]), rng.randrange(4)
        tight = rng.random() < 0.6
        if kind == ">=":
            model.c.add(body >= at - (0 if tight else 1))
        elif kind == "<=":
            model.c.add(body <= at + (0 if tight else 1))
            u = -u
        elif kind == "=":
            model.c.add(body == at)
            u *= rng.choice([1, -1])
        else:
            model.c.add((at - 1, body, at + 1))
            u *= rng.choice([1, -1])
        costs = [c + u * a for c, a in zip(costs, row, strict=True)]
    costs = [c if free[i] else c + rng.randrange(3) for i, c in enumerate(costs)]
    sign = rng.choice([1, -1])
    total = sum(sign * c * model.x[i] for i, c in enumerate(costs)) + rng.randrange(3)
    model.objective = pyo.Objective(expr=total, sense=pyo.minimize if sign == 1 else pyo.maximize)
    return model


def test_strong_duality_on_random_programs() -> None:
    for seed in range(size(30, 30, 2000)):
        model = random_program(random.Random(seed))
        dual = dualise(model)
        assert solve(model) == pytest.approx(solve(dual), rel=1e-7, abs=1e-7), seed


def test_the_dual_of_the_dual_has_the_same_optimum() -> None:
    for seed in range(1000, 1000 + size(5, 5, 300)):
        model = random_program(random.Random(seed))
        assert solve(model) == pytest.approx(solve(dualise(dualise(model))), rel=1e-7, abs=1e-7), seed


def test_an_infeasible_primal_has_an_unbounded_dual() -> None:
    model = model_of()
    model.c = pyo.Constraint(expr=model.x <= 1)
    model.d = pyo.Constraint(expr=model.x >= 2)
    assert pyomo_models.solve(dualise(model)).status == "unbounded"


@pytest.mark.parametrize(
    ("domain", "cost", "status"),
    [
        (pyo.NonNegativeReals, 6.0, "optimal"),
        (pyo.NonNegativeReals, 0.0, "optimal"),
        (pyo.NonNegativeReals, -6.0, "infeasible"),
        (pyo.Reals, 0.0, "optimal"),
        (pyo.Reals, 6.0, "infeasible"),
        (pyo.Reals, -6.0, "infeasible"),
    ],
)
def test_a_column_without_rows_makes_the_dual_infeasible_if_the_primal_is_unbounded(
    domain: Any, cost: float, status: str
) -> None:
    model = model_of(cost=cost, domain=domain)
    model.y = pyo.Var(domain=pyo.NonNegativeReals)
    model.c = pyo.Constraint(expr=model.y >= 1)
    assert pyomo_models.solve(model).status == {"optimal": "optimal", "infeasible": "unbounded"}[status]
    assert pyomo_models.solve(dualise(model)).status == status


def refused(change: Callable[[Any], None]) -> str:
    model = model_of()
    model.c = pyo.Constraint(expr=model.x >= 1)
    change(model)
    with pytest.raises(ProgramError) as caught:
        dualise(model)
    return str(caught.value)


def test_programs_without_a_linear_dual_are_rejected() -> None:
    def integer(m: Any) -> None:
        m.x.domain = pyo.NonNegativeIntegers

    def curved(m: Any) -> None:
        m.d = pyo.Constraint(expr=m.x**2 <= 4)

    def curved_cost(m: Any) -> None:
        m.objective.set_value(m.x**2)

    def aimless(m: Any) -> None:
        m.objective.deactivate()

    assert "the integer variable 'x' has no dual row: relax the program first" in refused(integer)
    assert "d is not linear" in refused(curved)
    assert "the objective is not linear" in refused(curved_cost)
    assert "has no objective" in refused(aimless)


def test_a_group_that_prints_no_row_has_multipliers_too() -> None:
    program = small("minimize", lambda v: v.x + v.y, [lambda v: v.x + 2 * v.y >= 1, lambda v: v.x <= 3]).relaxed()
    assert program.dual().solve({}).exact == program.solve({}).exact == Fraction(1, 2)
