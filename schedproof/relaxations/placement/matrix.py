"""The time-indexed LP as arrays with column generation, for large instances.

A column is a start, a row of integers: task, cluster, slots, first slot, and the amount of each resource. The rows of
the LP are the tasks, and then each cluster's resources and starts in the slots before a last slot. Use in later slots
has no row and no price.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from schedproof.instances.placement import Instance
from schedproof.relaxations.placement.certificate import BITS, StartPrices, in_breaks
from schedproof.relaxations.placement.modes import Ways

CHEAPER = 1e-7  # a start is added if its cost is below the task's dual value by this margin


@dataclass(frozen=True)
class StartLP:
    """The rows of the LP: tasks, then a table (clusters, resources + 1, slots)."""

    instance: Instance
    slots: int

    @property
    def shape(self) -> tuple[int, int, int]:
        return len(self.instance.clusters), len(self.instance.resources) + 1, self.slots

    @property
    def sides(self) -> tuple[np.ndarray, np.ndarray]:
        room = np.array([[*cluster.amounts, 1] for cluster in self.instance.clusters], dtype=float)
        once = np.ones(len(self.instance.tasks))
        rooms = np.repeat(room.ravel(), self.slots).reshape(self.shape)
        upper = np.where(in_breaks(self.instance, self.slots)[:, None], 0.0, rooms).ravel()
        return np.concatenate([once, np.full(upper.size, -np.inf)]), np.concatenate([once, upper])

    def costs(self, starts: np.ndarray) -> np.ndarray:
        arrival = np.array([task.arrival for task in self.instance.tasks], dtype=np.int64)
        times: np.ndarray = starts[:, 2] + starts[:, 3] - arrival[starts[:, 0]]
        return times

    def columns(self, starts: np.ndarray) -> sparse.csc_array:
        _, width, last = self.shape
        task, cluster, _, first = starts[:, :4].T
        number = np.arange(len(starts))
        lasts = np.clip(last - first, 0, starts[:, 2])  # number of slots that have a row
        of = np.repeat(number, lasts)
        slot = first[of] + np.arange(of.size) - np.repeat(np.cumsum(lasts) - lasts, lasts)
        rows, columns, values = [task], [number], [np.ones(len(starts))]
        for r in range(width - 1):
            rows.append(len(self.instance.tasks) + (cluster[of] * width + r) * last + slot)
            columns.append(of)
            values.append(starts[of, 4 + r].astype(float))
        soon = np.flatnonzero(first < last)
        rows.append(len(self.instance.tasks) + (cluster[soon] * width + width - 1) * last + first[soon])
        columns.append(soon)
        values.append(np.ones(soon.size))
        entries = np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))
        height = len(self.instance.tasks) + int(np.prod(self.shape))
        result = sparse.csc_array(entries, shape=(height, len(starts)))
        result.eliminate_zeros()
        return result

    def prices(self, multipliers: np.ndarray) -> StartPrices:
        table = -multipliers[len(self.instance.tasks) :].reshape(self.shape)
        return StartPrices.of(table[:, :-1], table[:, -1])


def early_starts(instance: Instance, found: Ways, count: int) -> np.ndarray:
    """Return starts of every mode in the first ``count`` slots of each task."""
    parts = [
        (task.index, n, slots, t, *amounts)
        for task, here in zip(instance.tasks, found, strict=True)
        for n, modes in here
        for amounts, slots in zip(modes.allocations.tolist(), modes.slots.tolist(), strict=True)
        for t in range(task.arrival, task.arrival + count)
    ]
    return np.array(parts, dtype=np.int64).reshape(len(parts), 4 + len(instance.resources))


def cheaper_starts(instance: Instance, found: Ways, prices: StartPrices, worth: np.ndarray) -> np.ndarray:
    """Return the cheapest start per task, cluster, mode, below the task's dual value."""
    resources, launches = prices.resources * 2.0**-BITS, prices.starts * 2.0**-BITS
    last = launches.shape[1]
    sums = np.concatenate([np.zeros((*resources.shape[:2], 1)), resources.cumsum(axis=2)], axis=2)
    launches = np.concatenate([launches, np.zeros((len(launches), 1))], axis=1)
    rows = [np.empty((0, 4 + len(instance.resources)), dtype=np.int64)]
    for task, here in zip(instance.tasks, found, strict=True):
        end = min(
            max(task.arrival, last), task.arrival + int(worth[task.index])
        )  # in later slots the wait costs more than the best start
        t = np.arange(task.arrival, end + 1)
        begin = np.minimum(t, last)
        for n, (allocations, slots) in here:
            held = sums[n][:, np.minimum(t + slots[:, None], last)] - sums[n][:, None, begin]
            cost = t + slots[:, None] - task.arrival + launches[n, begin]
            cost += (allocations.T[:, :, None] * held).sum(axis=0)
            best = cost.argmin(axis=1)
            kept = np.flatnonzero(cost[np.arange(best.size), best] < worth[task.index] - CHEAPER)
            one = np.full(kept.size, 1)
            rows.append(np.column_stack([task.index * one, n * one, slots[kept], t[best[kept]], allocations[kept]]))
    return np.concatenate(rows)
