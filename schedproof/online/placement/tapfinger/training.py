"""MAPPO (section IV-C) on the compiled environments: one network for all clusters, and a critic that they share.

==========================================  ============================================================================
the paper                                   done here
==========================================  ============================================================================
r_n = -R_{n,t}, of each cluster             the same for all: the tasks in the system, over the slots until the next
                                            decision, divided by the number of tasks
slots without a decision are skipped        `schedproof.online.placement.kernels.advance`
all clusters choose at once, and (11)       so with `Preset.turns` ``together``, (11) as repaired; as usual one after
resolves their conflicts                    the other, of the tasks that none before has started in the slot
(13), (14)                                  the allocation's probability counts where the cluster got the task; so
                                            does its entropy
not said                                    Adam, generalised advantages, gamma 1; rate and weight of the entropy fall;
                                            a cluster without a task that it could start decides nothing
==========================================  ============================================================================

On a CPU the same seed gives the same weights, whether training was interrupted or not.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from math import prod
from typing import NamedTuple

import numpy as np

from schedproof.core.errors import InputError, MissingExtra, SchedproofError
from schedproof.core.untyped import Tensor, Value
from schedproof.instances.placement.entities import Mode
from schedproof.online.placement.environments import of_settings
from schedproof.online.placement.kernels import renew, replay
from schedproof.online.placement.tapfinger.arrays import blank
from schedproof.online.placement.tapfinger.kernels import act, allow, drop_dominated, observe
from schedproof.online.placement.tapfinger.network import MASKED, Encoded, allocate, encode, initial, shapes, value
from schedproof.online.placement.tapfinger.observation import ELAPSED, NONE, Config, Observation
from schedproof.online.placement.tapfinger.policy import pareto_allocations
from schedproof.workloads.placement import PRESETS as WORKLOADS
from schedproof.workloads.placement import draws
from schedproof.workloads.placement.settings import Settings

try:
    import torch
except ImportError:
    raise MissingExtra("PyTorch, with which tapfinger is trained,", "rl") from None


TRIM_THRESHOLD, MMAP_THRESHOLD = -1, -3  # of malloc.h


class Preset(NamedTuple):
    """How a network is trained.

    Attributes
    ----------
    workload
        The preset of the generator whose environments it plays.
    updates
        How often it plays and learns.
    network
        Of its `Config`, what is not as usual.
    environments, slots
        That are played in an update: E environments for T decisions each.
    epochs, minibatches
        In which it learns from what it has played.
    rate, clip, smoothing, entropy, critic, norm
        Of Adam at first; of PPO's ratio; lambda of the advantages; weights of the entropy, at first, and of the
        critic's loss; the longest gradient.
    turns
        ``in_order``: the clusters choose one after the other, of the tasks that none before has started in the slot.
        ``together``: all at once, and (11) resolves their conflicts.
    tasks
        Of an environment; None for as many as the workload has.
    """

    workload: str
    updates: int
    network: Mapping[str, Value]
    environments: int = 256
    slots: int = 16
    epochs: int = 2
    minibatches: int = 4
    rate: float = 3e-3
    clip: float = 0.2
    smoothing: float = 0.98
    entropy: float = 0.03
    critic: float = 0.5
    norm: float = 0.5
    turns: str = "in_order"
    tasks: int | None = None

    @property
    def settings(self) -> Settings:
        """Of the generator."""
        s = WORKLOADS[self.workload]
        return s if self.tasks is None else s._replace(tasks=self.tasks)


DIVERGED = "the training has diverged: its weights are too large to go on with"
REPLAYED = ("key", "slot", "start", "cluster", "allocation")  # of a state: what all else of it follows from
PRESETS = {
    "tiny": Preset("tiny", 120, {"layers": 1, "encoder_layers": 0}),
    "synthetic3": Preset("synthetic3", 240, {"layers": 1, "encoder_layers": 0}, environments=64, slots=32),
    "testbed3": Preset("testbed3", 200, {"layers": 1, "encoder_layers": 0}, environments=64, slots=32, tasks=192),
}


class Torch:
    """`schedproof.online.placement.tapfinger.network.Arrays` of torch."""

    tanh: Tensor = staticmethod(torch.tanh)
    relu: Tensor = staticmethod(torch.relu)
    concatenate: Tensor = staticmethod(torch.cat)
    stack: Tensor = staticmethod(torch.stack)

    def leaky(self, x: Tensor) -> Tensor:
        """The positive part and a fifth of the negative one."""
        return torch.nn.functional.leaky_relu(x, 0.2)

    def softmax(self, x: Tensor) -> Tensor:
        """Over the last axis."""
        return torch.softmax(x, -1)

    def where(self, condition: Tensor, x: Tensor, y: float) -> Tensor:
        """The array where the condition holds, else the number."""
        return torch.where(condition, x, y)

    def rows(self, x: Tensor, index: Tensor) -> Tensor:
        """Rows x[b, index[b, ...]] of a (B, U, D)."""
        first = x.shape[1] * torch.arange(len(x), device=x.device).reshape(-1, *[1] * (index.ndim - 1))
        return torch.nn.functional.embedding(index + first, x.reshape(-1, x.shape[-1]))

    def normal(self, x: Tensor) -> Tensor:
        """Less its mean, divided by its standard deviation, over the last axis."""
        return torch.nn.functional.layer_norm(x, x.shape[-1:])


class Played(NamedTuple):
    """What was played; B = T E rows, or any of them."""

    seen: Observation
    to_come: Tensor
    choice: Tensor
    allowed: Tensor
    allocation: Tensor
    granted: Tensor
    logarithm: Tensor
    advantage: Tensor
    result: Tensor


class Report(NamedTuple):
    """How far training has come: updates, decisions of all environments, and means over the last update."""

    update: int
    steps: int
    mean_jct: float
    entropy: float
    critic_loss: float


@contextmanager
def on(device: str) -> Iterator[None]:
    """Use a device while the block runs; a CPU with one thread, on which the order of sums depends.

    Raises
    ------
    InputError
        For a device that is not there.
    """
    if device.partition(":")[0] not in ("cpu", "cuda"):
        raise InputError("expected cpu or cuda", path="device", value=device)
    try:
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError) as error:
        raise InputError(f"cannot be used: {str(error).splitlines()[0]}", path="device", value=device) from None
    _keep_memory()
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _keep_memory() -> None:
    """Have glibc keep what is freed: arrays of megabytes come from the kernel else, page by page, every time."""
    with suppress(OSError, AttributeError):  # another library
        library = ctypes.CDLL(None)
        for parameter, size in ((TRIM_THRESHOLD, 2**30), (MMAP_THRESHOLD, 2**25)):
            library.mallopt(parameter, size)


def config_of(preset: Preset) -> Config:
    """The network for a preset's workload."""
    s = preset.settings
    kinds = tuple(kind.name for kind in draws.kinds(s))
    return Config(most=(min(s.cpus, s.most_cpus), min(s.gpus, s.most_gpus)), kinds=kinds, **preset.network)


