"""Costs at given prices by enumeration: theta(t, v) of (19), dynamic program (21)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cache

from schedproof.instances.dmlrs import Instance, Job
from schedproof.reference.dmlrs_schedules import Use, free, placements

ZERO = Fraction(0)


def cost(use: Use, prices: Use) -> Fraction:
    return sum((amount * prices[spot] for spot, amount in use.items()), ZERO)


def capacity_value(instance: Instance, prices: Use) -> Fraction:
    """Return the sum of p C, where C is the unreserved capacity."""
    return sum((price * free(instance, spot) for spot, price in prices.items()), ZERO)


def theta(instance: Instance, job: Job, slot: int, v: Fraction, prices: Use) -> Fraction | None:
    """Return theta(t, v), the least cost of v samples in a slot (19), or ``None``."""
    if not v:
        return ZERO
    return min((cost(p.use, prices) for p in placements(instance, job, slot) if p.samples(job) >= v), default=None)


def algorithm3(
    instance: Instance, job: Job, prices: Use, workloads: Callable[[Fraction], Iterable[Fraction]]
) -> list[Fraction]:
    """Return Theta(t, V) of (21) for t = a, ..., T - 1, with theta exact.

    In the last slot the job trains one of the amounts ``workloads(v)``, in samples.
    """
    never = 1 + capacity_value(instance, prices)  # stands for an infinite cost: above the value of all capacity

    @cache
    def slot_cost(slot: int, v: Fraction) -> Fraction:
        least = theta(instance, job, slot, v, prices)
        return never if least is None else least

    @cache
    def total(slot: int, v: Fraction) -> Fraction:
        if slot < job.arrival:
            return never if v else ZERO
        return min([never, *(slot_cost(slot, w) + total(slot - 1, v - w) for w in workloads(v))])

    return [total(slot, Fraction(job.work)) for slot in range(job.arrival, instance.horizon)]
