"""The tasks' undominated modes as arrays, which suffice at prices >= 0."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from schedproof.formulations.placement.modes import pareto_modes
from schedproof.instances.placement import Instance, fits


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


Ways = list[list[tuple[int, Modes]]]  # modes of every task, by cluster


def ways(instance: Instance) -> Ways:
    """List, for every task, the clusters with the undominated modes that fit."""
    result: Ways = [[] for _ in instance.tasks]
    for task in instance.tasks:
        modes = pareto_modes(task)
        for n in task.clusters:
            if here := [mode for mode in modes if fits(mode.allocation, instance.clusters[n].amounts)]:
                arrays = (np.array(column, dtype=np.int64) for column in zip(*here, strict=True))
                result[task.index].append((n, Modes(*arrays)))
    return result
