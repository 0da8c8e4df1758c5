from __future__ import annotations

from collections.abc import Sequence

from schedproof.instances.preemptive.timetable import Row, timetable


def row(arrival: int, slots: int, worker: int, when: Sequence[int]) -> Row:
    return arrival, slots, [[(worker, slot) for slot in when]]


def test_a_valid_timetable_is_a_schedule() -> None:
    instance, schedule = timetable((0, 0), [row(0, 3, 0, (0, 2, 3)), row(0, 1, 1, (0,)), row(1, 1, 0, (1,))])
    assert schedule.violations(instance) == []
    assert (schedule.objective(instance), schedule.preemptions()) == (4 + 1 + 1, 1)
    assert len(schedule.intervals) == len(schedule.services) == 4


def test_chunks_may_move() -> None:
    rows = [(0, 2, [[(0, 0), (1, 1)], [(1, 0), (0, 3)]]), row(1, 2, 0, (1, 2))]
    instance, schedule = timetable((0, 0), rows)
    assert [job.chunks for job in instance.jobs] == [2, 1] and schedule.options == {"chunks": "floating"}
    assert schedule.violations(instance, chunks="floating") == [] != schedule.violations(instance)
    assert schedule.objective(instance) == 4 + 2
    assert list(schedule.services.rows()) == [(0, 0, 0, 0, 2), (0, 0, 0, 3, 4), (1, 0, 0, 1, 3)]


def test_a_remote_worker_starts_after_the_upload() -> None:
    rows = [row(0, 2, 2, (3, 4)), row(1, 1, 1, (4,)), row(1, 1, 0, (1,))]
    instance, schedule = timetable((0, 3, 3), rows)
    assert schedule.violations(instance) == [] and schedule.objective(instance) == 5 + 4 + 1
    instance, schedule = timetable((0, 3, 3), [row(0, 2, 2, (2, 3)), *rows[1:]])
    assert schedule.violations(instance)


def test_violations_of_a_timetable_are_found() -> None:
    for rows in ([row(1, 1, 0, (0,))], [row(0, 2, 0, (0,))], [row(0, 1, 0, (0,)), row(0, 1, 0, (0,))]):
        instance, schedule = timetable((0,), rows)
        assert schedule.violations(instance)
