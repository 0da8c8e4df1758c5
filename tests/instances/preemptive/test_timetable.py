"""A known schedule of jobs of one chunk: the checker finds nothing, or what is wrong with it."""

from __future__ import annotations

from schedproof.instances.preemptive.timetable import timetable


def test_what_is_known_is_a_schedule() -> None:
    instance, schedule = timetable((0, 0), [(0, 3, 0, (0, 2, 3)), (0, 1, 1, (0,)), (1, 1, 0, (1,))])
    assert schedule.violations(instance) == []
    assert (schedule.objective(instance), schedule.preemptions()) == (4 + 1 + 1, 1)
    assert len(schedule.intervals) == len(schedule.services) == 4


def test_a_far_worker_begins_once_the_upload_has_ended() -> None:
    rows = [(0, 2, 2, (3, 4)), (1, 1, 1, (4,)), (1, 1, 0, (1,))]
    instance, schedule = timetable((0, 3, 3), rows)
    assert schedule.violations(instance) == [] and schedule.objective(instance) == 5 + 4 + 1
    instance, schedule = timetable((0, 3, 3), [(0, 2, 2, (2, 3)), *rows[1:]])
    assert schedule.violations(instance)


def test_what_is_none_is_found() -> None:
    for rows in ([(1, 1, 0, (0,))], [(0, 2, 0, (0,))], [(0, 1, 0, (0,)), (0, 1, 0, (0,))]):
        instance, schedule = timetable((0,), rows)
        assert schedule.violations(instance)
