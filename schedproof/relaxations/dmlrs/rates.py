"""Rates at which a job's progress is paid: with them a checker sees at once that most schedules do not pay.

At a rate r >= 0 for a unit of progress, a schedule with so many slots costs at least

    r need - sum over the slots of max over numbers of workers of (r gain - cost),

whatever the rate is. A good one makes it nearly the least cost, and few schedules are left to look at. Computed in
doubles: a rate that is a little off costs time, and proves nothing false.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from schedproof.core.base.numbers import ceil
from schedproof.instances.dmlrs import Instance, Job
from schedproof.relaxations.dmlrs.certificate import PriceCertificate
from schedproof.relaxations.dmlrs.least_cost import Progress, Slots

HALVINGS = 60


def rates_of(instance: Instance, proof: PriceCertificate, job: Job, payoff: Fraction) -> tuple[int, ...]:
    """A rate for each completion whose utility exceeds the payoff, in multiples of the certificate's 2^-bits."""
    slots = Slots(instance, job)
    progress = Progress(job, int(proof.fineness[job.index]), instance.horizon - job.arrival)
    tangents = proof.tangents[proof.tangents[:, 0] == job.index]
    tables, result, rate = list[np.ndarray](), list[int](), 0.0
    for t in range(job.arrival, instance.horizon):
        least = ceil((job.utility.upper(t + 1 - job.arrival) - payoff) * Fraction(2) ** proof.bits)
        if least <= 0:
            break
        tables.append(slots.costs(t, proof.prices[t], tangents[tangents[:, 1] == t, 2:]).ravel())
        costs = np.array(tables, dtype=float)
        if _lower_bound(rate, progress, costs)[0] < least:
            rate = _best(progress, costs, float(least))
        result.append(int(rate))
    return tuple(result)


def _lower_bound(rate: float, progress: Progress, costs: np.ndarray) -> tuple[float, float]:
    """What a rate proves of the cost, and how much of the need is left at its best numbers of workers."""
    paid = rate * progress.gains - costs
    best = paid.argmax(axis=1)
    return rate * progress.need - float(paid.max(axis=1).sum()), progress.need - float(progress.gains[best].sum())


def _best(progress: Progress, costs: np.ndarray, least: float) -> float:
    """The rate that proves most, by bisection; twice the cost to be proven where the job cannot be done in time."""
    low, high = 0.0, 2 * least
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if _lower_bound(middle, progress, costs)[1] > 0 else (low, middle)
    return high
