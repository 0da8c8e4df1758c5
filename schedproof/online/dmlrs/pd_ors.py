"""PD-ORS, Algorithms 1-4: a primal-dual admission rule with resource prices.

A job is accepted if its utility exceeds the price of its best schedule. Readings of the open points:

========================  ===========================================================================================
a job's schedule          the best schedule within the free capacity for any completion slot: Algorithms 2 and 3 in one
                          forward sweep over worker-slots (`relaxations.dmlrs.best_schedule`)
acceptance                payoff > 0; jobs in order of arrival, then in file order
equal payoff              the earliest completion, then the cheapest placement, then more workers in the earlier slot,
                          then the lowest machine
theta (Algorithm 4)       ``exact``, or ``lp_rounding`` as printed
prices                    ``printed`` (12)-(14) or ``repaired``; see `instances.dmlrs.extremes` and `prices`
L                         (14), from the utility at the horizon; or set by ``span``. This utility can be e^-400, and
                          with so large a span U/L prices are almost 0 until a machine is full
========================  ===========================================================================================

Versions of this algorithm: docs/architecture.md.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from schedproof.core.base.numbers import ceil
from schedproof.core.certificates.bound import Guarantee
from schedproof.core.errors import InputError
from schedproof.core.runtime.context import USUAL, Context
from schedproof.core.simulation.policy import Decisions, Hidden
from schedproof.instances.dmlrs import Instance, Job, Placement
from schedproof.instances.dmlrs.drive import COLUMNS
from schedproof.instances.dmlrs.extremes import Extremes, extremes
from schedproof.instances.dmlrs.grid import Grid
from schedproof.online.dmlrs.guarantee import pd_ors_guarantee
from schedproof.online.dmlrs.prices import Prices, scale_costs
from schedproof.relaxations.dmlrs.best_schedule import Sweep, best_schedule
from schedproof.relaxations.dmlrs.progress import Fineness
from schedproof.relaxations.dmlrs.slot_table import SlotCost, SlotTable, exact_slot_cost
from schedproof.rounding.dmlrs import (
    constant_gain,
    favour_resources,
    favour_workload,
    rounded_slot_cost,
    shrunk_slot_cost,
)

SHARES = {"printed": Fraction(0), "repaired": Fraction(1, 4)}  # x, the largest share of a machine-slot for one job
EXACT_SLOTS = 64  # largest number of worker-slots of a job with exact progress
SWEEP_UNITS, LARGEST_FINENESS = 2**15, 16  # most units of progress of a larger job, and in a worker-slot


def usual_fineness(job: Job) -> Fineness:
    """Return the default fineness of a job's sweep.

    It is exact for a job of few worker-slots. For larger jobs progress is counted in 1/k of an external worker, k <=
    16, in at most 2^15 units.
    """
    needed = ceil(job.work * job.external_time)
    return "exact" if needed <= EXACT_SLOTS else max(1, min(LARGEST_FINENESS, SWEEP_UNITS // needed))


def exactly(job: Job, fineness: Fineness) -> bool:
    """Return whether a sweep with this fineness counts progress without rounding."""
    return fineness == "exact" or (fineness * job.external_time / job.internal_time).denominator == 1


class PrimalDual(ABC):
    """An arrival policy that plans each accepted job once, over all future slots.

    Attributes
    ----------
    proven
        Whether the theorem of `guarantee` covers these slot costs.
    """

    proven = False

    def __init__(
        self,
        *,
        bounds: str = "printed",
        share: Fraction | None = None,
        span: Fraction | None = None,
        fineness: Fineness | None = None,
    ) -> None:
        if share is not None and bounds == "printed":
            raise InputError(f"share={share}: expected only with bounds=repaired")
        self.bounds, self.share = bounds, SHARES[bounds] if share is None else share
        self.span, self.fineness = span, fineness

    @abstractmethod
    def make_slot_cost(self, grid: Grid) -> SlotCost:
        """Return theta(t, .) for a cluster."""

    def start(self, system: Hidden) -> None:
        self.horizon, self.grid = system.horizon, system.grid
        self.slot_cost = self.make_slot_cost(system.grid)
        self.prices = Prices(system.grid, system.horizon, self._with_span(system.extremes(self.bounds)), self.share)
        self._planned: dict[int, list[Placement]] = {}
        self._now = 0

    def arrive(self, time: int, jobs: Sequence[Job]) -> None:
        """Accept or reject each job (Algorithm 1)."""
        for job in jobs:
            self.take(job, self.best(job))

    def take(self, job: Job, rows: Sequence[Placement]) -> None:
        """Store the job's plan, and raise the prices of its resources."""
        for row in rows:
            self._planned.setdefault(row.slot, []).append(row)
            self.prices.take(row.slot, row.machine, self.grid.worker(job) * row.workers + self.grid.ps(job) * row.ps)

    def price_schedules(self, job: Job) -> tuple[Sweep, np.ndarray, np.ndarray]:
        """Return the job's cheapest schedules, utilities and costs for 1, 2, ... slots."""
        tables, log_scale = self.tables(job)
        sweep = best_schedule(job, tables, self.fineness or usual_fineness(job))
        utility = np.array([float(job.utility.lower(x)) for x in range(1, len(tables) + 1)])
        return sweep, utility, scale_costs(sweep.cost, log_scale)

    def best(self, job: Job) -> list[Placement]:
        """Return the job's schedule of largest positive payoff (Algorithm 2), or no rows."""
        sweep, utility, cost = self.price_schedules(job)
        payoff = np.where(np.isfinite(cost), utility - np.where(np.isfinite(cost), cost, 0.0), -np.inf)
        time = int(np.argmax(payoff))  # the first of equal payoffs
        return sweep.placements(time + 1) if payoff[time] > 0 else []

    def tables(self, job: Job) -> tuple[list[SlotTable], float]:
        """Return theta(t, .) of every slot from the arrival on, and the log of the scale."""
        prices, log_scale = self.prices.seen_from(job.arrival)
        known: dict[bytes, SlotTable] = {}  # slots of equal state share a table
        tables = []
        for t, at in enumerate(prices):
            free = self.prices.free(job.arrival + t)
            key = self.prices.used[job.arrival + t].tobytes()
            if key not in known:
                known[key] = self.slot_cost(job, free, at)
            tables.append(known[key])
        return tables, log_scale

    def advance(self, until: int) -> Decisions:
        slots = range(self._now, min(until, self.horizon))
        rows = [row for slot in slots for row in self._planned.pop(slot, [])]
        self._now = max(self._now, min(until, self.horizon))
        column = {name: np.array([getattr(row, name) for row in rows], dtype=np.int64) for name in COLUMNS}
        time, job = (np.array([getattr(row, name) for row in rows], dtype=np.int64) for name in ("slot", "job"))
        return Decisions(time, job, column)

    def guarantee(self, instance: Instance) -> Guarantee:
        """Return the proven ratio of these prices and slot costs."""
        exact = self.proven and all(exactly(job, self.fineness or usual_fineness(job)) for job in instance.jobs)
        known = self._with_span(extremes(instance, self.bounds))
        return pd_ors_guarantee(instance, known, self.bounds == "repaired", self.share, exact)

    def _with_span(self, known: Extremes) -> Extremes:
        return known if self.span is None else known.spanning(float(self.span))


class PdOrs(PrimalDual):
    def __init__(
        self,
        *,
        theta: str = "exact",
        bounds: str = "printed",
        share: Fraction | None = None,
        span: Fraction | None = None,
        fineness: Fineness | None = None,
        gain: Fraction | str = Fraction(1),
        delta: Fraction = Fraction(1, 2),
        draws: int = 20,
        raised: int = 1,
        context: Context = USUAL,
    ) -> None:
        super().__init__(bounds=bounds, share=share, span=span, fineness=fineness)
        self.proven = theta == "exact"
        self._theta, self._draws, self._raised, self._seed = theta, draws, raised, context.seed
        named = {"resources": favour_resources(delta), "workload": favour_workload(delta)}
        self._gain = named[gain] if isinstance(gain, str) else constant_gain(gain)

    def make_slot_cost(self, grid: Grid) -> SlotCost:
        """Return theta(t, .), exact or by Algorithm 4."""
        if self._theta == "exact":
            return exact_slot_cost(grid)
        rng = np.random.default_rng(self._seed)
        if self._theta == "lp_rounding":
            return rounded_slot_cost(grid, self._gain, self._draws, rng)
        return shrunk_slot_cost(grid, self._raised, self._draws, rng)
