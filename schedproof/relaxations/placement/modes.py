"""The modes that matter when nothing has a negative price: those that no other mode dominates.

A mode dominates another that is not faster and needs at least as much of every resource. It fits wherever the other
fits, and at prices >= 0 it costs at most as much in every slot.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from schedproof.instances.placement import Instance, Task


class Modes(NamedTuple):
    """Some modes of a task.

    Attributes
    ----------
    allocations
        int64, shape (modes, resources).
    slots
        int64, shape (modes,).
    """

    allocations: np.ndarray
    slots: np.ndarray

    def within(self, room: np.ndarray) -> Modes:
        """Those that need no more than there is."""
        fits = (self.allocations <= room).all(axis=1)
        return Modes(self.allocations[fits], self.slots[fits])


Ways = list[list[tuple[int, Modes]]]  # of every task, by cluster


def undominated(task: Task) -> Modes:
    """The modes of a task that no other of its modes dominates; their allocations differ, so there are some."""
    allocations = np.array([mode.allocation for mode in task.modes], dtype=np.int64)
    slots = np.array([mode.slots for mode in task.modes], dtype=np.int64)
    dominates = slots[:, None] <= slots
    for amounts in allocations.T:
        dominates &= amounts[:, None] <= amounts
    np.fill_diagonal(dominates, False)
    keep = ~dominates.any(axis=0)
    return Modes(allocations[keep], slots[keep])


def ways(instance: Instance) -> Ways:
    """For every task, its clusters with the undominated modes that they have room for."""
    rooms = [np.array(cluster.amounts, dtype=np.int64) for cluster in instance.clusters]
    found = []
    for task in instance.tasks:
        modes = undominated(task)
        here = ((n, modes.within(rooms[n])) for n in task.clusters)
        found.append([(n, usable) for n, usable in here if usable.slots.size])
    return found
