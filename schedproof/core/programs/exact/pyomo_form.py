"""A built Pyomo model, row by row in rationals.

A coefficient that is a double stands for the rational that `schedproof.core.solvers.exact_check` reads in it. What is
not linear is listed by rows of cones where `schedproof.core.programs.exact.curves` knows them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from schedproof.core.base.lazy import pyo
from schedproof.core.base.untyped import Model
from schedproof.core.errors import ProgramError
from schedproof.core.programs.exact.cones import Cone, Kind
from schedproof.core.programs.exact.curves import Affine, Members, affine, curves, squares
from schedproof.core.programs.exact.listing import Column, Listing, Row, Side, Terms
from schedproof.core.programs.exact.premises import Premise, require
from schedproof.core.programs.exact.scaling import Place
from schedproof.core.solvers.exact_check import rational


def listing_of(model: Model) -> Listing:
    """A Pyomo model, row by row; an integer variable is listed as a continuous one.

    Raises
    ------
    ProgramError
        For a row or an objective that is not linear, and that no cone lists, or whose cone has a premise that is not
        proven.
    """
    reader = _Reader(_numbers(model))
    listing = reader.listing(model)
    require(reader.premises, listing)
    return listing


def linear_part(model: Model) -> tuple[Listing, bool]:
    """The linear rows of a Pyomo model, and whether there are no others; an objective that is not linear is 0."""
    reader = _LinearReader(_numbers(model))
    return reader.listing(model), reader.whole


def nonlinear_numbers(model: Model) -> list[Place]:
    """The numbers of the rows and the objective that `linear_part` skips, other than 0."""
    reader = _LinearReader(_numbers(model))
    reader.listing(model)
    return reader.skipped


def columns_of(model: Model) -> list[Model]:
    """The variables that are columns, in their order."""
    return [column for column in model.component_data_objects(pyo.Var, descend_into=True) if not column.fixed]


def _numbers(model: Model) -> dict[int, int]:
    return {id(column): n for n, column in enumerate(columns_of(model))}


@contextmanager
def _finite(name: str) -> Iterator[None]:
    """What Python and Pyomo raise for numbers that are not finite, as a sentence that names the place."""
    try:
        yield
    except (ValueError, OverflowError):
        raise ProgramError(f"{name} has a number that is not finite, NaN or infinity") from None


def rows_of(block: Model, number: Mapping[int, int]) -> tuple[Row, ...]:
    """The linear rows of a part of a model; ``number`` is that of a column, by the `id` of its variable."""
    reader = _Reader(dict(number))
    reader.read(block)
    if reader.cones:
        raise ProgramError(f"{reader.rows[reader.cones[0].rows[0]].name} is not linear, as rows that are generated are")
    return tuple(reader.rows)


@dataclass(frozen=True)
class _Added:
    """A column that stands for a curve."""

    name: str
    lb: None = None
    ub: None = None


class _Reader:
    """Rows, cones, added columns and premises as they are read."""

    def __init__(self, number: dict[int, int]) -> None:
        self.rows, self.cones, self.added = list[Row](), list[Cone](), list[_Added]()
        self.premises = list[Premise]()
        self._number = number

    def listing(self, model: Model) -> Listing:
        """The whole of a model."""
        objective = next(model.component_data_objects(pyo.Objective, active=True))
        least, columns = objective.is_minimizing(), columns_of(model)
        with _finite("the objective"):
            costs, constant = self.linear(objective.expr, "the objective", below=least, above=not least)
        self.read(model)
        sense: Literal["minimize", "maximize"] = "minimize" if least else "maximize"
        every = tuple(self._column(c, costs.get(n, 0)) for n, c in enumerate([*columns, *self.added]))
        return Listing(sense, constant, every, tuple(self.rows), tuple(self.cones))

    def read(self, block: Model) -> None:
        """All rows of a model or of a part of it, as they are or as cones."""
        for row in block.component_data_objects(pyo.Constraint, active=True, descend_into=True):
            with _finite(row.name):
                self._read_row(row)

    def _read_row(self, row: Model) -> None:
        if plain := affine(row.body):
            terms, offset = self._terms(plain), plain[1]
        elif row.body.polynomial_degree() == 2 and (squared := squares(row)):
            members, premises = squared
            self._hold("second_order", members, row.name)
            for premise in premises:
                self._suppose(row.name, "a product", premise)
            return
        else:
            terms, offset = self.linear(row.body, row.name, below=row.ub is not None, above=row.lb is not None)
        lower, upper = (None if side is None else rational(side) - offset for side in (row.lb, row.ub))
        self.rows.append(Row(row.name, lower, upper, terms, place=_place(row)))

    def _column(self, column: Model, cost: Fraction | int) -> Column:
        with _finite(column.name):
            return Column(column.name, _exact(column.lb), _exact(column.ub), Fraction(cost), place=_place(column))

    def linear(self, expression: Model, name: str, *, below: bool, above: bool) -> tuple[Terms, Fraction]:
        """Terms and constant of what is wanted below something, or above; a curve that bends away is a column more."""
        if plain := affine(expression):
            return self._terms(plain), plain[1]
        plain, bends = curves(expression, name)
        for n, curve in enumerate(bends):
            if (below and curve.concave) or (above and not curve.concave):
                raise ProgramError(f"{name} is not convex: it bends to the other side at a {curve.name}")
            column = _Added(f"{name}.{curve.name}[{n}]")
            self._number[id(column)] = len(self._number)
            self.added.append(column)
            self._hold(*curve.cone(column), column.name)
            if curve.premise is not None:
                self._suppose(name, f"a {curve.name}", curve.premise)
            plain = [*plain[0], (column, curve.coefficient)], plain[1]
        return self._terms(plain), plain[1]

    def _hold(self, kind: Kind, members: Members, name: str) -> None:
        self.cones.append(Cone(kind, tuple(range(len(self.rows), len(self.rows) + len(members)))))
        self.rows += [Row(f"{name}.{k}", -part[1], None, self._terms(part)) for k, part in enumerate(members)]

    def _suppose(self, row: str, form: str, part: Affine) -> None:
        self.premises.append(Premise(row, form, self._terms(part), part[1]))

    def _terms(self, part: Affine) -> Terms:
        terms: dict[int, Fraction | int] = {}
        for column, coefficient in part[0]:
            number = self._number[id(column)]
            terms[number] = terms[number] + coefficient if number in terms else coefficient
        return {number: coefficient for number, coefficient in terms.items() if coefficient}


class _LinearReader(_Reader):
    """One that skips what is not linear.

    Attributes
    ----------
    whole
        Whether nothing was skipped.
    skipped
        The numbers of what was skipped, other than 0.
    """

    def __init__(self, number: dict[int, int]) -> None:
        super().__init__(number)
        self.whole, self.skipped = True, list[Place]()

    def _read_row(self, row: Model) -> None:
        if row.body.polynomial_degree() in (0, 1):
            super()._read_row(row)
        else:
            self._skip(row.body, row.name)
            self.skipped += [(f"as a side of {row.name}", rational(side)) for side in (row.lb, row.ub) if side]

    def linear(self, expression: Model, name: str, *, below: bool, above: bool) -> tuple[Terms, Fraction]:
        if plain := affine(expression):
            return self._terms(plain), plain[1]
        self._skip(expression, name)
        return {}, Fraction(0)

    def _skip(self, expression: Model, name: str) -> None:
        self.whole, parts = False, [expression]
        while parts:
            part = parts.pop()
            if hasattr(part, "args"):
                parts += part.args
            elif not hasattr(part, "is_fixed") or part.is_fixed():
                number = rational(part if isinstance(part, int | float | Fraction) else part())
                self.skipped += [(f"in {name}", number)] if number else []


def _place(entry: Model) -> tuple[str, Model]:
    return ("", ()) if isinstance(entry, _Added) else (entry.parent_component().name, entry.index())


def _exact(side: float | None) -> Side:
    return None if side is None else rational(side)
