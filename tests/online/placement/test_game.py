from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest

import schedproof as sp
from schedproof.core.errors import InputError, MissingExtra, SchedproofError
from schedproof.core.runtime.context import Context
from schedproof.core.simulation.policy import DecidedBy, Hidden
from schedproof.instances.placement import Instance, Schedule
from schedproof.instances.placement.drive import Place, Shown, View, drive
from schedproof.online.placement.clusters import pending_set
from schedproof.online.placement.conflict import Contender, resolve, room
from schedproof.online.placement.environments import schedule_of
from schedproof.online.placement.game import Game
from tests.instances.placement.drawn import drawn
from tests.support import size

BY = DecidedBy("test", {}, 0)


def system(instance: Instance, schedule: Schedule, first: int, then: int) -> int:
    ends = schedule.completions(instance)
    return sum(max(0, min(then, ends.get(task.index, then)) - max(first, task.arrival)) for task in instance.tasks)


class Beside:
    """Allowed actions, played in a game and, by its table, in the simulator."""

    def __init__(self, instance: Instance, window: int, seed: int, idle: float) -> None:
        self.instance, self.window, self.rng, self.idle = instance, window, random.Random(seed), idle
        self.game = Game(instance, window, {})
        self.slots, self.rewards, self.lost = [0], [0.0], 0
        self.game.begin(seed)

    def start(self, system: Hidden) -> None:
        """Do nothing."""

    def decide(self, view: View) -> Sequence[Place]:
        clusters = range(len(view.free))
        sets = [pending_set(view, n, self.window) for n in clusters]
        if not any(view.fitting(task, n) for n in clusters for task in sets[n]):
            return []  # only a task beyond the pending sets can start
        assert self.game.state.slot[0] == view.slot
        chosen: dict[int, tuple[Shown, tuple[int, ...]]] = {}
        actions = []
        for n in clusters:
            self._compare(view, n, sets[n])
            allocations = self.game.allocations
            means = [(task, a) for task in sets[n] for a in allocations]
            allowed = [action for action, (task, a) in enumerate(means, 1) if a in view.fitting(task, n)]
            mask = self.game.mask(n)
            assert np.flatnonzero(mask).tolist() == [0, *allowed] and mask.shape == (self.game.actions,)
            actions.append(0 if not allowed or self.rng.random() < self.idle else self.rng.choice(allowed))
            if actions[n]:
                chosen[n] = means[actions[n] - 1]
        contender = {n: Contender(n, 1, room(view.free[n], task.needs)) for n, (task, _) in chosen.items()}
        granted = resolve({n: task.index for n, (task, _) in chosen.items()}, contender)
        self.rewards.append(self.game.act(actions))
        self.slots.append(view.slot)
        self.lost += len(chosen) - len(granted)
        return [Place(j, n, chosen[n][1]) for n, j in granted.items()]

    def _compare(self, view: View, n: int, tasks: Sequence[Shown]) -> None:
        pairs = [*self.instance.clusters, *self.instance.tasks]
        most = np.max([[1, 1], *(getattr(x, "amounts", None) or getattr(x, "needs", None) for x in pairs)], axis=0)
        seen = self.game.observation(n)
        kinds = self.game.kinds
        queue = sum(n in task.clusters for task in view.pending)
        rows = [[*task.needs / most, 1, *(task.kind == kind for kind in kinds)] for task in tasks]
        runs = [
            [*run.allocation / most, run.elapsed / 10, *(run.task.kind == kind for kind in kinds)]
            for run in view.running
            if run.cluster == n
        ]
        quiet = view.slot - max(task.arrival for task in self.instance.tasks if task.arrival <= view.slot)
        counts = [len(tasks) / self.window, (queue - len(tasks)) / 10, min(10, quiet) / 10]
        np.testing.assert_allclose(seen["cluster"], [*view.free[n] / most, *counts], rtol=1e-6)
        assert len(runs) <= len(seen["running"])
        for name, expected in (("pending", rows), ("running", runs)):
            full = expected + [[0] * (3 + len(kinds))] * (len(seen[name]) - len(expected))
            np.testing.assert_allclose(sorted(seen[name].tolist()), sorted(full), rtol=1e-6)
        np.testing.assert_allclose(seen["pending"][: len(rows)], np.reshape(rows, (-1, 3 + len(kinds))), rtol=1e-6)
        assert max(array.max() for array in seen.values()) <= self.game.highest


