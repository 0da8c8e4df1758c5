"""A multiserver schedule: who gets how much through which channel in each slot, block by block."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from schedproof.core.arrays import Blocks
from schedproof.core.errors import InputError
from schedproof.core.reading import convert
from schedproof.core.run import Violation
from schedproof.instances.multiserver.checker import Checker
from schedproof.instances.multiserver.instance import Instance
from schedproof.instances.multiserver.reward import Account, slot_rewards
from schedproof.instances.multiserver.utility import Enclosure
from schedproof.instances.schedule_file import Header, header

BLOCK_BYTES = 1 << 24  # of allocations in memory at a time
POINTS = 1000  # of a curve, at most


class ScheduleFile(Header):
    allocation: list[list[list[float]]]


@dataclass(frozen=True)
class Found:
    """What one pass over a schedule finds: its exact account, what it breaks, and a curve of rewards.

    Attributes
    ----------
    reward
        Of the slots that have one, enclosed.
    counted
        How many have: all of them, or those of the blocks before the first with an amount that makes no sense.
    slots, rewards
        At up to a thousand numbers of slots, the reward (doubles) of the slots before.
    """

    reward: Enclosure
    counted: int
    violations: tuple[Violation, ...]
    slots: np.ndarray
    rewards: np.ndarray


@dataclass(frozen=True, eq=False)
class Schedule:
    """What a policy decided on one instance.

    Attributes
    ----------
    instance
        That instance.
    blocks
        Gives the allocations anew each time it is called: arrays (n, E, K) in the order of the slots.
    """

    instance: Instance
    blocks: Callable[[], Iterator[np.ndarray]]
    policy: str
    options: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0

    @classmethod
    def of(cls, allocation: np.ndarray, instance: Instance, decided_by: str, **more: Any) -> Schedule:
        """A schedule of an array (T, E, K), which may be a memory map."""
        step = slots_at_once(instance)

        def blocks() -> Iterator[np.ndarray]:
            for start in range(0, len(allocation), step):
                yield np.asarray(allocation[start : start + step])

        return cls(instance, blocks, decided_by, **more)

    @property
    def instance_sha256(self) -> str:
        """The instance's identity."""
        return self.instance.sha256

    @property
    def gain(self) -> str:
        """The reading of the gain under which its reward counts."""
        return str(self.options.get("gain", "node"))

    @cached_property
    def found(self) -> Found:
        """The account of the whole schedule, from one pass over its blocks."""
        return self.look(lambda slots: None)

    def look(self, progress: Callable[[int], None]) -> Found:
        """One pass over the blocks; ``progress`` is told the number of slots of each."""
        instance = self.instance
        checker, account = Checker(instance), Account(instance, self.gain)
        step = -(-instance.horizon // POINTS)
        curve = np.zeros(-(-instance.horizon // step))
        at = counted = 0
        for block in self.blocks():
            checker.look(block)
            if checker.sound and at + len(block) <= instance.horizon:
                counted += len(block)
                account.add(block)
                earned = slot_rewards(instance.graph, block, instance.present(at, at + len(block)), self.gain)
                np.add.at(curve, np.arange(at, at + len(block)) // step, earned)
            at += len(block)
            progress(len(block))
        slots = np.minimum(np.arange(1, len(curve) + 1) * step, instance.horizon)
        return Found(account.reward(), counted, tuple(checker.violations()), slots, np.cumsum(curve))

    def reward(self, instance: Instance) -> Enclosure:
        """The cumulative reward (9), enclosed."""
        return self.found.reward

    def objective(self, instance: Instance) -> Fraction:
        """The cumulative reward (9), the lower end of its enclosure."""
        return self.found.reward[0]

    def violations(self, instance: Instance) -> list[Violation]:
        """Every broken constraint, decided exactly; empty for a feasible schedule."""
        return list(self.found.violations)

    def to_frame(self, instance: Instance) -> Any:
        """One row per port: its jobs, their reward in all, and what they hold of each resource on average."""
        import pandas as pd

        graph = instance.graph
        reward, held = np.zeros(len(instance.ports)), np.zeros((len(instance.ports), graph.shape[1]))
        at = 0
        for block in self.blocks():
            if at == self.found.counted:
                break
            present = instance.present(at, at + len(block))
            at += len(block)
            for p in range(len(instance.ports)):
                mine = present * (graph.port == p)
                reward[p] += slot_rewards(graph, block, mine, self.gain).sum()
                held[p] += np.einsum("te,tek->k", mine[:, graph.edge_copy], block)
        jobs = instance.arrivals.sum(axis=0, dtype=np.int64)
        rows = {"port": [port.name for port in instance.ports], "jobs": jobs, "reward": reward}
        means = {name: held[:, k] / np.maximum(jobs, 1) for k, name in enumerate(instance.resources)}
        return pd.DataFrame(rows | means)

    def plot(self, instance: Instance, ax: Any = None) -> Any:
        """The average reward of the slots so far."""
        from schedproof.instances.multiserver.picture import draw_average

        return draw_average(self, ax)

    def to_json(self, instance: Instance) -> dict[str, Any]:
        """The schedule file's JSON object; the allocation lies beside it."""
        shape = (instance.horizon, *instance.graph.shape)
        return {
            **header(self, "multiserver"),
            "allocation": Blocks(shape, np.float64, self.blocks),
        }

    @classmethod
    def from_json(cls, value: Any, instance: Instance) -> Schedule:
        """A schedule from a parsed JSON object whose allocation is an array or nested lists.

        Raises
        ------
        InputError
            For another instance's schedule, or an allocation that is no array of doubles.
        """
        given = value.get("allocation") if isinstance(value, dict) else None
        file = convert(value | {"allocation": []} if isinstance(given, np.ndarray) else value, ScheduleFile)
        file.require(instance)
        shape = (instance.horizon, *instance.graph.shape)
        array = given if isinstance(given, np.ndarray) else _doubles(file.allocation, shape)
        if array.shape != shape or array.dtype != np.float64:
            raise InputError(
                f"expected doubles of the shape {shape}", path="allocation", value=f"{array.dtype} {array.shape}"
            )
        return cls.of(array, instance, file.policy, options=file.options, seed=file.seed)


def _doubles(rows: list[list[list[float]]], shape: tuple[int, ...]) -> np.ndarray:
    """Nested lists as an array; where there are no edges, no list says how many resources there are."""
    try:
        array = np.array(rows, dtype=np.float64)
    except ValueError:
        raise InputError("expected rows of the same length", path="allocation") from None
    return array if array.size or 0 not in shape else array.reshape(len(array), *shape[1:])


def slots_at_once(instance: Instance) -> int:
    """How many slots' allocations are handled together."""
    edges, resources = instance.graph.shape
    return max(1, BLOCK_BYTES // max(1, 8 * edges * resources))
