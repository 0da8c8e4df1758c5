"""The compiled simulator beside the drive: the same schedules by the same rules, and the generator's distribution."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from schedproof.core.context import Context
from schedproof.core.policy import DecidedBy
from schedproof.instances.placement import Instance, Schedule, from_json
from schedproof.instances.placement.drive import drive
from schedproof.online.placement.environments import numbering, of_instance, rule, schedule_of
from schedproof.online.placement.heuristics import Minimum, Random
from schedproof.online.placement.rule_kernels import play
from schedproof.online.placement.table import Table
from schedproof.workloads.placement import generate
from tests.instances.placement.drawn import drawn
from tests.support import size

BY = DecidedBy("test", {}, 0)


def compiled(policy: Any, instance: Instance, window: int, seed: int) -> tuple[Schedule, int, int]:
    """The kernel's schedule, what it passed, and how many decisions it took."""
    world, state = of_instance(instance, window=window)
    kinds = [instance.tasks[j].kind for j in numbering(instance)]
    clusters = len(instance.clusters)
    count = play(world, state, rule(policy, world, kinds, [seed]), np.empty(clusters, np.int64), np.empty(clusters))
    return schedule_of(state, world, instance, BY), int(state.passed[0]), count


def policies(window: int, seed: int) -> list[Any]:
    context = Context(seed=seed)
    table = {"b": (2 + seed % 3, seed % 5), "a": (1, 1)}
    return [
        Random(window=window, context=context),
        Minimum(window=window, context=context),
        Table(window=window, table=table),
    ]


@pytest.mark.parametrize("which", [0, 1, 2])
def test_a_rule_gives_the_schedule_that_it_gives_on_the_drive(which: int) -> None:
    started = 0
    for seed in range(size(60, 500, 5000)):
        instance = drawn(seed, tasks=3 + seed % 12, clusters=1 + seed % 4, horizon=30 + seed % 60)
        window = 1 + seed % 6
        policy = policies(window, seed)[which]
        expected = drive(policy, instance, BY, Context())
        found, passed, _ = compiled(policy, instance, window, seed)
        assert found.starts == expected.starts, seed
        ends = expected.completions(instance)
        assert passed == sum(min(ends.get(t.index, 999), instance.horizon) - t.arrival for t in instance.tasks)
        started += len(found.starts)
    assert started


@pytest.mark.parametrize("preset", ["tiny", "synthetic3"])
def test_and_on_the_papers_instances(preset: str) -> None:
    for seed in range(size(2, 5, 20)):
        instance = from_json(generate(preset, seed, {}))
        for policy in (Random(context=Context(seed=seed)), Minimum(context=Context(seed=seed)), Table()):
            found, passed, _ = compiled(policy, instance, 10, seed)
            assert found.starts == drive(policy, instance, BY, Context()).starts
            assert found.violations(instance) == [] and passed == found.objective(instance)
