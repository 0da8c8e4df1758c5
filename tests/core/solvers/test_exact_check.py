from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from schedproof.core.base.lazy import pyo
from schedproof.core.base.numbers import as_fraction
from schedproof.core.programs.exact.curves import affine
from schedproof.core.solvers.exact_check import _value, broken_row, constant, rational
from tests.support import size


@pytest.mark.parametrize("kind", [int, np.int64, np.uint64])
def test_integers_of_numpy_do_not_overflow(kind: type) -> None:
    for read in (rational, constant):
        for number in (read(kind(2**61)), read(Fraction(kind(2**61)))):
            assert number * 8 == 2**64 and type(number.numerator) is int


NUMBERS = st.fractions(-3, 3, max_denominator=5)
MODEL = pyo.ConcreteModel()
MODEL.x, MODEL.p = pyo.Var(range(3), initialize={0: 0.1, 1: 0.5, 2: 0}), pyo.Param(initialize=0.3, mutable=True)


@st.composite
def expressions(draw: st.DrawFn, depth: int = 3) -> tuple[Any, Fraction]:
    """An expression, and its value if x is 0.1, 0.5 and 0."""
    kind = draw(st.sampled_from(["number", "x", "p", *("+", "-", "*", "/", "square", "linear", "named")[: 7 * depth]]))
    if kind == "number":
        number = draw(NUMBERS)
        return number, number
    if kind == "p":
        return MODEL.p, Fraction(3, 10)
    if kind == "x":
        at = draw(st.integers(0, 2))
        return MODEL.x[at], (as_fraction(0.1), Fraction(1, 2), Fraction(0))[at]
    (one, left), (other, right) = draw(expressions(depth - 1)), draw(expressions(depth - 1))
    if kind == "/":
        assume(right)
        return one / other, left / right
    if kind == "linear":
        terms = [draw(st.sampled_from([0.1, 0.7, -2])) for _ in range(3)]
        value = Fraction(str(terms[0])) * as_fraction(0.1) + Fraction(str(terms[1])) / 2
        return pyo.quicksum([*(c * MODEL.x[n] for n, c in enumerate(terms)), one]), value + left
    if kind == "named":
        named = pyo.Expression(expr=one)
        named.construct()
        return named + other, left + right
    return {
        "+": lambda: (one + other, left + right),
        "-": lambda: (one - other, left - right),
        "*": lambda: (one * other, left * right),
        "square": lambda: (one**2, left**2),
    }[kind]()


@settings(max_examples=size(100, 200, 5000))
@given(expressions())
def test_sums_products_quotients_and_squares_are_exact(drawn: tuple[Any, Fraction]) -> None:
    expression, value = drawn
    assert _value(expression) == value
    if hasattr(expression, "is_fixed") and (read := affine(expression)):  # how the proofs read a row
        assert read[1] + sum(a * as_fraction(x.value) for x, a in read[0]) == value


def test_other_rows_are_evaluated_in_doubles() -> None:
    model = pyo.ConcreteModel()
    model.x = pyo.Var(initialize=0.25)
    model.root = pyo.Constraint(expr=pyo.sqrt(model.x) + 0.1 <= 0.6)
    model.cube = pyo.Constraint(expr=model.x**3 <= 1)
    model.undefined = pyo.Constraint(expr=pyo.log(model.x - 1) <= 0)
    model.no_quotient = pyo.Constraint(expr=1 / (model.x - 0.25) <= 0)
    assert broken_row(model) == ""
    model.x.set_value(0.3)
    assert broken_row(model) == "the row root is violated by 0.0477"
