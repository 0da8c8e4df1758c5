"""The training data: decisions drawn by the current network in all environments.

On a CPU the same seed, weights and state give the same decisions.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import NamedTuple

import numpy as np

from schedproof.core.base.lazy import torch
from schedproof.core.base.untyped import Tensor
from schedproof.core.errors import SchedproofError
from schedproof.instances.placement.entities import Mode
from schedproof.online.placement.environments import of_settings
from schedproof.online.placement.kernels import renew
from schedproof.online.placement.tapfinger.arrays import blank
from schedproof.online.placement.tapfinger.kernels import act, allow, drop_dominated, observe
from schedproof.online.placement.tapfinger.network import MASKED, Encoded, allocate, encode, value
from schedproof.online.placement.tapfinger.observation import ELAPSED, NONE, Config, Observation
from schedproof.online.placement.tapfinger.policy import pareto_allocations
from schedproof.online.placement.tapfinger.presets import Preset
from schedproof.online.placement.tapfinger.torch_arrays import Torch, chosen_tasks, log_chance

DIVERGED = "the training has diverged: its weights are too large to continue"


class Rollout(NamedTuple):
    """Played decisions; B = T E rows, or a selection of them."""

    seen: Observation
    to_come: Tensor
    choice: Tensor
    allowed: Tensor
    allocation: Tensor
    granted: Tensor
    logarithm: Tensor
    advantage: Tensor
    result: Tensor


class Player:
    """The environments of a training, and the random generator of its decisions.

    Attributes
    ----------
    world, state
        The arrays of all environments, for the kernels.
    number
        The number of environments so far.
    """

    def __init__(self, preset: Preset, config: Config, seed: int, device: str) -> None:
        self.preset, self.config, self.seed, self.device = preset, config, seed, device
        self.xp = Torch()
        self.random = torch.Generator(device=device).manual_seed(seed)
        s, count = preset.settings, preset.environments
        self.world, self.state = of_settings(s, count, window=self.config.window)
        self.kinds = np.arange(len(self.config.kinds))
        self.most = np.array(self.config.most, dtype=np.float64)
        sizes = tuple(most + 1 for most in self.config.most)
        self.entry = np.ravel_multi_index(tuple(self.world.amounts.T), sizes).astype(np.int64)
        self.allocation = np.full(prod(sizes), NONE, dtype=np.int64)
        self.allocation[self.entry] = np.arange(len(self.entry))
        self.number = np.array([count], dtype=np.int64)
        for e in range(count):
            renew(self.world, self.state, e, self.seed, e)
        tasks, (clusters, _) = s.tasks, self.world.capacity.shape
        self.seen = blank(self.world, self.state, len(self.config.kinds))
        self.index = np.zeros(tasks, dtype=np.int64)
        self.space = np.zeros(len(self.entry), dtype=np.int64)
        self.candidate = np.zeros(self.world.work.shape, dtype=np.bool_)
        amounts = [tuple(row) for row in self.world.amounts.tolist()]
        for k, work in enumerate(self.world.work.tolist()):
            best = pareto_allocations(Mode(a, units) for a, units in zip(amounts, work, strict=True) if units)
            self.candidate[k] = [a in best for a in amounts]
        turns = range(clusters) if preset.turns == "in_order" else ()
        self.groups = [slice(n, n + 1) for n in turns] or [slice(clusters)]
        self.allowed = np.zeros((count, clusters, prod(sizes)), dtype=np.bool_)

    def _look(self) -> tuple[Observation, Tensor]:
        observe(self.world, self.state, self.kinds, self.most, self.index, self.seen)
        return Observation(*map(self.tensor, self.seen)), self.tensor(self._to_come().astype(np.float32))

    def _to_come(self) -> np.ndarray:
        """Return the critic's input on waiting and future tasks.

        It is the number of these tasks by kind, and their work.
        """
        s, now = self.state, self.state.slot[:, None]
        later, waits, runs = s.arrival > now, (s.arrival <= now) & (s.start == NONE), s.end > now
        kinds = range(len(self.config.kinds))
        columns = [group & (s.kind == k) for group in (later, waits) for k in kinds]
        columns += [runs, runs * (s.end - now) / ELAPSED, later * (s.arrival - now) / ELAPSED]
        columns += [(later | waits) * s.reach.mean(-1)]
        return np.stack([column.sum(-1) for column in columns], -1) / self.index.size

    def tensor(self, array: np.ndarray) -> Tensor:
        """Return the array on the training's device."""
        return torch.tensor(array, device=self.device)

    def _sample(self, logits: Tensor) -> Tensor:
        noise = torch.rand(logits.shape, generator=self.random, device=self.device)
        return (logits - torch.log(-torch.log(noise.clamp(1e-20, 1 - 1e-7)))).argmax(-1)

    def play(self, w: Mapping[str, Tensor]) -> tuple[Rollout, list[float]]:
        """Play T decisions of every environment; also return the total JCT of ended ones."""
        rows: list[list[Tensor]] = []
        rewards, ends, totals = [], [], []
        values = []
        count, clusters = self.allowed.shape[:2]
        granted = np.zeros((count, clusters), dtype=np.bool_)
        passed, total = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
        with torch.no_grad():
            for _ in range(self.preset.slots):
                seen, to_come = self._look()
                encoded = encode(self.xp, self.config, w, seen)
                values.append(value(self.xp, w, encoded, to_come))
                seen, choice, grid, of_choice, of_grid = self._decide(w, seen, encoded)
                allowed, some = self.tensor(self.allowed), seen.can.any(-1)
                self._require_playable(torch.where(some, choice, NONE).cpu().numpy(), grid.cpu().numpy())
                acting = some & (grid > 0) if len(self.groups) > 1 else some  # in turn, no cluster loses its task
                act(
                    self.world,
                    self.state,
                    self.allocation,
                    torch.where(acting, choice, NONE).cpu().numpy(),
                    of_choice.exp().double().cpu().numpy(),
                    grid.cpu().numpy(),
                    granted,
                    passed,
                    total,
                    self.seed,
                    self.number,
                )
                won = some if len(self.groups) > 1 else self.tensor(granted)
                rows.append([seen, to_come, choice, allowed, grid, won, some * (of_choice + won * of_grid)])
                rewards.append(self.tensor(-passed / self.index.size).float())
                ends.append(self.tensor(total != NONE))
                totals += total[total != NONE].tolist()
            seen, to_come = self._look()
            values.append(value(self.xp, w, encode(self.xp, self.config, w, seen), to_come))
        gains = advantages(self.preset.smoothing, rewards, ends, values)
        result = torch.cat([a + v for a, v in zip(gains, values[:-1], strict=True)])
        columns = [*zip(*rows, strict=True)]
        observed = Observation(*(torch.cat(column) for column in zip(*columns[0], strict=True)))
        return Rollout._make([observed, *map(torch.cat, columns[1:]), torch.cat(gains), result]), totals

    def _require_playable(self, chosen: np.ndarray, grid: np.ndarray) -> None:
        can = np.take_along_axis(self.state.can, np.maximum(chosen, 0)[..., None], -1)[..., 0]
        allowed = np.take_along_axis(self.allowed, grid[..., None], -1)[..., 0]
        if not (((can != 0) | (chosen == NONE)) & allowed).all():
            raise SchedproofError(DIVERGED)

    def _decide(
        self, w: Mapping[str, Tensor], seen: Observation, encoded: Encoded
    ) -> tuple[Observation, Tensor, Tensor, Tensor, Tensor]:
        """Return the clusters' inputs, and the tasks and allocations drawn in turn.

        The draws come with their log probabilities.
        """
        can = seen.can.clone()
        choice, grid = torch.zeros((2, *can.shape[:2]), dtype=torch.int64, device=self.device)
        of_choice, of_grid = torch.zeros((2, *can.shape[:2]), device=self.device)
        chosen = np.full(choice.shape, NONE, dtype=np.int64)
        for group in self.groups:
            mine = can[:, group]
            scores = torch.where(mine, encoded.scores[:, group], MASKED)
            choice[:, group] = self._sample(scores)
            of_choice[:, group] = log_chance(scores, choice[:, group])
            chosen[:, group] = torch.where(mine.any(-1), choice[:, group], NONE).cpu().numpy()
            allow(self.world, self.state, self.entry, chosen, self.allowed)
            if self.config.modes == "listed":
                drop_dominated(self.world, self.state, self.entry, self.candidate, self.space, chosen, self.allowed)
            logits = allocate(self.xp, w, chosen_tasks(encoded, choice), self.tensor(self.allowed))[:, group]
            grid[:, group] = self._sample(logits)
            of_grid[:, group] = log_chance(logits, grid[:, group])
            node = seen.place[:, group].gather(2, choice[:, group, None])
            started = mine.any(-1, keepdim=True) & (grid[:, group, None] > 0)
            later = can[:, group.stop :]
            later &= ~((seen.place[:, group.stop :, None] == node[:, None]) & started[:, None]).any(2)
        return seen._replace(can=can), choice, grid, of_choice, of_grid


def advantages(smoothing: float, rewards: list[Tensor], ends: list[Tensor], values: list[Tensor]) -> list[Tensor]:
    """Return generalised advantages, with lambda = ``smoothing`` and gamma 1."""
    result, later = [], torch.zeros_like(values[0])
    for t in reversed(range(len(rewards))):
        goes_on = (~ends[t]).float()
        delta = rewards[t] + goes_on * values[t + 1] - values[t]
        later = delta + smoothing * goes_on * later
        result.append(later)
    return result[::-1]
