from __future__ import annotations

from fractions import Fraction
from math import inf, pi
from typing import Any

import cvxpy as cp
import numpy as np
import pyomo.environ as pyo
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedproof.core.base.lazy import pyo as exact_pyomo
from schedproof.core.errors import NoSolution, ProgramError
from schedproof.core.programs.exact import conic
from schedproof.core.programs.exact.cvxpy_form import listing_of_problem
from schedproof.core.programs.exact.pyomo_form import listing_of
from tests.support import size

exact_pyomo.ConcreteModel  # noqa: B018  (Pyomo then takes rationals)


def model_of(low: int | None, high: int | None) -> Any:
    """Columns y in [-10, 10] and z in a range."""
    model = pyo.ConcreteModel()
    model.y, model.z = pyo.Var(bounds=(-10, 10)), pyo.Var(bounds=(low, high))
    return model


def test_a_reciprocal_of_a_variable_of_any_sign_is_refused_with_the_bound_that_helps() -> None:
    model = model_of(-5, 5)
    model.row, model.cost = pyo.Constraint(expr=model.y >= 1 / model.z), pyo.Objective(expr=model.y)
    with pytest.raises(
        ProgramError, match=r"row has a reciprocal, .*a cone only if z >= 0\. .*prove only z >= -5: add the "
    ):
        listing_of(model)


def test_rows_prove_a_premise_that_ranges_do_not() -> None:
    model = model_of(-5, 5)
    model.row, model.cost = pyo.Constraint(expr=model.y >= 1 / model.z), pyo.Objective(expr=model.y)
    model.positive = pyo.Constraint(expr=2 * model.z + model.y >= 24)  # z >= 7
    model.limit = pyo.Constraint(expr=model.z - model.y <= 0)
    model.z.setub(20)
    _, bound = conic.multipliers(listing_of(model))
    assert Fraction(799, 100) < bound <= 8


def test_a_row_does_not_prove_its_own_premise() -> None:
    # The cone of y >= 1 / z says z > 0 itself.
    model = model_of(-5, 5)
    model.row, model.cost = pyo.Constraint(expr=1 / model.z <= 3), pyo.Objective(expr=model.z)
    model.other = pyo.Constraint(expr=pyo.log(model.z + 5) >= 1)
    with pytest.raises(ProgramError, match=r"only z >= -5"):
        listing_of(model)


@pytest.mark.parametrize("lowest", [None, -1, 0])
def test_a_product_needs_both_signs(lowest: int | None) -> None:
    model = pyo.ConcreteModel()
    model.u, model.v, model.w = pyo.Var(bounds=(0, 2)), pyo.Var(bounds=(lowest, 2)), pyo.Var()
    model.row, model.cost = pyo.Constraint(expr=model.w**2 <= model.u * model.v), pyo.Objective(expr=-model.w)
    if lowest == 0:
        assert -Fraction(201, 100) < conic.multipliers(listing_of(model))[1] <= -2
    else:
        with pytest.raises(ProgramError, match=r"row has a product, .*a cone only if v >= 0"):
            listing_of(model)


def infimum_of(low: int, high: int, slope: int) -> Fraction | float:
    """Return inf of 1 / z + slope z over a range, from its ends and z = 1."""
    if low < 0 <= high:
        return -inf
    points = [Fraction(end) for end in (low, high) if end] + [Fraction(1)] * (slope == 1 and low <= 1 <= high)
    return min((1 / z + slope * z for z in points), default=inf)


@settings(max_examples=size(30, 60, 2000))
@given(st.integers(-4, 4), st.integers(0, 8), st.integers(0, 1))
def test_no_bound_of_a_reciprocal_is_above_the_infimum(low: int, width: int, slope: int) -> None:
    high = low + width
    model = model_of(low, high)
    model.cost = pyo.Objective(expr=1 / model.z + slope * model.z)
    try:
        _, bound = conic.multipliers(listing_of(model))
    except (ProgramError, NoSolution):
        assert low <= 0
        return
    assert bound <= infimum_of(low, high, slope)


@pytest.mark.parametrize(
    ("atom", "words"),
    [
        (lambda x: cp.power(x, pi), "rational exponents"),
        (lambda x: cp.pnorm(x, pi), "rational exponents"),
        (lambda x: -cp.geo_mean(x, [1 / pi, 1 - 1 / pi]), "rational exponents"),
        (lambda x: cp.quad_form(x, np.array([[2.0, 1.0], [1.0, 3.0]])), "sum_squares"),
    ],
)
def test_functions_that_cvxpy_approximates_are_rejected(atom: Any, words: str) -> None:
    x = cp.Variable(2, name="x", nonneg=True)
    for problem in (
        cp.Problem(cp.Minimize(cp.sum(atom(x))), [x >= 1]),
        cp.Problem(cp.Minimize(x[0]), [x >= 1, 2 * cp.sum(atom(x)) + x[1] <= 9]),
    ):
        with pytest.raises(ProgramError, match=words):
            listing_of_problem(problem)


@pytest.mark.parametrize(
    "atom", [lambda x: cp.power(x, 1.5), cp.inv_pos, lambda x: -cp.sqrt(x), lambda x: cp.pnorm(x, 3)]
)
def test_functions_that_cvxpy_states_exactly_are_listed(atom: Any) -> None:
    x = cp.Variable(2, name="x")
    assert listing_of_problem(cp.Problem(cp.Minimize(cp.sum(atom(x))), [x >= 1])).cones
