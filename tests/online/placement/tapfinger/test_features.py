from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
import pytest

from schedproof.core.errors import InputError
from schedproof.core.runtime.context import Context
from schedproof.core.simulation.policy import DecidedBy, Hidden
from schedproof.instances.placement import Instance
from schedproof.instances.placement.drive import Place, Shown, View, drive
from schedproof.instances.placement.entities import Mode
from schedproof.online.placement.environments import numbering, of_instance, of_settings
from schedproof.online.placement.heuristics import Random
from schedproof.online.placement.kernels import GAIN, mixed, renew, slots
from schedproof.online.placement.tapfinger import kernels
from schedproof.online.placement.tapfinger.features import observe
from schedproof.online.placement.tapfinger.observation import NONE, Config, Observation
from schedproof.online.placement.tapfinger.policy import pareto_allocations
from schedproof.workloads.placement import PRESETS
from tests.instances.placement.drawn import drawn
from tests.support import size


class Beside:
    """Random on the simulator, replayed in a compiled environment for comparison."""

    def __init__(self, instance: Instance, config: Config, seed: int) -> None:
        self.config, self.policy = config, Random(window=config.window, context=Context(seed=seed))
        self.order, self.arrivals = numbering(instance), [task.arrival for task in instance.tasks]
        self.world, self.state = of_instance(instance, window=config.window)
        self.kinds = np.array([config.kinds.index(instance.tasks[j].kind) for j in self.order])
        sizes = tuple(most + 1 for most in config.most)
        self.entry = np.ravel_multi_index(tuple(self.world.amounts.T), sizes)
        self.allocation = np.full(prod(sizes), NONE)
        self.allocation[self.entry] = np.arange(len(self.entry))
        clusters, tasks = len(instance.clusters), len(instance.tasks)
        features = len(config.most) + 1 + len(config.kinds)
        self.seen = Observation(
            np.ones((1, clusters, len(config.most) + 3), dtype=np.float32),
            np.ones((1, tasks, features), dtype=np.float32),
            np.ones((1, tasks, features), dtype=np.float32),
            np.ones((1, clusters, tasks), dtype=np.bool_),
            np.ones((1, clusters, tasks), dtype=np.bool_),
            np.ones((1, clusters, config.window), dtype=np.int64),
            np.ones((1, clusters, config.window), dtype=np.bool_),
        )
        self.looks, self.starts = 0, 0

    def start(self, system: Hidden) -> None:
        self.policy.start(system)

    def decide(self, view: View) -> Sequence[Place]:
        if not self._observed(view)[0].can.any():  # only tasks beyond the pending sets could start
            return []
        self._compare(view)
        places = self.policy.decide(view)
        clusters = len(view.free)
        choice, grid = np.full((1, clusters), NONE), np.zeros((1, clusters), dtype=np.int64)
        for j, n, amounts in places:
            choice[0, n] = self.state.pending[0, n].tolist().index(self.order.index(j))
            grid[0, n] = np.ravel_multi_index(amounts, tuple(most + 1 for most in self.config.most))
        allowed = np.zeros((1, clusters, self.allocation.size), dtype=np.bool_)
        kernels.allow(self.world, self.state, self.entry, choice, allowed)
        for j, n, _ in places:
            task = next(task for task in view.pending if task.index == j)
            fitting = {a for a in np.ndindex(*(most + 1 for most in self.config.most)) if allowed[0, n][self._at(a)]}
            assert fitting - {(0,) * len(self.config.most)} == set(view.fitting(task, n))
        granted, whole = np.zeros((1, clusters), dtype=np.bool_), np.zeros(1, dtype=np.int64)
        score = np.ones((1, clusters))
        kernels.act(
            self.world, self.state, self.allocation, choice, score, grid, granted, whole, whole.copy(), 0, whole.copy()
        )
        assert granted.sum() == len(places)
        self.starts += len(places)
        return places

    def _observed(self, view: View) -> tuple[Observation, list[list[Shown]]]:
        return observe(view, self.config, max(slot for slot in self.arrivals if slot <= view.slot))

    def _at(self, amounts: tuple[int, ...]) -> int:
        return int(np.ravel_multi_index(amounts, tuple(most + 1 for most in self.config.most)))

    def _compare(self, view: View) -> None:
        most, index = np.array(self.config.most, dtype=np.float64), np.zeros(len(self.order), dtype=np.int64)
        kernels.observe(self.world, self.state, self.kinds, most, index, self.seen)
        found, sets = self._observed(view)
        assert self.state.slot[0] == view.slot
        for n, tasks in enumerate(sets):
            assert [self.order[j] for j in self.state.pending[0, n] if j != NONE] == [task.index for task in tasks]
        rows = {name: getattr(found, name) for name in ("clusters", "place", "can")}
        for name, array in rows.items():
            np.testing.assert_array_equal(array, getattr(self.seen, name), name)
        u = found.pending.shape[1]
        np.testing.assert_array_equal(found.pending, self.seen.pending[:, :u])
        np.testing.assert_array_equal(found.sets, self.seen.sets[:, :, :u])
        assert not self.seen.pending[:, u:].any() and not self.seen.sets[:, :, u:].any()
        assert _runs(found) == _runs(self.seen)  # in another order
        self.looks += 1


