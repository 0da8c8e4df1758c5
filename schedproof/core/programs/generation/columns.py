"""Column generation: a linear program over the columns so far, with exact bounds.

For any multipliers y of the rows, the objective of a point x is

    sum of y_i (a_i x) + sum over listed columns of d_j x_j + sum over the group's columns of d_j x_j,   d = c - y A.

The last sum is at least ``rest`` at y, an exact function of the group. The proof uses ``rest``, so the bound holds for
any set of listed columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import inf

import numpy as np
from scipy import sparse

from schedproof.core.base.numbers import exactly
from schedproof.core.base.untyped import AnyFamily, Model, Value
from schedproof.core.errors import NoSolution, ProgramError
from schedproof.core.programs.backends import indices
from schedproof.core.programs.exact.listing import ZERO, Listing, Multipliers, Row
from schedproof.core.programs.exact.pyomo_form import listing_of
from schedproof.core.programs.exact.solving import HAIRS, Doubles, near
from schedproof.core.programs.generation.master import Generated
from schedproof.core.programs.group import Group, Index, arguments_of
from schedproof.core.runtime.context import USUAL, Context
from schedproof.core.solvers.status import Outcome


class ColumnMaster:
    """The columns so far of a linear program, its optimum, and the best bound.

    The optimum is over the listed columns; the bound holds for all columns.

    Attributes
    ----------
    outcome
        Outcome of the last solve.
    best_bound
        The best bound so far, as for a minimum, in doubles.
    proof
        The multipliers of `listing`'s rows that prove the best bound, this bound, and the groups' ``rest`` values.
    """

    done = None

    def __init__(self, program: Generated, instance: AnyFamily, context: Context = USUAL) -> None:
        self._program, self._instance, self._progress = program, instance, context.progress
        self._groups = priced_groups(program)
        if program.backend != "pyomo" or any(g.separate for g in program.groups):
            raise ProgramError(f"{program.id}: only Pyomo programs without generated rows can have generated columns")
        self.parts = {g.name: tuple(indices(program, g, instance)) for g in self._groups}
        listing = self._listing(self.parts)
        self.listing = without_columns(listing, self._groups)
        self._number = {row.place: i for i, row in enumerate(listing.rows)}
        self._sign, self._constant = listing.sign, float(listing.constant)
        self._handle = Doubles(listing).program()
        self.outcome, self.best_bound = Outcome("time_limit"), -inf
        self.proof: tuple[dict[int, Fraction], Fraction, dict[str, Fraction]] | None = None

    def __str__(self) -> str:
        return f"{self.count} columns, value {self.value:.10g}, bound {self._sign * self.best_bound:.10g}"

    @property
    def count(self) -> int:
        """The number of columns so far."""
        return sum(map(len, self.parts.values()))

    @property
    def value(self) -> float:
        """The optimum over the columns so far, in doubles."""
        return self._sign * (self.outcome.objective or 0.0) + self._constant

    @property
    def gap(self) -> float:
        """The relative gap between the optimum over the columns so far and the best bound."""
        if self.outcome.objective is None or self.best_bound == -inf:
            return inf
        return max(0.0, self._sign * self.value - self.best_bound) / max(abs(self.value), 1e-9)

    def round(self, context: Context) -> str:
        """Solve, prove a bound for all columns, and add promising columns."""
        outcome = self._handle.solve(context)
        if outcome.objective is None:
            self.outcome = self.outcome if self.outcome.objective is not None else outcome
            return outcome.status
        self.outcome = outcome
        multipliers = self._sign * self._handle.multipliers
        self._prove(multipliers)
        doubles = {i: y for i, y in enumerate(multipliers.tolist()) if y}
        return "" if self._add(by_place(self.listing.rows, doubles)) else "converged"

    def _prove(self, multipliers: np.ndarray) -> None:
        try:
            proof, exact = near(self.listing, multipliers, less=HAIRS)
        except ValueError:
            return
        if all(g.rest for g in self._groups):
            rest = rests(self._program, self._instance, self.listing, proof)
            exact += sum(rest.values())
            if self._sign * float(exact) > self.best_bound:
                self.best_bound, self.proof = self._sign * float(exact), (proof, exact, rest)

    def _add(self, multipliers: Mapping[str, Mapping[Model, float]]) -> int:
        more: dict[str, tuple[Index, ...]] = {}
        for g in self._groups:
            assert g.price is not None
            known = set(self.parts[g.name])
            answer = g.price(self._instance, multipliers, **arguments_of(g.price, self._program.parameters))
            more[g.name] = tuple(index for index in dict.fromkeys(answer) if index not in known)
        count = sum(map(len, more.values()))
        if count:
            alone = self._listing(more)
            new = [n for n, column in enumerate(alone.columns) if column.group in more]
            place = {n: k for k, n in enumerate(new)}
            entries = [(self._row(row), place[j], a) for row in alone.rows for j, a in row.terms.items() if j in place]
            i, j, a = zip(*entries, strict=True) if entries else ((), (), ())
            shape = len(self.listing.rows), len(new)
            matrix = sparse.csc_array((np.array(a, dtype=float), (np.array(i, int), np.array(j, int))), shape=shape)
            self._handle.add_columns(np.array([float(self._sign * alone.columns[n].cost) for n in new]), matrix)
            self.parts = {name: self.parts[name] + more[name] for name in more}
        return count

    def _row(self, row: Row) -> int:
        if row.place not in self._number:
            raise ProgramError(f"{self._program.id}: the row {row.name} must exist for every set of generated columns")
        return self._number[row.place]

    def _listing(self, parts: Mapping[str, tuple[Index, ...]]) -> Listing:
        with exactly():
            listing = listing_of(self._program.at(parts).build(self._instance, self._progress))
        if listing.cones:
            raise ProgramError(f"{self._program.id} is not linear; only linear programs can have generated columns")
        for column in listing.columns:
            if column.group in parts and (column.lower != 0 or column.upper is not None):
                raise ProgramError(f"{column.name} is generated: expected the bounds >= 0 and no upper bound")
        return listing


def priced_groups(program: Generated) -> list[Group]:
    """Return the groups with generated columns."""
    return [g for g in program.groups if g.price]


def by_place(rows: Sequence[Row], multipliers: Mapping[int, Value]) -> dict[str, dict[Model, Value]]:
    """Return multipliers by component and index, 0 by default."""
    result: dict[str, dict[Model, Value]] = {}
    for i, row in enumerate(rows):
        result.setdefault(row.place[0], {})[row.place[1]] = multipliers.get(i, ZERO)
    return result


def rests(program: Generated, instance: AnyFamily, listing: Listing, proof: Multipliers) -> dict[str, Fraction]:
    """Return each group's ``rest``: a bound on its columns' total reduced cost.

    Raises
    ------
    NoSolution
        For a group without ``rest``.
    """
    multipliers, result = by_place(listing.rows, proof), dict[str, Fraction]()
    for g in priced_groups(program):
        if g.rest is None:
            raise NoSolution(
                f"{program.id}: no bound for columns that are not listed; define `rest` for the group '{g.name}'"
            )
        result[g.name] = Fraction(g.rest(instance, multipliers, **arguments_of(g.rest, program.parameters)))
    return result


def without_columns(listing: Listing, groups: Iterable[Group]) -> Listing:
    """Return the listing without the columns of some groups."""
    names = {g.name for g in groups}
    kept = [n for n, column in enumerate(listing.columns) if column.group not in names]
    number = {n: k for k, n in enumerate(kept)}
    rows = (replace(r, terms={number[j]: a for j, a in r.terms.items() if j in number}) for r in listing.rows)
    return replace(listing, columns=tuple(listing.columns[n] for n in kept), rows=tuple(rows))
