"""Nonlinear Pyomo expressions as exact rows of cones: logarithms, roots, others.

A column t replaces each curve of a row or an objective: t is at most a concave curve, at least a convex curve.

    t <= log(z)    if (t, 1, z) is in the exponential cone; both have no value for z <= 0,
    t <= sqrt(z)   if z + 1 >= |(z - 1, 2 t)|; sqrt(z) has no value for z < 0, and the cone implies z >= t^2,
    t >= 1 / z     if t + z >= |(t - z, 2)| and z >= 0: 1 / z has values for z < 0, but the cone has none.

A row ``sum of d_k w_k^2 <= c u v`` becomes u + v >= |(u - v, 2 sqrt(d_k / c) w_k, ...)| if u, v >= 0. With right side z
the row becomes z + 1 >= |(z - 1, 2 sqrt(d_k) w_k, ...)|; both forms imply z >= 0. Irrational roots are rounded down,
which relaxes the row. Each "if" is a premise, proven by `schedproof.core.programs.exact.premises`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from schedproof.core.base.numbers import root_below
from schedproof.core.base.untyped import Model
from schedproof.core.errors import ProgramError
from schedproof.core.programs.exact.cones import Kind
from schedproof.core.programs.exact.entries import Side
from schedproof.core.solvers.exact_check import constant, rational, standard_form

Affine = tuple[Sequence[tuple[Model, Fraction | int]], Fraction]  # variables with coefficients, and a constant
Members = tuple[Affine, ...]  # entries of a cone, each an affine expression of variables
CONCAVE = {"log": True, "sqrt": True, "reciprocal": False}
ONE: Affine = ([], Fraction(1))


class Curve(NamedTuple):
    """A coefficient times a function of an affine expression."""

    coefficient: Fraction
    name: str
    argument: Affine

    @property
    def premise(self) -> Affine | None:
        """The expression that must be nonnegative for the cone, or None."""
        return self.argument if self.name == "reciprocal" else None

    @property
    def concave(self) -> bool:
        return CONCAVE[self.name] == (self.coefficient > 0)

    def cone(self, t: Model) -> tuple[Kind, Members]:
        """Return the cone that bounds t by the function on the required side."""
        own, z = ([(t, Fraction(1))], Fraction(0)), self.argument
        if self.name == "log":
            return "exponential", (own, ONE, z)
        if self.name == "sqrt":
            return "second_order", (plus(z, ONE), plus(z, ONE, -1), plus(own, own))
        return "second_order", (plus(own, z), plus(own, z, -1), plus(ONE, ONE))


def plus(one: Affine, other: Affine, times: int | Fraction = 1) -> Affine:
    """Return the sum of an affine expression and a multiple of another one."""
    return [*one[0], *((v, times * a) for v, a in other[0])], one[1] + times * other[1]


def affine(expression: Model) -> Affine | None:
    """Return an affine expression's variables and constant, otherwise None."""
    from pyomo.core.expr import LinearExpression

    if type(expression) is LinearExpression and (flat := _affine_sum(expression)):  # the usual row, read faster
        return flat
    repn = standard_form(expression)
    if not repn.is_linear():
        return None
    pairs = zip(repn.linear_vars, repn.linear_coefs, strict=True)
    return [(v, c if isinstance(c, int) else rational(c)) for v, c in pairs if c], rational(repn.constant)


def _affine_sum(expression: Model) -> Affine | None:
    from pyomo.core.expr import MonomialTermExpression

    pairs, total = list[tuple[Model, Fraction | int]](), Fraction(0)
    for part in expression.args:
        a, v = part.args if type(part) is MonomialTermExpression else (1, part)
        a = a if type(a) in (int, Fraction) else constant(a)
        if not hasattr(v, "is_fixed") or v.is_fixed():
            total += a * constant(v)
        elif not v.is_variable_type():
            return None
        elif a:
            pairs.append((v, a))
    return pairs, total


def curves(expression: Model, name: str) -> tuple[Affine, list[Curve]]:
    """Split an expression into an affine part and curves.

    Raises
    ------
    ProgramError
        For any other expression.
    """
    repn = standard_form(expression)
    pairs = zip(repn.linear_vars, repn.linear_coefs, strict=True)
    linear = [(v, rational(c)) for v, c in pairs if c], rational(repn.constant)
    return linear, list(_curves(repn.nonlinear_expr, Fraction(1), name)) if repn.nonlinear_expr is not None else []


def _curves(expression: Model, times: Fraction, name: str) -> Iterator[Curve]:
    kind, parts = type(expression).__name__, expression.args
    constants = [not hasattr(part, "is_fixed") or part.is_fixed() for part in parts]
    if kind in ("SumExpression", "LinearExpression"):
        for part in parts:
            yield from _curves(part, times, name)
    elif kind == "NegationExpression":
        yield from _curves(parts[0], -times, name)
    elif kind == "ProductExpression" and sum(constants) == 1:
        factor, other = parts if constants[0] else reversed(parts)
        yield from _curves(other, times * constant(factor), name)
    elif kind == "DivisionExpression" and constants == [False, True]:
        yield from _curves(parts[0], times / constant(parts[1]), name)
    elif kind == "DivisionExpression" and constants == [True, False] and (argument := affine(parts[1])):
        yield Curve(times * constant(parts[0]), "reciprocal", argument)
    elif kind == "UnaryFunctionExpression" and expression.name in ("log", "sqrt") and (argument := affine(parts[0])):
        yield Curve(times, expression.name, argument)
    else:
        raise ProgramError(
            f"{name} has no conic form: expected linear terms, squares below a product or linear terms, or logarithms, "
            "roots and reciprocals of linear terms; drop or replace it"
        )


def sides(row: Model) -> tuple[Side, Side]:
    """Return a row's sides, without the constant of its body."""
    lower, _, upper = row.to_bounded_expression()
    return ends(row, lower, upper)


def ends(entry: Model, lower: Model, upper: Model) -> tuple[Side, Side]:
    """Return the values of two expressions, None for an open side of a row or column."""
    return None if entry.lb is None else constant(lower), None if entry.ub is None else constant(upper)


def squares(row: Model) -> tuple[Members, tuple[Affine, ...]] | None:
    """Return the members of a second-order cone and its premises.

    The row bounds a sum of squares by a product or an affine expression.
    """
    lower, upper = sides(row)
    if (lower is None) == (upper is None):
        return None
    turn, side = (1, upper) if upper is not None else (-1, lower or Fraction(0))
    repn = standard_form(row.body, quadratic=True)
    pairs = list(zip(repn.quadratic_vars, (turn * rational(c) for c in repn.quadratic_coefs), strict=True))
    tops = [(w, d) for (w, other), d in pairs if w is other]
    products = [(u, v, -c) for (u, v), c in pairs if u is not v]
    linear = zip(repn.linear_vars, repn.linear_coefs, strict=True)
    rest = [(x, -turn * rational(c)) for x, c in linear if c], turn * (side - rational(repn.constant))
    if repn.nonlinear_expr is not None or any(d < 0 for _, d in tops):
        return None
    if not products:
        return (plus(rest, ONE), plus(rest, ONE, -1), *(([(w, root_below(4 * d))], Fraction(0)) for w, d in tops)), ()
    u, v, c = products[0]
    if len(products) > 1 or c < 0 or rest[0] or rest[1]:
        return None
    one, other = ([(u, Fraction(1))], Fraction(0)), ([(v, Fraction(1))], Fraction(0))
    roots = (([(w, root_below(4 * d / c))], Fraction(0)) for w, d in tops)
    return (plus(one, other), plus(one, other, -1), *roots), (one, other)
