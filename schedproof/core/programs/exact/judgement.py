"""Judge a solver's answer in rationals: a proof, or why it is no evidence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Protocol

import numpy as np

from schedproof.core.base.lazy import pyo
from schedproof.core.base.untyped import Model
from schedproof.core.errors import ProgramError
from schedproof.core.programs.exact.cvxpy_form import listing_of_problem
from schedproof.core.programs.exact.integers import IntegerForm
from schedproof.core.programs.exact.listing import Listing
from schedproof.core.programs.exact.point import Point
from schedproof.core.programs.exact.pyomo_form import columns_of, linear_part
from schedproof.core.programs.exact.scaling import Place, neglected
from schedproof.core.programs.exact.solving import DENOMINATORS, Doubles
from schedproof.core.programs.exact.status import Settled, optimal, settle
from schedproof.core.programs.exact.tree import settle_integers
from schedproof.core.runtime.context import Context
from schedproof.core.solvers.exact_check import FEASIBILITY, broken_row
from schedproof.core.solvers.solution import STATEMENTS
from schedproof.core.solvers.status import Outcome


class Judge(Protocol):
    """A linear model that judges outcomes."""

    @property
    def integers(self) -> frozenset[int]:
        """The integer columns."""

    def judge(self, outcome: Outcome, flaw: str, context: Context) -> tuple[Settled | None, str]:
        """Judge an outcome in rationals; see `Linear.judge`."""

    def load(self, point: Sequence[Fraction]) -> None:
        """Set the model's variables."""


@dataclass(frozen=True)
class LinearProblem:
    """A linear CVXPY problem with its listing; integers are not supported."""

    listing: Listing
    problem: Model
    integers: frozenset[int] = frozenset()

    @classmethod
    def of(cls, problem: Model) -> LinearProblem | None:
        """Return None for a nonlinear problem, or for variables without own columns."""
        if not problem.is_lp() or problem.is_mixed_integer():
            return None
        listing, variables = listing_of_problem(problem), problem.variables()
        places = [(variable.name(), index) for variable in variables for index in np.ndindex(variable.shape)]
        own = len({*places}) == len(places) and {*places} <= {column.place for column in listing.columns}
        return cls(listing, problem) if own and not listing.cones else None

    def judge(self, outcome: Outcome, flaw: str, context: Context) -> tuple[Settled | None, str]:
        """Judge an outcome in rationals; see `Linear.judge`."""
        if outcome.status not in (*STATEMENTS, "solver_failed"):
            return None, ""
        settled = settle(self.listing, context)
        return settled, "" if settled else doubt(self.listing)

    def load(self, point: Sequence[Fraction]) -> None:
        """Set the problem's variables."""
        values = {column.place: float(x) for column, x in zip(self.listing.columns, point, strict=True)}
        for variable in self.problem.variables():
            name, shape = variable.name(), variable.shape
            variable.value = np.array([values[name, index] for index in np.ndindex(shape)]).reshape(shape)


