"""The two backends: a program's groups into a Pyomo model or a CVXPY problem."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from schedproof.core.errors import ProgramError
from schedproof.core.program import Group, Program

BUILD_ORDER = ("variables", "constraints", "objective")


def build(program: Program, instance: Any) -> Any:
    """Build a program on an instance with its declared backend."""
    if not any(g.role == "objective" for g in program.groups):
        raise ProgramError(f"{program.id} has no objective left; keep one objective group")
    return {"pyomo": _pyomo, "cvxpy": _cvxpy}[program.backend](program, instance)


def _in_build_order(program: Program) -> list[Group]:
    return sorted(program.groups, key=lambda g: BUILD_ORDER.index(g.role))


def _arguments(program: Program, group: Group) -> dict[str, Any]:
    return {name: program.parameters[name] for name in group.parameters}


def _pyomo(program: Program, instance: Any) -> Any:
    import pyomo.environ as pyo

    model = pyo.ConcreteModel(name=program.id)
    for g in _in_build_order(program):
        block = pyo.Block()
        model.add_component(g.name, block)
        g.build(block, instance, **_arguments(program, g))
    terms = [model.component(g.name).term for g in program.groups if g.role == "objective"]
    model.objective = pyo.Objective(expr=sum(terms), sense=getattr(pyo, program.sense))
    if not program.integer:
        pyo.TransformationFactory("core.relax_integer_vars").apply_to(model)
    return model


@dataclass
class Parts:
    """What the groups of a CVXPY program fill in; its parameters, whose values may change later, are variables here."""

    variables: dict[str, Any] = field(default_factory=dict)
    constraints: dict[str, list[Any]] = field(default_factory=dict)
    objective: list[Any] = field(default_factory=list)


def _cvxpy(program: Program, instance: Any) -> Any:
    import cvxpy

    parts = Parts()
    for g in _in_build_order(program):
        g.build(parts, instance, **_arguments(program, g))
    sense = {"minimize": cvxpy.Minimize, "maximize": cvxpy.Maximize}[program.sense]
    rows = [row for rows in parts.constraints.values() for row in rows]
    problem = cvxpy.Problem(sense(sum(parts.objective)), rows)
    if not program.integer and problem.is_mixed_integer():
        raise ProgramError(f"{program.id}: the integer variables of a CVXPY program cannot be relaxed")
    return problem
