"""Feasible schedules meet every row of (2) and (4), with and without storage."""

from __future__ import annotations

from dataclasses import replace

import pytest

import schedproof as sp
from schedproof.core.certificates.program_bound import program_listing
from schedproof.core.errors import ProgramError
from schedproof.core.programs.exact.point import Point
from tests.certificates import instance_of
from tests.support import size

IDS = ("preemptive.ilp4", "preemptive.minlp2", "preemptive.minlp7", "preemptive.ilp8")


@pytest.mark.parametrize("id", IDS)
def test_a_schedule_satisfies_the_rows_unless_a_parameter_server_is_removed(id: str) -> None:
    program, feasible, late, refused = sp.program(id), 0, 0, 0
    assert program.to_point is not None
    for seed in range(size(8, 12, 100)):
        instance = instance_of("preemptive", seed)
        listing = program_listing(program, instance)
        for policy in ("preemptive.a_online", "preemptive.srtf"):
            run = sp.policy(policy).run(instance)
            if not run.feasible:
                continue
            feasible += 1
            point = Point.of(listing, program.to_point(run.schedule, instance, **program.parameters))
            point.require_feasible()
            assert point.value <= run.objective
            done = run.schedule.completions(instance)
            late += any(done[job.index] - 1 > instance.last_slot(job, mixed=True) for job in instance.jobs)
            intervals, rows = run.schedule.intervals, run.schedule.services.rows()
            on_edge = {j for j, worker in zip(intervals.job, intervals.worker, strict=True) if worker >= 0}
            in_time = {job.index for job in instance.jobs if done[job.index] - 1 <= instance.last_slot(job)}
            for n in (n for n, row in enumerate(rows) if row[0] in on_edge & in_time):
                less = replace(run.schedule, services=type(run.schedule.services).of(rows[:n] + rows[n + 1 :]))
                assert any(str(row).startswith("served_while_running") for row in less.violations(instance))
                with pytest.raises(ProgramError):
                    Point.of(listing, program.to_point(less, instance, **program.parameters)).require_feasible()
                refused += 1
    assert feasible and late and refused