@dataclass(frozen=True)
class Linear:
    """A linear Pyomo model with its listing.

    Attributes
    ----------
    rounded
        Whether rationals became doubles in the model.
    """

    listing: Listing
    columns: Sequence[Model]
    rows: Sequence[Model]
    integers: frozenset[int]
    rounded: bool = True

    @classmethod
    def of(cls, model: Model) -> Linear | None:
        """Return the model, or None if nonlinear; ProgramError for a non-finite number."""
        listing, whole = linear_part(model)
        if not whole:
            return None
        columns = columns_of(model)
        rows = list(model.component_data_objects(pyo.Constraint, active=True, descend_into=True))
        integers = frozenset(j for j, c in enumerate(columns) if c.is_integer())
        return cls(listing, columns, rows, integers, getattr(model, "rounded", True))

    def stated(self, exact: Callable[[], Model]) -> Linear | None:
        """Return the model with the listing of ``exact()``, or None if columns differ."""
        if not self.rounded:
            return self
        listing, _ = linear_part(exact())
        return replace(self, listing=listing) if self._names(self.listing) == self._names(listing) else None

    @staticmethod
    def _names(listing: Listing) -> list[str]:
        return [entry.name for entry in (*listing.columns, *listing.rows)]

    def broken_row(self, model: Model) -> str:
        """As `exact_check.broken_row`; a large listing is first checked in doubles."""
        x = np.array([np.nan if column.value is None else column.value for column in self.columns], dtype=float)
        whole = x[sorted(self.integers)]
        large, sound = self.listing.integers, np.isfinite(x).all() and (whole == np.rint(whole)).all()
        if large and sound and Doubles(self.listing).meets(x, FEASIBILITY):
            return ""
        return broken_row(model)

    def judge(self, outcome: Outcome, flaw: str, context: Context) -> tuple[Settled | None, str]:
        """Return the proven status, or the reason why the outcome is no evidence.

        Parameters
        ----------
        flaw
            The flaw of the outcome's point. With integers, a flaw is accepted only if solvers may have dropped a
            number.
        """
        point = [column.value or 0.0 for column in self.columns]
        duals = outcome.multipliers
        y = None if duals is None else np.array([duals.get(row, 0.0) for row in self.rows])
        return judge(self.listing, self.integers, outcome, flaw, context, point, y)

    def load(self, point: Sequence[Fraction]) -> None:
        """Set the model's variables."""
        for column, value in zip(self.columns, point, strict=True):
            column.set_value(float(value), skip_validation=True)


def judge(
    listing: Listing,
    integers: frozenset[int],
    outcome: Outcome,
    flaw: str,
    context: Context,
    point: Sequence[float] | np.ndarray,
    duals: np.ndarray | None,
    form: IntegerForm | None = None,
    why: str | None = None,
) -> tuple[Settled | None, str]:
    """Return a program's proven status, or why the outcome is no evidence.

    Parameters
    ----------
    flaw
        As for `Linear.judge`.
    point, duals
        The solver's point, and its multipliers if known.
    form
        The listing in integers, if known.
    why
        The listing's `doubt`, if known.
    """
    if outcome.status not in (*STATEMENTS, "solver_failed"):
        return None, ""
    if not integers:
        found = None
        if outcome.status == "optimal" and duals is not None:
            found = (point, duals) if np.isfinite(point).all() and np.isfinite(duals).all() else None
        settled = optimal(listing, form, found) if form and found else None
        settled = settled or settle(listing, context, found)
        return settled, "" if settled else (doubt(listing) if why is None else why)
    why = doubt(listing) if why is None else why
    if outcome.status == "optimal":
        why = why or ("" if flaw else _broken(listing, integers, point, context, form))
        if not why:
            return None, ""
    return settle_integers(listing, integers, context), why


def _broken(
    listing: Listing,
    integers: frozenset[int],
    values: Sequence[float] | np.ndarray,
    context: Context,
    form: IntegerForm | None,
) -> str:
    """Return the row that the solver's point violates, or an empty string.

    The point is rounded to nearby rationals. A violation counts only if the point's integers have no feasible
    completion.
    """
    if not np.isfinite(values).all():
        return ""
    if form and form.near(np.asarray(values, dtype=float)):
        return ""
    point = tuple(Fraction(x).limit_denominator(DENOMINATORS) for x in values)
    try:
        Point(listing, point).require_feasible()
    except ProgramError as error:
        columns = list(listing.columns)
        for j in integers:
            if not columns[j].allows(point[j]):
                return f"at the solver's point {error}"
            columns[j] = replace(columns[j], lower=point[j], upper=point[j])
        fixed = settle(replace(listing, columns=tuple(columns)), context)
        return "" if fixed is None or fixed.status != "infeasible" else f"at the solver's point {error}"
    return ""


def doubt(listing: Listing, others: Iterable[Place] = ()) -> str:
    """Return a number that solvers may drop, as a reason for doubt; "" for none."""
    dropped = neglected(listing, others)
    return f"solvers may drop the number {dropped}" if dropped else ""
