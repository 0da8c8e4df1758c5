"""The cheapest schedule of one job at given prices, for every completion slot at once (16): Algorithms 2 and 3, exact.

theta(t, v) is a step function with at most 2F + 2 values, so that the dynamic program runs over worker-slots, not over
samples. With a of them at the internal rate and b at the external one a job is done when a/c_i + b/c_e >= V, that is,

    k rho a + k b >= k V c_e        (rho = c_e/c_i >= 1, in units of 1/k external worker-slots),

and one forward sweep over the slots serves every completion. Counted in whole units, n internal workers of a slot give

*  floor(n k rho): what is then done is done in truth, so that the cost is that of a schedule;
*  ceil(n k rho): what is done in truth is then done, so that the cost is a lower bound on every schedule's.

All of n k rho and ceil(k V c_e) are computed in rationals. Where k rho is a whole number both are the optimum; where no
small k is of that kind, the sweep over pairs (a, b) finds it.
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
        cost[i] is that of a cheapest schedule found that completes within i + 1 slots of the arrival, inf where there
        is none; shape (slots,).
    lower
        A lower bound on the cost of every such schedule; equal to ``cost`` where progress is counted exactly. Where the
        tables' costs are integers, and no sum of them reaches 2^53, it is a proof.
    """

    cost: np.ndarray
    lower: np.ndarray
    _walk: Callable[[int], list[Placement]] = field(repr=False)

    def placements(self, slots: int) -> list[Placement]:
        """The schedule behind ``cost[slots - 1]``.

        Among those of equal cost, the one that, from its last slot back to the first, has as few workers in a slot as
        it can, so that earlier slots have more; equally many are on one machine rather than on several; and which
        machines they are is up to `SlotTable.place`.

        Raises
        ------
        ProgramError
            When there is none.
        """
        if not np.isfinite(self.cost[slots - 1]):
            raise ProgramError(f"no schedule completes within {slots} slots of the arrival")
        return self._walk(slots)


def best_schedule(job: Job, tables: Sequence[SlotTable], fineness: Fineness) -> Sweep:
    """Sweep over the slots from the job's arrival on.

    Parameters
    ----------
    tables
        tables[i] is that of slot ``job.arrival + i``; slots may share one.
    fineness
        k, to count progress in 1/k external worker-slots: a larger one brings ``cost`` and ``lower`` together, in
        proportional time. ``exact`` makes them equal: it takes for k the denominator of rho, or counts in pairs where
        those are fewer, and is for small jobs.

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
    """Back from the last slot: in each, the fewest workers by which the cheapest cost can have come about."""
    state: Any = count.end(slots)
    rows: list[tuple[int, ...]] = []
    for t in range(slots, 0, -1):
        workers, kind = np.argwhere(count.value(t, state) == count.ways(t, state).T)[0].tolist()
        if workers:
            rows += [(job.arrival + t - 1, *row) for row in tables[t - 1].place(workers, kind == INTERNAL)]
        state = count.before(state, kind, workers)
    return [Placement(job.index, *row) for row in sorted(rows)]
