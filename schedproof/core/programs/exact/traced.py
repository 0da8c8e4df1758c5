"""A linear model whose numbers remember the data that they are computed from.

Numbers of the instance are replaced by `Datum`. After a change of data, only the costs, sides, ends and coefficients
whose Pyomo expressions depend on the data are evaluated again. A group that uses a datum in a comparison, a rounding or
a range cannot be built with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction

from pyomo.core.expr.numvalue import NumericValue
from pyomo.repn import generate_standard_repn

from schedproof.core.base.lazy import pyo
from schedproof.core.base.untyped import Model, Value
from schedproof.core.errors import ProgramError
from schedproof.core.programs.exact.entries import Column, Row
from schedproof.core.programs.exact.listing import Listing
from schedproof.core.programs.exact.pyomo_form import columns_of
from schedproof.core.solvers.exact_check import constant

Slot = tuple[str, int, int]  # a kind of number, its row or column, and the column of a coefficient
CONSTANT: Slot = ("constant", 0, 0)


class Datum(NumericValue):  # type: ignore[misc]
    """A number of an instance in Pyomo's expressions, like a mutable parameter.

    It has no truth value, no hash and no order, so that no code can depend on its present value.
    """

    __slots__ = ("value",)

    def __init__(self, value: Value) -> None:
        self.value = value

    def __call__(self, exception: bool = True) -> Value:
        return self.value

    def __hash__(self) -> int:
        raise TypeError("a number that may change has no hash")

    def is_fixed(self) -> bool:
        return True

    def is_constant(self) -> bool:
        return False

    def is_potentially_variable(self) -> bool:
        return False

    def is_parameter_type(self) -> bool:
        return True

    def getname(self, *_: Value, **__: Value) -> str:
        return "datum"

    name = property(getname)
    local_name = property(getname)

    def to_string(self, *_: Value, **__: Value) -> str:
        return "datum"

    __str__ = getname


@dataclass
class Changed:
    """New entries by number of the row or column, and the coefficients that changed."""

    columns: dict[int, Column] = field(default_factory=dict)
    rows: dict[int, Row] = field(default_factory=dict)
    coefficients: list[tuple[int, int]] = field(default_factory=list)
    constant: Fraction | None = None


class Traced:
    """The numbers of a linear model as expressions of data.

    Parameters
    ----------
    listing
        The listing of the model built from numbers. The traced rows must be equal to it.

    Raises
    ------
    ProgramError
        If the rows differ, or a row is not linear in the variables.
    """

    def __init__(self, model: Model, listing: Listing) -> None:
        self.model, self.listing = model, listing
        self._slots: dict[Slot, Callable[[], Value]] = {}
        self._users: dict[int, list[Slot]] = {}
        self._number = {id(column): j for j, column in enumerate(columns_of(model))}
        self._read()

    def _read(self) -> None:
        objective = next(self.model.component_data_objects(pyo.Objective, active=True))
        terms, rest = self._affine(objective.expr)
        costs = {j: self._slot(("cost", j, 0), a) for j, a in terms.items()}
        total = self._slot(CONSTANT, rest)
        columns = [
            replace(
                self.listing.columns[j],
                name=column.name,
                cost=costs.get(j, Fraction(0)),
                **self._ends(("column", j, 0), column.lower, column.upper),
            )
            for j, column in enumerate(columns_of(self.model))
        ]
        rows = list[Row]()
        for row in self.model.component_data_objects(pyo.Constraint, active=True, descend_into=True):
            i, (terms, rest) = len(rows), self._affine(row.body)
            if i >= len(self.listing.rows):
                raise ProgramError("the traced model has more rows")
            entries = {j: self._slot(("coefficient", i, j), a) for j, a in terms.items()}
            ends = self._ends(("row", i, 0), row.lower, row.upper, rest)
            rows.append(replace(self.listing.rows[i], name=row.name, terms=entries, **ends))
        same = replace(self.listing, constant=total, columns=tuple(columns), rows=tuple(rows))
        if without_zeros(same) != self.listing:
            raise ProgramError("the traced model has other rows than the model of the instance")
        self.listing = same

    def _affine(self, expression: Model) -> tuple[dict[int, Model], Model]:
        repn = generate_standard_repn(expression, compute_values=False)
        if repn.nonlinear_expr is not None or repn.quadratic_vars:
            raise ProgramError("a row is not linear")
        return {self._number[id(v)]: a for v, a in zip(repn.linear_vars, repn.linear_coefs, strict=True)}, repn.constant

    def _slot(self, slot: Slot, expression: Model) -> Fraction:
        self._register(slot, lambda: constant(expression), [expression])
        return constant(expression)

    def _ends(self, slot: Slot, lower: Model, upper: Model, rest: Model = 0) -> dict[str, Value]:
        def ends() -> dict[str, Value]:
            offset = constant(rest)
            low, high = (None if side is None else constant(side) - offset for side in (lower, upper))
            return {"lower": low, "upper": high}

        self._register(slot, ends, [lower, upper, rest])
        return ends()

    def _register(self, slot: Slot, read: Callable[[], Value], parts: list[Model]) -> None:
        users = {id(datum) for datum in _data(parts)}
        if users:
            self._slots[slot] = read
        for user in users:
            self._users.setdefault(user, []).append(slot)

    def update(self, data: Iterable[Datum]) -> Changed:
        """Return the entries that depend on data whose values have changed."""
        changed, rows, columns = Changed(), self.listing.rows, self.listing.columns
        terms: dict[int, dict[int, Fraction]] = {}
        for slot in dict.fromkeys(slot for datum in data for slot in self._users.get(id(datum), ())):
            (kind, n, j), new = slot, self._slots[slot]()
            if kind == "constant":
                changed.constant = new
            elif kind == "cost":
                changed.columns[n] = replace(changed.columns.get(n, columns[n]), cost=new)
            elif kind == "column":
                changed.columns[n] = replace(changed.columns.get(n, columns[n]), **new)
            elif kind == "row":
                changed.rows[n] = replace(changed.rows.get(n, rows[n]), **new)
            else:
                terms.setdefault(n, {})[j] = new
                changed.coefficients.append((n, j))
        for n, new_terms in terms.items():
            row = changed.rows.get(n, rows[n])
            changed.rows[n] = replace(row, terms={**row.terms, **new_terms})
        self.listing = _with(self.listing, changed)
        return changed


def _with(listing: Listing, changed: Changed) -> Listing:
    columns, rows = list(listing.columns), list(listing.rows)
    for j, column in changed.columns.items():
        columns[j] = column
    for i, row in changed.rows.items():
        rows[i] = row
    constant = listing.constant if changed.constant is None else changed.constant
    return replace(listing, constant=constant, columns=tuple(columns), rows=tuple(rows))


def without_zeros(listing: Listing) -> Listing:
    """Return the listing without coefficients that are 0."""
    rows = tuple(
        row if all(row.terms.values()) else replace(row, terms={j: a for j, a in row.terms.items() if a})
        for row in listing.rows
    )
    return replace(listing, rows=rows)


def _data(parts: list[Model]) -> Iterator[Datum]:
    while parts:
        part = parts.pop()
        if type(part) is Datum:
            yield part
        elif hasattr(part, "args"):
            parts += part.args
