"""The placement family as PettingZoo and Gymnasium environments.

`game` defines actions, observations and rewards.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from schedproof.core.base.untyped import Loaded
from schedproof.core.errors import InputError, MissingExtra
from schedproof.instances.placement import Instance
from schedproof.online.placement.game import Game

try:
    from gymnasium import Env
    from gymnasium.spaces import Box, Dict, Discrete, MultiBinary
    from pettingzoo import ParallelEnv
except ImportError:
    raise MissingExtra("the package of the environments (Gymnasium or PettingZoo)", "rl") from None

Of = dict[str, Loaded]  # an agent's name -> the agent's value


def _boxes(game: Game) -> dict[str, Loaded]:
    return {name: Box(0.0, game.highest, array.shape, np.float32) for name, array in game.observation(0).items()}


class Parallel(ParallelEnv):  # type: ignore[misc]  # has no types where it is not installed
    """A PettingZoo environment: all clusters act in a slot and share one reward.

    Agents are the clusters, by name.

    Parameters
    ----------
    of
        A preset of the generator, or an instance.
    window
        P, the size of a pending set.
    settings
        Generator settings that replace the preset's.

    Attributes
    ----------
    game
        The environment itself, with its allocations, kinds and state.

    Raises
    ------
    InputError
        For an unknown preset or setting, an invalid action or an invalid seed.
    """

    metadata: ClassVar[dict[str, Loaded]] = {"name": "schedproof_placement_v0", "render_modes": []}
    render_mode = None

    def __init__(self, of: str | Instance, *, window: int = 10, **settings: object) -> None:
        self.game = Game(of, window, settings)
        self.possible_agents: list[str] = list(self.game.clusters)
        self.agents: list[str] = []
        spaces = {**_boxes(self.game), "action_mask": MultiBinary(self.game.actions)}
        self.observation_spaces = {name: Dict(spaces) for name in self.possible_agents}
        self.action_spaces = {name: Discrete(self.game.actions) for name in self.possible_agents}

    def observation_space(self, agent: str) -> Loaded:
        """Return the spaces of ``cluster``, ``pending``, ``running`` and ``action_mask``."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Loaded:
        """Return the numbers of the actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Loaded] | None = None) -> tuple[Of, Of]:
        """Begin the first episode of a seed, or without a seed the next one."""
        self.game.begin(seed)
        self.agents = list(self.possible_agents)
        return self._observe()

    def step(self, actions: Mapping[str, int]) -> tuple[Of, Of, Of, Of, Of]:
        """Let all clusters act; a cluster without an action starts no task."""
        for name in actions.keys() - set(self.possible_agents):
            raise InputError(f"expected one of {', '.join(self.possible_agents)}", path="agent", value=name)
        reward = self.game.act([actions.get(name, 0) for name in self.possible_agents])
        result = (reward, self.game.complete, self.game.late)
        rewards, terminated, truncated = (dict.fromkeys(self.agents, value) for value in result)
        if self.game.complete or self.game.late:
            self.agents = []
        seen, infos = self._observe()
        return seen, rewards, terminated, truncated, infos

    def _observe(self) -> tuple[Of, Of]:
        seen, infos = {}, {}
        for n, name in enumerate(self.possible_agents):
            infos[name] = {"action_mask": self.game.mask(n)}
            seen[name] = self.game.observation(n) | infos[name]
        return seen, infos


class Sequential(Env):  # type: ignore[misc]  # has no types where it is not installed
    """A Gymnasium environment: clusters act in turn, so that no conflict can occur.

    A task that a cluster takes is masked for the next clusters. All tasks of a slot start after the last cluster's
    action, whose step returns the reward. A cluster that can start no task is skipped. An observation also has
    ``turn``: the acting cluster.

    Parameters
    ----------
    of, window, settings
        The parameters of `Parallel`.

    Attributes
    ----------
    game
        The environment itself, with its allocations, kinds and state.

    Raises
    ------
    InputError
        For an unknown preset or setting, an invalid action or an invalid seed.
    """

    metadata: ClassVar[dict[str, Loaded]] = {"render_modes": []}

    def __init__(self, of: str | Instance, *, window: int = 10, **settings: object) -> None:
        self.game = Game(of, window, settings)
        self.observation_space = Dict({**_boxes(self.game), "turn": Discrete(len(self.game.clusters))})
        self.action_space = Discrete(self.game.actions)
        self._begin()

    def action_masks(self) -> np.ndarray:
        """Return the acting cluster's possible actions, booleans (for sb3's MaskablePPO)."""
        return self.game.mask(self._turn, self._taken).astype(np.bool_)

    def reset(self, *, seed: int | None = None, options: Mapping[str, Loaded] | None = None) -> tuple[Of, Of]:
        """Begin the first episode of a seed, or without a seed the next one."""
        super().reset(seed=seed)
        self.game.begin(seed)
        self._begin()
        return self._observe(), {}

    def step(self, action: int) -> tuple[Of, float, bool, bool, Of]:
        """Let the acting cluster act."""
        task = self.game.task(self._turn, action)
        if self.action_masks()[action]:
            self._actions[self._turn] = action
            self._taken.append(task)
        reward = 0.0
        if not self._pass_on():
            reward = self.game.act(self._actions)
            self._begin()
        return self._observe(), reward, self.game.complete, self.game.late, {}

    def _begin(self) -> None:
        self._actions, self._taken = [0] * len(self.game.clusters), [-1]
        self._turn = 0
        if self.action_masks().sum() == 1:
            self._pass_on()

    def _pass_on(self) -> bool:
        for n in range(self._turn + 1, len(self._actions)):
            if self.game.mask(n, self._taken).sum() > 1:
                self._turn = n
                return True
        return False

    def _observe(self) -> Of:
        return {**self.game.observation(self._turn), "turn": self._turn}
