"""The backends Pyomo and CVXPY: build models from groups, and read solved points."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache
from numbers import Number
from typing import NamedTuple, Protocol

import numpy as np

from schedproof.core.base.lazy import cvxpy, pyo
from schedproof.core.base.numbers import first_rounded
from schedproof.core.base.untyped import AnyFamily, Model, Value
from schedproof.core.errors import ProgramError, UnknownName, one_sentence, short, suggestion
from schedproof.core.programs.group import Group, Index
from schedproof.core.programs.readable import (
    require_constraints,
    require_finite,
    require_named_integers,
    require_read,
    require_readable,
)
from schedproof.core.runtime import memory
from schedproof.core.runtime.context import Context, Progress
from schedproof.core.solvers import cvx, exact_check, pyomo_models
from schedproof.core.solvers.status import Outcome

UNMET: ContextVar[list[str] | None] = ContextVar("UNMET", default=None)  # see `listing_unmet`
BUILD_ORDER = ("variables", "constraints", "objective")
Values = dict[str, dict[Model, float]]  # variable -> index -> value, nonzero entries only


class Buildable(Protocol):
    """The attributes of a program that a backend needs."""

    @property
    def id(self) -> str:
        """``family.name``."""

    @property
    def sense(self) -> str:
        """``minimize`` or ``maximize``."""

    @property
    def groups(self) -> tuple[Group, ...]:
        """The groups in printed order."""

    @property
    def parameters(self) -> Mapping[str, Value]:
        """Values of the builders' keyword arguments."""

    @property
    def parts(self) -> Mapping[str, tuple[Index, ...]]:
        """Indices of generated rows or columns, by group."""

    @property
    def changes(self) -> tuple[str, ...]:
        """Changes in words, among them ``relaxed``."""

    @property
    def integer(self) -> bool:
        """Whether integer variables stay integer."""

    @property
    def column_bytes(self) -> float:
        """Bytes per column with its rows."""


class Backend(NamedTuple):
    """Functions that build, solve and read programs.

    Attributes
    ----------
    build
        Builds a program's model for an instance, reports the size as progress, and raises an error if memory is too
        small.
    solve
        Solves a model with a named solver and a context; returns an `Outcome` without values.
    point
        Returns a solved model's objective and variable values.
    broken_row
        Describes a row that a solved model's point violates; "" for none.
    has_value_everywhere
        Returns whether a model's objective has a value at each point: no logarithm, root or quotient.
    solvers
        Names of the solvers, the default first.
    load
        Imports the modelling library, which takes a second, before a clock starts.
    """

    build: Callable[[Buildable, AnyFamily, Progress], Model]
    solve: Callable[[Model, str, Context], Outcome]
    point: Callable[[Model], tuple[float, Values]]
    broken_row: Callable[[Model], str]
    has_value_everywhere: Callable[[Model], bool]
    solvers: Sequence[str]
    load: Callable[[], object]


def _in_build_order(program: Buildable, instance: AnyFamily) -> list[tuple[Group, dict[str, Value]]]:
    ordered: list[Group] = []

    def take(g: Group) -> None:
        for need in (name for names in g.needs for name in names.split("|")):
            for other in program.groups:
                if other.name == need and other not in ordered:
                    take(other)
        if g not in ordered:
            ordered.append(g)

    for g in sorted(program.groups, key=lambda g: BUILD_ORDER.index(g.role)):
        take(g)
    for g in ordered:
        for name in g.parameters:
            if name not in program.parameters:
                raise UnknownName(f"parameter of {program.id}, needed by {_group(g)},", name, program.parameters)
    return [(g, arguments(program, g, indices(program, g, instance))) for g in ordered]


def indices(program: Buildable, g: Group, instance: AnyFamily) -> Mapping[Index, float]:
    """Return indices of a group's generated rows or columns, with first multipliers."""
    if g.name in program.parts:
        return dict.fromkeys(program.parts[g.name], 0.0)
    return g.first(instance, program.parameters)


def arguments(program: Buildable, g: Group, indices: Iterable[Index]) -> dict[str, Value]:
    return {name: program.parameters[name] for name in g.parameters} | ({g.many: tuple(indices)} if g.many else {})


def _group(g: Group) -> str:
    return f"group '{g.name}' {g.source}"


