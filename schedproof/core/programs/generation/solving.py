"""Solve programs with generated rows or columns: the relaxation, then rounds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from schedproof.core.base.lazy import pyo
from schedproof.core.base.untyped import AnyFamily, Model
from schedproof.core.programs.generation.columns import ColumnMaster, priced_groups
from schedproof.core.programs.generation.loop import generate
from schedproof.core.programs.generation.master import Generated, Point, RowMaster, violated
from schedproof.core.runtime.context import Context, forget
from schedproof.core.solvers.status import Outcome, Status

UNENDED = "the program is unbounded over the first rows; define `start` for their group"


P = TypeVar("P", bound=Generated)


def solve_generated(
    program: P, relaxed: P, instance: AnyFamily, context: Context, solve: Callable[[P, Model, Context], Outcome]
) -> Outcome:
    """Return the optimum; rows are added until its point violates none.

    The groups' ``separate`` finds violated rows. A point before the last round is no solution, but its bound is valid.
    """

    def bound_alone(bound: float | None) -> Outcome:
        return Outcome("time_limit", bound=bound, message="rows are missing")

    if priced_groups(program):
        return _over_columns(program, relaxed, instance, context, solve)
    master = RowMaster(relaxed, instance, context)
    generate(master, lambda: bound_alone(master.value), context)
    program = program.at(master.parts)
    within = replace(context, keep=lambda outcome: context.keep(bound_alone(outcome.bound)))
    while True:
        model = program.build(instance, context.progress)
        outcome = solve(program, model, within)
        if outcome.status == "unbounded":
            return Outcome("solver_failed", message=UNENDED)
        if not outcome.has_point:
            return outcome
        parts = {
            name: (*program.parts[name], *(index for index in indices if index not in set(program.parts[name])))
            for name, indices in violated(program, instance, point_of(model)).items()
        }
        if parts == program.parts:
            return replace(outcome, rests_on="")
        if context.over:
            return bound_alone(outcome.bound)
        program = program.at(parts)


def _over_columns(
    program: P, relaxed: P, instance: AnyFamily, context: Context, solve: Callable[[P, Model, Context], Outcome]
) -> Outcome:
    """Return the optimum over the relaxation's columns.

    This is the relaxation's optimum if ``price`` misses no improving column.
    """
    master = ColumnMaster(relaxed, instance, context)
    _, ended = generate(master, lambda: Outcome("time_limit", message="columns are missing"), context)
    program = program.at(master.parts)
    outcome = solve(program, program.build(instance, context.progress), replace(context, keep=forget))
    if not outcome.has_point:
        status: Status = "time_limit" if context.over else "solver_failed"
        return Outcome(status, message=f"the program over the generated columns ended with {outcome.status}")
    if ended in ("gap", "converged") and not program.integer:
        return replace(outcome, rests_on="")
    return replace(outcome, status="feasible", bound=None, rests_on="", exact=None)


def point_of(model: Model) -> Point:
    return {
        variable.name: {index: part.value or 0.0 for index, part in variable.items()}
        for variable in model.component_objects(pyo.Var, descend_into=True)
    }
