"""Exact feasibility check of a solved Pyomo model's point, in rationals.

A double coefficient means the rational with a small denominator that rounds to it (0.1 means 1/10), otherwise the
double itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from math import isfinite, nan
from numbers import Rational
from typing import NamedTuple

from schedproof.core.base.lazy import pyo
from schedproof.core.base.numbers import as_fraction
from schedproof.core.base.untyped import Model

FEASIBILITY = 1e-6  # absolute; HiGHS, SCIP and Gurobi use it for rows of integer programs


class Row(NamedTuple):
    """A row lower <= body <= upper; None for a missing bound."""

    name: str
    body: Model
    lower: float | None
    upper: float | None


def broken_row(model: Model) -> str:
    """Return the first row or range violated by more than `FEASIBILITY`.

    A value that is no finite number breaks its variable's range.

    Linear and quadratic rows are evaluated exactly, other rows in doubles. A row without a value at the point, such as
    a root of a negative number, is left to the solver.
    """
    for column in model.component_data_objects(pyo.Var, descend_into=True):
        if column.value is not None and not isfinite(column.value):
            return f"{column.name} is {column.value}"
    for row in _rows(model):
        try:
            value = _value(row.body)
        except ArithmeticError:
            continue
        for side, sign in ((row.lower, 1), (row.upper, -1)):
            short = 0 if side is None else sign * (rational(side) - value)
            if short > FEASIBILITY:
                return f"the row {row.name} is violated by {float(short):.3g}"
    for column in model.component_data_objects(pyo.Var, descend_into=True):
        if column.is_integer() and column.value is not None and column.value != round(column.value):
            return f"{column.name} is {column.value}, not an integer"
    return ""


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


def _rows(model: Model) -> Iterator[Row]:
    for row in model.component_data_objects(pyo.Constraint, active=True, descend_into=True):
        yield Row(row.name, row.body, row.lb, row.ub)
    for column in model.component_data_objects(pyo.Var, descend_into=True):
        if column.value is not None:
            yield Row(f"of the range of {column.name}", column, column.lb, column.ub)


def standard_form(expression: Model, *, quadratic: bool = False) -> Model:
    """Return Pyomo's standard form of an expression, added up in rationals."""
    from pyomo.repn import generate_standard_repn

    return generate_standard_repn(_in_rationals(expression), quadratic=quadratic)


def constant(part: Model) -> Fraction:
    """Return the value of a constant expression in rationals."""
    if hasattr(part, "is_fixed"):
        part = _in_rationals(part)
    return rational(part() if hasattr(part, "is_fixed") else part)


def _in_rationals(part: Model) -> Model:
    from pyomo.core.expr import DivisionExpression

    if not hasattr(part, "is_fixed"):
        return rational(part)
    if not part.is_expression_type():
        return _in_rationals(part()) if part.is_fixed() else part
    if part.is_named_expression_type():
        return _in_rationals(part.expr)
    parts = tuple(map(_in_rationals, part.args))
    if isinstance(part, DivisionExpression) and isinstance(parts[1], Fraction):
        return parts[0] * (1 / parts[1])  # Pyomo inverts a denominator in doubles
    same = all(new is old for new, old in zip(parts, part.args, strict=True))
    return part if same else part.create_node_with_local_data(parts)


def _value(body: Model) -> Fraction:
    repn = standard_form(body, quadratic=True)
    if repn.nonlinear_expr is not None:
        if not isfinite(value := value_in_doubles(body)):
            raise ArithmeticError
        return as_fraction(value)
    total = rational(pyo.value(repn.constant))
    for coefficient, column in zip(repn.linear_coefs, repn.linear_vars, strict=True):
        if column.value:
            total += rational(pyo.value(coefficient)) * as_fraction(column.value)
    for coefficient, (one, other) in zip(repn.quadratic_coefs, repn.quadratic_vars, strict=True):
        total += rational(pyo.value(coefficient)) * as_fraction(one.value or 0) * as_fraction(other.value or 0)
    return total


def value_in_doubles(expression: Model) -> float:
    """Return the value of an expression at a model's point; NaN if undefined."""
    try:
        value = pyo.value(expression, exception=False)
    except ArithmeticError:
        return nan
    return float(value) if isinstance(value, int | float | Fraction) else nan
