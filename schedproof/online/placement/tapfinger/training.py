"""MAPPO (section IV-C) on the compiled environments; clusters share the networks.

==========================================  ============================================================================
the paper                                   implemented
==========================================  ============================================================================
r_n = -R_{n,t}, of each cluster             equal for all: minus the tasks in the system, over slots until the next
                                            decision, divided by the number of tasks
slots without a decision are skipped        `schedproof.online.placement.kernels.advance`
all clusters choose at once, and (11)       with `Preset.turns` ``together``, by the repaired (11); by default in turn,
resolves their conflicts                    among the tasks that no cluster has started in the slot
(13), (14)                                  the allocation's probability counts if the cluster got the task, and so does
                                            its entropy
open                                        Adam, generalised advantages, gamma 1; rate and entropy weight decrease;
                                            a cluster that can start no task makes no decision
==========================================  ============================================================================

On a CPU the same seed gives the same weights, also after interruptions.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import NamedTuple

import numpy as np

from schedproof.core.base.lazy import torch
from schedproof.core.base.untyped import Tensor
from schedproof.core.errors import InputError, SchedproofError
from schedproof.online.placement.kernels import replay
from schedproof.online.placement.tapfinger.network import allocate, encode, initial, shapes, value
from schedproof.online.placement.tapfinger.observation import Config
from schedproof.online.placement.tapfinger.presets import Preset
from schedproof.online.placement.tapfinger.rollout import DIVERGED, Player, Rollout
from schedproof.online.placement.tapfinger.torch_arrays import chosen_tasks, entropy, log_chance, take_rows

REPLAYED = ("key", "slot", "start", "cluster", "allocation")  # the arrays that determine a whole state


class Report(NamedTuple):
    """Progress of a training.

    The fields are the updates, the decisions of all environments, and means over the last update.
    """

    update: int
    steps: int
    mean_jct: float
    entropy: float
    critic_loss: float


class Training:
    """A network in training.

    Attributes
    ----------
    reports
        A report for each update so far.
    player
        The player, which decides in the environments with the network's weights.
    """

    def __init__(self, preset: Preset, config: Config, seed: int, device: str = "cpu") -> None:
        self.preset, self.config = preset, config
        self.reports: list[Report] = []
        self.player = Player(preset, config, seed, device)
        first = initial(config, np.random.default_rng(seed))
        flat = np.concatenate([first[name].ravel() for name in shapes(config)])
        self.theta = torch.tensor(flat, device=device, requires_grad=True)
        self.moments = [torch.zeros_like(self.theta, requires_grad=False) for _ in range(2)]

    def weights(self) -> dict[str, Tensor]:
        """Return the network's weights, as views of the trained vector."""
        sizes = {name: prod(shape) for name, shape in shapes(self.config).items()}
        parts = self.theta.split([*sizes.values()])
        return {name: part.view(shapes(self.config)[name]) for name, part in zip(sizes, parts, strict=True)}

    def run(self) -> Iterator[Report]:
        while self.update < self.preset.updates:
            rollout, totals = self.player.play(self.weights())
            entropy, critic_loss = self._learn(rollout)
            if not bool(torch.isfinite(self.theta).all()):
                raise SchedproofError(DIVERGED)
            jct = float(np.mean(totals)) / self.player.index.size if totals else float("nan")
            steps = (self.update + 1) * self.preset.environments * self.preset.slots
            self.reports.append(Report(self.update + 1, steps, jct, entropy, critic_loss))
            yield self.reports[-1]

    @property
    def update(self) -> int:
        """Return the number of updates so far."""
        return len(self.reports)

    def numbers(self) -> dict[str, np.ndarray]:
        """Return the network's weights as numpy arrays."""
        return {name: part.detach().cpu().numpy().copy() for name, part in self.weights().items()}

    def state_arrays(self) -> dict[str, np.ndarray]:
        """Return the state from which training can continue."""
        vectors = {"theta": self.theta.detach(), "first": self.moments[0], "second": self.moments[1]}
        return {
            **{name: vector.cpu().numpy().copy() for name, vector in vectors.items()},
            "random": self.player.random.get_state().numpy().copy(),
            "number": self.player.number.copy(),
            "reports": np.array(self.reports, dtype=np.float64).reshape(-1, len(Report._fields)),
            **{f"state.{name}": getattr(self.player.state, name).copy() for name in REPLAYED},
        }

    def restore(self, kept: dict[str, np.ndarray], file: str) -> None:
        """Continue from a stored state, which is validated first.

        Raises
        ------
        InputError
            If this training cannot have stored the state.
        """
        now = self.state_arrays()
        count = kept.get("reports", now["reports"]).shape[:1]
        now["reports"] = np.zeros((*count, len(Report._fields)))
        wrong = {k: (a.shape, a.dtype) for k, a in now.items()} != {k: (a.shape, a.dtype) for k, a in kept.items()}
        wrong = wrong or not self._could_be(kept)
        try:
            self.player.random.set_state(torch.tensor(kept["random"] if not wrong else now["random"]))
        except RuntimeError:
            wrong = True
        if wrong:
            raise InputError("is not a state of this training: remove it", file=file)
        with torch.no_grad():
            for vector, name in ((self.theta, "theta"), *zip(self.moments, ("first", "second"), strict=True)):
                vector.copy_(self.player.tensor(kept[name]))
        self.player.number[:] = kept["number"]
        self.reports = [Report(int(row[0]), int(row[1]), *row[2:]) for row in kept["reports"].tolist()]

    def _could_be(self, kept: dict[str, np.ndarray]) -> bool:
        """Return whether a stored state is possible.

        Then numbers are finite, and a replay of the environments gives the stored state.
        """
        updates = np.arange(1, len(kept["reports"]) + 1)
        steps = updates * self.preset.environments * self.preset.slots
        if len(updates) > self.preset.updates or not np.array_equal(kept["reports"][:, :2].T, [updates, steps]):
            return False
        if not all(np.isfinite(kept[name]).all() for name in ("theta", "first", "second")) or kept["second"].min() < 0:
            return False
        replay(self.player.world, self.player.state, *(kept[f"state.{name}"] for name in REPLAYED))
        return all(np.array_equal(getattr(self.player.state, name), kept[f"state.{name}"]) for name in REPLAYED)

    def csv(self) -> bytes:
        rows = [",".join(Report._fields), *(",".join(map(str, report)) for report in self.reports)]
        return ("\n".join(rows) + "\n").encode()

    def _learn(self, rollout: Rollout) -> tuple[float, float]:
        size = len(rollout.result)
        advantage = (rollout.advantage - rollout.advantage.mean()) / (rollout.advantage.std() + 1e-8)
        rollout = rollout._replace(advantage=advantage)
        losses = (0.0, 0.0)
        for epoch in range(self.preset.epochs):
            order = torch.randperm(size, generator=self.player.random, device=self.player.device)
            for part, rows in enumerate(order.chunk(self.preset.minibatches)):
                some = Rollout._make(take_rows(x, rows) for x in rollout)
                loss, losses = self._loss(some)
                (gradient,) = torch.autograd.grad(loss, self.theta)
                self._descend(gradient, epoch * self.preset.minibatches + part)
        return losses

    def _loss(self, p: Rollout) -> tuple[Tensor, tuple[float, float]]:
        w = self.weights()
        encoded = encode(self.player.xp, self.config, w, p.seen)
        logits = allocate(self.player.xp, w, chosen_tasks(encoded, p.choice), p.allowed)
        some = p.seen.can.any(-1).float()
        granted = p.granted.float()
        logarithm = some * (log_chance(encoded.scores, p.choice) + granted * log_chance(logits, p.allocation))
        ratio = (logarithm - p.logarithm).exp()
        advantage = p.advantage[:, None]
        near = ratio.clamp(1 - self.preset.clip, 1 + self.preset.clip)
        deciding = some.sum()
        gain = (some * torch.minimum(ratio * advantage, near * advantage)).sum() / deciding
        spread = (some * (entropy(encoded.scores) + granted * entropy(logits))).sum() / deciding
        error = (value(self.player.xp, w, encoded, p.to_come) - p.result).square().mean()
        loss = self.preset.critic * error - gain - self.preset.entropy * self._remaining_share() * spread
        return loss, (float(spread.detach()), float(error.detach()))

    def _remaining_share(self) -> float:
        return 1 - self.update / self.preset.updates

    def _descend(self, gradient: Tensor, part: int) -> None:
        per_update = self.preset.epochs * self.preset.minibatches
        step = self.update * per_update + part + 1
        rate = self.preset.rate * self._remaining_share()
        gradient = gradient * (self.preset.norm / (gradient.norm() + 1e-6)).clamp(max=1)
        first, second = self.moments
        first.lerp_(gradient, 0.1)
        second.lerp_(gradient.square(), 0.001)
        with torch.no_grad():
            root = (second / (1 - 0.999**step)).sqrt() + 1e-8
            self.theta -= rate * (first / (1 - 0.9**step)) / root
