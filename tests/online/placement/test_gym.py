from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

pytest.importorskip("gymnasium", reason="Gymnasium, of the extra rl, is not installed")
pytest.importorskip("pettingzoo", reason="PettingZoo, of the extra rl, is not installed")

from gymnasium.utils.env_checker import check_env
from pettingzoo.test import parallel_api_test, parallel_seed_test, seed_test
from pettingzoo.utils.conversions import parallel_to_aec

import schedproof as sp
from schedproof.core.errors import InputError
from schedproof.core.runtime.context import Context
from schedproof.core.simulation.policy import DecidedBy, Hidden, SlotPolicy
from schedproof.instances.placement.drive import Place, View, drive
from schedproof.online.placement.environments import numbering, schedule_of
from schedproof.online.placement.game import Game
from schedproof.online.placement.heuristics import Minimum
from schedproof.online.placement.table import Table
from tests.instances.placement.drawn import drawn
from tests.support import size

BY = DecidedBy("test", {}, 0)


@pytest.mark.parametrize("of", ["tiny", drawn(3, clusters=3)], ids=["drawn", "instance"])
def test_pettingzoo_accepts_the_parallel_one(of: Any) -> None:
    parallel_api_test(sp.placement.parallel_env(of), num_cycles=300)
    parallel_seed_test(lambda: sp.placement.parallel_env(of))
    seed_test(lambda: parallel_to_aec(sp.placement.parallel_env(of)))


@pytest.mark.parametrize("of", ["tiny", drawn(3, clusters=3)], ids=["drawn", "instance"])
def test_gymnasium_accepts_the_sequential_one(of: Any) -> None:
    check_env(sp.placement.sequential_env(of), skip_render_check=True)


class Played:
    """A policy in the simulator, with its starts replayed in an environment."""

    def __init__(self, policy: SlotPolicy, env: Any, play: Callable[[Any, list[int]], float]) -> None:
        self.policy, self.env, self.play, self.total = policy, env, play, 0.0

    def start(self, system: Hidden) -> None:
        self.policy.start(system)

    def decide(self, view: View) -> Sequence[Place]:
        places = self.policy.decide(view)
        game: Game = self.env.game
        if game.state.slot[0] == view.slot:  # else only tasks beyond the pending sets could start
            actions = [0] * len(view.free)
            for j, n, amounts in places:
                p = game.state.pending[0, n].tolist().index(self.order.index(j))
                actions[n] = 1 + p * len(game.allocations) + game.allocations.index(amounts)
            self.total += self.play(self.env, actions)
        return places


def at_once(env: Any, actions: list[int]) -> float:
    seen, rewards, _, _, infos = env.step(dict(zip(env.possible_agents, actions, strict=True)))
    assert len(set(rewards.values())) == 1 and rewards.keys() == seen.keys() == infos.keys()
    for name, info in infos.items():
        assert env.observation_space(name).contains(seen[name])
        np.testing.assert_array_equal(seen[name]["action_mask"], info["action_mask"])
    return float(rewards[env.possible_agents[0]])


def one_by_one(env: Any, actions: list[int]) -> float:
    slot, total = env.game.state.slot[0], 0.0
    last = -1
    while env.game.state.slot[0] == slot and not (env.game.complete or env.game.late):
        turn = env._observe()["turn"]
        assert turn > last and env.action_masks()[actions[turn]] and env.action_masks().sum() > 1
        seen, reward, *_ = env.step(actions[turn])
        assert env.observation_space.contains(seen)
        last, total = turn, total + reward
    return total


@pytest.mark.parametrize("turns", ["together", "in_order"])
@pytest.mark.parametrize("kind", ["parallel", "sequential"])
def test_a_policys_actions_reproduce_its_schedule_and_objective(kind: str, turns: str) -> None:
    made, play = {
        "parallel": (sp.placement.parallel_env, at_once),
        "sequential": (sp.placement.sequential_env, one_by_one),
    }[kind]
    finished = 0
    for seed in range(size(25, 90, 1500)):
        instance = drawn(seed, tasks=3 + seed % 12, clusters=1 + seed % 4, horizon=30 + seed % 60)
        table = {"sensitive": (2 + seed % 3, seed % 5), "insensitive": (1, 1)}
        minimum = Minimum(window=1 + seed % 6, context=Context(seed=seed))
        policy = minimum if seed % 2 and turns == "together" else Table(window=1 + seed % 6, table=table, turns=turns)
        env = made(instance, window=1 + seed % 6)
        env.reset(seed=seed)
        beside = Played(policy, env, play)
        beside.order = numbering(instance)
        schedule = drive(beside, instance, BY, Context())
        found = schedule_of(env.game.state, env.game.world, instance, BY)
        assert found.starts == schedule.starts
        if env.game.complete:
            assert beside.total == -schedule.objective(instance)
            finished += 1
    assert finished


def test_a_task_taken_by_one_cluster_is_unavailable_to_the_next() -> None:
    env = sp.placement.sequential_env("tiny", tasks=1, rate=1, usable=0)  # both reach the one task
    first, _ = env.reset(seed=1)
    second, reward, *_ = env.step(0)
    assert (first["turn"], second["turn"], reward) == (0, 1, 0.0) and env.action_masks().sum() > 1
    env.step(0)
    action = int(np.flatnonzero(env.action_masks())[1])
    seen, reward, complete, late, _ = env.step(action)
    assert reward < 0 and complete and not late and env.game.state.cluster[0, 0] == 0
    assert env.action_masks().sum() == 1 and seen["turn"] == 0


def test_masked_actions_are_not_taken() -> None:
    env = sp.placement.sequential_env("tiny", tasks=20, rate=20, usable=0)
    env.reset(seed=1)
    env.step(1 + env.game.allocations.index((2, 3)))
    env.step(0)
    masked = 1 + env.game.allocations.index((2, 2))  # of as many GPUs as are not free
    assert not env.action_masks()[masked] and env.game.task(0, masked) >= 0
    seen, *_ = env.step(masked)
    assert seen["turn"] == 1 and env.action_masks()[masked]
    env.step(0)
    assert env.game.state.runs[0] == 1


def test_of_equal_choices_the_cluster_with_more_room_gets_the_task() -> None:
    env = sp.placement.parallel_env("tiny", tasks=20, rate=20, usable=0)
    env.reset(seed=2)
    one = 1  # the first task, the least allocation
    env.step({"c1": one, "c2": one})
    assert env.game.state.cluster[0, 0] == 0 and env.game.state.runs[0] == 1  # as much room: the first
    env.step({"c1": one, "c2": one})
    assert env.game.state.cluster[0, 1] == 1 and env.game.state.runs[0] == 2


def test_an_unknown_agent_is_named() -> None:
    env = sp.placement.parallel_env("tiny")
    env.reset(seed=1)
    with pytest.raises(InputError, match=r"agent = 'c9': expected one of c1, c2"):
        env.step({"c9": 0})


def test_idle_agents_are_cut_off_at_the_horizon() -> None:
    env = sp.placement.parallel_env(drawn(3, roomy=True))
    env.reset()
    while env.agents:
        _, _, terminated, truncated, _ = env.step({})
    assert all(truncated.values()) and not any(terminated.values())
