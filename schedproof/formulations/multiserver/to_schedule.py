"""From solved CVXPY programs to a Schedule: the allocation rounded inward, so that the exact checker accepts it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from schedproof.formulations.multiserver.allocation import sums
from schedproof.instances.multiserver import Graph, Instance, Schedule
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


def inward(graph: Graph, point: np.ndarray) -> np.ndarray:
    """The nearest feasible doubles, or nearly: (E, K).

    Entries are clipped to [0, a]. A row of n entries whose sum comes out above c (1 - e), e = (n + 8) 2^-52, is scaled
    to c (1 - e): the n roundings of the sum, of 2^-53 each, and those of the scaling then cannot take it above c.

    Parameters
    ----------
    point
        (E, K), finite.
    """
    y = np.clip(point, 0, graph.demand[graph.edge_copy])
    nodes = len(graph.capacity)
    used = sums(graph.edge_node, nodes) @ y
    room = graph.capacity * (1 - (np.bincount(graph.edge_node, minlength=nodes) + 8) * 2.0**-52)[:, None]
    shrink = np.divide(room, used, out=np.ones_like(used), where=used > room)
    return y * shrink[graph.edge_node]