def pyomo_model(program: Buildable, instance: AnyFamily, progress: Progress) -> Model:
    """Return a ``ConcreteModel`` with one Block per group, under the group's name.

    The model's size is compared with free memory once the variables are built.
    """
    model = pyo.ConcreteModel(name=program.id)
    sized = False
    for g, given in _in_build_order(program, instance):
        if g.role != "variables" and not sized:
            columns = sum(len(variable) for variable in model.component_objects(pyo.Var, descend_into=True))
            memory.require(program.id, columns, program.column_bytes, memory.SMALLER, progress)
            sized = True
        block = add_block(program, model, g, instance, given)
        if g.role == "objective" and not hasattr(block, "term"):
            raise ProgramError(f"{program.id}: {_group(g)} must set block.term, its term of the objective")
    terms = [model.component(g.name).term for g in program.groups if g.role == "objective"]
    with _building():
        require_readable(model)
    model.objective = pyo.Objective(expr=sum(terms), sense=getattr(pyo, program.sense))
    if not program.integer:
        if "relaxed" not in program.changes:
            require_named_integers(program.groups, model)
        pyo.TransformationFactory("core.relax_integer_vars").apply_to(model)
    return model


def add_block(
    program: Buildable, model: Model, g: Group, instance: AnyFamily, given: Mapping[str, Value], again: int = 0
) -> Model:
    """Return the Block filled by a group; rebuilt blocks get another name.

    Parameters
    ----------
    again
        Number of the rebuild with other generated rows; 0 for the first build.

    The model's attribute ``rounded`` says whether rationals became doubles.
    """
    block = _term_block()() if g.role == "objective" else pyo.Block()
    with _one_sentence(program, g, model), _building(), first_rounded() as rounded:
        model.add_component(f"{g.name}+{again}" if again else g.name, block)
        _put(block, g.role, g.build(block, instance, *map(model.component, g.blocks), **given))
    model.rounded = bool(rounded) or getattr(model, "rounded", False)
    return block


@cache
def _term_block() -> type[Model]:
    from pyomo.core.base.block import ScalarBlock
    from pyomo.core.expr import SumExpression

    class TermBlock(ScalarBlock):  # type: ignore[misc]
        def __setattr__(self, name: str, value: Model) -> None:
            if name == "term":
                value = SumExpression([value]) if hasattr(_scalar(value), "ctype") else value
            super().__setattr__(name, value)

    return TermBlock


def _scalar(term: Model) -> Model:
    scalar = hasattr(term, "polynomial_degree") and getattr(term, "ctype", None) is not pyo.Objective
    if scalar or isinstance(term, Number):
        return term
    raise TypeError(f"an objective is an expression or a number, found {short(term)}")


def _put(block: Model, role: str, result: Model) -> None:
    if result is None:
        return
    if role == "objective":
        block.term = result
        return
    several = isinstance(result, Mapping) and any(isinstance(rows, dict) for rows in result.values())
    for name, rows in result.items() if several else [("row", result)]:
        _put_rows(block, name, rows)


def _put_rows(block: Model, name: str, rows: Model) -> None:
    component = f"{block.name}.{name}"
    if isinstance(rows, Mapping):
        indices = pyo.Set(initialize=list(rows), dimen=None)  # indices may differ in length

        def rule(_: Model, *index: Model) -> Model:
            return _relation(rows[_index(index)], f"{component}[{','.join(map(str, index))}]")

        block.add_component(name, pyo.Constraint(indices, rule=rule))
    elif isinstance(rows, list | Iterator):
        block.add_component(name, pyo.ConstraintList())
        for n, row in enumerate(rows, 1):
            block.component(name).add(_relation(row, f"{component}[{n}]"))
    else:
        block.add_component(name, pyo.Constraint(expr=_relation(rows, component)))


def _index(index: tuple[Model, ...]) -> Model:
    return index[0] if len(index) == 1 else index


def _relation(row: Model, name: str) -> Model:
    if not isinstance(row, bool):
        return row
    unmet = UNMET.get()
    if row or unmet is None:
        return pyo.Constraint.Skip if row else pyo.Constraint.Infeasible
    unmet.append(name)
    return pyo.Constraint.Skip


