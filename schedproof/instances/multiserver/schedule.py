"""A multiserver schedule: the amounts of all channels by slot, block by block."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Annotated, Any

import numpy as np

from schedproof.core.base.untyped import Value
from schedproof.core.data.arrays import Blocks
from schedproof.core.data.checking import Violation
from schedproof.core.data.codecs import Codec, derive
from schedproof.core.errors import InputError, expect
from schedproof.core.runtime.context import USUAL, Context
from schedproof.core.simulation.instance import Schedule as AnySchedule
from schedproof.core.simulation.occupied import Occupied
from schedproof.instances.multiserver.instance import Instance
from schedproof.instances.multiserver.utility import Enclosure

BLOCK_BYTES = 1 << 24  # bytes of allocations in memory at a time
POINTS = 1000  # most points of a curve


@dataclass(frozen=True)
class Review:
    """The result of one pass over a schedule.

    Attributes
    ----------
    reward
        Interval that encloses the reward of the counted slots.
    counted
        The number of slots before the first block with an invalid amount; all slots if every amount is valid.
    slots, rewards
        Up to a thousand slots, and the total reward (doubles) before each of these slots.
    """

    reward: Enclosure
    counted: int
    violations: tuple[Violation, ...]
    slots: np.ndarray
    rewards: np.ndarray


def review(instance: Instance, blocks: Iterable[np.ndarray], gain: str, context: Context = USUAL) -> Review:
    """Return the review of allocations, arrays (n, E, K) in the order of the slots."""
    from schedproof.instances.multiserver.checker import Checker  # loads the kernels
    from schedproof.instances.multiserver.reward import Account

    checker, account = Checker(instance), Account(instance, gain)
    step = -(-instance.horizon // POINTS)
    curve = np.zeros(-(-instance.horizon // step))
    at = counted = 0
    for block in blocks:
        checker.look(block)
        if checker.sound and at + len(block) <= instance.horizon:
            counted += len(block)
            np.add.at(curve, np.arange(at, at + len(block)) // step, account.add(block))
        at += len(block)
        context.progress(f"{at} of {instance.horizon} slots", at / instance.horizon)
    slots = np.minimum(np.arange(1, len(curve) + 1) * step, instance.horizon)
    return Review(account.reward(), counted, tuple(checker.violations()), slots, np.cumsum(curve))


def in_blocks(allocation: np.ndarray, instance: Instance) -> Callable[[], Iterator[np.ndarray]]:
    """Return an array (T, E, K), possibly a memory map, as `Schedule.blocks`."""
    step = slots_at_once(instance)

    def blocks() -> Iterator[np.ndarray]:
        for start in range(0, len(allocation), step):
            yield np.asarray(allocation[start : start + step])

    return blocks


def _read(given: Any, path: str, row: Value, instance: Instance) -> Callable[[], Iterator[np.ndarray]]:
    shape = (instance.horizon, *instance.graph.shape)
    try:
        array = given if isinstance(given, np.ndarray) else np.array(given, dtype=np.float64)
    except ValueError:
        raise InputError("expected rows of the same length", path=path) from None
    if isinstance(given, list) and not array.size and 0 in shape:  # the list does not say how many resources there are
        array = array.reshape(len(array), *shape[1:])
    whole = array.shape == shape and array.dtype == np.float64
    expect(whole, f"expected doubles of the shape {shape}", path, f"{array.dtype} {array.shape}")
    return in_blocks(array, instance)


def _write(blocks: Callable[[], Iterator[np.ndarray]], schedule: Value, instance: Instance) -> Blocks:
    return Blocks((instance.horizon, *instance.graph.shape), np.float64, blocks)


ALLOCATION = Codec(list[list[list[float]]], _read, _write)


@dataclass(frozen=True, eq=False, repr=False)
class Schedule(AnySchedule):
    """The allocations of a policy on one instance.

    Attributes
    ----------
    blocks
        Returns a fresh iterator over the allocations: arrays (n, E, K) in the order of the slots.
    gain
        The reading of the reward, ``node`` or ``total``; set by the code that makes the schedule, not by a file's
        options.
    """

    blocks: Annotated[Callable[[], Iterator[np.ndarray]], ALLOCATION] = field(metadata={"key": "allocation"})
    gain: Annotated[str, derive(lambda row, instance: "node")] = "node"

    family = "multiserver"

    @classmethod
    def of(cls, allocation: np.ndarray, instance: Instance, decided_by: str, **more: Any) -> Schedule:
        """Return a schedule of an array (T, E, K), possibly a memory map."""
        return cls.by(decided_by, instance, in_blocks(allocation, instance), **more)

    @cached_property
    def review(self) -> Review:
        """Return the result of one pass over the blocks."""
        return review(self.instance, self.blocks(), self.gain)

    def reward(self, instance: Instance) -> Enclosure:
        """Return the cumulative reward (9), enclosed."""
        return self.review.reward

    def objective(self, instance: Instance, /, **rules: Any) -> Fraction:
        """Return the lower end of the cumulative reward (9).

        ``gain`` replaces the schedule's own reading of the reward.
        """
        gain = rules.get("gain", self.gain)
        return (self if gain == self.gain else replace(self, gain=gain)).review.reward[0]

    def occupied(self, instance: Instance) -> Iterator[Occupied]:
        """Yield the amounts of present ports, one row per channel, resource and slot."""
        graph, at = instance.graph, 0
        for block in self.blocks():
            there = instance.present(at, at + len(block))[:, graph.edge_copy, None]
            for t, e, r in np.argwhere(block * there).tolist():
                port, node = int(graph.port[graph.edge_copy[e]]), int(graph.edge_node[e])
                yield Occupied(port, node, instance.resources[r], at + t, at + t + 1, float(block[t, e, r]))
            at += len(block)

    def frame_of(self, instance: Instance) -> Any:
        """Return one row per port: jobs, reward, and mean amount of each resource."""
        import pandas as pd

        from schedproof.instances.multiserver.reward import copy_rewards, port_totals

        graph = instance.graph
        reward, held = np.zeros(len(instance.ports)), np.zeros((len(instance.ports), graph.shape[1]))
        at = 0
        for block in self.blocks():
            if at == self.review.counted:
                break
            present = instance.present(at, at + len(block))
            at += len(block)
            np.add.at(reward, graph.port, copy_rewards(graph, block, present, self.gain).sum(axis=0))
            np.add.at(held, graph.port, port_totals(graph, block, present).sum(axis=0))
        jobs = instance.arrivals.sum(axis=0, dtype=np.int64)
        rows = {"port": [port.name for port in instance.ports], "jobs": jobs, "reward": reward}
        means = {name: held[:, k] / np.maximum(jobs, 1) for k, name in enumerate(instance.resources)}
        return pd.DataFrame(rows | means)


def violations(schedule: Schedule, instance: Instance, *, gain: str = "node") -> list[Violation]:
    """Return every broken constraint, decided exactly; ``gain`` does not matter."""
    return list(schedule.review.violations)


def slots_at_once(instance: Instance) -> int:
    """Return the number of slots per block of allocations."""
    edges, resources = instance.graph.shape
    return max(1, BLOCK_BYTES // max(1, 8 * edges * resources))
