"""How TapFinger's networks are trained: environments, updates and rates, by a name each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from schedproof.core.base.untyped import Value
from schedproof.online.placement.tapfinger.observation import Config
from schedproof.workloads.placement import PRESETS as WORKLOADS
from schedproof.workloads.placement import draws
from schedproof.workloads.placement.settings import Settings


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


PRESETS = {
    "tiny": Preset("tiny", 120, {"layers": 1, "encoder_layers": 0}),
    "synthetic3": Preset("synthetic3", 240, {"layers": 1, "encoder_layers": 0}, environments=64, slots=32),
    "testbed3": Preset("testbed3", 200, {"layers": 1, "encoder_layers": 0}, environments=64, slots=32, tasks=192),
}


def config_of(preset: Preset) -> Config:
    """The network for a preset's workload."""
    s = preset.settings
    kinds = tuple(kind.name for kind in draws.kinds(s))
    return Config(most=(min(s.cpus, s.most_cpus), min(s.gpus, s.most_gpus)), kinds=kinds, **preset.network)