def test_actions_equal_the_drivers() -> None:
    lost = unfinished = 0
    for seed in range(size(60, 60, 4000)):
        instance = drawn(seed, tasks=1 + seed % 12, clusters=1 + seed // 5 % 4, horizon=20 + seed % 60)
        both = Beside(instance, 1 + seed % 6, seed, idle=seed % 3 / 3)
        schedule = drive(both, instance, BY, Context())
        if len(both.rewards) == 1:  # no task can ever start
            both.rewards.append(both.game.act([0] * len(instance.clusters)))
            both.slots.append(0)
        assert schedule_of(both.game.state, both.game.world, instance, BY).starts == schedule.starts
        end = int(both.game.state.slot[0])
        begins = [0, *both.slots[2:], end]
        expected = [-system(instance, schedule, *pair) for pair in pairwise(begins)]
        assert both.rewards[1:] == expected, seed
        assert both.game.complete != both.game.late
        if both.game.complete:
            assert sum(expected) == -schedule.objective(instance)
        lost, unfinished = lost + both.lost, unfinished + both.game.late
    assert lost and unfinished


def starts(game: Game, seed: int | None) -> list[int]:
    game.begin(seed)
    while not game.complete:
        game.act([int(np.flatnonzero(game.mask(n))[-1]) for n in range(len(game.clusters))])
    return [*game.state.arrival[0].tolist(), *game.state.start[0].tolist(), int(game.state.passed[0])]


def test_a_seed_is_a_sequence_of_episodes() -> None:
    game = Game("tiny", 10, {"tasks": 4})
    first, second = starts(game, None), starts(game, None)
    assert starts(game, 5) not in (first, second) and first != second
    assert starts(Game("tiny", 10, {"tasks": 4}), 0) == first
    assert [starts(game, 0), starts(game, None), starts(game, 0)] == [first, second, first]
    assert game.clusters == ("c1", "c2") and game.kinds == ("insensitive", "sensitive")


def test_masked_actions_start_no_task() -> None:
    game = Game("tiny", 10, {"tasks": 20, "rate": 20})
    game.begin(1)
    game.act([1 + game.allocations.index((2, 3))] * 2)  # 6 CPU cores and 1 GPU are left
    runs, slot = int(game.state.runs[0]), int(game.state.slot[0])
    masked = 1 + game.allocations.index((2, 2))
    assert runs and all(game.mask(n)[masked] == 0 and game.task(n, masked) >= 0 for n in range(2))
    game.act([masked] * 2)
    assert game.state.runs[0] == runs and game.state.slot[0] > slot


def test_an_invalid_game_gives_one_message() -> None:
    instance = drawn(1)
    for arguments, words in (
        (("huge", 10, {}), "unknown preset 'huge'"),
        (("tiny", 0, {}), "window = 0: expected an integer from 1 to 1000"),
        (("tiny", 10**9, {}), "window = 1000000000: expected"),
        (("tiny", 10, {"tasks": "many"}), "tasks"),
        (("tiny", 10, {"nothing": 1}), "nothing"),
        ((instance, 10, {"tasks": 3}), "expected no settings with an instance"),
        ((sp.embedded("day"), 10, {}), "expected a preset, or a placement instance with at least one task"),
        ((drawn(1, tasks=0), 10, {}), "expected a preset, or a placement instance with at least one task"),
    ):
        with pytest.raises(SchedproofError, match=words):
            Game(*arguments)  # type: ignore[arg-type]
    game = Game("tiny", 10, {})
    for seed in (-1, 2**32, 1.5):
        with pytest.raises(InputError, match=r"seed = .*: expected an integer from 0"):
            game.begin(seed)  # type: ignore[arg-type]
    with pytest.raises(SchedproofError, match="has not begun: reset"):
        game.act([0, 0])
    game.begin(1)
    for action in (-1, game.actions, 0.5, None):
        with pytest.raises(InputError, match=f"action.*: expected an integer from 0 to {game.actions - 1}"):
            game.act([0, action])  # type: ignore[list-item]
    starts(game, 1)
    with pytest.raises(SchedproofError, match="the episode is over"):
        game.act([0, 0])


@pytest.mark.parametrize("package", ["gymnasium", "pettingzoo"])
def test_without_the_packages_the_extra_is_named(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "schedproof.online.placement.gym", raising=False)
    monkeypatch.setitem(sys.modules, package, None)
    for made in (sp.placement.parallel_env, sp.placement.sequential_env):
        with pytest.raises(MissingExtra, match=r"is not installed; install it with: pip install 'schedproof\[rl\]'"):
            made("tiny")