class Training:
    """A network that is being trained.

    Attributes
    ----------
    reports
        One for each update that it has had.
    """

    def __init__(self, preset: Preset, config: Config, seed: int, device: str = "cpu") -> None:
        self.preset, self.config, self.seed, self.device = preset, config, seed, device
        self.reports: list[Report] = []
        self.xp = Torch()
        self.random = torch.Generator(device=device).manual_seed(seed)
        first = initial(config, np.random.default_rng(seed))
        flat = np.concatenate([first[name].ravel() for name in shapes(config)])
        self.theta = torch.tensor(flat, device=device, requires_grad=True)
        self.moments = [torch.zeros_like(self.theta, requires_grad=False) for _ in range(2)]
        self._build()

    def _build(self) -> None:
        s = self.preset.settings
        count = self.preset.environments
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
        turns = range(clusters) if self.preset.turns == "in_order" else ()
        self.groups = [slice(n, n + 1) for n in turns] or [slice(clusters)]
        self.allowed = np.zeros((count, clusters, prod(sizes)), dtype=np.bool_)

    def weights(self) -> dict[str, Tensor]:
        """The network's weights, as parts of the vector that is trained."""
        sizes = {name: prod(shape) for name, shape in shapes(self.config).items()}
        parts = self.theta.split([*sizes.values()])
        return {name: part.view(shapes(self.config)[name]) for name, part in zip(sizes, parts, strict=True)}

    def run(self) -> Iterator[Report]:
        """Train to the end, update by update."""
        while self.update < self.preset.updates:
            played, totals = self._play()
            entropy, critic_loss = self._learn(played)
            if not bool(torch.isfinite(self.theta).all()):
                raise SchedproofError(DIVERGED)
            jct = float(np.mean(totals)) / self.index.size if totals else float("nan")
            steps = (self.update + 1) * self.preset.environments * self.preset.slots
            self.reports.append(Report(self.update + 1, steps, jct, entropy, critic_loss))
            yield self.reports[-1]

    @property
    def update(self) -> int:
        """How many updates it has had."""
        return len(self.reports)

    def numbers(self) -> dict[str, np.ndarray]:
        """The network's weights, for numpy."""
        return {name: part.detach().cpu().numpy().copy() for name, part in self.weights().items()}

    def state_arrays(self) -> dict[str, np.ndarray]:
        """The state from which training continues."""
        vectors = {"theta": self.theta.detach(), "first": self.moments[0], "second": self.moments[1]}
        return {
            **{name: vector.cpu().numpy().copy() for name, vector in vectors.items()},
            "random": self.random.get_state().numpy().copy(),
            "number": self.number.copy(),
            "reports": np.array(self.reports, dtype=np.float64).reshape(-1, len(Report._fields)),
            **{f"state.{name}": getattr(self.state, name).copy() for name in REPLAYED},
        }

    def restore(self, kept: dict[str, np.ndarray], file: str) -> None:
        """Continue from a stored state; nothing in it is trusted.

        Raises
        ------
        InputError
            When it is none that this training can have kept.
        """
        now = self.state_arrays()
        count = kept.get("reports", now["reports"]).shape[:1]
        now["reports"] = np.zeros((*count, len(Report._fields)))
        wrong = {k: (a.shape, a.dtype) for k, a in now.items()} != {k: (a.shape, a.dtype) for k, a in kept.items()}
        wrong = wrong or not self._could_be(kept)
        try:
            self.random.set_state(torch.tensor(kept["random"] if not wrong else now["random"]))
        except RuntimeError:
            wrong = True
        if wrong:
            raise InputError("is no state that this training can have kept: remove it", file=file)
        with torch.no_grad():
            for vector, name in ((self.theta, "theta"), *zip(self.moments, ("first", "second"), strict=True)):
                vector.copy_(self._tensor(kept[name]))
        self.number[:] = kept["number"]
        self.reports = [Report(int(row[0]), int(row[1]), *row[2:]) for row in kept["reports"].tolist()]

    def _could_be(self, kept: dict[str, np.ndarray]) -> bool:
        """Whether numbers are numbers, updates are counted, and the environments, replayed, come to where they were."""
        updates = np.arange(1, len(kept["reports"]) + 1)
        steps = updates * self.preset.environments * self.preset.slots
        if len(updates) > self.preset.updates or not np.array_equal(kept["reports"][:, :2].T, [updates, steps]):
            return False
        if not all(np.isfinite(kept[name]).all() for name in ("theta", "first", "second")) or kept["second"].min() < 0:
            return False
        replay(self.world, self.state, *(kept[f"state.{name}"] for name in REPLAYED))
        return all(np.array_equal(getattr(self.state, name), kept[f"state.{name}"]) for name in REPLAYED)

    def csv(self) -> bytes:
        """The reports as a table."""
        rows = [",".join(Report._fields), *(",".join(map(str, report)) for report in self.reports)]
        return ("\n".join(rows) + "\n").encode()

    def _look(self) -> tuple[Observation, Tensor]:
        """The environments' observation, and the critic's view of the future."""
        observe(self.world, self.state, self.kinds, self.most, self.index, self.seen)
        return Observation(*map(self._tensor, self.seen)), self._tensor(self._to_come().astype(np.float32))

    def _to_come(self) -> np.ndarray:
        """What the critic is told: how many tasks of each kind wait and will arrive, and what they and others take."""
        s, now = self.state, self.state.slot[:, None]
        later, waits, runs = s.arrival > now, (s.arrival <= now) & (s.start == NONE), s.end > now
        kinds = range(len(self.config.kinds))
        columns = [group & (s.kind == k) for group in (later, waits) for k in kinds]
        columns += [runs, runs * (s.end - now) / ELAPSED, later * (s.arrival - now) / ELAPSED]
        columns += [(later | waits) * s.reach.mean(-1)]
        return np.stack([column.sum(-1) for column in columns], -1) / self.index.size

    def _tensor(self, array: np.ndarray) -> Tensor:
        return torch.tensor(array, device=self.device)

    def _sample(self, logits: Tensor) -> Tensor:
        """An entry of the last axis, by the softmax of what is there."""
        noise = torch.rand(logits.shape, generator=self.random, device=self.device)
        return (logits - torch.log(-torch.log(noise.clamp(1e-20, 1 - 1e-7)))).argmax(-1)

    def _play(self) -> tuple[Played, list[float]]:
        """T decisions of every environment."""
        rows: list[list[Tensor]] = []
        rewards, ends, totals = [], [], []
        values = []
        count, clusters = self.allowed.shape[:2]
        granted = np.zeros((count, clusters), dtype=np.bool_)
        passed, total = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
        with torch.no_grad():
            w = self.weights()
            for _ in range(self.preset.slots):
                seen, to_come = self._look()
                encoded = encode(self.xp, self.config, w, seen)
                values.append(value(self.xp, w, encoded, to_come))
                seen, choice, grid, of_choice, of_grid = self._decide(w, seen, encoded)
                allowed, some = self._tensor(self.allowed), seen.can.any(-1)
                self._require_playable(torch.where(some, choice, NONE).cpu().numpy(), grid.cpu().numpy())
                acting = some & (grid > 0) if len(self.groups) > 1 else some  # one by one, nobody is denied a task
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
                won = some if len(self.groups) > 1 else self._tensor(granted)
                rows.append([seen, to_come, choice, allowed, grid, won, some * (of_choice + won * of_grid)])
                rewards.append(self._tensor(-passed / self.index.size).float())
                ends.append(self._tensor(total != NONE))
                totals += total[total != NONE].tolist()
            seen, to_come = self._look()
            values.append(value(self.xp, w, encode(self.xp, self.config, w, seen), to_come))
        advantages = self._advantages(rewards, ends, values)
        result = torch.cat([a + v for a, v in zip(advantages, values[:-1], strict=True)])
        columns = [*zip(*rows, strict=True)]
        observed = Observation(*(torch.cat(column) for column in zip(*columns[0], strict=True)))
        return Played._make([observed, *map(torch.cat, columns[1:]), torch.cat(advantages), result]), totals

    def _require_playable(self, chosen: np.ndarray, grid: np.ndarray) -> None:
        """What is masked has the lowest score, unless the weights have grown beyond all bounds."""
        can = np.take_along_axis(self.state.can, np.maximum(chosen, 0)[..., None], -1)[..., 0]
        allowed = np.take_along_axis(self.allowed, grid[..., None], -1)[..., 0]
        if not (((can != 0) | (chosen == NONE)) & allowed).all():
            raise SchedproofError(DIVERGED)

    def _decide(
        self, w: Mapping[str, Tensor], seen: Observation, encoded: Encoded
    ) -> tuple[Observation, Tensor, Tensor, Tensor, Tensor]:
        """What the clusters saw when it was their turn, and drew: tasks, allocations, and the logarithms of both."""
        can = seen.can.clone()
        choice, grid = torch.zeros((2, *can.shape[:2]), dtype=torch.int64, device=self.device)
        of_choice, of_grid = torch.zeros((2, *can.shape[:2]), device=self.device)
        chosen = np.full(choice.shape, NONE, dtype=np.int64)
        for group in self.groups:
            mine = can[:, group]
            scores = torch.where(mine, encoded.scores[:, group], MASKED)
            choice[:, group] = self._sample(scores)
            of_choice[:, group] = _logarithm(scores, choice[:, group])
            chosen[:, group] = torch.where(mine.any(-1), choice[:, group], NONE).cpu().numpy()
            allow(self.world, self.state, self.entry, chosen, self.allowed)
            if self.config.modes == "listed":
                drop_dominated(self.world, self.state, self.entry, self.candidate, self.space, chosen, self.allowed)
            logits = allocate(self.xp, w, _of_choice(encoded, choice), self._tensor(self.allowed))[:, group]
            grid[:, group] = self._sample(logits)
            of_grid[:, group] = _logarithm(logits, grid[:, group])
            node = seen.place[:, group].gather(2, choice[:, group, None])
            started = mine.any(-1, keepdim=True) & (grid[:, group, None] > 0)
            later = can[:, group.stop :]
            later &= ~((seen.place[:, group.stop :, None] == node[:, None]) & started[:, None]).any(2)
        return seen._replace(can=can), choice, grid, of_choice, of_grid

    def _advantages(self, rewards: list[Tensor], ends: list[Tensor], values: list[Tensor]) -> list[Tensor]:
        """Generalised advantages, with gamma 1."""
        result, later = [], torch.zeros_like(values[0])
        for t in reversed(range(len(rewards))):
            goes_on = (~ends[t]).float()
            delta = rewards[t] + goes_on * values[t + 1] - values[t]
            later = delta + self.preset.smoothing * goes_on * later
            result.append(later)
        return result[::-1]

    def _learn(self, played: Played) -> tuple[float, float]:
        """Epochs over what was played; the last entropy and critic's loss."""
        size = len(played.result)
        advantage = (played.advantage - played.advantage.mean()) / (played.advantage.std() + 1e-8)
        played = played._replace(advantage=advantage)
        losses = (0.0, 0.0)
        for epoch in range(self.preset.epochs):
            order = torch.randperm(size, generator=self.random, device=self.device)
            for part, rows in enumerate(order.chunk(self.preset.minibatches)):
                some = Played._make(_rows(x, rows) for x in played)
                loss, losses = self._loss(some)
                (gradient,) = torch.autograd.grad(loss, self.theta)
                self._descend(gradient, epoch * self.preset.minibatches + part)
        return losses

    def _loss(self, p: Played) -> tuple[Tensor, tuple[float, float]]:
        """PPO's clipped loss with (13) and (14)."""
        w = self.weights()
        encoded = encode(self.xp, self.config, w, p.seen)
        logits = allocate(self.xp, w, _of_choice(encoded, p.choice), p.allowed)
        some = p.seen.can.any(-1).float()
        granted = p.granted.float()
        logarithm = some * (_logarithm(encoded.scores, p.choice) + granted * _logarithm(logits, p.allocation))
        ratio = (logarithm - p.logarithm).exp()
        advantage = p.advantage[:, None]
        near = ratio.clamp(1 - self.preset.clip, 1 + self.preset.clip)
        deciding = some.sum()
        gain = (some * torch.minimum(ratio * advantage, near * advantage)).sum() / deciding
        entropy = (some * (_entropy(encoded.scores) + granted * _entropy(logits))).sum() / deciding
        error = (value(self.xp, w, encoded, p.to_come) - p.result).square().mean()
        loss = self.preset.critic * error - gain - self.preset.entropy * self._remaining_share() * entropy
        return loss, (float(entropy.detach()), float(error.detach()))

    def _remaining_share(self) -> float:
        """The remaining part of the updates, to which the rate and the entropy's weight are proportional."""
        return 1 - self.update / self.preset.updates

    def _descend(self, gradient: Tensor, part: int) -> None:
        """A step of Adam along a gradient that is not too long."""
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


def _rows(x: Tensor, rows: Tensor) -> Tensor:
    """Some rows of an array, or of an observation's."""
    return Observation(*(y[rows] for y in x)) if isinstance(x, Observation) else x[rows]


def _of_choice(encoded: Encoded, choice: Tensor) -> Tensor:
    """h of the task that each cluster has chosen."""
    index = choice[..., None, None].expand(*choice.shape, 1, encoded.tasks.shape[-1])
    return encoded.tasks.gather(2, index).squeeze(2)


def _logarithm(logits: Tensor, choice: Tensor) -> Tensor:
    """Of the probability of a choice, by the softmax of what is there."""
    return torch.log_softmax(logits, -1).gather(-1, choice[..., None]).squeeze(-1)


def _entropy(logits: Tensor) -> Tensor:
    logarithms = torch.log_softmax(logits, -1)
    return -(logarithms.exp() * logarithms).sum(-1)
