"""The two backends: a program's groups as a Pyomo model or a CVXPY problem, and the point of a solved one."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple, Protocol

import numpy as np

from schedproof.core.base.lazy import cvxpy, pyo
from schedproof.core.base.untyped import AnyFamily, Model, Value
from schedproof.core.errors import ProgramError, UnknownName, one_sentence
from schedproof.core.programs.group import Group, Index
from schedproof.core.runtime import memory
from schedproof.core.runtime.context import Context, Progress
from schedproof.core.solvers import cvx, exact_check, pyomo_models
from schedproof.core.solvers.status import Outcome

BUILD_ORDER = ("variables", "constraints", "objective")
Values = dict[str, dict[Model, float]]  # variable -> index -> value, nonzero entries only


class Buildable(Protocol):
    """What a backend must know of a program."""

    @property
    def id(self) -> str:
        """``family.name``."""

    @property
    def sense(self) -> str:
        """``minimize`` or ``maximize``."""

    @property
    def groups(self) -> tuple[Group, ...]:
        """In printed order."""

    @property
    def parameters(self) -> Mapping[str, Value]:
        """What the builders ask for by keyword."""

    @property
    def parts(self) -> Mapping[str, tuple[Index, ...]]:
        """Indices of rows or columns that are generated, by group."""

    @property
    def integer(self) -> bool:
        """Whether integer variables stay integer."""

    @property
    def column_bytes(self) -> float:
        """What a column takes with its rows."""


class Backend(NamedTuple):
    """How programs are built, solved and read.

    Attributes
    ----------
    build
        A program and an instance to a model; its size is reported as progress, and a model that does not fit is
        refused.
    solve
        A model, a solver's name and a context, for its time limit, to an `Outcome` without values.
    point
        A solved model to its objective and its variables' values.
    broken_row
        A solved model to a phrase that names a row that its point breaks; "" where it breaks none.
    solvers
        Names of the solvers that take such models, the usual one first.
    load
        Imports the modelling library, which takes a second, before any clock runs.
    """

    build: Callable[[Buildable, AnyFamily, Progress], Model]
    solve: Callable[[Model, str, Context], Outcome]
    point: Callable[[Model], tuple[float, Values]]
    broken_row: Callable[[Model], str]
    solvers: Sequence[str]
    load: Callable[[], object]


def _in_build_order(program: Buildable, instance: AnyFamily) -> list[tuple[Group, dict[str, Value]]]:
    """The groups, each with the parameters it asks for, and with the indices of what is generated."""
    ordered = sorted(program.groups, key=lambda g: BUILD_ORDER.index(g.role))
    for g in ordered:
        for name in g.parameters:
            if name not in program.parameters:
                raise UnknownName(f"parameter of {program.id}, for which {_group(g)} asks,", name, program.parameters)
    return [(g, arguments(program, g, indices(program, g, instance))) for g in ordered]


def indices(program: Buildable, g: Group, instance: AnyFamily) -> Mapping[Index, float]:
    """Those that a group is built with, of one whose rows or columns are generated, and multipliers to begin with."""
    if g.name in program.parts:
        return dict.fromkeys(program.parts[g.name], 0.0)
    return g.first(instance, program.parameters)


def arguments(program: Buildable, g: Group, indices: Iterable[Index]) -> dict[str, Value]:
    """What a group's builder takes by keyword."""
    return {name: program.parameters[name] for name in g.parameters} | ({g.many: tuple(indices)} if g.many else {})


def _group(g: Group) -> str:
    return f"group '{g.name}' {g.source}"