@contextmanager
def listing_unmet() -> Iterator[list[str]]:
    """Skip and name rows without terms that cannot hold, instead of an error.

    Such a row may hold with more generated columns.
    """
    names = list[str]()
    token = UNMET.set(names)
    try:
        yield names
    finally:
        UNMET.reset(token)


@contextmanager
def _one_sentence(program: Buildable, g: Group, model: Model = None) -> Iterator[None]:
    with one_sentence(f"{program.id}: {_group(g)} cannot be built:", ProgramError):
        try:
            yield
        except AttributeError as error:
            if model is not None and (unknown := re.search(r"Block' object has no attribute '(\w+)'", str(error))):
                known = [part.name for name in g.blocks for part in model.component(name).component_objects(pyo.Var)]
                error.args = (f"no variable '{unknown[1]}' in its blocks; {suggestion(unknown[1], known)}",)
            raise


def paused_collection() -> AbstractContextManager[None]:
    """Pause garbage collection."""
    from pyomo.common.gc_manager import PauseGC

    paused: AbstractContextManager[None] = PauseGC()
    return paused


@contextmanager
def _building() -> Iterator[None]:
    """Pause garbage collection, which saves a quarter of the time, and Pyomo's log."""
    logger = logging.getLogger("pyomo.core")
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        with paused_collection():
            yield
    finally:
        logger.setLevel(level)


def pyomo_point(model: Model) -> tuple[float, Values]:
    """Return a solved Pyomo model's objective and nonzero variable values."""
    values = {
        f"{variable.name}": {i: v.value for i, v in variable.items() if v.value}
        for variable in model.component_objects(pyo.Var, descend_into=True)
        if "._" not in f".{variable.name}"  # names added by transformations start with an underscore
    }
    return exact_check.value_in_doubles(model.objective), values


@dataclass
class Parts:
    """Parts of a CVXPY program, filled in by its groups.

    CVXPY parameters, whose values may change later, count as variables.
    """

    variables: dict[str, Model] = field(default_factory=dict)
    constraints: dict[str, list[Model]] = field(default_factory=dict)
    objective: list[Model] = field(default_factory=list)


def parts_of(program: Buildable, instance: AnyFamily) -> Parts:
    """Return the parts of a CVXPY program."""
    parts = Parts()
    for g, given in _in_build_order(program, instance):
        with _one_sentence(program, g):
            g.build(parts, instance, **given)
    return parts


def cvxpy_problem(program: Buildable, instance: AnyFamily, progress: Progress) -> Model:
    parts = parts_of(program, instance)
    sense = {"minimize": cvxpy.Minimize, "maximize": cvxpy.Maximize}[program.sense]
    for name, rows in parts.constraints.items():
        require_constraints(name, rows)
    for name, inside in (*parts.constraints.items(), ("the objective", parts.objective)):
        require_finite(name, inside)
    with one_sentence(f"{program.id}: CVXPY rejects the objective:", ProgramError):
        problem = cvxpy.Problem(
            sense(sum(parts.objective)), [row for rows in parts.constraints.values() for row in rows]
        )
    require_read(problem)
    if not program.integer and problem.is_mixed_integer():
        raise ProgramError(f"{program.id}: the integer variables of a CVXPY program cannot be relaxed")
    return problem


def cvxpy_point(problem: Model) -> tuple[float, Values]:
    values = {v.name(): {i: float(x) for i, x in np.ndenumerate(v.value) if x} for v in problem.variables()}
    with np.errstate(invalid="ignore", divide="ignore"):  # a root of -1e-10 is NaN
        return float(problem.objective.value), values


BACKENDS = {
    "pyomo": Backend(
        pyomo_model,
        pyomo_models.solve,
        pyomo_point,
        exact_check.broken_row,
        lambda model: model.objective.expr.polynomial_degree() is not None,
        tuple(pyomo_models.SOLVERS),
        lambda: pyo.ConcreteModel,
    ),
    "cvxpy": Backend(
        cvxpy_problem,
        cvx.solve,
        cvxpy_point,
        cvx.broken_row,
        lambda problem: not any(part.variables() for part in problem.objective.expr.domain),
        tuple(cvx.SOLVERS),
        lambda: cvxpy.Problem,
    ),
}
