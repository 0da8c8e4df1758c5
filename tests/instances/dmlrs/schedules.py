"""Random dmlrs schedules of the greedy algorithm, and the format of their files."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from typing import Any

from schedproof.core.runtime.files import encode
from schedproof.instances.dmlrs import Instance, Placement, Schedule
from tests.instances.broken import ANY_INTEGER, VERSION, Shape, integers
from tests.instances.dmlrs.greedy import greedy
from tests.instances.dmlrs.literal import broken_names
from tests.instances.dmlrs.mutations import MUTATIONS, with_rows
from tests.instances.schedules import Schedules
from tests.tiny.dmlrs import tiny_cluster


@cache
def good(seed: int) -> tuple[Instance, Schedule]:
    """A nonempty feasible schedule; the seed selects its kind."""
    for n in range(100):
        instance = tiny_cluster(
            seed + 1000 * n,
            jobs=2 + seed % 4,
            machines=1 + seed % 3,
            horizon=3 + seed % 3,
            reserved=seed % 5 == 0,
            exact_utilities=seed % 2 == 0,
        )
        schedule = greedy(instance, seed, give_up=0.5)
        if schedule.placements:
            return instance, schedule
    raise AssertionError(seed)


def file_of_one_row() -> tuple[Instance, Shape]:
    instance, schedule = good(2)
    value: dict[str, Any] = schedule.to_json(instance)
    value |= {"slots": value["slots"][:1], "unfinished": [instance.jobs[0].name]}
    return instance, Shape(
        valid=encode(value),
        numbers={
            "version": VERSION,
            "seed": ANY_INTEGER,
            **dict.fromkeys(("slot", "workers", "ps"), integers(-(10**12), 10**12)),
        },
        maps={"options": 1},
        optional=frozenset({"unfinished"}),
        refused=[
            ("slots[0].job", "nobody", "expected the name of a job"),
            ("slots[0].machine", "nowhere", "expected the name of a machine"),
            ("unfinished[0]", "nobody", "expected the name of a job"),
        ],
    )


def changed(instance: Instance, schedule: Schedule, rng: random.Random) -> Schedule:
    """Change up to three numbers by one."""
    for _ in range(rng.randrange(4)):
        row = rng.choice(schedule.placements)
        key = rng.choice(["workers", "ps", "slot", "machine"])
        new = replace(row, **{key: getattr(row, key) + rng.choice([-1, 1])})
        schedule = with_rows(schedule, [new if p == row else p for p in schedule.placements])
    return schedule


SCHEDULES = Schedules(
    drawn=good,
    content=lambda schedule: schedule,
    empty=lambda instance: Schedule.of([], instance, "nobody"),
    rows={"slots": frozenset({"job", "slot", "machine", "workers", "ps"})},
    shape=file_of_one_row,
    mutations=MUTATIONS,
    no_schedule=frozenset({"job_exists"}),
    alone=frozenset({"job_exists", "machine_exists", "counts_not_negative", "horizon", "one_row_each"}),
    literal=broken_names,
    changed=changed,
    wrong=lambda instance: [
        Schedule.of([Placement(0, -3, 0, 1, 1), Placement(0, instance.horizon + 2, 0, 2, 1)], instance, "wrong")
    ],
)
