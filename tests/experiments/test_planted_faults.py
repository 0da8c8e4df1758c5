"""The doctor finds faults planted in the families and the examples, each with its default settings.

A fault is in a program's row, objective, sense or point, in a checker, a bound's proof, a driver or a policy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from fractions import Fraction
from functools import partial, wraps
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from pyomo.core.expr.relational_expr import RelationalExpression

import schedproof as sp
from schedproof.core.base.lazy import pyo
from schedproof.core.cards import registry
from schedproof.core.programs.program import Program
from schedproof.experiments.doctor import health, patient
from schedproof.experiments.doctor.examinations import EXAMINATIONS, NotDone
from schedproof.experiments.doctor.patient import Patient
from tests.command_line import plugged_in
from tests.support import PROFILE

DRAWS = 5  # the doctor's default
QUICK = ("senses", "points of schedules", "sides of programs", "schedule files", "policies")
EXAMPLES = ("knapsack", "open_shop", "vector_packing")
Plant = Callable[[pytest.MonkeyPatch], None]
FAULTS: dict[str, tuple[str, str, Plant]] = {}  # name -> the family, a program, and how the fault is planted
EXACT = {
    "preemptive": "minlp2",
    "dmlrs": "exact",
    "jrp": "exact",
    "multiserver": "stationary",
    "placement": "exact",
    "knapsack": "best",
    "open_shop": "exact",
}
IN_CI = ("knapsack", "open_shop")


def fault(family: str, program: str, name: str, plant: Plant) -> None:
    """Register a fault that the doctor finds in a program or against its optimum."""
    FAULTS[f"{family}: {name}"] = family, f"{family}.{program}", plant


# --- programs -------------------------------------------------------------------------------------------------------


def in_program(family: str, id: str, name: str, change: Callable[[Program], Program]) -> None:
    """Plant a fault in a program of a card."""

    def plant(patch: pytest.MonkeyPatch) -> None:
        honest = patient.named.program
        patch.setattr(
            patient.named,
            "program",
            lambda asked: change(honest(asked)) if asked == f"{family}.{id}" else honest(asked),
        )

    fault(family, id, f"{id}, {name}", plant)


def scaled(group: str, factor: float, program: Program) -> Program:
    """Multiply the left side of a group's rows, or its objective."""
    (honest,) = (g for g in program.groups if g.name == group)

    @wraps(honest.build)
    def build(block: Any, *more: Any, **parameters: Any) -> Any:
        result = honest.build(block, *more, **parameters)
        if result is not None:
            return times(result, factor)
        if honest.role == "objective":
            block.term = factor * block.term
        for row in block.component_data_objects(pyo.Constraint):
            row.set_value((row.lower, factor * row.body, row.upper))
        return None

    return replace(program, groups=tuple(replace(g, build=build) if g is honest else g for g in program.groups))


def times(result: Any, factor: float) -> Any:
    if isinstance(result, dict):
        return {index: times(row, factor) for index, row in result.items()}
    if isinstance(result, list | Iterator):
        return [times(row, factor) for row in result]
    if not isinstance(result, RelationalExpression):
        return factor * result
    left, right = result.args
    return factor * left == right if "Equality" in type(result).__name__ else factor * left <= right


def without(group: str, program: Program) -> Program:
    return replace(program, groups=tuple(g for g in program.groups if g.name != group))


def turned(program: Program) -> Program:
    return replace(program, sense="minimize" if program.sense == "maximize" else "maximize")


def point(change: Callable[[Any], Any], program: Program) -> Program:
    """Change a schedule's point."""
    honest = program.to_point
    assert honest is not None
    return replace(program, to_point=lambda *words, **more: change(honest(*words, **more)))


def renamed(values: Any) -> Any:
    return {f"{name}_": entries for name, entries in values.items()}


def halved(values: Any) -> Any:
    return {name: {index: value / 2 for index, value in entries.items()} for name, entries in values.items()}


