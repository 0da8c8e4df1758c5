"""The checker accepts what is feasible, rejects what is not and names it, and agrees with a literal checker."""

from __future__ import annotations

from dataclasses import replace

from schedproof.instances.preemptive import Instance, Schedule
from tests.instances.preemptive.mutations import with_rows
from tests.instances.preemptive.schedules import feasible
from tests.support import size


def test_policies_schedules_are_accepted() -> None:
    count = size(40, 150, 1000)
    assert sum(feasible(seed) is not None for seed in range(count)) > 0.8 * count


def test_floating_chunks_may_move_but_not_outnumber_the_chunks() -> None:
    instance, schedule = next(pair for seed in range(1, 200, 5) if (pair := feasible(seed)) and one_job_with_room(pair))
    floating = replace(schedule, options={"chunks": "floating"})
    work, ps = schedule.intervals.rows(), schedule.services.rows()
    assert floating.violations(instance) == []
    row = one_job_with_room((instance, schedule))
    assert row is not None
    crowd = with_rows(floating, [*work, row], ps)
    assert {v.constraint for v in crowd.violations(instance)} == {"at_most_one_worker_per_chunk"}
    lazy = with_rows(floating, work[1:], ps)
    assert "job_work" in {v.constraint for v in lazy.violations(instance)}


def one_job_with_room(pair: tuple[Instance, Schedule]) -> tuple[int, ...] | None:
    """An interval on a free qualified worker in a slot in which all chunks of its job run elsewhere."""
    instance, schedule = pair
    work = schedule.intervals.rows()
    for job in instance.jobs:
        for t in sorted({r[5] for r in work if r[0] == job.index}):
            if sum(r[0] == job.index and r[5] <= t < r[6] for r in work) < job.chunks:
                continue
            busy = {r[2:5] for r in work if r[5] <= t < r[6]}
            for q, delay in instance.qualified(job):
                place = q.places[-1]
                if place not in busy and t >= job.arrival + delay:
                    return (job.index, 0, *place, t, t + 1)
    return None
