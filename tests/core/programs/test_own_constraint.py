from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pyomo.environ as pyo
import pytest

import schedproof as sp
from schedproof.core.certificates.bounds import read_bound, write_bound
from schedproof.core.certificates.program_bound import program_listing
from schedproof.core.errors import ProgramError, SchedproofError
from schedproof.core.programs.exact.point import Point
from schedproof.core.programs.group import Group
from schedproof.core.programs.program import Program
from schedproof.core.runtime.files import write_json
from schedproof.core.simulation.instance import Instance
from tests.certificates import Desk, instance_of
from tests.gaps import POLICIES, adds_up
from tests.support import size


@sp.group("constraints", "mine", r"\sum_q y_{j,q}(t) = 0 \quad \forall t < r_j + 1", needs=("class_use",))
def a_slot_later(block: Any, instance: Any) -> None:
    """No job runs on the edge in the slot in which it arrives."""
    arrival, edge = {job.name: job.arrival for job in instance.jobs}, block.model().class_use.edge
    block.row = pyo.ConstraintList()
    for index in edge:
        if index[-1] == arrival[index[0]]:
            block.row.add(edge[index] == 0)


@sp.group("constraints", "mine", r"\sum_k y_k \le 2", needs=("admit",))
def two_jobs(block: Any, instance: Any) -> None:
    """At most two jobs are accepted."""
    accepted = list(block.model().admit.accepted.values())
    block.row = pyo.Constraint(expr=sum(accepted) <= 2) if accepted else pyo.Constraint(expr=pyo.Constraint.Feasible)


@sp.group("constraints", "mine", r"y_{j,1,x,0} = 0", needs=("starts",))
def maintenance(block: Any, instance: Any) -> None:
    """The first cluster cannot start a task in slot 0."""
    first, on = instance.clusters[0].name, block.model().starts.on
    block.row = pyo.ConstraintList()
    for index in on:
        if index[1] == first and index[-1] == 0:
            block.row.add(on[index] == 0)


@sp.group("constraints", "mine", r"\sum_{\pi} x_\pi \le 1", needs=("schedule_choice",))
def one_job(block: Any, instance: Any) -> None:
    """At most one job is admitted."""
    chosen = list(block.model().schedule_choice.chosen.values())
    block.row = pyo.Constraint(expr=sum(chosen) <= 1) if chosen else pyo.Constraint(expr=pyo.Constraint.Feasible)


@sp.group("constraints", "mine", r"y_{(l,r)}^k \le 1", needs=("allocation",))
def a_unit_each(parts: Any, instance: Any) -> None:
    """A channel gives one unit of a resource at most."""
    parts.constraints["mine"] = [parts.variables["allocation"] <= 1]


OWN: dict[str, Group] = {
    "preemptive.lp4": a_slot_later,
    "jrp.split_free_lp": two_jobs,
    "jrp.exact": two_jobs,
    "placement.lp": maintenance,
    "dmlrs.rdmlrs": one_job,
    "multiserver.stationary": a_unit_each,
}
BARE = ("preemptive.ilp4", "preemptive.minlp2", "preemptive.minlp7", "preemptive.ilp8", "jrp.split", "dmlrs.exact")
ROUGH = (
    "dmlrs.rdmlrs",
    "dmlrs.exact",
    "multiserver.stationary",
    "jrp.split",
)  # about some schedules, or less than they hold


def draws(id: str, count: int) -> Iterator[tuple[Program, Instance]]:
    for seed in range(count):
        program = sp.program(id)
        program = program.add(OWN[id]) if id in OWN else program
        yield program.relaxed() if program.integer else program, instance_of(id.partition(".")[0], seed)


