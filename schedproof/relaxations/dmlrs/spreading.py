"""Spread schedules that were priced on merged machines over all machines.

At equal prices the best schedules of all jobs use the same machines. So each schedule is divided into parts, and each
part is placed again, slot by slot with the same number of workers, on the least loaded machines. Workers together on
one machine stay together and spread workers stay spread, so the speed does not change.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import groupby
from operator import attrgetter

import numpy as np

from schedproof.formulations.dmlrs.schedules import Plan
from schedproof.instances.dmlrs import Instance, Job, Placement
from schedproof.instances.dmlrs.alone import frontier

PARTS = 8


def spread(instance: Instance, plans: Iterable[tuple[Plan, float]]) -> Iterator[Plan]:
    """Yield the parts of schedules on new machines, each with its share."""
    of_job = lru_cache(len(instance.jobs))(lambda index: _Places(instance, instance.jobs[index]))
    free = np.broadcast_to(instance.grid.free, (instance.horizon, *instance.grid.free.shape[1:]))
    used, followed = np.zeros(free.shape), list(plans)
    for _ in range(PARTS):
        for plan, share in followed:
            places, rows = of_job(plan.job.index), list[Placement]()
            for slot, group in groupby(sorted(plan.placements, key=attrgetter("slot")), key=attrgetter("slot")):
                part = (used[slot] / np.maximum(free[slot], 1))[:, places.wanted].max(axis=1, initial=0)
                here = places.at(slot, list(group), np.argsort(part, kind="stable").tolist())
                counts = np.array([(row.workers, row.ps) for row in here])
                used[slot, [row.machine for row in here]] += share / PARTS * counts @ places.demand
                rows += here
            yield Plan(plan.job, plan.completion, tuple(sorted(rows)))


class _Places:
    """A job's needs per worker and server, (2, R), and the resources used, (R,)."""

    def __init__(self, instance: Instance, job: Job) -> None:
        self.job, self._grid = job, instance.grid
        self.demand = np.stack([self._grid.worker(job), self._grid.ps(job)])
        self.wanted = self.demand.any(axis=0)
        self._needed = np.array([job.ps_needed(n) for n in range(job.batch_size + 1)], dtype=np.int64)
        self._room: dict[int, np.ndarray] = {}

    def at(self, slot: int, rows: list[Placement], order: list[int]) -> list[Placement]:
        """Place the same workers on the first machines that fit, or return the rows."""
        room, workers = self._frontiers(slot), sum(row.workers for row in rows)
        if len(rows) == 1:
            machine = next(h for h in order if room[h, workers] >= rows[0].ps)
            return [Placement(self.job.index, slot, machine, workers, rows[0].ps)]
        result: list[Placement] = []
        placed = held = 0
        for h in order:
            ps = self._needed[placed : workers + 1] - held
            n = int(np.flatnonzero(room[h, : ps.size] >= ps)[-1])
            if n:
                result.append(Placement(self.job.index, slot, h, n, int(ps[n])))
                placed, held = placed + n, held + int(ps[n])
            if placed == workers:
                break
        return result if placed == workers and len(result) > 1 else rows

    def _frontiers(self, slot: int) -> np.ndarray:
        free = self._grid.free
        kind = min(slot, len(free) - 1)
        if kind not in self._room:
            limit = self._needed.size - 1, int(self._needed[-1])
            self._room[kind] = frontier(free[kind], self.demand[0], self.demand[1], *limit)
        return self._room[kind]
