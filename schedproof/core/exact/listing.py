"""A linear program in rationals, row by row: what a built Pyomo model says, and what multipliers prove of it.

For ``min c x`` with lower <= a_i x <= upper and ranges of x, any multipliers y give, with what is left of the costs,
d = c - y A,

    c x = sum of y_i (a_i x) + sum of d_j x_j
       >= sum over y_i > 0 of y_i lower_i + sum over y_i < 0 of y_i upper_i
        + sum over d_j > 0 of d_j lowest_j + sum over d_j < 0 of d_j highest_j,

and the same with the sides exchanged for a maximum. `proven` is the right side, exactly, or nothing where a side that
it takes is open.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Literal

from schedproof.core.errors import ProgramError
from schedproof.core.lazy import pyo
from schedproof.core.solving.exact_check import rational
from schedproof.core.untyped import Model

Side = Fraction | None  # None for one that is open
Terms = Mapping[int, Fraction | int]  # number of a column -> coefficient
Multipliers = Mapping[int, Fraction]  # number of a row -> multiplier
ZERO = Fraction(0)


@dataclass(frozen=True)
class Entry:
    """What a column and a row have in common.

    Attributes
    ----------
    lower, upper
        Its range; None for a side that is open.
    place
        The component of the model and the index in it; of what was read from a file it is not known.
    """

    name: str
    lower: Side
    upper: Side
    place: tuple[str, Model] = field(default=("", ()), kw_only=True, compare=False, repr=False)

    @property
    def group(self) -> str:
        """The group of the program that it belongs to."""
        return self.name.partition(".")[0]


@dataclass(frozen=True)
class Column(Entry):
    """A variable, with its cost."""

    cost: Fraction


@dataclass(frozen=True)
class Row(Entry):
    """A sum of terms."""

    terms: Terms


@dataclass(frozen=True)
class Listing:
    """A linear program; the names are for reading, what refers to a column or a row is its number.

    Attributes
    ----------
    constant
        Of the objective.
    """

    sense: Literal["minimize", "maximize"]
    constant: Fraction
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]

    @cached_property
    def sign(self) -> int:
        """1 for a minimum, -1 for a maximum."""
        return 1 if self.sense == "minimize" else -1

    def left(self, multipliers: Multipliers) -> list[Fraction]:
        """What is left of each cost when the rows are taken so many times."""
        scale = lcm(*(multiplier.denominator for multiplier in multipliers.values()))  # so that sums are of integers
        taken: list[Fraction | int] = [0] * len(self.columns)
        for i, multiplier in multipliers.items():
            times = multiplier.numerator * (scale // multiplier.denominator)
            for j, coefficient in self.rows[i].terms.items():
                taken[j] += times * coefficient
        return [column.cost - Fraction(sum) / scale for column, sum in zip(self.columns, taken, strict=True)]

    def shares(self, multipliers: Multipliers) -> Iterator[tuple[Row | Column, Fraction, Side]]:
        """The rows and the ranges of columns that the proof takes, how often, and the side that each is taken at."""
        for i, multiplier in multipliers.items():
            if multiplier:
                yield self.rows[i], multiplier, self._side(self.rows[i], multiplier)
        for column, rest in zip(self.columns, self.left(multipliers), strict=True):
            if rest:
                yield column, rest, self._side(column, rest)

    def _side(self, entry: Row | Column, multiplier: Fraction) -> Side:
        return entry.lower if multiplier * self.sign > 0 else entry.upper

    def proven(self, multipliers: Multipliers) -> Fraction:
        """The bound on the optimum that multipliers prove, exactly.

        Raises
        ------
        ValueError
            Where they prove none, since a side is open.
        """
        total = self.constant
        for entry, multiplier, side in self.shares(multipliers):
            if side is None:
                which = "lower" if multiplier * self.sign > 0 else "upper"
                raise ValueError(f"{entry.name} has no {which} side, and is taken {float(multiplier):.6g} times")
            total += multiplier * side
        return total


def listing_of(model: Model) -> Listing:
    """A linear Pyomo model, row by row; an integer variable is listed as a continuous one.

    A coefficient that is a double stands for the rational that `schedproof.core.solving.exact_check` reads in it.

    Raises
    ------
    ProgramError
        For a row or an objective that is not linear.
    """
    objective = next(model.component_data_objects(pyo.Objective, active=True))
    columns = columns_of(model)
    number = {id(column): n for n, column in enumerate(columns)}
    costs, constant = _linear(objective.expr, number, "the objective")
    return Listing(
        "minimize" if objective.is_minimizing() else "maximize",
        constant,
        tuple(
            Column(c.name, _exact(c.lb), _exact(c.ub), Fraction(costs.get(n, 0)), place=_place(c))
            for n, c in enumerate(columns)
        ),
        rows_of(model, number),
    )


def columns_of(model: Model) -> list[Model]:
    """The variables that are columns, in their order."""
    return [column for column in model.component_data_objects(pyo.Var, descend_into=True) if not column.fixed]


def rows_of(block: Model, number: Mapping[int, int]) -> tuple[Row, ...]:
    """The rows of a model or of a part of it; ``number`` is that of a column, by the `id` of its variable."""
    rows = []
    for row in block.component_data_objects(pyo.Constraint, active=True, descend_into=True):
        terms, offset = _linear(row.body, number, row.name)
        lower, upper = (None if side is None else rational(side) - offset for side in (row.lb, row.ub))
        rows.append(Row(row.name, lower, upper, terms, place=_place(row)))
    return tuple(rows)


def _place(entry: Model) -> tuple[str, Model]:
    return entry.parent_component().name, entry.index()


def _exact(side: float | None) -> Side:
    return None if side is None else rational(side)


def _linear(expression: Model, number: Mapping[int, int], name: str) -> tuple[dict[int, Fraction | int], Fraction]:
    """The terms and the constant of an expression."""
    from pyomo.repn import generate_standard_repn

    repn = generate_standard_repn(expression)
    if not repn.is_linear():
        raise ProgramError(f"{name} is not linear, and only linear programs are listed row by row; drop or replace it")
    pairs = zip(repn.linear_vars, repn.linear_coefs, strict=True)
    terms = {number[id(v)]: c if isinstance(c, int) else rational(c) for v, c in pairs if c}
    return terms, rational(repn.constant)
