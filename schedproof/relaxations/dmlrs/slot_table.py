"""theta(t, .): least costs of all worker counts of a job in a slot (19).

    theta(t, v) = min(A(ceil(v c_i)), B(ceil(v c_e)))

with A(n) the cost on the cheapest machine that holds n workers and their S(n) = ceil(n / gamma) parameter servers, and
B(n) the cost of the cheapest placement on all machines: the program (23) with the missing row for parameter servers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from schedproof.instances.dmlrs.alone import frontier
from schedproof.instances.dmlrs.grid import Grid
from schedproof.instances.dmlrs.job import Job
from schedproof.relaxations.dmlrs import slot_kernels
from schedproof.relaxations.dmlrs.slot_kernels import Groups, PatternLP, States

Rows = list[tuple[int, int, int]]  # machine, workers, parameter servers
KEPT = 64  # cached frontiers, by job or free amounts: a pricing step needs them again in every slot


@dataclass(frozen=True, eq=False)
class SlotTable:
    """The cost of every number of workers of a job in one slot.

    Attributes
    ----------
    internal
        A(0), ..., A(F), shape (F + 1,): on one machine, at the internal rate; inf if no machine holds them.
    external
        B(0), ..., B(F), shape (F + 1,): anywhere, at the external rate; inf if they do not fit.
    place
        ``place(workers, internal)`` -> a placement of least cost as rows (machine, workers, parameter servers).
    """

    internal: np.ndarray
    external: np.ndarray
    place: Callable[[int, bool], Rows] = field(repr=False)


SlotCost = Callable[[Job, np.ndarray, np.ndarray], SlotTable]


def exact_slot_cost(grid: Grid) -> SlotCost:
    """Return the exact slot problem as a function of (job, free, prices).

    ``free`` is in units of the grid, (H, R), int64; ``prices`` are per unit, (H, R), float64. Costs are exact for
    integer prices and costs below 2^53. Ties go to the groups with cheaper workers, then to the lowest machine.
    """
    jobs: dict[int, Job] = {}

    @lru_cache(KEPT)
    def demand(index: int, free: bytes) -> _Demand:
        return _Demand.of(jobs[index], grid, np.frombuffer(free, dtype=np.int64).reshape(-1, len(grid.resources)))

    def cost(job: Job, free: np.ndarray, prices: np.ndarray) -> SlotTable:
        jobs[job.index] = job
        return _Slot(demand(job.index, np.ascontiguousarray(free).tobytes()), free, prices).table()

    return cost


class _Demand(NamedTuple):
    """A job's resource needs, S(0), ..., S(F), and the machines' frontiers (H, F + 1)."""

    worker: np.ndarray
    ps: np.ndarray
    needed: np.ndarray
    front: np.ndarray

    @classmethod
    def of(cls, job: Job, grid: Grid, free: np.ndarray) -> _Demand:
        worker, ps = grid.worker(job), grid.ps(job)
        needed = np.array([job.ps_needed(n) for n in range(job.batch_size + 1)], dtype=np.int64)
        return cls(worker, ps, needed, _trim(frontier(free, worker, ps, job.batch_size, int(needed[-1]))))


class _Slot:
    def __init__(self, demand: _Demand, free: np.ndarray, prices: np.ndarray) -> None:
        worker, ps, self.needed, front = demand
        costs = np.stack([prices @ worker, prices @ ps], axis=1)
        keys = np.concatenate([costs, free[:, (worker > 0) | (ps > 0)].astype(float)], axis=1)
        _, first, self.group = np.unique(keys, axis=0, return_index=True, return_inverse=True)
        self.count = np.bincount(self.group, minlength=len(first))
        self.worker_cost, self.ps_cost = costs[first].T.copy()
        self.front = np.ascontiguousarray(front[first])

    def table(self) -> SlotTable:
        limit = len(self.needed) - 1
        internal = np.full(limit + 1, np.inf)
        internal[0] = 0.0
        single = np.zeros(limit + 1, dtype=np.int64)
        for n in range(1, self.front.shape[1]):
            price = self.worker_cost * n + self.ps_cost * self.needed[n]
            price = np.where(self.front[:, n] >= self.needed[n], price, np.inf)
            single[n] = np.argmin(price)
            internal[n] = price[single[n]]
        orders = (np.argsort(costs, kind="stable") for costs in (self.worker_cost, self.ps_cost))
        groups = Groups(self.count, self.front, self.worker_cost, self.ps_cost, *orders)
        external, workers_of, ps_of = cheapest_shares(groups, self.needed)

        def place(workers: int, inside: bool) -> Rows:
            if inside:
                machine = int(np.flatnonzero(self.group == single[workers])[0])
                return [(machine, workers, int(self.needed[workers]))]
            placed = zip(workers_of[workers].tolist(), ps_of[workers].tolist(), strict=True)
            return [row for g, (w, s) in enumerate(placed) for row in self._spread(g, w, s)]

        return SlotTable(internal, external, place)

    def _spread(self, g: int, workers: int, ps: int) -> Rows:
        if not workers and not ps:
            return []
        machines = np.flatnonzero(self.group == g).tolist()
        counts = shares(self.front[g], len(machines), workers, ps)
        return [(h, w, s) for h, (w, s) in zip(machines, counts, strict=False) if w or s]


def cheapest_shares(groups: Groups, needed: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return B(0), ..., B(F) and the groups' shares of a cheapest placement of each.

    The costs have shape (F + 1,), inf if the workers do not fit. The groups' workers
    and parameter servers have shape (F + 1, G) each.
    """
    count, limit = len(groups.machines), len(needed) - 1
    workers, ps = np.zeros((2, limit + 1, count), dtype=np.int64)
    cost = np.full(limit + 1, np.inf)
    cost[0] = 0.0
    size, lp = 64 * count, PatternLP.of(count)
    while not slot_kernels.table(groups, needed, lp, States.of(size, count, limit, int(needed[-1])), cost, workers, ps):
        size, lp = 2 * size, PatternLP.of(count)
    return cost, workers, ps


def shares(front: np.ndarray, count: int, workers: int, ps: int) -> Iterator[tuple[int, int]]:
    """Yield a group's (workers, parameter servers) by machine, first machines full."""
    rows = np.empty((count + 1, workers + 1), dtype=np.int64)  # frontier of so many machines
    rows[0], rows[0, 0] = -1, 0
    last = slot_kernels.several(front, count, ps, rows)
    one = front[front >= 0].tolist()
    for others in range(count - 1, -1, -1):
        if not workers and not ps:
            return
        rest = rows[min(others, last)].tolist()
        for w in range(min(workers, len(one) - 1), -1, -1):
            held = min(one[w], ps)
            if held + rest[workers - w] >= ps:
                yield w, held
                workers, ps = workers - w, ps - held
                break


def _trim(front: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(front[:, : max(1, int((front >= 0).sum(axis=1).max()))])
