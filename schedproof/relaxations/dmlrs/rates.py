"""Rates per unit of a job's progress, with which a checker excludes schedules.

At any rate r >= 0 for a unit of progress, a schedule within a number of slots costs at least

    r need - sum over the slots of max over numbers of workers of (r gain - cost).

With a good rate this bound is close to the least cost, and few schedules remain to be examined. A bad rate only costs
time.
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
    """Return a rate for each completion with utility above the payoff, in 2^-bits."""
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
    paid = rate * progress.gains - costs
    best = paid.argmax(axis=1)
    return rate * progress.need - float(paid.max(axis=1).sum()), progress.need - float(progress.gains[best].sum())


def _best(progress: Progress, costs: np.ndarray, least: float) -> float:
    """Return the rate with the best bound; for a late job, twice the cost."""
    low, high = 0.0, 2 * least
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if _lower_bound(middle, progress, costs)[1] > 0 else (low, middle)
    return high
