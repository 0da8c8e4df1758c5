"""PD-ORS, Algorithms 1-4: a job is accepted when its utility exceeds the price of its best schedule.

What the paper leaves open, and what is done here:

========================  ===========================================================================================
a job's schedule          the best one for any completion slot, within what is free: Algorithms 2 and 3 in one forward
                          sweep over worker-slots (`relaxations.dmlrs.best_schedule`)
acceptance                payoff > 0; jobs in order of arrival, then in file order
equal payoff              the earliest completion, then the cheapest placement, then more workers in the earlier slot,
                          then the lowest machine
theta (Algorithm 4)       ``exact``, or ``lp_rounding`` as printed
prices                    ``printed`` (12)-(14), or ``repaired``: see `instances.dmlrs.extremes` and `prices`
L                         (14), from the utility at the horizon; or set by ``span``: that utility can be e^-400, and
                          prices that span so much are next to nothing until a machine is full
========================  ===========================================================================================
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np

from schedproof.core.bound import Guarantee
from schedproof.core.numbers import ceil
from schedproof.core.policy import Decisions, Hidden
from schedproof.instances.dmlrs.extremes import Extremes
from schedproof.instances.dmlrs.instance import Instance, Job
from schedproof.instances.dmlrs.schedule import COLUMNS, Placement
from schedproof.online.dmlrs.guarantee import pd_ors_guarantee
from schedproof.online.dmlrs.prices import Prices, charged
from schedproof.relaxations.dmlrs.best_schedule import Fineness, best_schedule
from schedproof.relaxations.dmlrs.slot_table import SlotCost, SlotTable

FEW, MANY, FINEST = 64, 2**15, 16  # worker-slots counted exactly; units of progress, and the finest of them, otherwise


def usual_fineness(job: Job) -> Fineness:
    """Exact for a job of few worker-slots; for others in 1/k of an external worker, as a sweep of 2^15 units can."""
    needed = ceil(job.work * job.external_time)
    return "exact" if needed <= FEW else max(1, min(FINEST, MANY // needed))


def exactly(job: Job, fineness: Fineness) -> bool:
    """Whether a sweep as fine as that counts the job's progress without rounding."""
    return fineness == "exact" or (fineness * job.external_time / job.internal_time).denominator == 1


class PdOrs:
    """An arrival policy that plans each accepted job once, over all slots to come.

    Parameters
    ----------
    slot_cost
        Makes theta(t, .) for a cluster: ``slot_cost(system)`` returns a `SlotCost`.
    bounds
        ``printed`` or ``repaired``: the extremes of the prices.
    share
        x: the largest share of a machine-slot that one job may take; 0 for the printed prices, without such a cap.
    fineness
        Of the sweep's progress: the larger, the nearer to the optimum of (16); None for `usual_fineness`.
    span
        ln(U^r / L) for the largest U^r, where it is set; None to derive L from the jobs.
    proven
        Whether the slot costs are those of the theorem that `guarantee` quotes.
    """

    def __init__(
        self,
        slot_cost: Callable[[Hidden], SlotCost],
        bounds: str,
        share: Fraction,
        fineness: Fineness | None,
        span: Fraction | None,
        proven: bool,
    ) -> None:
        self.bounds, self.share, self.fineness, self.proven = bounds, share, fineness, proven
        self.span, self._make = span, slot_cost

    def start(self, system: Hidden) -> None:
        """Everything is unused, but for what is reserved."""
        self.horizon = system.horizon
        self.grid = system.grid
        self.slot_cost: SlotCost = self._make(system)
        self.prices = Prices(system.grid, system.horizon, self._told(system), self.share)
        self._planned: dict[int, list[Placement]] = {}
        self._now = 0

    def arrive(self, time: int, jobs: Sequence[Job]) -> None:
        """Decide each job for good (Algorithm 1)."""
        for job in jobs:
            for row in self.best(job):
                self._planned.setdefault(row.slot, []).append(row)
                self.prices.take(
                    row.slot, row.machine, self.grid.worker(job) * row.workers + self.grid.ps(job) * row.ps
                )

    def best(self, job: Job) -> list[Placement]:
        """The job's schedule of largest positive payoff at the current prices (Algorithm 2); empty to reject it."""
        tables, log_scale = self.tables(job)
        sweep = best_schedule(job, tables, self.fineness or usual_fineness(job))
        utility = np.array([float(job.utility.lower(x)) for x in range(1, len(tables) + 1)])
        cost = charged(sweep.cost, log_scale)
        payoff = np.where(np.isfinite(cost), utility - np.where(np.isfinite(cost), cost, 0.0), -np.inf)
        time = int(np.argmax(payoff))  # the first of equal ones
        return sweep.placements(time + 1) if payoff[time] > 0 else []

    def tables(self, job: Job) -> tuple[list[SlotTable], float]:
        """theta(t, .) of every slot from the job's arrival on, and the logarithm that its prices were divided by."""
        prices, log_scale = self.prices.seen_from(job.arrival)
        known: dict[bytes, SlotTable] = {}  # slots in the same state share their table
        tables = []
        for t, at in enumerate(prices):
            free = self.prices.free(job.arrival + t)
            key = self.prices.used[job.arrival + t].tobytes()
            if key not in known:
                known[key] = self.slot_cost(job, free, at)
            tables.append(known[key])
        return tables, log_scale

    def advance(self, until: int) -> Decisions:
        """The placements of the slots that have come."""
        slots = range(self._now, min(until, self.horizon))
        rows = [row for slot in slots for row in self._planned.pop(slot, [])]
        self._now = max(self._now, min(until, self.horizon))
        column = {name: np.array([getattr(row, name) for row in rows], dtype=np.int64) for name in COLUMNS}
        time, job = (np.array([getattr(row, name) for row in rows], dtype=np.int64) for name in ("slot", "job"))
        return Decisions(time, job, column)

    def guarantee(self, instance: Instance) -> Guarantee:
        """What is proven of this choice of prices and slot costs."""
        exact = self.proven and all(exactly(job, self.fineness or usual_fineness(job)) for job in instance.jobs)
        told = self._told(instance.system())
        return pd_ors_guarantee(instance, told, self.bounds == "repaired", self.share, exact)

    def _told(self, system: Hidden) -> Extremes:
        """What the policy knows of all jobs beforehand."""
        told: Extremes = system.extremes(self.bounds)
        return told if self.span is None else told.spanning(float(self.span))
