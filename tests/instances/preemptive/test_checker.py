from __future__ import annotations

from dataclasses import replace

import pytest

import schedproof as sp
from schedproof.core.cards import registry
from schedproof.core.errors import SchedproofError
from schedproof.instances.preemptive import Instance, Intervals, Schedule, Services
from tests.instances.preemptive.mutations import with_rows
from tests.instances.preemptive.schedules import feasible
from tests.support import size
from tests.tiny.preemptive import instance_of
from tests.tiny.preemptive import job as job_row


def test_policies_schedules_are_accepted() -> None:
    count = size(40, 40, 1000)
    assert sum(feasible(seed) is not None for seed in range(count)) > 0.8 * count


def test_floating_chunks_may_move_but_do_not_exceed_the_number_of_chunks() -> None:
    instance, schedule = next(pair for seed in range(1, 200, 5) if (pair := feasible(seed)) and one_job_with_room(pair))
    work, ps = schedule.intervals.rows(), schedule.services.rows()
    assert schedule.violations(instance, chunks="floating") == []
    row = one_job_with_room((instance, schedule))
    assert row is not None
    crowd = with_rows(schedule, [*work, row], ps)
    assert {v.constraint for v in crowd.violations(instance, chunks="floating")} == {"at_most_one_worker_per_chunk"}
    lazy = with_rows(schedule, work[1:], ps)
    assert "job_work" in {v.constraint for v in lazy.violations(instance, chunks="floating")}


def test_the_rules_stated_in_a_schedule_are_not_trusted() -> None:
    # A chunk of 5 slots that is given one: fine at speed 5, and only when that is told.
    instance = instance_of(job_row("a", minibatch_time=5))
    rows = Intervals.of([(0, 0, 0, 0, 0, 0, 1)]), Services.of([(0, 0, 0, 0, 1)])
    fast = Schedule.by("fast", instance, *rows, options={"speed": 1000, "chunks": "floating"})
    assert [v.constraint for v in fast.violations(instance)] == ["chunk_work"]
    assert fast.violations(instance, speed=5) == []
    judged = registry.family("preemptive").rules_with({"speed": "5"})
    said = "the schedule's options have speed=1000, chunks=floating, but the check used speed=5, chunks=pinned"
    assert fast.contradiction(judged) == said
    assert replace(fast, options={"speed": "5"}).contradiction(judged) == ""
    assert replace(fast, options={"order": "static"}).contradiction(judged) == ""


@pytest.mark.parametrize(
    "rules",
    [{"chunks": "FLOATING"}, {"speed": 0}, {"ps_release": "None"}, {"reading": "ceil_job"}, {"colour": "red"}],
)
def test_a_rule_that_there_is_not_gives_one_message(rules: dict[str, object]) -> None:
    instance, schedule = next(pair for seed in range(9) if (pair := feasible(seed)))
    with pytest.raises(SchedproofError, match=r"expected|unknown") as caught:
        schedule.violations(instance, **rules)
    assert str(caught.value).isprintable()


def one_job_with_room(pair: tuple[Instance, Schedule]) -> tuple[int, ...] | None:
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


def run(*slots: int) -> tuple[int, ...]:
    return (0, 0, 0, 0, 0, *slots)


@pytest.mark.parametrize(
    ("restart", "runs", "more"),
    [
        (0, [run(0, 2), run(4, 7)], 0),  # 2 + 3 slots of training
        (2, [run(0, 2), run(4, 7)], -2),  # the first two slots after the gap make no progress
        (2, [run(0, 2), run(4, 9)], 0),
        (2, [run(0, 2), run(4, 10)], 1),  # a chunk has exactly its slots
        (2, [run(0, 2), run(3, 4), run(5, 10)], 0),  # a restart that is cut off starts anew
        (2, [run(0, 2), run(3, 5), run(6, 11)], 0),  # one that is just over does too
        (2, [run(1, 3), run(3, 6)], 0),  # without a gap there is no interruption
    ],
)
def test_an_interrupted_chunk_first_restarts(restart: int, runs: list[tuple[int, ...]], more: int) -> None:
    instance = instance_of(job_row("a", minibatch_time=5), restart=restart)
    services = [(0, 0, 0, *row[-2:]) for row in runs]
    schedule = Schedule.by("hand", instance, Intervals.of(runs), Services.of(services))
    pinned, floating = schedule.violations(instance), schedule.violations(instance, chunks="floating")
    assert [(v.constraint, v.by) for v in pinned] == [("chunk_work", abs(more))] * (more != 0)
    assert [(v.constraint, v.by) for v in floating] == [("job_work", -more)] * (more < 0)


def test_with_restarts_a_floating_chunk_is_on_one_worker_at_a_time() -> None:
    rows = [(0, 0, 0, 0, worker, 0, 2) for worker in (0, 1)]
    for restart, broken in ((0, []), (1, ["chunk_on_one_worker_at_a_time"])):
        instance = instance_of(job_row("a", chunks=2), workers=2, restart=restart)
        schedule = Schedule.by("hand", instance, Intervals.of(rows), Services.of([(0, 0, 0, 0, 2)]))
        assert [v.constraint for v in schedule.violations(instance, chunks="floating")] == broken


def test_srtf_interrupts_and_restarts() -> None:
    # a has run for 2 of its 5 slots when b arrives; then it restarts for 2 slots, and ends at 9 instead of 7.
    rows = job_row("a", minibatch_time=5), job_row("b", arrival=2)
    for restart, end in ((0, 7), (2, 9)):
        srtf = sp.policy("srtf").run(instance_of(*rows, restart=restart))
        assert srtf.feasible and srtf.objective == end + 2
        assert srtf.schedule.intervals.rows() == [run(0, 2), run(4, end), (1, 0, 0, 0, 0, 2, 4)]
