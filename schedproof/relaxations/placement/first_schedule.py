"""An initial schedule without horizon: tasks by arrival, each completed early."""

from __future__ import annotations

from typing import Any

import numpy as np

from schedproof.instances.placement import Instance
from schedproof.relaxations.placement.certificate import in_breaks
from schedproof.relaxations.placement.modes import Ways


def first_schedule(instance: Instance, found: Ways) -> np.ndarray:
    """Return a start per task, as rows of `relaxations.placement.matrix`."""
    free = [np.array([*cluster.amounts, 1], dtype=np.int64)[:, None] for cluster in instance.clusters]
    closed = in_breaks(instance, max((row.end for row in instance.breaks), default=0))
    rest = [room * ~away for room, away in zip(free, closed, strict=True)]
    # free amounts by slot; starts count as one more resource
    rows = []
    for task in sorted(instance.tasks, key=lambda task: task.arrival):
        best: tuple[int, ...] = ()
        for n, (allocations, slots) in found[task.index]:
            for k in np.argsort(slots, kind="stable").tolist():
                length = int(slots[k])
                if best and task.arrival + length >= best[0]:
                    break
                start = _earliest(rest[n][:, task.arrival :], allocations[k], length) + task.arrival
                if not best or start + length < best[0]:
                    best = (start + length, n, length, start, *allocations[k].tolist())
        end, n, length, start, *amounts = best
        if end > rest[n].shape[1]:
            more = max(end, 2 * rest[n].shape[1]) - rest[n].shape[1]
            rest[n] = np.concatenate([rest[n], np.repeat(free[n], more, axis=1)], axis=1)
        rest[n][:-1, start:end] -= np.array(amounts)[:, None]
        rest[n][-1, start] = 0
        rows.append((task.index, *best[1:]))
    return np.array(rows, dtype=np.int64).reshape(len(rows), 4 + len(instance.resources))


def _earliest(left: np.ndarray, allocation: Any, length: int) -> int:
    full = np.concatenate([[0], np.cumsum((left[:-1] < allocation[:, None]).any(axis=0))])
    slots = np.arange(full.size)
    good = full[np.minimum(slots + length, full.size - 1)] == full
    good[:-1] &= left[-1] > 0
    return int(good.argmax())