def lost(values: Any) -> Any:
    return {name: dict(list(entries.items())[1:]) for name, entries in values.items()}


for row in (
    ("preemptive", "minlp2", "one_job_per_worker", 2),
    ("preemptive", "lp4", "class_work", 2),
    ("preemptive", "dual6", "dual_rows", 0.5),
    ("dmlrs", "exact", "batch_size", 2),
    ("dmlrs", "rdmlrs", "schedules_fit", 3),
    ("dmlrs", "dual", "dual_rows", 0.25),
    ("jrp", "exact", "storage", 2),
    ("jrp", "split", "computing_time", 3),
    ("placement", "exact", "capacity", 2),
    ("placement", "lp", "capacity", 2),
    ("knapsack", "best", "weight", 2),
    ("open_shop", "exact", "work", 2),
    ("open_shop", "parallel", "sets", 2),
    ("vector_packing", "fewest", "capacity", 2),
):
    in_program(row[0], row[1], f"a factor {row[3]} in {row[2]}", partial(scaled, *row[2:]))
for family, id, group, factor in (
    ("preemptive", "ilp4", "fractional_flow", 3),
    ("dmlrs", "rdmlrs_lp", "utility_of_schedules", 0.5),
    ("jrp", "lp_i", "accepted", 0.5),
    ("placement", "lp", "completion_times", 2),
    ("vector_packing", "fewest", "used", 2),
):
    in_program(family, id, f"an objective times {factor}", partial(scaled, group, factor))
for family, id, group in (
    ("preemptive", "minlp2", "one_job_per_worker"),
    ("dmlrs", "exact", "capacity"),
    ("jrp", "lp_i", "storage"),
    ("placement", "exact", "capacity"),
    ("knapsack", "best", "weight"),
    ("vector_packing", "fewest", "somewhere"),
):
    in_program(family, id, f"without {group}", partial(without, group))
for family, id in (
    ("preemptive", "ilp8"),
    ("dmlrs", "rdmlrs_lp"),
    ("jrp", "split_free_lp"),
    ("placement", "lp"),
    ("multiserver", "stationary"),
    ("open_shop", "parallel"),
    ("knapsack", "best"),
):
    in_program(family, id, "the other sense", turned)
for family, id, change in (
    ("preemptive", "lp4", halved),
    ("multiserver", "stationary", renamed),
    ("jrp", "exact", lost),
    ("placement", "exact", lost),
    ("knapsack", "best", renamed),
    ("open_shop", "parallel", halved),
):
    in_program(family, id, f"a {change.__name__} point", partial(point, change))


# --- checkers, bounds, drivers --------------------------------------------------------------------------------------


def in_module(family: str, module: str, path: str, name: str, change: Callable[[Any], Any]) -> None:
    """Plant a fault in an attribute of a module, or of a class there."""

    def plant(patch: pytest.MonkeyPatch) -> None:
        owner = import_module(f"schedproof.{module}")
        *classes, last = path.split(".")
        for each in classes:
            owner = getattr(owner, each)
        patch.setattr(owner, last, change(getattr(owner, last)))
        if last == "drive":  # a card keeps what it has loaded
            registry.forget()

    fault(family, EXACT[family], name, plant)


