"""A solved Pyomo model against its own data, in rationals and without a solver: is its point feasible, and optimal?

A coefficient that is a double stands for the rational with a small denominator that rounds to it, 0.1 for 1/10; where
there is none, for itself.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from math import isfinite
from typing import NamedTuple

from schedproof.core.base.lazy import pyo
from schedproof.core.base.untyped import Model

FEASIBILITY = 1e-6  # HiGHS, SCIP and Gurobi hold the rows of an integer program to it, and so do we, absolutely
DENOMINATORS = 10**7  # of the point and the multipliers at a vertex; a double beside such a rational is read as it
Entries = list[tuple[Model, Fraction]]  # column, coefficient


class Optimum(NamedTuple):
    """An optimum, and the multipliers of rows that prove it."""

    value: Fraction
    multipliers: dict[Model, Fraction]


class Row(NamedTuple):
    """lower <= body <= upper; a side that is open is None."""

    name: str
    body: Model
    lower: float | None
    upper: float | None


def broken_row(model: Model) -> str:
    """The first row, or range of a variable, that the model's point breaks by more than `FEASIBILITY`; "" for none.

    A value that is no finite number breaks its variable's range.

    Linear and quadratic rows are evaluated exactly, others in doubles; one that divides by 0 at the point has no value,
    and is left to the solver.
    """
    for column in model.component_data_objects(pyo.Var, descend_into=True):
        if column.value is not None and not isfinite(column.value):
            return f"{column.name} is {column.value}"
    for row in _rows(model):
        try:
            value = _value(row.body)
        except ZeroDivisionError:
            continue
        for side, sign in ((row.lower, 1), (row.upper, -1)):
            short = 0 if side is None else sign * (rational(side) - value)
            if short > FEASIBILITY:
                return f"the row {row.name} is broken by {float(short):.3g}"
    for column in model.component_data_objects(pyo.Var, descend_into=True):
        if column.is_integer() and column.value is not None and column.value != round(column.value):
            return f"{column.name} is {column.value}, not an integer"
    return ""


def certified_optimum(model: Model, multipliers: Mapping[Model, float]) -> Optimum | None:
    """The optimum of a linear program, where the rationals beside its point and its multipliers prove it; else None.

    The point holds every row exactly, and the multipliers prove a bound equal to its objective.

    Parameters
    ----------
    multipliers
        Constraint -> dual value, in Pyomo's signs.
    """
    objective = next(model.component_data_objects(pyo.Objective, active=True))
    sign = 1 if objective.sense == pyo.minimize else -1
    if not all(map(isfinite, multipliers.values())) or (linear := _linear(objective.expr)) is None:
        return None
    constant, costs = linear
    slope: dict[int, Fraction] = defaultdict(Fraction)  # column -> sign times its cost, less what its rows pay for it
    for column, cost in costs:
        slope[id(column)] += sign * cost
    taken: dict[Model, Fraction] = {}
    bound, value = sign * constant, constant + sum(cost * _near(column.value) for column, cost in costs)
    for row in model.component_data_objects(pyo.Constraint, active=True, descend_into=True):
        if (linear := _linear(row.body)) is None:
            return None
        offset, entries = linear
        if not _holds(row.lb, offset + sum(entry * _near(column.value) for column, entry in entries), row.ub):
            return None
        if price := sign * _near(multipliers.get(row, 0.0)):
            side = row.lb if price > 0 else row.ub
            if side is None:
                return None
            taken[row] = sign * price
            bound += price * (rational(side) - offset)
            for column, entry in entries:
                slope[id(column)] -= price * entry
    for column in model.component_data_objects(pyo.Var, descend_into=True):
        if column.value is not None and not _holds(column.lb, _near(column.value), column.ub):
            return None
        if rest := slope[id(column)]:
            end = column.lb if rest > 0 else column.ub
            if end is None:
                return None
            bound += rest * rational(end)
    return Optimum(value, taken) if sign * value == bound else None


def rational(number: float | Fraction) -> Fraction:
    """A rational as it is; of a double the one with a denominator of at most 10^6 that rounds to it, or else itself."""
    return _of_double(number) if isinstance(number, float) else Fraction(number)


@lru_cache(maxsize=100_000)
def _of_double(number: float) -> Fraction:
    small = Fraction(number).limit_denominator(10**6)
    return small if float(small) == number else Fraction(number)


def _near(number: float | None) -> Fraction:
    return Fraction(number or 0).limit_denominator(DENOMINATORS)


def _holds(lower: float | None, value: Fraction, upper: float | None) -> bool:
    return (lower is None or rational(lower) <= value) and (upper is None or value <= rational(upper))


def _rows(model: Model) -> Iterator[Row]:
    for row in model.component_data_objects(pyo.Constraint, active=True, descend_into=True):
        yield Row(row.name, row.body, row.lb, row.ub)
    for column in model.component_data_objects(pyo.Var, descend_into=True):
        if column.value is not None:
            yield Row(f"of the range of {column.name}", column, column.lb, column.ub)


def _value(body: Model) -> Fraction:
    from pyomo.repn import generate_standard_repn

    repn = generate_standard_repn(body, quadratic=True)
    if repn.nonlinear_expr is not None:
        return Fraction(pyo.value(body))
    total = rational(pyo.value(repn.constant))
    for coefficient, column in zip(repn.linear_coefs, repn.linear_vars, strict=True):
        if column.value:
            total += rational(pyo.value(coefficient)) * Fraction(column.value)
    for coefficient, (one, other) in zip(repn.quadratic_coefs, repn.quadratic_vars, strict=True):
        total += rational(pyo.value(coefficient)) * Fraction(one.value or 0) * Fraction(other.value or 0)
    return total


def _linear(body: Model) -> tuple[Fraction, Entries] | None:
    """Constant and entries of an expression that is linear."""
    from pyomo.repn import generate_standard_repn

    repn = generate_standard_repn(body)
    if not repn.is_linear():
        return None
    coefficients = (rational(pyo.value(coefficient)) for coefficient in repn.linear_coefs)
    return rational(pyo.value(repn.constant)), list(zip(repn.linear_vars, coefficients, strict=True))
