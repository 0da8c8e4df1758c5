"""Outline of a built program: its variables and rows, each with its first index."""

from __future__ import annotations

from collections.abc import Iterator

from schedproof.core.base.lazy import pyo
from schedproof.core.base.loader import load
from schedproof.core.base.untyped import Json, Model
from schedproof.core.cards import registry
from schedproof.core.errors import SchedproofError
from schedproof.core.programs.backends import Parts, parts_of
from schedproof.core.programs.program import Program
from schedproof.core.simulation.coerce import as_instance

LONGEST = 120  # characters of a row
Line = dict[str, str]


def on_a_draw(program: Program) -> tuple[Line, ...]:
    """Return a program's parts on a first random draw; empty if it cannot be built."""
    try:
        file: Json = registry.generate(program.family, registry.entries("generator")[program.family].presets[0], 0, {})
        return parts(program, load("schedproof.instances:from_json")(file))
    except (KeyError, SchedproofError):  # for example a family without a generator
        return ()


def parts(program: Program, instance: Model) -> tuple[Line, ...]:
    """Return variables, then rows, in printed order, with counts and the first row.

    A builder reaches a row or variable as ``block.model().`` plus the name with an index, or by the argument named like
    its group.
    """
    instance = as_instance(instance)
    lines = _of_problem(parts_of(program, instance)) if program.backend == "cvxpy" else _of_model(program, instance)
    return tuple(sorted(lines, key=lambda line: not line["many"].endswith("columns")))


def _of_model(program: Program, instance: Model) -> Iterator[Line]:
    model = program.build(instance)
    for g in program.groups:
        block = model.component(g.name)
        for variable in block.component_objects(pyo.Var, descend_into=False) if g.role == "variables" else ():
            yield _line(_first(variable), f"{len(variable)} columns")
        for rows in block.component_objects(pyo.Constraint, descend_into=False) if g.role == "constraints" else ():
            text = str(next(iter(rows.values())).expr) if rows else ""
            yield _line(_first(rows), f"{len(rows)} rows", text)


def _first(component: Model) -> str:
    index = next(iter(component.keys()), None)
    keys = index if isinstance(index, tuple) else () if index is None else (index,)
    return f"{component.name}[{', '.join(map(repr, keys))}]" if keys else str(component.name)


def _of_problem(found: Parts) -> Iterator[Line]:
    for name, variable in found.variables.items():
        yield _line(f"variables[{name!r}][{', '.join('0' for _ in variable.shape)}]", f"{variable.size} columns")
    for name, rows in found.constraints.items():
        yield _line(f"constraints[{name!r}][0]", f"{sum(row.size for row in rows)} rows")


def _line(name: str, many: str, text: str = "") -> Line:
    words = " ".join(text.split())
    return {"name": name, "many": many, "first": words if len(words) <= LONGEST else f"{words[:LONGEST]} ..."}
