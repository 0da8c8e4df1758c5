from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pyomo.environ as pyo
import pytest

from schedproof.core.base.numbers import exactly
from schedproof.core.errors import ProgramError
from schedproof.core.programs.exact.listing import Listing
from schedproof.core.programs.exact.pyomo_form import listing_of
from tests.linear_programs import LINEAR, draws
from tests.support import size

HALF = Fraction(1, 2)


def toy(**bounds: Any) -> Any:
    """min 0.1 x + y/3 + 1/2 where x + 0.5 y >= 1."""
    model = pyo.ConcreteModel()
    model.x, model.y = pyo.Var(bounds=bounds.get("x", (0, None))), pyo.Var(bounds=bounds.get("y", (0, None)))
    model.row = pyo.Constraint(expr=model.x + 0.5 * model.y >= 1)
    model.objective = pyo.Objective(expr=0.1 * model.x + model.y / 3 + HALF)
    return model


@pytest.mark.parametrize("id", [id for id in LINEAR if id != "multiserver.gang"])
def test_a_listing_has_the_values_of_the_model_at_any_point(id: str) -> None:
    rng = random.Random(id)
    for program, instance in draws(id, size(1, 1, 40)):
        with exactly():
            model = program.build(instance)
        listing = listing_of(model)
        columns = [v for v in model.component_data_objects(pyo.Var, descend_into=True) if not v.fixed]
        point = [Fraction(rng.randrange(-99, 99), rng.randrange(1, 9)) for _ in columns]
        for variable, value in zip(columns, point, strict=True):
            variable.set_value(value, skip_validation=True)
        rows = list(model.component_data_objects(pyo.Constraint, active=True, descend_into=True))
        assert [row.name for row in listing.rows] == [row.name for row in rows]
        for row, built in zip(listing.rows, rows, strict=True):
            found = sum((a * point[j] for j, a in row.terms.items()), Fraction(0))
            for side, given in ((row.lower, built.lb), (row.upper, built.ub)):
                assert (side is None) == (given is None)
                if side is not None:
                    assert found - side == pyo.value(built.body) - given  # exactly
        costs = sum((column.cost * x for column, x in zip(listing.columns, point, strict=True)), listing.constant)
        assert costs == pyo.value(model.objective)


def test_a_double_means_the_shortest_rational_that_rounds_to_it() -> None:
    listing = listing_of(toy())
    assert [column.cost for column in listing.columns] == [Fraction(1, 10), Fraction(1, 3)]
    assert listing.constant == HALF and listing.rows[0].terms == {0: 1, 1: HALF}


def test_a_quotient_by_parameters_is_exact() -> None:
    """Pyomo's standard form divides in doubles, so that a bound was below the optimum by 1e-15."""
    model = toy()
    model.p, model.q = (pyo.Param(initialize=start, mutable=True) for start in (1.3, 0.3))
    model.product = pyo.Expression(expr=model.p * model.q)
    model.rows = pyo.ConstraintList()
    divisors = (model.p + 1, "2.3"), (model.q * model.q, "0.09"), (model.product, "0.39"), (model.q - 3, "-2.7")
    for divisor, value in divisors:
        model.rows.add((model.x + HALF) / divisor >= 7)
        row = listing_of(model).rows[-1]
        assert row.terms == {0: 1 / Fraction(value)} and row.lower == 7 - HALF / Fraction(value)


def proven(listing: Listing, *multipliers: Fraction | int) -> Fraction:
    return listing.bound(dict(enumerate(map(Fraction, multipliers))))


def test_multipliers_prove_weak_duality_and_no_bound_on_an_open_side() -> None:
    listing = listing_of(toy())
    assert proven(listing, Fraction(1, 10)) == Fraction(1, 10) + HALF
    for wrong in (-1, 1):  # no upper side of the row, and no upper end of x
        with pytest.raises(ValueError, match=r"has no upper (bound|side)"):
            proven(listing, wrong)
    assert proven(listing_of(toy(x=(0, 2), y=(0, 3))), 1) == HALF + 1 - 2 * Fraction(9, 10) - 3 * Fraction(1, 6)


def test_nonlinear_input_is_rejected() -> None:
    model = toy()
    model.curve = pyo.Constraint(expr=model.x * model.y <= 4)
    with pytest.raises(
        ProgramError,
        match="curve has no conic form: expected linear terms, squares below a product or linear terms, or logar",
    ):
        listing_of(model)
