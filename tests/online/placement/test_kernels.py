from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from schedproof.core.runtime.context import Context
from schedproof.core.simulation.policy import DecidedBy
from schedproof.instances.placement import Instance, Schedule, from_json
from schedproof.instances.placement.drive import drive
from schedproof.online.placement.environments import (
    numbering,
    of_instance,
    of_settings,
    rule,
    schedule_of,
)
from schedproof.online.placement.heuristics import Minimum, Random
from schedproof.online.placement.kernels import NONE, State, World, mask, renew, slots, step
from schedproof.online.placement.rule_kernels import play, play_anew, propose_all
from schedproof.online.placement.table import Table
from schedproof.workloads.placement import PRESETS, draws, generate
from schedproof.workloads.placement.settings import configure
from tests.instances.placement.drawn import drawn
from tests.support import size

BY = DecidedBy("test", {}, 0)


def compiled(policy: Any, instance: Instance, window: int, seed: int) -> tuple[Schedule, int, int]:
    world, state = of_instance(instance, window=window)
    kinds = [instance.tasks[j].kind for j in numbering(instance)]
    count = play(world, state, rule(policy, world, kinds, [seed]))
    return schedule_of(state, world, instance, BY), int(state.passed[0]), count


def policies(window: int, seed: int) -> list[Any]:
    context = Context(seed=seed)
    table = {"sensitive": (2 + seed % 3, seed % 5), "insensitive": (1, 1)}
    return [
        Random(window=window, context=context),
        Minimum(window=window, context=context),
        Table(window=window, table=table),
    ]


@pytest.mark.parametrize("which", [0, 1, 2])
def test_a_rule_gives_the_drivers_schedule(which: int) -> None:
    started = 0
    for seed in range(size(20, 40, 5000)):
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
    for seed in range(size(2, 2, 20)):
        instance = from_json(generate(preset, seed, {}))
        for policy in (Random(context=Context(seed=seed)), Minimum(context=Context(seed=seed)), Table()):
            found, passed, _ = compiled(policy, instance, 10, seed)
            assert found.starts == drive(policy, instance, BY, Context()).starts
            assert found.violations(instance) == [] and passed == found.objective(instance)


# --- drawn environments -----------------------------------------------------------------------------------------------


def tiny(environments: int, **settings: str) -> tuple[World, State, list[str]]:
    s = configure(PRESETS["tiny"], settings)
    world, state = of_settings(s, environments)
    for e in range(environments):
        renew(world, state, e, 5, e)
    return world, state, [kind.name for kind in draws.kinds(s)]


def near(values: Any, mean: float) -> bool:
    found = np.asarray(values, dtype=float)
    return bool(abs(found.mean() - mean) < 5 * found.std() / found.size**0.5 + 1e-12)


def test_draws_have_the_generators_distribution() -> None:
    count = size(300, 300, 10_000)
    settings = {"sensitive_share": "25", "clusters": "3", "tasks": "20"}
    _, state, kinds = tiny(count, **settings)
    arrivals = [[task["arrival"] for task in generate("tiny", seed, settings)["tasks"]] for seed in range(count)]
    assert near(state.kind.mean(axis=1), 0.25) and kinds == ["insensitive", "sensitive"]
    assert near(state.arrival[:, -1], np.mean([row[-1] for row in arrivals]))
    assert near(state.arrival[:, 4], np.mean([row[4] for row in arrivals]))
    assert np.all(np.diff(state.arrival, axis=1) >= 0)
    reached = state.reach.sum(axis=2)
    usable = 5001 / 10001  # of a link; conditional on one at least
    assert reached.min() == 1 and near(reached.mean(axis=1), 3 * usable / (1 - (1 - usable) ** 3))
    assert near(state.reach[:, :, 1].mean(axis=1), usable / (1 - (1 - usable) ** 3))


def test_a_task_without_links_may_stay_so() -> None:
    _, state, _ = tiny(size(200, 300, 5000), unreachable="keep")
    assert near((state.reach.sum(axis=2) == 0).mean(axis=1), (5000 / 10001) ** 2)


def test_noise_has_the_distribution_of_the_generators() -> None:
    count = size(2000, 6_000, 100_000)
    settings = {"tasks": str(count), "most_cpus": "2", "most_gpus": "2", "fastest_gpus": "16"}
    tasks = from_json(generate("tiny", 1, settings)).tasks
    for kind, units in (("insensitive", 4000), ("sensitive", 17_000)):
        found = [slots(units, 1000, 100, key) for key in range(count)]
        expected = [task.duration[2, 1] for task in tasks if task.kind == kind]
        assert set(found) == set(expected) and abs(np.mean(found) - np.mean(expected)) < 0.1
    assert [slots(units, 1000, 0, 7) for units in (1, 1000, 1001, 17_000)] == [1, 1, 2, 17]


