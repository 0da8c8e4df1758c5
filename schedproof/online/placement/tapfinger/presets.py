"""Training presets of TapFinger's networks: environments, updates and rates."""

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
        The preset of the generator that draws the environments.
    updates
        The number of rounds of playing and learning.
    network
        Settings of `Config` that differ from the defaults.
    environments, slots
        The numbers E of environments and T of decisions in each, for an update.
    epochs, minibatches
        The numbers of epochs and minibatches of learning in an update.
    rate, clip, smoothing, entropy, critic, norm
        Adam's initial rate; PPO's clip; lambda of the advantages; initial weight of the entropy; weight of the
        critic's loss; the largest gradient norm.
    turns
        ``in_order``: the clusters choose in turn among the tasks that no cluster has started in the slot.
        ``together``: all choose at once, and (11) resolves conflicts.
    tasks
        The number of tasks of an environment; ``None`` for that of the workload.
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
        """Return the generator's settings."""
        s = WORKLOADS[self.workload]
        return s if self.tasks is None else s._replace(tasks=self.tasks)


PRESETS = {
    "tiny": Preset("tiny", 120, {"layers": 1, "encoder_layers": 0}),
    "synthetic3": Preset("synthetic3", 240, {"layers": 1, "encoder_layers": 0}, environments=64, slots=32),
    "testbed3": Preset("testbed3", 200, {"layers": 1, "encoder_layers": 0}, environments=64, slots=32, tasks=192),
}


def config_of(preset: Preset) -> Config:
    """Return the network for a preset's workload."""
    s = preset.settings
    kinds = tuple(kind.name for kind in draws.kinds(s))
    return Config(most=(min(s.cpus, s.most_cpus), min(s.gpus, s.most_gpus)), kinds=kinds, **preset.network)