def pyomo_model(program: Buildable, instance: AnyFamily, progress: Progress) -> Model:
    """A plain ``ConcreteModel``: one Block for each group, under the group's name.

    After the variables are built, the smaller part, the model's size is compared with free memory.
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
            raise ProgramError(f"{program.id}: {_group(g)} sets no block.term, which is to be added to the objective")
    terms = [model.component(g.name).term for g in program.groups if g.role == "objective"]
    model.objective = pyo.Objective(expr=sum(terms), sense=getattr(pyo, program.sense))
    if not program.integer:
        pyo.TransformationFactory("core.relax_integer_vars").apply_to(model)
    return model


def add_block(
    program: Buildable, model: Model, g: Group, instance: AnyFamily, given: Mapping[str, Value], again: int = 0
) -> Model:
    """The Block that a group fills; of one that is built ``again`` with other rows, under another name."""
    block = _term_block()() if g.role == "objective" else pyo.Block()
    with _one_sentence(program, g), _building():
        model.add_component(f"{g.name}+{again}" if again else g.name, block)
        _put(block, g.role, g.build(block, instance, *map(model.component, g.blocks), **given))
    return block


@cache
def _term_block() -> type[Model]:
    """A Block whose ``term`` may be a single variable, which has a block already and no second one."""
    from pyomo.core.base.block import ScalarBlock
    from pyomo.core.expr import LinearExpression

    class TermBlock(ScalarBlock):  # type: ignore[misc]
        def __setattr__(self, name: str, value: Model) -> None:
            variable = name == "term" and hasattr(value, "ctype")
            super().__setattr__(name, LinearExpression([value]) if variable else value)

    return TermBlock


def _put(block: Model, role: str, result: Model) -> None:
    """What a group's function returned, as the block's term or rows; nothing for one that fills the block itself."""
    if result is None:
        return
    if role == "objective":
        block.term = result
        return
    several = isinstance(result, Mapping) and any(isinstance(rows, dict) for rows in result.values())
    for name, rows in result.items() if several else [("row", result)]:
        _put_rows(block, name, rows)


def _put_rows(block: Model, name: str, rows: Model) -> None:
    """Rows as a component of the block."""
    if isinstance(rows, Mapping):
        indices = pyo.Set(initialize=list(rows), dimen=None)  # which may differ in length
        block.add_component(name, pyo.Constraint(indices, rule=lambda _, *index: _relation(rows[_index(index)])))
    elif isinstance(rows, list | Iterator):
        block.add_component(name, pyo.ConstraintList())
        for row in rows:
            block.component(name).add(_relation(row))
    else:
        block.add_component(name, pyo.Constraint(expr=_relation(rows)))


def _index(index: tuple[Model, ...]) -> Model:
    return index[0] if len(index) == 1 else index


def _relation(row: Model) -> Model:
    """A relation; one without variables holds or cannot hold."""
    return {True: pyo.Constraint.Skip, False: pyo.Constraint.Infeasible}[row] if isinstance(row, bool) else row


def _one_sentence(program: Buildable, g: Group) -> AbstractContextManager[None]:
    """What a group's function raises, as a sentence that names the group and the line."""
    return one_sentence(f"{program.id}: {_group(g)} cannot be built:", ProgramError)


@contextmanager
def _building() -> Iterator[None]:
    """Without Python's search for garbage, a quarter of the time; and Pyomo does not log what a rule raises."""
    from pyomo.common.gc_manager import PauseGC

    logger = logging.getLogger("pyomo.core")
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        with PauseGC():
            yield
    finally:
        logger.setLevel(level)


def pyomo_point(model: Model) -> tuple[float, Values]:
    """A solved Pyomo model's objective and the nonzero entries of its variables."""
    values = {
        f"{variable.name}": {i: v.value for i, v in variable.items() if v.value}
        for variable in model.component_objects(pyo.Var, descend_into=True)
        if "._" not in f".{variable.name}"  # what a transformation adds has a name of its own, with an underscore
    }
    return float(pyo.value(model.objective)), values


@dataclass
class Parts:
    """What the groups of a CVXPY program fill in; its parameters, whose values may change later, are variables here."""

    variables: dict[str, Model] = field(default_factory=dict)
    constraints: dict[str, list[Model]] = field(default_factory=dict)
    objective: list[Model] = field(default_factory=list)


def parts_of(program: Buildable, instance: AnyFamily) -> Parts:
    """What the groups of a CVXPY program fill in."""
    parts = Parts()
    for g, given in _in_build_order(program, instance):
        with _one_sentence(program, g):
            g.build(parts, instance, **given)
    return parts


def cvxpy_problem(program: Buildable, instance: AnyFamily, progress: Progress) -> Model:
    """A plain ``Problem``."""
    parts = parts_of(program, instance)
    sense = {"minimize": cvxpy.Minimize, "maximize": cvxpy.Maximize}[program.sense]
    rows = [row for rows in parts.constraints.values() for row in rows]
    for name, inside in (*parts.constraints.items(), ("the objective", parts.objective)):
        if not all(_is_finite(constant.value) for part in inside for constant in _constants(part)):
            raise ProgramError(f"{name} has a number that is not finite, NaN or infinity")
    problem = cvxpy.Problem(sense(sum(parts.objective)), rows)
    if not program.integer and problem.is_mixed_integer():
        raise ProgramError(f"{program.id}: the integer variables of a CVXPY program cannot be relaxed")
    return problem


def _constants(part: Model) -> Iterable[Model]:
    """The constants of a CVXPY constraint or expression; a number is none of CVXPY's yet."""
    return part.constants() if hasattr(part, "constants") else [cvxpy.Constant(part)]


def _is_finite(values: Model) -> bool:
    """Whether an array, sparse or not, has no NaN and no infinity."""
    return bool(np.isfinite(values.data if hasattr(values, "tocsr") else values).all())


def cvxpy_point(problem: Model) -> tuple[float, Values]:
    """A solved CVXPY problem's objective and the nonzero entries of its variables."""
    values = {v.name(): {i: float(x) for i, x in np.ndenumerate(v.value) if x} for v in problem.variables()}
    return float(problem.objective.value), values


BACKENDS = {
    "pyomo": Backend(
        pyomo_model,
        pyomo_models.solve,
        pyomo_point,
        exact_check.broken_row,
        tuple(pyomo_models.SOLVERS),
        lambda: pyo.ConcreteModel,
    ),
    "cvxpy": Backend(cvxpy_problem, cvx.solve, cvxpy_point, cvx.broken_row, tuple(cvx.SOLVERS), lambda: cvxpy.Problem),
}
