"""Random placement schedules of the greedy algorithm, and their file format."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from typing import Any

from schedproof.core.runtime.files import encode
from schedproof.core.simulation.policy import DecidedBy
from schedproof.instances.placement import Instance, Schedule, Start
from tests.instances.broken import ANY_INTEGER, VERSION, Shape, integers
from tests.instances.placement.greedy import greedy
from tests.instances.placement.literal import broken_names
from tests.instances.placement.mutations import MUTATIONS, swapped
from tests.instances.schedules import Schedules
from tests.tiny.placement import tiny_instance

SHAPE = frozenset({"task_exists", "cluster_exists", "allocation_has_a_duration", "starts_in_time", "stops_after_start"})
NOBODY = DecidedBy("nobody", {}, 0)


@cache
def good(seed: int) -> tuple[Instance, Schedule]:
    """A feasible schedule; in one of three some tasks are preempted and resumed."""
    for n in range(100):
        instance = tiny_instance(seed + 1000 * n, tasks=2 + seed % 4, clusters=1 + seed % 3, horizon=25)
        if (schedule := greedy(instance, seed, stop=seed % 3 == 0)) is not None:
            return instance, schedule
    raise AssertionError(seed)


def file_of_one_row() -> tuple[Instance, Shape]:
    instance, schedule = next((i, s) for i, s in map(good, range(0, 99, 3)) if s.starts[0].until is not None)
    value: dict[str, Any] = schedule.to_json(instance)
    value |= {"starts": value["starts"][:1], "options": {}}
    return instance, Shape(
        valid=encode(value),
        numbers={
            "version": VERSION,
            "seed": ANY_INTEGER,
            **dict.fromkeys(("slot", "until", "allocation"), integers(-(10**12), 10**12)),
        },
        maps={"options": 1, "allocation": 1},
        optional=frozenset({"until"}),
        refused=[
            ("starts[0].task", "nobody", "expected the name of a task"),
            ("starts[0].cluster", "nowhere", "expected the name of a cluster"),
            ("starts[0].allocation", {"tpu": 1}, "starts[0].allocation.tpu = 'tpu': expected the name of a resource"),
        ],
    )


def changed(instance: Instance, schedule: Schedule, rng: random.Random) -> Schedule:
    """Change the slot, cluster, mode or stop of up to three rows."""
    for _ in range(rng.randrange(4)):
        row = rng.choice(schedule.starts)
        new = rng.choice(
            [
                row._replace(slot=max(0, row.slot + rng.choice([-1, 1]))),
                row._replace(cluster=rng.randrange(len(instance.clusters))),
                row._replace(allocation=rng.choice(instance.tasks[row.task].modes).allocation),
                row._replace(until=rng.choice([None, row.slot + 1])),
            ]
        )
        schedule = swapped(schedule, row, new)
    return schedule


SCHEDULES = Schedules(
    drawn=good,
    content=lambda schedule: schedule,
    empty=lambda instance: Schedule.of([], instance, NOBODY),
    breaks_when_empty=frozenset({"every_task"}),
    rows={"starts": frozenset({"task", "cluster", "allocation", "slot"})},
    shape=file_of_one_row,
    unit="task",
    mutations=MUTATIONS,
    no_schedule=frozenset({"task_exists", "cluster_exists"}),
    alone=SHAPE,
    literal=broken_names,
    changed=changed,
    wrong=lambda instance: [
        replace(Schedule.of([Start(0, 0, (99, 99), -3), Start(0, 0, (1, 1), 4, 2)], instance, NOBODY), policy="wrong")
    ],
)
