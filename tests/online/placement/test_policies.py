"""What holds for every placement policy: feasible, the same for the same seed, no look at what comes later."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
from msgspec import structs

import schedproof as sp
from schedproof.core import registry
from schedproof.instances.placement import Instance, Mode, from_json
from schedproof.workloads.placement import generate
from tests.instances.placement.drawn import drawn
from tests.support import size

STOPS = {"preemption": "allowed"}
OPTIONS: dict[str, list[dict[str, Any]]] = {
    "placement.random": [{"window": 1}],
    "placement.tiresias": [STOPS, STOPS | {"threshold": 3}],
    "placement.optimus": [STOPS, {"window": 2}],
    "placement.table": [{"table": {"b": (3, 2), "a": (1, 1)}, "turns": "in_order"}],
}
POLICIES = [
    (id, options)
    for id in registry.entries("policy")
    if id.startswith("placement.")
    for options in [{}, *OPTIONS.get(id, [])]
]
each_policy = pytest.mark.parametrize(("id", "options"), POLICIES, ids=str)


@each_policy
def test_what_can_run_runs_and_nothing_is_broken(id: str, options: dict[str, Any]) -> None:
    for seed in range(size(25, 200, 2000)):
        never_leave = "window" in options  # its few places would be taken by tasks that cannot run
        instance = drawn(seed, tasks=3 + seed % 8, clusters=1 + seed % 4, horizon=400, roomy=never_leave)
        first, again = (sp.policy(id, **options).run(instance, seed=seed) for _ in range(2))
        never = {task.name for task in instance.unschedulable_tasks}
        assert {(v.constraint, v.where) for v in first.violations} == {("every_task", name) for name in never}, seed
        assert first.schedule.starts == again.schedule.starts
        assert first.rules == {"preemption": options.get("preemption", "none")}


@each_policy
def test_the_papers_instances_are_run_to_their_end(id: str, options: dict[str, Any]) -> None:
    for seed in range(size(3, 10, 100)):
        run = sp.policy(id, **options).run(from_json(generate("tiny", seed, {})), seed=seed)
        assert run.feasible and run.objective >= 10 * 2


def others_later(instance: Instance, slot: int) -> Instance:
    """Every task from a slot on is another."""
    rng = random.Random(slot)
    later = [
        structs.replace(task, kind="b", needs=(0, 0), modes=(Mode((0, 1), rng.randrange(1, 9)),))
        if task.arrival >= slot
        else task
        for task in instance.tasks
    ]
    return replace(instance, tasks=tuple(later))


@each_policy
def test_what_comes_later_changes_nothing_before(id: str, options: dict[str, Any]) -> None:
    decided = different = 0
    for seed in range(size(12, 60, 600)):
        one = drawn(seed, tasks=8, clusters=2, horizon=200)
        slot = 2 + seed % 12
        schedules = [sp.policy(id, **options).run(i, seed=seed).schedule for i in (one, others_later(one, slot))]
        before = [
            [
                row if row.until is None or row.until < slot else row._replace(until=None)
                for row in s.starts
                if row.slot < slot
            ]
            for s in schedules
        ]
        assert before[0] == before[1], seed
        decided += bool(before[0])
        different += schedules[0].starts != schedules[1].starts
    assert decided and different


@each_policy
def test_only_those_that_say_so_see_durations(id: str, options: dict[str, Any]) -> None:
    """Durations of all tasks ten times as long: whoever does not see them starts the same in slot 0."""
    if id == "placement.optimus":
        assert sp.policy(id).build(drawn(1)).sees_durations
        return
    for seed in range(size(10, 50, 500)):
        one = drawn(seed, roomy=True, tasks=5)
        longer = [
            structs.replace(task, arrival=0, modes=tuple(Mode(mode.allocation, 10 * mode.slots) for mode in task.modes))
            for task in one.tasks
        ]
        pair = (
            replace(one, tasks=tuple(structs.replace(t, arrival=0) for t in one.tasks)),
            replace(one, tasks=tuple(longer)),
        )
        first = [
            [row[:4] for row in sp.policy(id, **options).run(i, seed=seed).schedule.starts if row.slot == 0]
            for i in pair
        ]
        assert first[0] == first[1] != []