@cache
def generated(seed: int) -> Instance:
    return from_json(generate("tiny", seed, {}))


@pytest.mark.parametrize("which", [Random, Minimum, Table])
def test_rules_take_equally_long_on_drawn_and_generated_instances(which: Any) -> None:
    count = size(100, 100, 10_000)
    world, state, kinds = tiny(count)
    play_anew(world, state, rule(which(), world, kinds, range(count)), 5, 0)
    assert np.all(state.complete == 10) and np.all(state.slot < world.horizon)
    peers = []
    for seed in range(count):
        instance = generated(seed)
        schedule = drive(which(**({} if which is Table else {"context": Context(seed=seed)})), instance, BY, Context())
        peers.append(float(schedule.objective(instance)))
    error = (np.var(peers) / count + np.var(state.passed) / count) ** 0.5
    assert abs(np.mean(peers) - state.passed.mean()) < 4 * error


def test_an_environment_does_not_depend_on_its_position() -> None:
    _, state, _ = tiny(6)
    other, alone, _ = tiny(1)
    renew(other, alone, 0, 5, 3)
    for name in ("arrival", "kind", "reach", "key", "pending"):
        assert np.array_equal(getattr(alone, name)[0], getattr(state, name)[3])
    renew(other, alone, 0, 6, 3)
    assert not np.array_equal(alone.arrival[0], state.arrival[3]) and len(set(state.key.tolist())) == 6


class Vector:
    """Environments with the arrays of their steps, for a rule."""

    def __init__(self, environments: int, policy: Any) -> None:
        self.world, self.state, kinds = tiny(environments)
        clusters = len(self.world.capacity)
        self.rule = rule(policy, self.world, kinds, range(environments))
        self.choice, self.allocation = np.zeros((2, environments, clusters), np.int64)
        self.weight, self.number = np.zeros((environments, clusters)), np.arange(environments)
        self.passed, self.ended = np.zeros((2, environments), np.int64)

    def propose(self) -> None:
        propose_all(self.world, self.state, self.rule, self.choice, self.weight, self.allocation)

    def step(self) -> None:
        step(
            *(self.world, self.state, self.choice, self.weight, self.allocation),
            *(5, self.number, self.passed, self.ended),
        )


def test_steps_add_up_to_the_objective_and_ended_environments_restart() -> None:
    vector = Vector(4, Random())
    total, seen = np.zeros(4, np.int64), {}
    before = vector.state.passed.copy()  # until the first decision
    total += before
    while min(vector.number) < 4 * 5:
        numbers = vector.number.copy()
        vector.propose()
        vector.step()
        total += vector.passed
        for e in np.flatnonzero(vector.ended):
            seen[int(numbers[e])] = int(total[e])
            assert vector.ended[e] == 1 and vector.number[e] == numbers[e] + 4
            total[e] = vector.state.passed[e]
    world, state, kinds = tiny(1)
    for number, passed in seen.items():
        plan = rule(Random(), world, kinds, [number % 4])
        play_anew(world, state, plan, 5, number)
        assert state.passed[0] == passed


def test_idle_rules_end_at_the_horizon() -> None:
    vector = Vector(3, Random())
    waited = (vector.world.horizon - vector.state.arrival).sum(axis=1)
    total, first = vector.state.passed.copy(), {}
    while len(first) < 3:
        vector.choice[:] = NONE
        vector.step()
        total += vector.passed
        for e in np.flatnonzero(vector.ended):
            first.setdefault(int(e), (int(vector.ended[e]), int(total[e])))
    assert first == {e: (2, int(waited[e])) for e in range(3)}


def test_the_mask_leaves_exactly_the_allocations_that_can_be() -> None:
    vector = Vector(5, Random())
    world, state = vector.world, vector.state
    out = np.ones((5, 2, 10, len(world.amounts)), np.bool_)
    for _ in range(20):
        vector.propose()
        mask(world, state, out)
        for e, n, p in np.ndindex(5, 2, 10):
            there = state.pending[e, n, p] != NONE
            assert out[e, n, p].tolist() == [bool(there and np.all(row <= state.free[e, n])) for row in world.amounts]
        for e, n in zip(*np.nonzero(vector.choice != NONE), strict=True):
            assert out[e, n, vector.choice[e, n], vector.allocation[e, n]]
        vector.step()