def loosened(rule: str, rules: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(each for each in rules if each.__name__ != rule)


def result(change: Callable[[Any], Any], function: Any) -> Any:
    @wraps(function)
    def lying(*words: Any, **more: Any) -> Any:
        return change(function(*words, **more))

    return lying


in_module(
    "preemptive",
    "instances.preemptive.checker",
    "COMMON",
    "no one_chunk_per_worker",
    partial(loosened, "one_chunk_per_worker"),
)
for family, rule in (("dmlrs", "capacity"), ("jrp", "storage"), ("placement", "capacity")):
    in_module(family, f"instances.{family}.checker", "RULES", f"no {rule} in the checker", partial(loosened, rule))
in_module("multiserver", "instances.multiserver.checker", "look_through", "no row is in doubt", lambda honest: nothing)
in_module("knapsack", "instances.kinds.checkers", "_bins_hold", "bins hold everything", lambda honest: none)
in_module("open_shop", "instances.kinds.checkers", "_all_work", "work may be missing", lambda honest: none)


def nothing(*arrays: Any) -> Any:
    import numpy as np

    return True, np.empty((0, 3), dtype=np.int64)


def none(plan: Any, instance: Any) -> Iterator[Any]:
    return iter(())


for family, certificate, factor in (
    ("preemptive", "preemptive.prices:PriceCertificate", Fraction(2)),
    ("dmlrs", "dmlrs.certificate:PriceCertificate", Fraction(1, 2)),
    ("jrp", "jrp.certificate:SplitFreePrices", Fraction(1, 2)),
    ("multiserver", "multiserver.certificate:SlotCertificate", Fraction(1, 2)),
    ("placement", "placement.certificate:StartPrices", Fraction(2)),
):
    path = certificate.split(":")
    change = partial(result, lambda value, factor=factor: factor * value)
    in_module(family, f"relaxations.{path[0]}", f"{path[1]}.value", f"a proof is worth {factor} times as much", change)


def by_somebody_else(schedule: Any) -> Any:
    return replace(schedule, policy="somebody.else")


in_module("jrp", "instances.jrp.drive", "drive", "the driver names another policy", partial(result, by_somebody_else))
in_module(
    "placement",
    "instances.placement.drive",
    "drive",
    "the driver loses a start",
    partial(result, lambda schedule: replace(schedule, starts=schedule.starts[1:])),
)
in_module(
    "dmlrs",
    "instances.dmlrs.drive",
    "drive",
    "the driver loses a placement",
    partial(result, lambda schedule: replace(schedule, placements=schedule.placements[1:])),
)


# --- tests ----------------------------------------------------------------------------------------------------------


def first_flaw(family: str, folder: Path) -> str:
    """Return the first flaw of the doctor's draws; a draw does not depend on the draws before."""
    card = registry.family(family)
    for seed in range(DRAWS):
        drawn = patient.drawn(card, card.generators[0].presets[0], seed, {}, folder)
        for check in sorted(EXAMINATIONS, key=lambda check: check not in QUICK):
            for part, flaw in health._findings(EXAMINATIONS[check], drawn):
                if flaw and not isinstance(flaw, NotDone):
                    return f"{check}: {part}: {flaw}"
    return ""


@pytest.fixture
def family(request: pytest.FixtureRequest) -> Iterator[str]:
    with ExitStack() as stack:
        if request.param in EXAMPLES:
            stack.enter_context(plugged_in(request.param))
        yield request.param
    registry.forget()


@pytest.mark.parametrize("family", ["preemptive", "dmlrs", "jrp", "multiserver", "placement", *EXAMPLES], indirect=True)
def test_the_originals_have_no_flaw(family: str) -> None:
    if PROFILE != "deep" and family not in IN_CI:
        pytest.skip("in the deep profile")
    health = sp.doctor(family)
    assert health.sound, "\n".join(health.lines())


UNSEEN = {  # fault -> the reason why no draw shows it
    "placement: exact, without capacity": "a program without a group has no `to_schedule`, and no policy is better",
}
CHOSEN = {name: of for name, (of, *_) in FAULTS.items() if PROFILE == "deep" or of in IN_CI}


@pytest.mark.parametrize(("name", "family"), CHOSEN.items(), indirect=["family"])
def test_a_planted_fault_is_found(name: str, family: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """To save time, the family's other programs are omitted: they can only add flaws."""
    _, program, plant = FAULTS[name]
    monkeypatch.setattr(Patient, "programs", property(lambda _: {program: patient.named.program(program)}))
    plant(monkeypatch)
    assert bool(first_flaw(family, tmp_path)) != (name in UNSEEN)
