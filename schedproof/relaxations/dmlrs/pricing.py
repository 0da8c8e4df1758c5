"""The pricing step: every job's best schedules at prices, and a proven bound.

Prices are rounded down to multiples of 2^-bits and utilities up; bits is such that prices and costs of schedules stay
below 2^53 units. All sums of doubles are then exact, and with the sweep's lower bounds lower_i on costs

    sum over (t, h, r) of p C + sum_i max(0, max over completions of (u_i - lower_i))

is a proven upper bound on R-DMLRS and its LP for any prices.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor, inf, log2
from typing import Literal

import numpy as np

from schedproof.core.runtime.context import USUAL, Context
from schedproof.formulations.dmlrs.schedules import Plan
from schedproof.instances.dmlrs import Instance, Job
from schedproof.relaxations.dmlrs.best_schedule import best_schedule
from schedproof.relaxations.dmlrs.machine_classes import MachineClasses
from schedproof.relaxations.dmlrs.progress import Fineness
from schedproof.relaxations.dmlrs.slot_table import SlotTable, exact_slot_cost

BITS = 40  # bits of a price's fraction, if the sums permit
LARGEST_SUM = 2.0**52  # half of the largest exact integer in doubles
NEGLIGIBLE_UTILITY = 1e-9  # share of the largest utility below which schedules are ignored
MOST_TABLES = 1000  # kept
MOST_PLANS = 3  # returned schedules per job, those with the best payoffs
UNITS = 10_000  # units of a job's progress at the fineness ``auto``, with k from 1 to 64


Wish = int | Literal["exact", "auto"]  # ``auto`` fits the fineness to each job's work


def fineness_of(job: Job, wish: Wish) -> Fineness:
    """Return the fineness of a job's progress."""
    return min(64, max(1, floor(UNITS / (job.work * job.external_time)))) if wish == "auto" else wish


@dataclass(frozen=True, eq=False)
class Priced:
    """The bound that prices prove, and the schedules of largest payoff at the prices.

    Attributes
    ----------
    prices
        Prices of a unit of the grid in multiples of 2^-bits, int64, shape (T, K, R).
    bits
        The exponent of the unit 2^-bits; may be negative.
    wish
        The fineness at which the bound was proven.
    """

    prices: np.ndarray
    bits: int
    wish: Wish
    bound: Fraction
    plans: list[Plan] = field(repr=False)

    @property
    def doubles(self) -> np.ndarray:
        """The prices as doubles, exactly."""
        return np.ldexp(self.prices.astype(float), -self.bits)


class OutOfTime(Exception):
    """The time limit passed within a pricing step, so that it proves no bound."""


class Pricing:
    """The pricing step on one instance.

    Attributes
    ----------
    jobs
        The jobs that can finish.
    """

    def __init__(self, instance: Instance, classes: MachineClasses) -> None:
        self.instance, self.classes = instance, classes
        unservable = {job.index for job in instance.unservable_jobs}
        self.jobs = [job for job in instance.jobs if job.index not in unservable]
        self._slot_cost = exact_slot_cost(instance.grid)
        self._for_nothing = lru_cache(MOST_TABLES)(self._priced_at_nothing)
        self._utilities = lru_cache(MOST_TABLES)(self._rounded_up)
        self._demand = {j.index: np.stack([instance.grid.worker(j), instance.grid.ps(j)], axis=1) for j in self.jobs}
        self._needed = {j.index: np.array([j.ps_needed(n) for n in range(j.batch_size + 1)]) for j in self.jobs}
        self._utility = {
            j.index: [j.utility.upper(x) for x in range(1, instance.horizon - j.arrival + 1)] for j in self.jobs
        }
        self._most = max((row[0] for row in self._utility.values()), default=Fraction(0))

    def __call__(self, prices: np.ndarray, wish: Wish, context: Context = USUAL) -> Priced:
        """Price all jobs.

        Parameters
        ----------
        prices
            Prices of a unit of the grid, shape (T, K, R); a negative price counts as 0.

        Raises
        ------
        OutOfTime
            If the time limit passes before all jobs are priced.
        """
        units, bits = self._round_down(np.maximum(prices, 0.0))
        whole = units.astype(np.int64)
        proven = sum(p * c for p, c in zip(whole.ravel().tolist(), self.classes.capacity.ravel().tolist(), strict=True))
        plans: list[Plan] = []
        for job in self.jobs:
            if context.over:
                raise OutOfTime
            payoff, mine = self._best(job, units, bits, fineness_of(job, wish))
            proven += payoff
            plans += mine
        return Priced(whole, bits, wish, proven * Fraction(2) ** -bits, plans)

    def _round_down(self, prices: np.ndarray) -> tuple[np.ndarray, int]:
        dearest = prices.max(axis=1)
        amounts = [self._demand[job.index] @ (job.batch_size, self._needed[job.index][-1]) for job in self.jobs]
        costs = [float((dearest[job.arrival :] @ a).sum()) for job, a in zip(self.jobs, amounts, strict=True)]
        bits = min(BITS, floor(log2(LARGEST_SUM / max(*costs, float(self._most), 1.0))))
        return np.floor(np.ldexp(prices, bits)), bits

    def _best(self, job: Job, units: np.ndarray, bits: int, fineness: Fineness) -> tuple[int, list[Plan]]:
        utility = self._utilities(job.index, bits)
        slots = int((utility > NEGLIGIBLE_UTILITY * float(self._most) * 2.0**bits).sum())
        beyond = float(utility[slots]) if slots < utility.size else 0.0
        sweep = best_schedule(job, self._tables(job, slots, units), fineness)
        payoff = int(max((utility[:slots] - sweep.lower).max(initial=0.0), beyond))
        cost = np.where(sweep.cost < np.append(inf, sweep.cost[:-1]), sweep.cost, inf)  # only the needed slots
        paid = utility[:slots] - cost
        best = [n + 1 for n in np.argsort(-paid, kind="stable")[:MOST_PLANS].tolist() if paid[n] > 0]
        return payoff, [Plan(job, job.arrival + n, tuple(sweep.placements(n))) for n in best]

    def _tables(self, job: Job, slots: int, units: np.ndarray) -> list[SlotTable]:
        count, needed = np.arange(job.batch_size + 1), self._needed[job.index]
        costs = units[:, 0] @ self._demand[job.index] @ np.stack([count, needed])
        tables: list[SlotTable] = []
        for t in range(job.arrival, job.arrival + slots):
            free, classes = self.instance.grid.at(t), units[t, : self.classes.count[t].nonzero()[0].size]
            if (classes == classes[0]).all():
                table = self._for_nothing(job.index, free.tobytes())
                tables.append(SlotTable(table.internal + costs[t], table.external + costs[t], table.place))
            else:
                tables.append(self._slot_cost(job, free, units[t, self.classes.of[t]]))
        return tables

    def _priced_at_nothing(self, job: int, free: bytes) -> SlotTable:
        rows = np.frombuffer(free, dtype=np.int64).reshape(len(self.instance.machines), -1)
        table = self._slot_cost(self.instance.jobs[job], rows, np.zeros(rows.shape))
        return replace(table, place=lru_cache(table.place))

    def _rounded_up(self, job: int, bits: int) -> np.ndarray:
        return np.array([ceil(u * Fraction(2) ** bits) for u in self._utility[job]], dtype=float)
