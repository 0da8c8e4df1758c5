"""theta(t, .) by Algorithm 4 of Yu et al. 2022.

A(n) (one machine) is exact; B(n) (all machines) is an LP with rounding. Readings of the open points:

===========================  ========================================================================================
(23) has no row for PSs      sum of s >= S(n) is added; without it the LP never takes a parameter server
step 11 may never end        S draws; the cheapest feasible draw is kept; the cost is infinite if no draw is feasible
a full machine makes W_2 0   the LP omits workers (parameter servers) of machines with room for none: no schedule has
                             them, and W_2 is then at least 1
more drawn than needed       the excess over n workers and S(n) parameter servers is removed, the most expensive first;
                             workers beyond n would lack parameter servers (2)
many worker counts           the LP is solved for n = 1, ..., F, each time from the last basis
===========================  ========================================================================================
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from math import inf

import numpy as np

from schedproof.core.base.lazy import sparse
from schedproof.core.solvers.linear_program import LinearProgram
from schedproof.instances.dmlrs import Job
from schedproof.instances.dmlrs.alone import frontier
from schedproof.instances.dmlrs.grid import Grid
from schedproof.relaxations.dmlrs.slot_table import Rows, SlotCost, SlotTable
from schedproof.rounding.covering import Program, round_best
from schedproof.rounding.gains import printed_above, printed_below

SlotGain = Callable[[int, Fraction | None, int], Fraction]  # (W_1, W_2, number H R + 1 of packing rows) -> G


def favour_resources(delta: Fraction) -> SlotGain:
    """Return the scaling factor G of (29), from Theorem 3."""
    return lambda cover_width, packing_width, rows: printed_below(packing_width, rows, delta)


def favour_workload(delta: Fraction) -> SlotGain:
    """Return the scaling factor G of (30), from Theorem 4."""
    return lambda cover_width, packing_width, rows: printed_above(Fraction(cover_width), 1, delta)


def constant_gain(gain: Fraction) -> SlotGain:
    """Return a constant scaling factor G, as in the paper's Fig. 11."""
    return lambda cover_width, packing_width, rows: gain


def rounded_slot_cost(grid: Grid, gain: SlotGain, draws: int, rng: np.random.Generator) -> SlotCost:
    """Return Algorithm 4 as a function of (job, free, prices); ``draws`` is S.

    See `relaxations.dmlrs.slot_table`. Tables use the random numbers of ``rng`` in order: a seed and an order of the
    jobs determine the result.
    """
    return lambda job, free, prices: _Slot(job, grid, free, prices, shrink=False, raised=0).table(gain, draws, rng)


def shrunk_slot_cost(grid: Grid, raised: int, draws: int, rng: np.random.Generator) -> SlotCost:
    """Return the variant of `rounded_slot_cost` with G = 1 and less room.

    In the LP each machine has room for one worker and one parameter server less. So every draw fits, because
    alpha w + beta s grows by less than alpha + beta when w and s are rounded up.

    Parameters
    ----------
    raised
        k: the LP places n + k workers and S(n) + k parameter servers. If k is at least the number of fractional counts
        of workers and of servers, every draw covers the demand; with a smaller k most draws do.
    """
    gain = constant_gain(Fraction(1))
    return lambda job, free, prices: _Slot(job, grid, free, prices, shrink=True, raised=raised).table(gain, draws, rng)


