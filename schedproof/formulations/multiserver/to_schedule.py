"""From solved CVXPY programs to a Schedule: the allocation rounded inward, so that the exact checker accepts it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from schedproof.instances.multiserver import Instance, Schedule
from schedproof.instances.multiserver.inward import inward
from schedproof.instances.multiserver.schedule import slots_at_once


def in_all_slots(problem: Any, instance: Instance, *, gain: str) -> Schedule:
    """The solved allocation in every slot."""
    y = _allocation(problem, instance)

    def blocks() -> Iterator[np.ndarray]:
        for size in _sizes(instance):
            yield np.broadcast_to(y, (size, *y.shape))

    return Schedule(instance, blocks, "multiserver.stationary", {"gain": gain})


def in_one_slot(problem: Any, instance: Instance, *, slot: int, gain: str) -> Schedule:
    """The solved allocation in its slot; in the others nothing is given."""
    y = _allocation(problem, instance)

    def blocks() -> Iterator[np.ndarray]:
        start = 0
        for size in _sizes(instance):
            block = np.zeros((size, *y.shape))
            if start <= slot < start + size:
                block[slot - start] = y
            start += size
            yield block

    return Schedule(instance, blocks, "multiserver.slot_optimum", {"slot": slot, "gain": gain})


def _sizes(instance: Instance) -> Iterator[int]:
    step = slots_at_once(instance)
    for start in range(0, instance.horizon, step):
        yield min(step, instance.horizon - start)


def _allocation(problem: Any, instance: Instance) -> np.ndarray:
    return inward(instance.graph, problem.var_dict["allocation"].value)