def _runs(seen: Observation) -> list[Any]:
    edges = zip(*np.nonzero(seen.runs[0]), strict=True)
    return sorted((int(n), seen.running[0, m].tolist()) for n, m in edges)


def test_a_view_equals_the_environments() -> None:
    looks, starts = 0, 0
    for seed in range(size(30, 40, 2000)):
        instance = drawn(seed, tasks=3 + seed % 12, clusters=1 + seed % 4, horizon=30 + seed % 60)
        largest = np.max([a for task in instance.tasks for a, _ in task.modes], axis=0)
        kinds = tuple(sorted({task.kind for task in instance.tasks}))
        config = Config(most=tuple(max(1, int(x)) for x in largest), kinds=kinds, window=1 + seed % 6)
        policy = Beside(instance, config, seed)
        drive(policy, instance, DecidedBy("test", {}, 0), Context())
        looks, starts = looks + policy.looks, starts + policy.starts
    assert looks > 100 and starts > 50


def test_listed_allocations_are_the_undominated_ones() -> None:
    s = PRESETS["synthetic3"]
    world, state = of_settings(s, 40)
    entry = np.ravel_multi_index(tuple(world.amounts.T), (17, 17))
    amounts = [tuple(row) for row in world.amounts.tolist()]
    best = [pareto_allocations(map(Mode, amounts, work.tolist())) for work in world.work]
    candidate = np.array([[a in kept for a in amounts] for kept in best])
    choice, allowed = np.zeros((40, 3), dtype=np.int64), np.zeros((40, 3, 289), dtype=np.bool_)
    for e in range(40):
        renew(world, state, e, 1, e)
        choice[e] = np.where(state.can[e, :, 0] != 0, 0, NONE)
    kernels.allow(world, state, entry, choice, allowed)
    fitting = allowed.copy()
    kernels.drop_dominated(world, state, entry, candidate, np.zeros(len(entry), dtype=np.int64), choice, allowed)
    no_more = (world.amounts <= world.amounts[:, None]).all(axis=2) & ~np.eye(len(amounts), dtype=np.bool_)  # a -> b
    seen = set()
    for e, n in zip(*np.nonzero(choice != NONE), strict=True):
        j = state.pending[e, n, choice[e, n]]
        gains = mixed(mixed(int(state.key[e]), int(j)), GAIN)
        took = np.array([slots(units, world.usual, world.noise, gains) for units in world.work[state.kind[e, j]]])
        rivals = (no_more & (took <= took[:, None])).any(axis=1)
        kept = {a for a, at in zip(amounts, entry, strict=True) if allowed[e, n, at]}
        assert kept == {
            a for a, at, rival in zip(amounts, entry, rivals, strict=True) if fitting[e, n, at] and not rival
        }
        assert allowed[e, n, 0]
        seen.add(frozenset(kept))
    assert len(seen) > 2


def test_a_kind_that_the_network_does_not_know_is_named() -> None:
    instance = drawn(1)
    policy = Beside(instance, Config(most=(99, 99), kinds=tuple({t.kind for t in instance.tasks})), 1)
    policy.config = Config(most=(99, 99), kinds=("other",))
    with pytest.raises(InputError, match=r": expected a kind among those of the weights, other, found "):
        drive(policy, instance, DecidedBy("test", {}, 0), Context())
