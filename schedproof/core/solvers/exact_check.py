"""Exact feasibility check of a solved Pyomo model's point, in rationals.

A double coefficient means the rational with a small denominator that rounds to it (0.1 means 1/10), otherwise the
double itself.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import isfinite, nan
from numbers import Rational

from schedproof.core.base.lazy import pyo
from schedproof.core.base.numbers import as_fraction
from schedproof.core.base.untyped import Model

FEASIBILITY = 1e-6  # absolute; HiGHS, SCIP and Gurobi use it for rows of integer programs


def broken_row(model: Model) -> str:
    """Return the first row or range violated by more than `FEASIBILITY`.

    A value that is no finite number breaks its variable's range.

    Rows of sums, products, quotients and squares are evaluated exactly, other rows in doubles. A row without a value at
    the point, such as a root of a negative number, is left to the solver.
    """
    columns = [c for c in model.component_data_objects(pyo.Var, descend_into=True) if c.value is not None]
    for column in columns:
        if not isfinite(column.value):
            return f"{column.name} is {column.value}"
    for row in model.component_data_objects(pyo.Constraint, active=True, descend_into=True):
        try:
            value = _value(row.body)
        except ArithmeticError:
            continue
        if (short := _short(row, value)) > FEASIBILITY:
            return f"the row {row.name} is violated by {float(short):.3g}"
    for column in columns:
        value = constant(column) if column.fixed else as_fraction(column.value)
        if (short := _short(column, value)) > FEASIBILITY:
            return f"the row of the range of {column.name} is violated by {float(short):.3g}"
    for column in columns:
        if column.is_integer() and column.value != round(column.value):
            return f"{column.name} is {column.value}, not an integer"
    return ""


def _short(limited: Model, value: Fraction) -> Fraction | int:
    """Return how far a value is outside the bounds of a row or variable."""
    lower, upper = limited.lb, limited.ub
    below = 0 if lower is None else rational(lower) - value
    return max(below, 0 if upper is None else value - rational(upper))


def rational(number: float | Fraction) -> Fraction:
    """Return a rational unchanged, and a double as the rational that it means.

    The denominator is at most 10^6, otherwise the double is taken exactly.
    """
    if isinstance(number, float):
        return _of_double(number)
    if isinstance(number, Fraction):
        return as_fraction(number)
    return _of_rational(number) if isinstance(number, Rational) else _of_double(float(number))  # not for numpy.float32


_of_rational = lru_cache(maxsize=100_000)(as_fraction)


@lru_cache(maxsize=100_000)
def _of_double(number: float) -> Fraction:
    small = Fraction(number).limit_denominator(10**6)
    return small if float(small) == number else Fraction(number)


def standard_form(expression: Model, *, quadratic: bool = False) -> Model:
    """Return Pyomo's standard form of an expression, added up in rationals."""
    from pyomo.repn import generate_standard_repn

    return generate_standard_repn(_in_rationals(expression), quadratic=quadratic)


def constant(part: Model) -> Fraction:
    """Return the value of a constant expression in rationals."""
    try:
        return _exact_value(part)
    except _InDoubles:
        return rational(_in_rationals(part)())


def _in_rationals(part: Model) -> Model:
    from pyomo.core.expr import DivisionExpression

    if not hasattr(part, "is_fixed"):
        return rational(part)
    if not part.is_expression_type():
        return _in_rationals(part()) if part.is_fixed() else part
    if part.is_named_expression_type():
        return _in_rationals(part.expr)
    parts = tuple(map(_in_rationals, part.args))
    if isinstance(part, DivisionExpression) and (not hasattr(parts[1], "is_fixed") or parts[1].is_fixed()):
        return parts[0] * (1 / constant(parts[1]))  # Pyomo inverts a denominator in doubles
    same = all(new is old for new, old in zip(parts, part.args, strict=True))
    return part if same else part.create_node_with_local_data(parts)


class _InDoubles(Exception):
    """An expression has a part that is not rational, such as a root."""


def _value(body: Model) -> Fraction:
    try:
        return _exact_value(body)
    except _InDoubles:
        if not isfinite(value := value_in_doubles(body)):
            raise ArithmeticError from None
        return as_fraction(value)


def _exact_value(part: Model) -> Fraction:
    """Return an expression's value at the point; a variable without a value is 0."""
    if not hasattr(part, "is_fixed"):
        return rational(part)
    if not part.is_expression_type():
        return rational(part()) if part.is_fixed() else as_fraction(part.value or 0)
    if part.is_named_expression_type():
        return _exact_value(part.expr)
    from pyomo.core.expr import numeric_expr as kinds

    values = [_exact_value(one) for one in part.args]
    if isinstance(part, kinds.SumExpression):
        return sum(values, Fraction(0))
    if isinstance(part, kinds.ProductExpression):
        return values[0] * values[1]
    if isinstance(part, kinds.NegationExpression):
        return -values[0]
    if isinstance(part, kinds.DivisionExpression):
        return values[0] / values[1]
    if isinstance(part, kinds.PowExpression) and values[1] == 2:
        return values[0] ** 2
    raise _InDoubles


def value_in_doubles(expression: Model) -> float:
    """Return the value of an expression at a model's point; NaN if undefined."""
    try:
        value = pyo.value(expression, exception=False)
    except ArithmeticError:
        return nan
    return float(value) if isinstance(value, int | float | Fraction) else nan
