from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import cvxpy as cp
import pyomo.environ as pyo
import pytest

from schedproof.check import bound as checker
from schedproof.core.base.balls import enclose
from schedproof.core.base.lazy import pyo as exact_pyomo
from schedproof.core.errors import NoSolution, ProgramError
from schedproof.core.programs.exact import conic
from schedproof.core.programs.exact.certificate import RowMultipliers
from schedproof.core.programs.exact.cvxpy_form import listing_of_problem
from schedproof.core.programs.exact.listing import Listing
from schedproof.core.programs.exact.pyomo_form import listing_of

Above = Callable[[Fraction], bool]  # whether a number is at least the optimum


def at_least(square: int, shift: int = 0) -> Above:
    """Whether a number is at least sqrt(square) + shift."""
    return lambda value: value - shift >= 0 and (value - shift) ** 2 >= square


def disc() -> Listing:
    """max x + y where |(x, y)| <= 1: sqrt(2)."""
    x = cp.Variable(2, name="x")
    return listing_of_problem(cp.Problem(cp.Maximize(x[0] + x[1]), [cp.norm(x) <= 1]))


def far_point() -> Listing:
    """min |x - 3|^2 + 1/2 where x <= 1: 9/2."""
    x = cp.Variable(name="x", nonneg=True)
    return listing_of_problem(cp.Problem(cp.Minimize(cp.square(x - 3) + 0.5), [x <= 1]))


def logarithm() -> Listing:
    """max 3 log x - x where x <= 9: 3 log 3 - 3."""
    x = cp.Variable(name="x", nonneg=True)
    return listing_of_problem(cp.Problem(cp.Maximize(3 * cp.log(x) - x), [x <= 9]))


def curved() -> Any:
    """A Pyomo model of x from 0 to 9."""
    exact_pyomo.ConcreteModel  # noqa: B018  (Pyomo then takes rationals)
    model = pyo.ConcreteModel()
    model.x = pyo.Var(bounds=(0, 9))
    return model


def gains() -> Listing:
    """max 2 sqrt(x + 1) - x: 2, at 0."""
    model = curved()
    model.objective = pyo.Objective(expr=2 * pyo.sqrt(model.x + 1) - model.x, sense=pyo.maximize)
    return listing_of(model)


def costs() -> Listing:
    """min 4 / (x + 1) + x: 3, at 1; with a logarithm that is worth nothing."""
    model = curved()
    model.objective = pyo.Objective(expr=Fraction(4) / (model.x + 1) + model.x - 0 * pyo.log(model.x + 1))
    return listing_of(model)


def product() -> Listing:
    """max w where 3 w^2 <= x y, x + y <= 4: 2 / sqrt(3)."""
    model = curved()
    model.y, model.w = pyo.Var(bounds=(0, None)), pyo.Var()
    model.cone = pyo.Constraint(expr=3 * model.w**2 <= model.x * model.y)
    model.row = pyo.Constraint(expr=model.x + model.y <= 4)
    model.objective = pyo.Objective(expr=model.w, sense=pyo.maximize)
    return listing_of(model)


def parabola() -> Listing:
    """max w where w^2 + 1 <= x <= 9: sqrt(8)."""
    model = curved()
    model.w = pyo.Var()
    model.cone = pyo.Constraint(expr=model.w**2 + 1 <= model.x)
    model.objective = pyo.Objective(expr=model.w, sense=pyo.maximize)
    return listing_of(model)


def log_three(value: Fraction) -> bool:
    return value >= enclose(lambda ball: 3 * ball(Fraction(3)).log() - 3, 200)[0]


@pytest.mark.parametrize(
    ("program", "optimum", "right"),
    [
        (disc, math.sqrt(2), at_least(2)),
        (far_point, 4.5, lambda value: value <= Fraction(9, 2)),
        (logarithm, 3 * math.log(3) - 3, log_three),
        (gains, 2.0, lambda value: value >= 2),
        (costs, 3.0, lambda value: value <= 3),
        (product, 2 / math.sqrt(3), lambda value: 3 * value**2 >= 4),
        (parabola, math.sqrt(8), at_least(8)),
    ],
)
def test_the_bound_is_close_to_the_optimum_and_on_the_right_side(
    program: Callable[[], Listing], optimum: float, right: Above
) -> None:
    listing = program()
    proof, value = conic.multipliers(listing)
    assert listing.cones and listing.bound(proof) == value
    assert float(value) == pytest.approx(optimum, abs=1e-9) and right(value)
    witness = RowMultipliers(listing, proof)
    assert checker.multiplier_range(witness.to_json()) == (value, value)
    assert RowMultipliers.from_json(witness.to_json(), None).value(None) == value


def test_unbounded_and_infeasible_programs_are_reported() -> None:
    x = cp.Variable(2, name="x")
    for objective, rows, word in (
        (cp.Maximize(x[0]), [cp.norm(x[:1]) <= x[1]], "unbounded"),
        (cp.Minimize(x[0]), [cp.norm(x) <= 1, x[0] >= 2], "infeasible"),
    ):
        with pytest.raises(NoSolution, match=f"clarabel ended with {word}"):
            conic.multipliers(listing_of_problem(cp.Problem(objective, rows)))


def test_functions_without_a_cone_are_rejected() -> None:
    model = curved()
    model.row = pyo.Constraint(expr=pyo.log(model.x + 1) <= 2)
    model.objective = pyo.Objective(expr=model.x)
    with pytest.raises(ProgramError, match="row is not convex: the curvature of a log has the wrong sign"):
        listing_of(model)
    model.row.deactivate()
    model.other = pyo.Constraint(expr=pyo.sin(model.x) <= 2)
    with pytest.raises(ProgramError, match="other has no conic form"):
        listing_of(model)
    matrix = cp.Variable((2, 2), PSD=True, name="X")
    with pytest.raises(ProgramError, match="second-order and exponential cones only"):
        listing_of_problem(cp.Problem(cp.Minimize(cp.trace(matrix)), [matrix[0, 1] == 1]))
