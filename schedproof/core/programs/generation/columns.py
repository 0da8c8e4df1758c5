"""Column generation: a linear program over the columns so far, with exact bounds.

For any multipliers y of the rows, the objective of a point x is

    sum of y_i (a_i x) + sum over listed columns of d_j x_j + sum over the group's columns of d_j x_j,   d = c - y A.

The last sum is at least the value of the group's exact function ``rest`` at y. The proof uses ``rest``, so the bound
holds for any set of listed columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from math import inf

import numpy as np

from schedproof.core.base.lazy import sparse
from schedproof.core.base.numbers import as_fraction, exactly
from schedproof.core.base.untyped import AnyFamily, Model, Value
from schedproof.core.errors import NoSolution, ProgramError
from schedproof.core.programs.backends import indices, listing_unmet
from schedproof.core.programs.exact.certificate import RowMultipliers
from schedproof.core.programs.exact.entries import ZERO, Row
from schedproof.core.programs.exact.listing import Listing, Multipliers
from schedproof.core.programs.exact.point import Values
from schedproof.core.programs.exact.pyomo_form import listing_of
from schedproof.core.programs.exact.solving import HAIRS, Doubles, ends_of, near
from schedproof.core.programs.generation.master import Generated
from schedproof.core.programs.group import Group, Index, arguments_of
from schedproof.core.runtime.context import USUAL, Context, Progress, silent
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
    listing
        The program without its generated columns; rows whose first columns were added late are at the end.
    proof
        The multipliers of `listing`'s rows that prove the best bound, the bound, and the values of the groups'
        ``rest``.
    """

    done = None

    def __init__(self, program: Generated, instance: AnyFamily, context: Context = USUAL) -> None:
        self._program, self._instance, self._progress = program, instance, context.progress
        self._groups = priced_groups(program)
        if program.backend != "pyomo" or any(g.separate for g in program.groups):
            raise ProgramError(f"{program.id}: only Pyomo programs without generated rows can have generated columns")
        self.parts = {g.name: tuple(indices(program, g, instance)) for g in self._groups}
        self._rows_of = {name: dict.fromkeys(first) for name, first in self.parts.items()}
        listing, unmet = listing_at(program, self.parts, instance, self._progress)
        if unmet:
            raise ProgramError(
                f"{program.id}: the row {unmet[0]} cannot hold without columns; let the function `start` of the group "
                f"'{self._groups[0].name}' return indices of columns in this row"
            )
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
        return "" if self._add(by_place(self.listing, doubles)) else "converged"

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
            known = set(self.parts[g.name])
            found = g.indices("price", self._instance, multipliers, **self._program.parameters)
            more[g.name] = tuple(index for index in found if index not in known)
        count = sum(map(len, more.values()))
        if count:
            alone, _ = listing_at(self._program, more, self._instance, self._progress)
            places = generated_columns(alone, more)
            self._add_rows(alone, places)
            new = {n: k for k, n in enumerate(places)}
            entries = [(self._row(row), new[j], a) for row in alone.rows for j, a in row.terms.items() if j in new]
            i, j, a = zip(*entries, strict=True) if entries else ((), (), ())
            shape = len(self.listing.rows), len(new)
            matrix = sparse.csc_array((np.array(a, dtype=float), (np.array(i, int), np.array(j, int))), shape=shape)
            self._handle.add_columns(np.array([float(self._sign * alone.columns[n].cost) for n in new]), matrix)
            self.parts = {name: self.parts[name] + more[name] for name in more}
        return count

    def _add_rows(self, alone: Listing, places: Mapping[int, tuple[str, Index]]) -> None:
        """Add the rows that had no terms before."""
        absent = set(self.listing.absent)
        late = []
        for row in alone.rows:
            generated = next((places[j] for j in row.terms if j in places), None)
            if generated and row.place in absent and row.place not in self._number:
                name, index = generated
                self._rows_of[name][index] = None
                self._number[row.place] = len(self._number)
                late.append(row)
        if not late:
            return
        width = len(self.listing.columns) + self.count
        self._handle.add_rows(sparse.csr_array((len(late), width)), *ends_of(late))
        empty = tuple(replace(row, terms={}) for row in late)
        self.listing = replace(self.listing, rows=self.listing.rows + empty)

    def _row(self, row: Row) -> int:
        if row.place not in self._number:
            raise ProgramError(f"{self._program.id}: the row {row.name} must exist for every set of generated columns")
        return self._number[row.place]

    def witness(self) -> tuple[RowMultipliers, Fraction]:
        """Return the certificate of the best bound, and the bound.

        The certificate's ``parts`` are the columns from which its rows are listed.
        """
        assert self.proof is not None
        proof, exact, rest = self.proof
        parts = {name: tuple(listed) for name, listed in self._rows_of.items()}
        listing, _ = listing_at(self._program, parts, self._instance, self._progress)
        number = {row.place: i for i, row in enumerate(listing.rows)}
        multipliers = {number[self.listing.rows[i].place]: y for i, y in proof.items()}
        return RowMultipliers(
            without_columns(listing, self._groups), dict(sorted(multipliers.items())), parts, rest
        ), exact