class _Slot:
    """The external problem of a job in a slot.

    Attributes
    ----------
    seen
        The amounts of each machine in the LP, shape (H, R).
    columns
        The variables of (23) that can be positive: w_h as (h, 0), s_h as (h, 1).
    rows
        The (machine, resource) of each row (24).
    """

    def __init__(self, job: Job, grid: Grid, free: np.ndarray, prices: np.ndarray, shrink: bool, raised: int) -> None:
        self.demand = np.stack([grid.worker(job), grid.ps(job)])
        self.cost = np.stack([prices @ grid.worker(job), prices @ grid.ps(job)], axis=1)
        self.needed = np.array([job.ps_needed(n) for n in range(job.batch_size + 1)], dtype=np.int64)
        self.front = frontier(free, self.demand[0], self.demand[1], job.batch_size, int(self.needed[-1]))
        self.free, self.raised = free, raised
        self.seen = free - self.demand.sum(axis=0) if shrink else free
        holds = ((self.seen[:, None] >= self.demand) | (self.demand == 0)).all(axis=2)
        self.columns = np.argwhere(holds)
        touched = np.zeros(free.shape, dtype=bool)
        np.logical_or.at(touched, self.columns[:, 0], self.demand[self.columns[:, 1]] > 0)
        self.rows = np.argwhere(touched)

    def table(self, gain: SlotGain, draws: int, rng: np.random.Generator) -> SlotTable:
        internal, machine = self._internal()
        external = np.full(len(self.needed), inf)
        external[0] = 0.0
        kept: dict[int, Rows] = {0: []}
        program = self._program()
        width = program.packing_width
        for n, point in self._optima(program):
            covering = replace(program, demand=np.array([n, self.needed[n]]))
            result = round_best(covering, point, gain(n, width, self.free.size + 1), draws, rng)
            if result.point is not None:
                point = self._without_excess(result.point, covering.demand)
                external[n], kept[n] = float(point @ program.costs), self._rows(point)

        def place(workers: int, inside: bool) -> Rows:
            return [(int(machine[workers]), workers, int(self.needed[workers]))] if inside else kept[workers]

        return SlotTable(internal, external, place)

    def _internal(self) -> tuple[np.ndarray, np.ndarray]:
        cost = self.cost[:, :1] * np.arange(len(self.needed)) + self.cost[:, 1:] * self.needed
        cost = np.where(self.front >= self.needed, cost, inf)
        return cost.min(axis=0), cost.argmin(axis=0)

    def _program(self) -> Program:
        machine, kind = self.columns.T
        resources = np.where(machine == self.rows[:, :1], self.demand[kind][:, self.rows[:, 1]].T, 0)
        packing = np.vstack([kind == 0, resources]).astype(np.int64)
        capacity = np.append(len(self.needed) - 1, self.free[tuple(self.rows.T)])
        cover = np.stack([kind == 0, kind == 1]).astype(np.int64)
        return Program(self.cost[machine, kind], cover, np.zeros(2, dtype=np.int64), packing, capacity)

    def _optima(self, program: Program) -> Iterator[tuple[int, np.ndarray]]:
        if not program.costs.size:
            return

        scale = np.maximum(program.packing.max(axis=1), 1)  # rows in multiples of a worker's need
        matrix = sparse.csc_array(np.vstack([program.cover, program.packing / scale[:, None]]))
        capacity = np.append(len(self.needed) - 1 + self.raised, self.seen[tuple(self.rows.T)])
        low = np.concatenate([[0.0, 0.0], np.full(capacity.size, -inf)])
        cheapest = min((c for c in program.costs.tolist() if c > 0), default=1.0)  # because tolerances are absolute
        high = np.concatenate([[inf, inf], capacity / scale])
        lp = LinearProgram(program.costs / cheapest, matrix, low, high, method="simplex")
        for n in range(1, len(self.needed)):
            demand = np.array([n, self.needed[n]], dtype=float) + self.raised
            lp.change_sides(np.arange(2), demand, np.full(2, inf))
            if lp.solve().status != "optimal":
                return
            yield n, lp.point

    def _without_excess(self, point: np.ndarray, demand: np.ndarray) -> np.ndarray:
        point = point.copy()
        for kind, limit in enumerate(demand):
            mine = np.flatnonzero(self.columns[:, 1] == kind)
            mine = mine[np.argsort(self.cost[self.columns[mine, 0], kind], kind="stable")]
            before = np.cumsum(point[mine]) - point[mine]
            point[mine] = np.clip(limit - before, 0, point[mine])
        return point

    def _rows(self, point: np.ndarray) -> Rows:
        counts = np.zeros((len(self.free), 2), dtype=np.int64)
        counts[tuple(self.columns.T)] = point
        return [(h, *counts[h].tolist()) for h in np.flatnonzero(counts.any(axis=1)).tolist()]
