from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from msgspec import structs

import schedproof as sp
from schedproof.instances.placement import Mode, from_json
from schedproof.workloads.placement import generate
from tests.instances.placement.drawn import drawn
from tests.online.test_policies import ONLINE, POLICIES
from tests.support import size

each_policy, each_online = (
    pytest.mark.parametrize(("id", "options"), [row for row in rows if row[0].startswith("placement.")], ids=str)
    for rows in (POLICIES, ONLINE)
)


@each_policy
def test_feasible_tasks_run_and_no_rule_is_violated(id: str, options: dict[str, Any]) -> None:
    for seed in range(size(25, 60, 2000)):
        never_leave = "window" in options  # its few places would be taken by tasks that cannot run
        instance = drawn(seed, tasks=3 + seed % 8, clusters=1 + seed % 4, horizon=400, roomy=never_leave)
        first, again = (sp.policy(id, **options).run(instance, seed=seed) for _ in range(2))
        never = {task.name for task in instance.unschedulable_tasks}
        assert {(v.constraint, v.where) for v in first.violations} == {("every_task", name) for name in never}, seed
        assert first.schedule.starts == again.schedule.starts
        assert first.rules == {"preemption": options.get("preemption", "none")}


@each_policy
def test_the_papers_instances_are_run_to_their_end(id: str, options: dict[str, Any]) -> None:
    for seed in range(size(3, 6, 100)):
        run = sp.policy(id, **options).run(from_json(generate("tiny", seed, {})), seed=seed)
        assert run.feasible and run.objective >= 10 * 2


@each_online
def test_only_declared_policies_see_durations(id: str, options: dict[str, Any]) -> None:
    # Durations ten times as long. A policy that does not see them starts the same in slot 0.
    if id == "placement.optimus":
        assert sp.policy(id).build(drawn(1)).sees_durations
        return
    for seed in range(size(10, 18, 500)):
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
