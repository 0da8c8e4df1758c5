"""OASiS: PD-ORS with workers and parameter servers on separate machines.

Following section 5, half of the machines host workers (the first half of the file, rounded up) and the other half
parameter servers. A job is never on a single machine, so the rate is always external. Workers and parameter servers do
not share machines, so placing each on the cheapest machines is optimal.
"""

from __future__ import annotations

import numpy as np

from schedproof.instances.dmlrs import Job
from schedproof.instances.dmlrs.alone import frontier
from schedproof.instances.dmlrs.grid import Grid
from schedproof.online.dmlrs.pd_ors import PrimalDual
from schedproof.relaxations.dmlrs.slot_table import Rows, SlotCost, SlotTable


class Oasis(PrimalDual):
    def make_slot_cost(self, grid: Grid) -> SlotCost:
        """Return theta(t, .) without single-machine placements."""
        return separate_slot_cost(grid)


def separate_slot_cost(grid: Grid) -> SlotCost:
    machines = len(grid.capacity)
    hosts = np.arange(machines) < (machines + 1) // 2
    nothing = np.zeros(len(grid.resources), dtype=np.int64)

    def slot_cost(job: Job, free: np.ndarray, prices: np.ndarray) -> SlotTable:
        needed = np.array([job.ps_needed(n) for n in range(job.batch_size + 1)])
        worker, ps = grid.worker(job), grid.ps(job)
        room = (frontier(free, worker, nothing, job.batch_size, 0) >= 0).sum(axis=1) - 1
        workers = _Stack(np.where(hosts, room, 0), prices @ worker, job.batch_size)
        servers = _Stack(np.where(hosts, 0, frontier(free, ps, ps, 0, int(needed[-1]))[:, 0]), prices @ ps, needed[-1])
        internal = np.full(job.batch_size + 1, np.inf)
        internal[0] = 0.0

        def place(n: int, inside: bool) -> Rows:
            return sorted(
                [(h, k, 0) for h, k in workers.first(n)] + [(h, 0, k) for h, k in servers.first(int(needed[n]))]
            )

        return SlotTable(internal, workers.cost + servers.cost[needed], place)

    return slot_cost


class _Stack:
    """The cheapest places of 0, 1, ... equal items; ties by lowest index."""

    def __init__(self, room: np.ndarray, price: np.ndarray, limit: int) -> None:
        order = np.argsort(price, kind="stable")
        self.machine = np.repeat(order, np.minimum(room[order], limit))[:limit]
        self.cost = np.full(limit + 1, np.inf)
        self.cost[: len(self.machine) + 1] = np.concatenate([[0.0], np.cumsum(price[self.machine])])

    def first(self, n: int) -> list[tuple[int, int]]:
        """Return (machine, count) of the n cheapest items."""
        machines, counts = np.unique(self.machine[:n], return_counts=True)
        return list(zip(machines.tolist(), counts.tolist(), strict=True))
