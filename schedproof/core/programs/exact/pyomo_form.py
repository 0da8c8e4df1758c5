"""A built Pyomo model, row by row in rationals.

A double coefficient means the rational that `schedproof.core.solvers.exact_check` reads in it. Nonlinear parts become
rows of cones if `schedproof.core.programs.exact.curves` supports them.
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
from schedproof.core.programs.exact.curves import Affine, Members, affine, curves, ends, sides, squares
from schedproof.core.programs.exact.entries import Column, Row, Terms
from schedproof.core.programs.exact.listing import Listing
from schedproof.core.programs.exact.premises import Premise, require
from schedproof.core.programs.exact.scaling import Place
from schedproof.core.solvers.exact_check import constant


def listing_of(model: Model) -> Listing:
    """Return a Pyomo model's rows; integer variables become continuous.

    Raises
    ------
    ProgramError
        For an unsupported nonlinear row or objective, or an unproven premise.
    """
    reader = _Reader(_numbers(model))
    listing = reader.listing(model)
    require(reader.premises, listing)
    return listing


def linear_part(model: Model) -> tuple[Listing, bool]:
    """Return the linear rows, and whether all rows are linear.

    A nonlinear objective is 0.
    """
    reader = _LinearReader(_numbers(model))
    return reader.listing(model), reader.whole


def nonlinear_numbers(model: Model) -> list[Place]:
    """Return the nonzero numbers of the rows and objective that `linear_part` skips."""
    reader = _LinearReader(_numbers(model))
    reader.listing(model)
    return reader.skipped


def columns_of(model: Model) -> list[Model]:
    """Return the variables that are columns, in order."""
    return [column for column in model.component_data_objects(pyo.Var, descend_into=True) if not column.fixed]


def _numbers(model: Model) -> dict[int, int]:
    return {id(column): n for n, column in enumerate(columns_of(model))}


@contextmanager
def _finite(name: str) -> Iterator[None]:
    from pyomo.common.errors import InvalidConstraintError

    try:
        yield
    except InvalidConstraintError:
        raise ProgramError(
            f"the range {name} has variables in its lower or upper limit; write two rows instead"
        ) from None
    except (ValueError, TypeError, OverflowError) as error:
        if any(words in str(error) for words in ("integer ratio", "non-finite")):  # Python's and Pyomo's words
            raise ProgramError(f"{name} has NaN or infinity, expected finite numbers") from None
        raise ProgramError(f"{name} has a parameter, an expression or a fixed variable without a number") from None


def rows_of(block: Model, number: Mapping[int, int]) -> tuple[Row, ...]:
    """Yield the linear rows of a part of a model."""
    reader = _Reader(dict(number))
    reader.read(block)
    if reader.cones:
        raise ProgramError(f"{reader.rows[reader.cones[0].rows[0]].name} is not linear, expected linear generated rows")
    return tuple(reader.rows)


@dataclass(frozen=True)
class _Added:
    """A column for a curve."""

    name: str
    lb: None = None
    ub: None = None
    lower: None = None
    upper: None = None


class _Reader:
    """Collects rows, cones, added columns and premises."""

    def __init__(self, number: dict[int, int]) -> None:
        self.rows, self.cones, self.added = list[Row](), list[Cone](), list[_Added]()
        self.premises = list[Premise]()
        self._number = number
        self._components: dict[int, str] = {}  # names by id
        from pyomo.core.base.component_namer import index_repr

        self._index_text = index_repr

    def listing(self, model: Model) -> Listing:
        objective = next(model.component_data_objects(pyo.Objective, active=True))
        least, columns = objective.is_minimizing(), columns_of(model)
        with _finite("the objective"):
            costs, constant = self.linear(objective.expr, "the objective", below=least, above=not least)
        self.read(model)
        sense: Literal["minimize", "maximize"] = "minimize" if least else "maximize"
        every = tuple(self._column(c, costs.get(n, 0)) for n, c in enumerate([*columns, *self.added]))
        return Listing(sense, constant, every, tuple(self.rows), tuple(self.cones), _absent(model))

    def read(self, block: Model) -> None:
        """Read all rows of a model or a part, linear or as cones."""
        for row in block.component_data_objects(pyo.Constraint, active=True, descend_into=True):
            name, place = self._name_and_place(row)
            with _finite(name):
                self._read_row(row, name, place)

    def _read_row(self, row: Model, name: str, place: tuple[str, Model]) -> None:
        if plain := affine(row.body):
            terms, offset = self._terms(plain), plain[1]
        elif row.body.polynomial_degree() == 2 and (squared := squares(row)):
            members, premises = squared
            self._hold("second_order", members, name)
            for premise in premises:
                self._suppose(name, "a product", premise)
            return
        else:
            terms, offset = self.linear(row.body, name, below=row.ub is not None, above=row.lb is not None)
        lower, upper = (side if side is None else side - offset for side in sides(row))
        self.rows.append(Row(name, lower, upper, terms, place=place))

    def _column(self, column: Model, cost: Fraction | int) -> Column:
        name, place = self._name_and_place(column)
        try:
            lower, upper = ends(column, column.lower, column.upper)
        except Exception:
            with _finite(name):  # entered only now, because a program has many columns
                raise
        return Column(name, lower, upper, Fraction(cost), place=place)

    def _name_and_place(self, entry: Model) -> tuple[str, tuple[str, Model]]:
        """Return the name that Pyomo gives an entry, and its place."""
        if isinstance(entry, _Added):
            return entry.name, ("", ())
        component, index = entry.parent_component(), entry.index()
        if id(component) not in self._components:
            self._components[id(component)] = component.name
        name = self._components[id(component)]
        return (name if component is entry else name + self._index_text(index)), (name, index)

    def linear(self, expression: Model, name: str, *, below: bool, above: bool) -> tuple[Terms, Fraction]:
        """Return terms and constant of an expression that is bounded on one side.

        Each nonlinear term adds a column and a cone row; a wrong curvature raises a ProgramError.
        """
        if plain := affine(expression):
            return self._terms(plain), plain[1]
        plain, bends = curves(expression, name)
        for n, curve in enumerate(bends):
            if (below and curve.concave) or (above and not curve.concave):
                raise ProgramError(f"{name} is not convex: the curvature of a {curve.name} has the wrong sign")
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
            number = self._number.get(id(column))
            if number is None:
                raise ProgramError(f"{column.name} is in a row or the objective, but in no group of variables")
            terms[number] = terms[number] + coefficient if number in terms else coefficient
        return {number: coefficient for number, coefficient in terms.items() if coefficient}


class _LinearReader(_Reader):
    """A reader that skips nonlinear parts.

    Attributes
    ----------
    whole
        Whether nothing was skipped.
    skipped
        The nonzero numbers of the skipped parts.
    """

    def __init__(self, number: dict[int, int]) -> None:
        super().__init__(number)
        self.whole, self.skipped = True, list[Place]()

    def _read_row(self, row: Model, name: str, place: tuple[str, Model]) -> None:
        if row.body.polynomial_degree() in (0, 1):
            super()._read_row(row, name, place)
        else:
            self._skip(row.body, name)
            self.skipped += [(f"as a side of {name}", side) for side in sides(row) if side]

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
                number = constant(part)
                self.skipped += [(f"in {name}", number)] if number else []


def _absent(model: Model) -> tuple[tuple[str, Model], ...]:
    every = model.component_objects(pyo.Constraint, active=True, descend_into=True)
    rows = (row for row in every if row.index_set().isfinite())
    return tuple((row.name, index) for row in rows for index in row.index_set() if index not in row)
