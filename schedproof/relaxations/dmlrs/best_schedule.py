"""A job's cheapest schedules at given prices, by completion (16), exact.

Algorithms 2 and 3 over worker-slots instead of samples: theta(t, v) has at most 2F + 2 values. With a
worker-slots at the internal rate and b at the external rate, a job is done when a/c_i + b/c_e >= V, that is,

    k rho a + k b >= k V c_e        (rho = c_e/c_i >= 1, in units of 1/k external worker-slots).

One forward sweep covers every completion. In whole units, n internal workers of a slot count

*  floor(n k rho) units: a job with enough units is complete, so the result is the cost of a schedule;
*  ceil(n k rho) units: a complete job has enough units, so the result is a lower bound on the cost.

All n k rho and ceil(k V c_e) are computed in rationals. If k rho is a whole number, both give the optimum. If k rho is
not whole for any small k, the sweep over pairs (a, b) finds the optimum.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from schedproof.core.errors import ProgramError
from schedproof.instances.dmlrs.job import Job
from schedproof.instances.dmlrs.schedule import Placement
from schedproof.relaxations.dmlrs.progress import INTERNAL, Costs, Fineness, Line, Pairs, rate_ratio
from schedproof.relaxations.dmlrs.slot_table import SlotTable


@dataclass(frozen=True, eq=False)
class Sweep:
    """Cheapest schedules of one job, by completion.

    Attributes
    ----------
    cost
        cost[i]: the cost of the cheapest known schedule that completes within i + 1 slots of the arrival, inf if
        there is none; shape (slots,).
    lower
        A lower bound on the cost of every such schedule, equal to ``cost`` if progress is counted exactly. The bound is
        proven if the tables' costs are integers and sums stay below 2^53.
    """

    cost: np.ndarray
    lower: np.ndarray
    _walk: Callable[[int], list[Placement]] = field(repr=False)

    def placements(self, slots: int) -> list[Placement]:
        """Return the placements of the schedule with ``cost[slots - 1]``.

        Ties are decided from the last slot backwards: the fewest workers in the slot, then one machine.
        `SlotTable.place` chooses the machines.

        Raises
        ------
        ProgramError
            If no such schedule exists.
        """
        if not np.isfinite(self.cost[slots - 1]):
            raise ProgramError(f"no schedule completes within {slots} slots of the arrival")
        return self._walk(slots)


def best_schedule(job: Job, tables: Sequence[SlotTable], fineness: Fineness) -> Sweep:
    """Sweep over the slots from the job's arrival on.

    Parameters
    ----------
    tables
        tables[i] is the table of slot ``job.arrival + i``; slots may share a table.
    fineness
        k, for progress in units of 1/k external worker-slots: a larger k brings ``cost`` and ``lower`` together; the
        time is proportional to k. ``exact``, for small jobs, makes them equal.

    Raises
    ------
    ProgramError
        When the sweep would need too much memory.
    """
    costs = Costs.of(job, tables)
    if fineness == "exact":
        line, pairs = Line(job, costs, rate_ratio(job).denominator, up=False), Pairs(job, costs)
        count = line if line.entries <= pairs.entries else pairs
        best = count.sweep()
        return Sweep(best, best, lambda slots: _walk(job, tables, count, slots))
    below, above = Line(job, costs, fineness, up=False), Line(job, costs, fineness, up=True)
    best = below.sweep()
    lower = best if below.gains == above.gains else above.sweep(keep=False)
    return Sweep(best, lower, lambda slots: _walk(job, tables, below, slots))


def _walk(job: Job, tables: Sequence[SlotTable], count: Line | Pairs, slots: int) -> list[Placement]:
    state: Any = count.end(slots)
    rows: list[tuple[int, ...]] = []
    for t in range(slots, 0, -1):
        workers, kind = np.argwhere(count.value(t, state) == count.ways(t, state).T)[0].tolist()
        if workers:
            rows += [(job.arrival + t - 1, *row) for row in tables[t - 1].place(workers, kind == INTERNAL)]
        state = count.before(state, kind, workers)
    return [Placement(job.index, *row) for row in sorted(rows)]
