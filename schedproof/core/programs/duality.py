"""`dualise`: the dual of a linear Pyomo model, with rows named after columns.

Every multiplier is nonnegative (free for equations), as in the papers:

=================  ==============  ===================  =====================================
primal (minimize)  multiplier      in the dual's sum    dual row of a column x, cost c
=================  ==============  ===================  =====================================
a x >= b           u >= 0          + b u                + a u
a x <= b           u >= 0          - b u                - a u
a x  = b           u free          + b u                + a u
x >= 0                                                  sum <= c
x free                                                  sum  = c
x <= h             u >= 0          - h u                - u
x >= l, l not 0    u >= 0          + l u                + u, sum = c
x  = l             u free          + l u                + u, sum = c
=================  ==============  ===================  =====================================

A bound other than x >= 0 is a row named ``bound:x``, or ``bound:x:lower`` and ``bound:x:upper`` if there are two. The
bound x >= 0 gives the dual row's sign. A fixed column counts as a number. A ``maximize`` primal is read as the
minimization of its negative, and its dual is a minimization.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from schedproof.core.base.lazy import pyo
from schedproof.core.base.untyped import Model
from schedproof.core.errors import ProgramError, require
from schedproof.core.programs.exact.curves import ends, sides
from schedproof.core.solvers.exact_check import rational, standard_form


@dataclass(frozen=True)
class Side:
    """A side of a primal row, which has a multiplier.

    Attributes
    ----------
    name
        The row's full name, with ``:lower`` or ``:upper`` if it has two sides.
    bound
        Whether it bounds a column.
    direction
        +1 for >= and =, -1 for <=.
    """

    name: str
    bound: bool
    direction: int
    value: Fraction
    equation: bool


@dataclass(frozen=True)
class Transposed:
    """A linear model by columns.

    Attributes
    ----------
    sign
        -1 for a maximization.
    columns
        Names of the columns that are not fixed.
    sides
        Sides by name.
    entries
        Column name -> (entry times direction, side name).
    costs
        Column name -> cost of the minimization.
    free
        Names of the columns that may be negative.
    constant
        Constant of the objective.
    """

    sign: int
    columns: list[str]
    sides: dict[str, Side]
    entries: dict[str, list[tuple[Fraction | int, str]]]
    costs: dict[str, Fraction]
    free: frozenset[str]
    constant: Fraction

    def multipliers(self, names: list[str]) -> Model:
        """Return the multipliers of some sides as variables."""
        return pyo.Var(names, domain=lambda _, r: pyo.Reals if self.sides[r].equation else pyo.NonNegativeReals)

    def rows(self, block: Model, columns: list[str], multiplier: Model) -> None:
        """Add the dual rows of some columns to a block.

        Parameters
        ----------
        multiplier
            Side name -> multiplier.
        """
        nothing: Model = None
        if not all(self.entries[c] for c in columns):  # a column without entries: 0 <= cost, perhaps infeasible
            nothing = block.nothing = pyo.Var()
            block.nothing_is_zero = pyo.Constraint(expr=nothing == 0)

        def row(_: Model, column: str) -> Model:
            entries = self.entries[column]
            body = pyo.quicksum(value * multiplier[r] for value, r in entries) if entries else nothing
            return body == self.costs[column] if column in self.free else body <= self.costs[column]

        block.row = pyo.Constraint(columns, rule=row)

    def value(self, multiplier: Model) -> Model:
        total = pyo.quicksum(s.direction * s.value * multiplier[s.name] for s in self.sides.values())
        return self.sign * total + self.constant


def transpose(model: Model) -> Transposed:
    """Return a linear Pyomo model by columns, with the errors of `dualise`."""
    require(model, pyo.Block, "a Pyomo model, for example from Program.build(instance)")
    columns = [c for c in model.component_data_objects(pyo.Var, descend_into=True) if not c.fixed]
    for column in columns:
        if not column.is_continuous():
            raise ProgramError(f"the integer variable '{column.name}' has no dual row: relax the program first")
    objective = next(model.component_data_objects(pyo.Objective, active=True), None)
    if objective is None:
        raise ProgramError(f"{model.name} has no objective, so it has no dual")
    sign = 1 if objective.sense == pyo.minimize else -1
    cost = standard_form(objective.expr)
    costs = _linear(cost, "the objective")

    found: dict[str, Side] = {}
    entries: dict[str, list[tuple[Fraction | int, str]]] = {column.name: [] for column in columns}
    for column in columns:
        for side in _bounds(column):
            found[side.name] = side
            entries[column.name].append((side.direction, side.name))
    for constraint in model.component_data_objects(pyo.Constraint, active=True, descend_into=True):
        repn = standard_form(constraint.body)
        coefficients = _linear(repn, constraint.name)
        for name, direction, value in _sides(constraint):
            found[name] = Side(name, False, direction, value - rational(repn.constant), constraint.equality)
            for entry, coefficient in coefficients.items():
                entries[entry].append((direction * coefficient, name))
    return Transposed(
        sign=sign,
        columns=[column.name for column in columns],
        sides=found,
        entries=entries,
        costs={column.name: sign * costs.get(column.name, Fraction(0)) for column in columns},
        free=frozenset(column.name for column in columns if column.lb != 0 or column.lb == column.ub),
        constant=rational(cost.constant),
    )


def dualise(model: Model) -> Model:
    """Return the dual of a linear, continuous Pyomo model.

    Returns
    -------
    pyomo.ConcreteModel
        ``multiplier[row]`` and ``row[column]``, indexed by full names of the primal's rows and columns. The bounds of
        column ``x`` are rows like ``bound:x``.

    Raises
    ------
    ProgramError
        For an integer variable, a nonlinear row, or a missing objective.
    """
    primal = transpose(model)
    dual = pyo.ConcreteModel(name=f"{model.name}:dual")
    dual.multiplier = primal.multipliers(list(primal.sides))
    primal.rows(dual, primal.columns, dual.multiplier)
    sense = pyo.maximize if primal.sign == 1 else pyo.minimize
    dual.objective = pyo.Objective(expr=primal.value(dual.multiplier), sense=sense)
    return dual


def _bounds(column: Model) -> Iterator[Side]:
    (low, high), name = ends(column, column.lower, column.upper), f"bound:{column.name}"
    if low is not None and low == high:
        yield Side(name, True, 1, low, True)
        return
    both = low not in (None, 0) and high is not None
    if low not in (None, 0):
        yield Side(name + ":lower" * both, True, 1, low, False)
    if high is not None:
        yield Side(name + ":upper" * both, True, -1, high, False)


def _linear(repn: Model, name: str) -> dict[str, Fraction]:
    if not repn.is_linear():
        raise ProgramError(f"{name} is not linear; only linear programs have a dual here: drop or replace it")
    return {v.name: rational(c) for v, c in zip(repn.linear_vars, repn.linear_coefs, strict=True)}


def _sides(constraint: Model) -> Iterator[tuple[str, int, Fraction]]:
    lower, upper = sides(constraint)
    if constraint.equality:
        lower = None
    both = lower is not None and upper is not None
    if lower is not None:
        yield constraint.name + ":lower" * both, 1, lower
    if upper is not None:
        yield constraint.name + ":upper" * both, 1 if constraint.equality else -1, upper
