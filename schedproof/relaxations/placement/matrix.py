"""The time-indexed LP as arrays, for size: each task may start in a window of slots of its own, or far away.

Far away is after all windows, one task after the other, each in its shortest mode: so the LP always has a point, and
its optimum is at least that of the LP with all slots.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from schedproof.instances.placement import Instance
from schedproof.relaxations.placement.modes import Modes

MOST_ENTRIES = 20_000_000  # of the matrix, at 12 bytes; HiGHS takes some 20 times as much
Ways = Sequence[Sequence[tuple[int, Modes]]]


@dataclass(frozen=True)
class StartLP:
    """min costs x, lower <= matrix x <= upper, x >= 0.

    Attributes
    ----------
    costs, matrix, lower, upper
        Columns: starts, then one for each task far away. Rows: one for each task, then what is used of each
        (cluster, resource or start, slot).
    held
        Of the latter, the index in a table of shape (clusters, resources + 1, slots); starts come last.
    shape
        Of that table.
    """

    costs: np.ndarray
    matrix: sparse.csc_array
    lower: np.ndarray
    upper: np.ndarray
    held: np.ndarray
    shape: tuple[int, int, int]

    def prices(self, multipliers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """mu and nu from the row duals: shapes (clusters, resources, slots) and (clusters, slots)."""
        table = np.zeros(self.shape)
        table.ravel()[self.held] = np.maximum(0.0, -multipliers[len(multipliers) - self.held.size :])
        return table[:, :-1], table[:, -1]


def entries(instance: Instance, found: Ways, windows: Sequence[int]) -> int:
    """The entries of the matrix with windows of so many slots, at most."""
    each = (sum(int((1 + modes.slots).sum()) for _, modes in here) for here in found)
    return (1 + len(instance.resources)) * sum(width * size for width, size in zip(windows, each, strict=True))


def start_lp(instance: Instance, found: Ways, windows: Sequence[int]) -> StartLP:
    """The LP in which a task may start in so many slots from its arrival on.

    Parameters
    ----------
    found
        `ways`.
    windows
        In slots, for each task.
    """
    parts = [
        (task.index, n, *amounts, slots, t)
        for task, here, width in zip(instance.tasks, found, windows, strict=True)
        for n, modes in here
        for amounts, slots in zip(modes.allocations.tolist(), modes.slots.tolist(), strict=True)
        for t in range(task.arrival, task.arrival + width)
    ]
    table = np.array(parts, dtype=np.int64).reshape(len(parts), 4 + len(instance.resources))
    task, cluster, slots, start = table[:, 0], table[:, 1], table[:, -2], table[:, -1]
    arrival = np.array([t.arrival for t in instance.tasks], dtype=np.int64)
    end = int((start + slots).max(initial=0))
    shortest = np.array([min(int(modes.slots.min()) for _, modes in here) for here in found], dtype=np.int64)
    far = end + np.cumsum(shortest) - arrival

    column = np.repeat(np.arange(len(parts)), slots)
    slot = start[column] + np.arange(column.size) - np.repeat(np.cumsum(slots) - slots, slots)
    shape = (len(instance.clusters), len(instance.resources) + 1, end)
    keys, columns, values = [], [], []
    for r in range(shape[1] - 1):
        amount = table[column, 2 + r]
        some = amount > 0
        keys.append((cluster[column[some]] * shape[1] + r) * end + slot[some])
        columns.append(column[some])
        values.append(amount[some])
    keys.append((cluster * shape[1] + shape[1] - 1) * end + start)
    columns.append(np.arange(len(parts)))
    values.append(np.ones(len(parts), dtype=np.int64))
    held, row = np.unique(np.concatenate(keys), return_inverse=True)

    tasks = len(instance.tasks)
    rows = np.concatenate([task, np.arange(tasks), tasks + row])
    columns = np.concatenate([np.arange(len(parts) + tasks), *columns])
    values = np.concatenate([np.ones(len(parts) + tasks), *values])
    matrix = sparse.csc_array((values, (rows, columns)), shape=(tasks + held.size, len(parts) + tasks))
    room = np.array([[*cluster.amounts, 1] for cluster in instance.clusters], dtype=float)
    upper = np.concatenate([np.ones(tasks), room.ravel()[held // end]])
    lower = np.concatenate([np.ones(tasks), np.full(held.size, -np.inf)])
    return StartLP(np.concatenate([start + slots - arrival[task], far]), matrix, lower, upper, held, shape)