def listing_at(
    program: Generated, parts: Mapping[str, tuple[Index, ...]], instance: AnyFamily, progress: Progress = silent
) -> tuple[Listing, list[str]]:
    """Return a program's listing with some columns, and the rows that cannot hold.

    Such rows have no terms. The columns are those of the indices ``parts``.
    """
    with exactly(), listing_unmet() as unmet:
        listing = listing_of(program.at(parts).build(instance, progress))
    if listing.cones:
        raise ProgramError(f"{program.id} is not linear; only linear programs can have generated columns")
    for n in generated_columns(listing, parts):
        if listing.columns[n].lower != 0 or listing.columns[n].upper is not None:
            name = listing.columns[n].name
            raise ProgramError(f"{name} is generated: expected the bounds >= 0 and no upper bound")
    return listing, unmet


def generated_columns(listing: Listing, parts: Mapping[str, tuple[Index, ...]]) -> dict[int, tuple[str, Index]]:
    """Return group and index of each generated column, by its number."""
    result: dict[int, tuple[str, Index]] = {}
    for name, given in parts.items():
        own = [n for n, column in enumerate(listing.columns) if column.group == name]
        if len(own) != len(given):
            raise ProgramError(
                f"group '{name}': expected one variable for each of {len(given)} indices in `columns`, found {len(own)}"
            )
        result |= {n: (name, index) for n, index in zip(own, given, strict=True)}
    return result


def with_point(
    program: Generated, instance: AnyFamily, listing: Listing, values: Values
) -> tuple[Listing, dict[str, Mapping[Index, Fraction | int]]]:
    """Add the columns of a point to a listing; return it and the values.

    The point names generated columns by their indices, under the name of the group or of a variable of the group. The
    added columns have the group and the index as their place.
    """
    names, used = {g.name for g in priced_groups(program)}, dict[str, dict[Index, Fraction | int]]()
    kept: dict[str, Mapping[Index, Fraction | int]] = {}
    for variable, given in values.items():
        if (name := variable.partition(".")[0]) in names:
            used.setdefault(name, {}).update({index: x for index, x in given.items() if x})
        else:
            kept[variable] = given
    parts = {name: tuple(used.get(name, ())) for name in names}
    alone, unmet = listing_at(program, parts, instance)
    if unmet:
        raise ProgramError(f"{unmet[0]} has no terms at this point and cannot hold")
    number = {column.name: n for n, column in enumerate(listing.columns)}
    columns = list(listing.columns)
    for n, place in generated_columns(alone, parts).items():
        number[alone.columns[n].name] = len(columns)
        columns.append(replace(alone.columns[n], name=f"{place[0]}[{place[1]}]", place=place))
    terms = {row.name: {number[alone.columns[j].name]: a for j, a in row.terms.items()} for row in alone.rows}
    known = {row.name for row in listing.rows}
    rows = [replace(row, terms=terms.get(row.name, row.terms)) for row in listing.rows]
    rows += [replace(row, terms=terms[row.name]) for row in alone.rows if row.name not in known]
    return replace(listing, columns=tuple(columns), rows=tuple(rows)), kept | used


def priced_groups(program: Generated) -> list[Group]:
    """Return the groups with generated columns."""
    return [g for g in program.groups if g.price]


def by_place(listing: Listing, multipliers: Mapping[int, Value]) -> dict[str, dict[Model, Value]]:
    """Return multipliers of all rows by component and index; 0 for rows without terms."""
    result: dict[str, dict[Model, Value]] = {}
    for component, index in listing.absent:
        result.setdefault(component, {})[index] = ZERO
    for i, row in enumerate(listing.rows):
        result.setdefault(row.place[0], {})[row.place[1]] = multipliers.get(i, ZERO)
    return result


def rests_by_name(
    program: Generated, instance: AnyFamily, listing: Listing, proof: Multipliers
) -> dict[str, dict[str, Fraction]]:
    """Return each group's ``rest`` by name of its parts; "" for an undivided ``rest``.

    Raises
    ------
    NoSolution
        For a group without ``rest``.
    """
    multipliers, result = by_place(listing, proof), dict[str, dict[str, Fraction]]()
    for g in priced_groups(program):
        if g.rest is None:
            raise NoSolution(
                f"{program.id}: no bound for columns that are not listed; define `rest` for the group '{g.name}'"
            )
        with g.answers("rest"):
            answer = g.rest(instance, multipliers, **arguments_of(g.rest, program.parameters))
            given = answer if isinstance(answer, Mapping) else {"": answer}
            result[g.name] = {name: as_fraction(amount) for name, amount in given.items()}
    return result


def rests(program: Generated, instance: AnyFamily, listing: Listing, proof: Multipliers) -> dict[str, Fraction]:
    """Return each group's ``rest``: a bound on its columns' total reduced cost."""
    each = rests_by_name(program, instance, listing, proof)
    return {name: sum(amounts.values(), ZERO) for name, amounts in each.items()}


def without_columns(listing: Listing, groups: Iterable[Group]) -> Listing:
    """Return the listing without the columns of some groups."""
    names = {g.name for g in groups}
    kept = [n for n, column in enumerate(listing.columns) if column.group not in names]
    number = {n: k for k, n in enumerate(kept)}
    rows = (replace(r, terms={number[j]: a for j, a in r.terms.items() if j in number}) for r in listing.rows)
    return replace(listing, columns=tuple(listing.columns[n] for n in kept), rows=tuple(rows))
