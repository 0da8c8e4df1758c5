from __future__ import annotations

from typing import Any

import schedproof as sp
from schedproof.instances.placement import Instance, Start
from tests.instances.placement.drawn import drawn
from tests.support import size
from tests.tiny.placement import by_hand

STOPS = {"preemption": "allowed"}


def instance(*tasks: tuple[int, int, int], gpus: int = 2, horizon: int = 90, resource: str = "gpu") -> Instance:
    """Return tasks (arrival, GPUs, slots) of one allocation on one cluster."""
    rows = [(arrival, [(used, slots)]) for arrival, used, slots in tasks]
    return by_hand(*rows, capacity=gpus, horizon=horizon, resource=resource)


def starts(case: Instance, **options: Any) -> list[Start]:
    run = sp.policy("placement.tiresias", **options).run(case)
    assert run.feasible
    return list(run.schedule.starts)


def test_without_preemption_it_is_fifo_with_the_least_allocation() -> None:
    case = instance((0, 2, 5), (1, 1, 2), (1, 2, 1))
    assert [(row.task, row.slot) for row in starts(case)] == [(0, 0), (1, 5), (2, 7)]
    for seed in range(size(10, 60, 1000)):
        case = drawn(seed, tasks=6, clusters=1)
        for row in starts_anyhow(case):
            usable = case.usable(case.tasks[row.task], case.clusters[0])
            assert row.allocation == min(mode.allocation for mode in usable)


def starts_anyhow(case: Instance) -> list[Start]:
    return list(sp.policy("placement.tiresias").run(case).schedule.starts)


def test_a_task_beyond_the_threshold_is_preempted_and_resumes_half_a_slot_later() -> None:
    case = instance((0, 2, 6), (1, 2, 2))
    assert starts(case, threshold=4, **STOPS) == [
        Start(0, 0, (2,), 0, 2),  # two slots of two GPUs are four
        Start(1, 0, (2,), 2),
        Start(0, 0, (2,), 4),  # t1 has reached the threshold too, at its end
    ]
    assert sp.policy("placement.tiresias", threshold=4, **STOPS).run(case).objective == (4 + 5) + (4 - 1)


def test_no_task_is_preempted_within_a_queue_or_before_a_completion() -> None:
    case = instance((0, 2, 6), (1, 2, 2))
    assert [row.until for row in starts(case, threshold=100, **STOPS)] == [None, None]
    assert next(row.until for row in starts(case, threshold=1, **STOPS)) == 1
    assert [row.until for row in starts(case, **STOPS)] == [None, None], "no median yet"


def test_the_usual_threshold_is_the_median_of_those_that_have_completed() -> None:
    case = instance((0, 1, 2), (0, 1, 9), (3, 2, 1))
    assert starts(case, **STOPS) == [
        Start(0, 0, (1,), 0),  # 2 GPU-slots, complete at 2
        Start(1, 0, (1,), 1, 3),  # which t1 has had at 3
        Start(2, 0, (2,), 3),
        Start(1, 0, (1,), 4),
    ]


def test_it_preempts_only_as_many_tasks_as_needed_last_first() -> None:
    case = instance((0, 1, 30), (0, 1, 30), (0, 1, 30), (9, 1, 1), gpus=3)
    rows = starts(case, threshold=3, **STOPS)
    assert [(row.task, row.until) for row in rows if row.until is not None] == [(2, 9)]


def test_without_a_resource_of_that_name_the_last_one_counts() -> None:
    tasks = ((0, 2, 6), (1, 2, 2))
    case, renamed = instance(*tasks), instance(*tasks, resource="core")
    assert starts(renamed, threshold=4, **STOPS) == starts(case, threshold=4, **STOPS)
