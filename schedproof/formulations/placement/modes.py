"""The undominated modes, enough if holding resources longer has no benefit."""

from __future__ import annotations

from itertools import compress

import numpy as np

from schedproof.instances.placement import Mode, Task


def pareto_modes(task: Task) -> tuple[Mode, ...]:
    """List the undominated modes of a task, in the order of the file.

    A mode dominates another mode that is not faster and needs at least as much of every resource: the first mode fits
    wherever and whenever the second fits, and ends no later. Allocations differ, so no two modes dominate each other.
    """
    slots = np.array([mode.slots for mode in task.modes], dtype=np.int64)
    dominates = slots[:, None] <= slots
    for amounts in np.array([mode.allocation for mode in task.modes], dtype=np.int64).T:
        dominates &= amounts[:, None] <= amounts
    np.fill_diagonal(dominates, False)
    return tuple(compress(task.modes, np.logical_not(dominates.any(axis=0)).tolist()))