@pytest.mark.parametrize("id", OWN)
def test_its_bound_is_at_least_the_programs_and_is_checked_twice(id: str, tmp_path: Path) -> None:
    desk, tighter, seen = Desk(tmp_path), 0, 0
    for program, instance in draws(id, size(4, 4, 60)):
        try:
            bound, plain = sp.bound(program, instance), sp.bound(sp.program(id), instance)
        except SchedproofError:
            continue  # nothing is feasible any more
        seen += 1
        desk.put(instance)
        sign = 1 if bound.kind == "lower" else -1
        assert sign * (bound.value - plain.value) >= -1e-9 * max(1.0, abs(plain.value))
        tighter += sign * (bound.value - plain.value) > 1e-6
        assert bound.verify(instance) and program.title in bound.statement
        assert desk.refusals(instance, bound.to_file()) == ("", "")
        read = read_bound(tmp_path / "bound.json", instance, program)
        assert read.verify(instance) and "as listed" not in read.statement
        write_bound(tmp_path / "bound.json", plain)
        assert not read_bound(tmp_path / "bound.json", instance, program).verify(instance)
    assert seen and tighter


@pytest.mark.parametrize("id", (*OWN, *BARE))
def test_feasible_runs_have_a_ratio_and_a_gap_breakdown(id: str) -> None:
    seen, enough = 0, size(8, 8, 10**6)
    for program, instance in draws(id, size(4, 4, 80) if id in OWN else size(2, 2, 40)):
        if seen >= enough:
            break
        try:
            bound = sp.bound(program, instance)
        except SchedproofError:
            continue  # nothing is feasible any more
        for name, options in POLICIES[instance.family]:
            try:
                ratio = sp.policy(name, **options).run(instance).ratio(bound)
            except SchedproofError:
                continue  # the run breaks the constraint, or there is no run
            adds_up(ratio.gap)
            assert ratio.gap.bound == bound.exact
            seen += 1
    assert seen


@pytest.mark.parametrize("id", [id for id in (*OWN, *BARE) if id not in ROUGH])
def test_the_programs_rows_and_the_checker_agree_on_every_schedule(id: str) -> None:
    alarms = mutated = 0
    family = id.partition(".")[0]
    for seed in range(size(3, 3, 100)):
        instance, program = instance_of(family, seed), sp.program(id)
        assert program.to_point is not None
        listing = program_listing(program, instance)
        for name, options in POLICIES[family]:
            if options.get("speed", "1") != "1":
                continue
            try:
                run = sp.policy(name, **options).run(instance)
            except SchedproofError:
                continue
            if not run.feasible:
                continue
            Point.of(listing, program.to_point(run.schedule, instance, **program.parameters)).require_feasible()
            for schedule in mutations(family, run.schedule):
                if not schedule.violations(instance):
                    continue
                mutated += 1
                try:
                    point = Point.of(listing, program.to_point(schedule, instance, **program.parameters))
                    point.require_feasible()
                except (ProgramError, ValueError, IndexError, KeyError):
                    alarms += 1
    assert mutated and alarms >= 0.9 * mutated, (alarms, mutated)


def mutations(family: str, schedule: Any) -> Iterator[Any]:
    field = {"jrp": "placements", "placement": "starts"}.get(family)
    if field is None:
        rows = schedule.intervals.rows()
        for n in range(len(rows)):
            yield replace(schedule, intervals=type(schedule.intervals).of(rows[:n] + rows[n + 1 :]))
        return
    rows = getattr(schedule, field)
    for n in range(len(rows)):
        yield replace(schedule, **{field: rows[:n] + rows[n + 1 :]})


def test_other_rows_are_rejected_for_a_known_program(tmp_path: Path) -> None:
    program, instance = next(draws("placement.lp", 1))
    row = json.loads(json.dumps(sp.bound(program, instance).to_file()))
    row["multipliers"]["rows"][0][1] = str(Fraction(row["multipliers"]["rows"][0][1] or 0) + 1)
    write_json(tmp_path / "bound.json", row)
    assert not read_bound(tmp_path / "bound.json", instance, program).verify(instance)
