"""Row generation: keep the rows in rationals, and in HiGHS with warm starts.

The final proof lists the original rows and the generated rows with a nonzero multiplier.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from math import inf
from sys import float_info
from typing import Protocol, Self

import numpy as np

from schedproof.core.base.lazy import pyo
from schedproof.core.base.numbers import exactly
from schedproof.core.base.untyped import AnyFamily, Model
from schedproof.core.errors import ProgramError
from schedproof.core.programs.backends import BUILD_ORDER, Buildable, add_block, arguments, indices
from schedproof.core.programs.exact.entries import Row
from schedproof.core.programs.exact.listing import Listing
from schedproof.core.programs.exact.pyomo_form import columns_of, listing_of, rows_of
from schedproof.core.programs.exact.solving import Doubles, ends_of, matrix_of
from schedproof.core.programs.group import Group, Index
from schedproof.core.runtime.context import USUAL, Context, Progress
from schedproof.core.solvers.status import Outcome

Point = dict[str, dict[Model, float]]  # variable -> index -> value


class Generated(Buildable, Protocol):
    """The attributes of a program that generation needs."""

    @property
    def backend(self) -> str:
        """The backend that builds the program."""

    def at(self, parts: Mapping[str, tuple[Index, ...]]) -> Self:
        """Return the program with these indices of generated rows and columns."""

    def build(self, instance: AnyFamily, progress: Progress) -> Model:
        """Return the model."""


class RowMaster:
    """The rows so far of a linear program, and its optimum over them.

    Parameters
    ----------
    largest
        Number of terms above which a known bound is not improved, unless there is a time limit.

    Attributes
    ----------
    outcome
        Outcome of the last solve with an optimum; without an optimum, of the first solve.
    best_bound
        The bound proven by the multipliers, as for a minimum, in doubles.
    """

    def __init__(self, program: Generated, instance: AnyFamily, context: Context = USUAL, largest: float = inf) -> None:
        self._program, self._instance, self._largest = program, instance, largest
        self._groups = [g for g in program.groups if g.separate]
        self._known: dict[str, dict[Index, None]] = {g.name: {} for g in self._groups}
        if program.backend != "pyomo":
            raise ProgramError(f"{program.id} is built with CVXPY; only Pyomo programs can have generated rows")
        with exactly():
            self._model = program.at(dict.fromkeys(self._known, ())).build(instance, context.progress)
        self._bare = listing_of(self._model)
        if self._bare.cones:
            raise ProgramError(f"{program.id} is not linear; only linear programs can have generated rows")
        self._number = {id(column): n for n, column in enumerate(columns_of(self._model))}
        self._rows: list[tuple[str, Index, Row]] = []
        self._built = 0
        self._handle = Doubles(self._bare).program()
        first = {g.name: indices(program, g, instance) for g in self._groups}
        self.add(first)
        self.outcome = Outcome("time_limit")
        given = [y for mine in first.values() for y in mine.values()]
        self._multipliers = np.array([0.0] * len(self._bare.rows) + [float(y) for y in given])
        self.best_bound = -float_info.max if any(given) else -inf  # given multipliers prove an unknown bound

    def __str__(self) -> str:
        value = "" if self.value is None else f", bound {self.value:.10g}"
        return f"{self.rows} rows{value}"

    @property
    def rows(self) -> int:
        """The number of rows so far."""
        return len(self._bare.rows) + len(self._rows)

    @property
    def _terms(self) -> int:
        return sum(len(row.terms) for row in self._bare.rows) + sum(len(row.terms) for _, _, row in self._rows)

    @property
    def value(self) -> float | None:
        """The optimum over the rows so far, in doubles, or None before the first."""
        if self.outcome.objective is None:
            return None
        return self._bare.sign * self.outcome.objective + float(self._bare.constant)

    gap = inf  # no primal value is known
    done = None

    def round(self, context: Context) -> str:
        """Add the rows violated by the current point, if any, and solve."""
        if self.best_bound > -inf and not context.limited and self._terms > self._largest:
            return f"more than {self._largest:,} terms"
        if self.outcome.objective is None:
            return self._solve(context)
        if not self.add(violated(self._program, self._instance, self.point)):
            return "converged"
        return self._solve(context)

    def _solve(self, context: Context) -> str:
        """Solve from the last basis; return the status if there is no optimum.

        In that case the last outcome is kept.
        """
        outcome = self._handle.solve(context)
        if outcome.objective is None:
            self.outcome = self.outcome if self.outcome.objective is not None else outcome
            return outcome.status
        self.outcome, self._point = outcome, self._handle.point
        if outcome.objective > self.best_bound:
            self.best_bound, self._multipliers = outcome.objective, self._bare.sign * self._handle.multipliers
        return ""

    def proof(self) -> tuple[dict[str, tuple[Index, ...]], Listing, np.ndarray]:
        """Return the rows with multipliers by group, their listing, and the multipliers."""
        order = [g.name for g in sorted(self._program.groups, key=lambda g: BUILD_ORDER.index(g.role))]
        number = dict.fromkeys(self._known, 0)
        parts: dict[str, list[Index]] = {name: [] for name in self._known}
        rows = list(zip(self._bare.rows, self._multipliers.tolist(), strict=False))
        for (name, index, row), multiplier in zip(self._rows, self._multipliers[len(rows) :].tolist(), strict=False):
            if multiplier:
                number[name] += 1
                parts[name].append(index)
                rows.append((_proof_row(row, name, number[name]), multiplier))
        rows.sort(key=lambda pair: order.index(pair[0].group))
        listing = replace(self._bare, rows=tuple(row for row, _ in rows))
        return (
            {name: tuple(mine) for name, mine in parts.items()},
            listing,
            np.array([multiplier for _, multiplier in rows]),
        )

    @property
    def parts(self) -> dict[str, tuple[Index, ...]]:
        """The indices so far, by group."""
        return {name: tuple(known) for name, known in self._known.items()}

    @property
    def point(self) -> Point:
        """The last solution, by variable and index."""
        result: Point = {}
        for column, value in zip(self._bare.columns, self._point.tolist(), strict=True):
            result.setdefault(column.place[0], {})[column.place[1]] = value
        return result

    def add(self, more: Mapping[str, Iterable[Index]]) -> int:
        """Add the rows of new indices and return their number."""
        rows: list[Row] = []
        for g in self._groups:
            known = self._known[g.name]
            if new := tuple(index for index in dict.fromkeys(more.get(g.name, ())) if index not in known):
                known.update(dict.fromkeys(new))
                mine = self._build(g, new)
                self._rows += [(g.name, index, row) for index, row in zip(new, mine, strict=True)]
                rows += mine
        if rows:
            self._handle.add_rows(matrix_of(rows, len(self._bare.columns)), *ends_of(rows))
        return len(rows)

    def _build(self, g: Group, new: tuple[Index, ...]) -> tuple[Row, ...]:
        self._built += 1
        with exactly():
            given = arguments(self._program, g, new)
            block = add_block(self._program, self._model, g, self._instance, given, self._built)
        rows = rows_of(block, self._number)
        lists = list(block.component_objects(pyo.Constraint, descend_into=True))
        if len(rows) != len(new) or not all(isinstance(part, pyo.ConstraintList) for part in lists):
            raise ProgramError(
                f"{self._program.id}: group '{g.name}': expected a pyo.ConstraintList with one row per index, in "
                f"their order; got {len(rows)} rows for {len(new)} indices"
            )
        self._model.del_component(block)
        return rows


def _proof_row(row: Row, name: str, number: int) -> Row:
    component = f"{name}.{row.place[0].partition('.')[2]}"
    return replace(row, name=f"{component}[{number}]", place=(component, number))


def violated(program: Generated, instance: AnyFamily, point: Point) -> dict[str, tuple[Index, ...]]:
    """Return the indices of the rows that a point violates, by group."""
    return {g.name: g.indices("separate", instance, point, **program.parameters) for g in program.groups if g.separate}
