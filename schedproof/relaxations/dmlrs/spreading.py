"""Schedules that were priced as if all machines of a slot were one, put on machines that are not.

At equal prices the best schedules of all jobs stand on the same machines, and no mixture of them is feasible. Here each
of them is cut into parts, and every part is placed anew, slot by slot and with as many workers as it had, on those
machines that the parts before it have loaded least. What was together on one machine stays together, what was apart
stays apart, so that no schedule gets slower, or faster.
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
    """The parts of schedules, each with the share to which it is followed, on other machines."""
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
    """Where a job fits: what a worker and a parameter server take, (2, R), and which resources that touches, (R,)."""

    def __init__(self, instance: Instance, job: Job) -> None:
        self.job, self._grid = job, instance.grid
        self.demand = np.stack([self._grid.worker(job), self._grid.ps(job)])
        self.wanted = self.demand.any(axis=0)
        self._needed = np.array([job.ps_needed(n) for n in range(job.batch_size + 1)], dtype=np.int64)
        self._room: dict[int, np.ndarray] = {}

    def at(self, slot: int, rows: list[Placement], order: list[int]) -> list[Placement]:
        """As many workers as these, on the first of the machines that hold them; the rows if that does not come out."""
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
        """(H, F + 1): the most parameter servers beside so many workers on each machine."""
        free = self._grid.free
        kind = min(slot, len(free) - 1)
        if kind not in self._room:
            limit = self._needed.size - 1, int(self._needed[-1])
            self._room[kind] = frontier(free[kind], self.demand[0], self.demand[1], *limit)
        return self._room[kind]
