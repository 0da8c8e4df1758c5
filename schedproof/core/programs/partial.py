"""A program with only some of its rows, bounds or groups, and its solver status."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Protocol

from schedproof.core.base.lazy import pyo
from schedproof.core.base.numbers import exactly
from schedproof.core.base.untyped import AnyFamily, Model, Value
from schedproof.core.errors import MissingExtra, ProgramError
from schedproof.core.programs.backends import BACKENDS, Buildable, Parts
from schedproof.core.programs.exact.form import listing_in
from schedproof.core.programs.exact.judgement import LinearProblem
from schedproof.core.programs.exact.pyomo_form import linear_part
from schedproof.core.programs.exact.status import Settled, settle
from schedproof.core.programs.group import Group, Index
from schedproof.core.programs.rows import Row
from schedproof.core.runtime.context import Context, silent
from schedproof.core.solvers import exact_check, pyomo_models


class Program(Buildable, Protocol):
    """The part of `schedproof.core.programs.program.Program` that this module uses."""

    @property
    def backend(self) -> str:
        """``pyomo`` or ``cvxpy``."""

    @property
    def default_solver(self) -> str:
        """The solver that is used when none is named."""


@dataclass(frozen=True)
class _Part:
    id: str
    sense: str
    groups: tuple[Group, ...]
    parameters: Mapping[str, Value]
    integer: bool
    column_bytes: float
    parts: Mapping[str, tuple[Index, ...]]
    changes: tuple[str, ...]


class GroupsOnly:
    """A program with some of its groups of constraints and a constant objective."""

    def __init__(self, program: Program, instance: AnyFamily) -> None:
        self.program, self.instance = program, instance
        self.variables = [g for g in program.groups if g.role == "variables"]

    def has_needs(self, groups: Sequence[Group]) -> bool:
        """Whether the groups' needs are included."""
        names = {g.name for g in (*self.variables, *groups)}
        return all(names & set(need.split("|")) for g in groups for need in g.needs)

    def proof(self, groups: Sequence[Group], context: Context) -> Settled | None:
        """Prove in rationals that these groups are infeasible, or return None."""
        try:
            with exactly():
                model = self._built(groups)
            settled = settle(listing_in(self.program.backend, model), context)
        except ProgramError:
            return None
        return settled if settled is not None and settled.status == "infeasible" else None

    def _built(self, groups: Sequence[Group]) -> Model:
        p = self.program
        groups = ANY_POINT, *groups, *self.variables
        part = _Part(p.id, p.sense, groups, p.parameters, p.integer, p.column_bytes, p.parts, p.changes)
        return BACKENDS[p.backend].build(part, self.instance, silent)

    def status_of(self, groups: Sequence[Group], solver: str, context: Context) -> str:
        backend, model = BACKENDS[self.program.backend], self._built(groups)
        linear = LinearProblem.of(model) if self.program.backend == "cvxpy" else None
        if linear is not None and (settled := settle(linear.listing, context)) is not None:
            return settled.status
        outcome = backend.solve(model, solver, context)
        if outcome.status != "infeasible" and self.proof(groups, context) is not None:
            return "infeasible"
        return "solver_failed" if outcome.has_point and backend.broken_row(model) else outcome.status


def _any_point(parts: Model, instance: AnyFamily) -> None:
    if isinstance(parts, Parts):
        parts.objective.append(0)
    else:
        parts.term = 0


ANY_POINT = Group("any_point", "objective", "", "0", (), _any_point)


class RowsOnly:
    """A program's model with switchable rows and bounds."""

    def __init__(self, program: Program, instance: AnyFamily) -> None:
        self.model = BACKENDS[program.backend].build(program, instance, silent)
        self.model.objective.deactivate()
        self.model.any_point = pyo.Objective(expr=0)
        self.rows = {row.name: row for row in self.model.component_data_objects(pyo.Constraint, active=True)}
        self.columns = {column.name: column for column in self.model.component_data_objects(pyo.Var)}
        self.bounds = {name: v.bounds if not v.fixed else (v.value, v.value) for name, v in self.columns.items()}
        for column in self.columns.values():
            column.unfix()
            column.domain = pyo.Integers if column.is_integer() else pyo.Reals

    def status_of(self, parts: Sequence[Row], solver: str, context: Context) -> str:
        for row in self.rows.values():
            row.deactivate()
        for column in self.columns.values():
            column.setlb(None)
            column.setub(None)
        for part in parts:
            if part.name in self.rows:
                self.rows[part.name].activate()
            elif part.relation.startswith(">="):
                self.columns[part.name].setlb(self.bounds[part.name][0])
            else:
                self.columns[part.name].setub(self.bounds[part.name][1])
        outcome = pyomo_models.solve(self.model, solver, context)
        return "solver_failed" if outcome.has_point and exact_check.broken_row(self.model) else outcome.status


def another_solver(program: Program, solver: str, linear: bool) -> str:
    """Return another installed solver of the same models."""
    others = [name for name in BACKENDS[program.backend].solvers if name != solver]
    if program.backend == "cvxpy":
        return others[0]
    for name in others:
        if find_spec(pyomo_models.SOLVERS[name][1]) is not None and (linear or name != "highs"):
            return name
    raise MissingExtra("a second solver of such programs", "minlp" if linear else "gurobi")


def feasible(program: Program, instance: AnyFamily) -> ProgramError:
    """Return the error that the rows are feasible, by a proof or by a solver."""
    backend = BACKENDS[program.backend]
    model = backend.build(program, instance, silent)
    if not backend.has_value_everywhere(model):
        return ProgramError(
            f"the rows of {program.id} are feasible on this instance; whether the "
            "objective is finite at a feasible point is unknown"
        )
    linear = model.is_lp() if program.backend == "cvxpy" else linear_part(model)[1]
    word = "" if linear else f", as {filtering_solver(program)} claims"
    return ProgramError(f"{program.id} is feasible on this instance{word}; an explanation needs an infeasible program")


def filtering_solver(program: Program) -> str:
    """Return the solver that filters whole groups."""
    return program.default_solver if program.backend == "cvxpy" else "scip"
