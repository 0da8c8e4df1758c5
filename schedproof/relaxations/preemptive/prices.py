"""Lower bounds with exact certificates: from any prices beta >= 0 of worker slots.

Given beta_q(t) >= 0, the class LP of (4) splits by job. For a value alpha_j of a job's chunk the rows of the dual ask for
a rent delta_j(t) >= 0 of the job's own slots (the multiplier of (4e)),

    delta_j(t) = max(0, max_q (alpha_j - charge_jq(t)) / p_jq - beta_q(t)),   charge = (t - r_j [+ (p + 1)/2]) / D_j,

and sum_j D_j (alpha_j - sum_t delta_j(t)) - sum_q W_q sum_t beta_q(t) is at most the optimum, whatever alpha is. Prices and
values are multiples of 2^-BITS, so that the sum is a rational computed in integers.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from schedproof.core.errors import ProgramError
from schedproof.core.numbers import dyadic
from schedproof.instances.preemptive import Instance, Job

BITS = 24
SAFE = 2**62  # no integer product may leave the 63 bits of int64


@dataclass(frozen=True)
class Prices:
    """beta_q(t) in units of 2^-BITS: int64, shape (classes, horizon of the prices); zero beyond."""

    units: np.ndarray

    @classmethod
    def from_entries(cls, instance: Instance, classes: np.ndarray, times: np.ndarray, beta: np.ndarray) -> Prices:
        """From (class, slot, price) entries; prices are rounded down to multiples of 2^-BITS."""
        last = max((instance.last_slot(job) for job in instance.jobs), default=-1)
        units = np.zeros((len(instance.classes), last + 1), dtype=np.int64)
        units[classes, times] = dyadic(np.maximum(beta, 0.0), BITS)
        return cls(units)

    def cheapest(self, instance: Instance, job: Job) -> np.ndarray:
        """min over the job's classes of beta_q(t), for t from its arrival to its last slot; -1 where it has no class.

        Without loss: all edge columns of a job have the same rate, so only the cheapest class of a slot can bind.
        """
        last = instance.last_slot(job)
        none = np.iinfo(np.int64).max
        lowest = np.full(max(0, last - job.arrival + 1), none, dtype=np.int64)
        for q, delay in instance.qualified(job):
            part = self.units[q.index, job.arrival + delay : last + 1]
            np.minimum(lowest[delay:], part, out=lowest[delay:])
        return np.where(lowest == none, -1, lowest)


@dataclass(frozen=True)
class PriceCertificate:
    """Prices of worker slots and a value per job: together they prove a lower bound.

    Attributes
    ----------
    prices
        beta.
    values
        alpha_j in units of 2^-BITS, int64, shape (jobs,).
    half
        1 for the cost with half of the processing time, 0 for the printed one.
    speed
        Divides every chunk time before it is rounded up to whole slots.
    """

    prices: Prices
    values: np.ndarray
    half: int = 1
    speed: Fraction = field(default=Fraction(1))

    def value(self, instance: Instance) -> Fraction:
        """The bound that the certificate proves, exactly.

        Raises
        ------
        ValueError
            For a negative price or value, or a certificate of another instance's size.
        """
        units, values = self.prices.units, self.values
        if units.shape[0] != len(instance.classes) or values.shape != (len(instance.jobs),):
            raise ValueError("the certificate belongs to another instance")
        if units.size and units.min() < 0 or values.size and values.min() < 0:
            raise ValueError("a price or value of the certificate is negative")
        rents = sum(q.count * int(row.sum()) for q, row in zip(instance.classes, units, strict=True))
        return sum((self._worth(instance, job) for job in instance.jobs), Fraction(0)) - Fraction(rents, 1 << BITS)

    def _worth(self, instance: Instance, job: Job) -> Fraction:
        """D_j (alpha_j - sum_t delta_j(t)) of one job, exactly."""
        edge, cloud, p0, p1 = excesses(instance, job, self.prices, int(self.values[job.index]), self.half, self.speed)
        by_edge = (edge > 0) & (edge * p1 >= cloud * p0)
        by_cloud = (cloud > 0) & ~by_edge
        unit = 2 * job.chunks << BITS  # the excesses' denominator
        rent = Fraction(int(edge[by_edge].sum()), p0 * unit) + Fraction(int(cloud[by_cloud].sum()), p1 * unit)
        return job.chunks * (Fraction(int(self.values[job.index]), 1 << BITS) - rent)

    def to_json(self) -> dict[str, Any]:
        """Positive prices and all values as exact dyadic numbers, with what they are for."""
        q, t = np.nonzero(self.prices.units)
        return {
            "kind": "prices",
            "unit": f"1/{1 << BITS}",
            "cost": "half" if self.half else "printed",
            "speed": str(self.speed),
            "values": self.values.tolist(),
            "prices": np.stack([q, t, self.prices.units[q, t]], axis=1).tolist(),
        }


def excesses(
    instance: Instance, job: Job, prices: Prices, alpha: int, half: int, speed: Fraction
) -> tuple[np.ndarray, np.ndarray, int, int]:
    """2 D_j 2^BITS (alpha_j - charge_j(t) - p beta(t)) at the cheapest edge class and in the cloud, for each slot.

    Returns
    -------
    edge, cloud
        int64 (or Python integers, where 63 bits do not suffice), shape (slots from arrival on,); a very negative number
        where there is no column.
    p0, p1
        The job's chunk slots at the two rates.
    """
    p0, p1 = job.slots(speed=speed), job.slots(in_cloud=True, speed=speed)
    lowest = prices.cheapest(instance, job)
    elapsed = np.arange(lowest.size, dtype=np.int64)
    largest = 2 * job.chunks * (alpha + p0 * int(max(lowest.max(initial=0), 0))) + (
        (2 * lowest.size + p0 + p1 + 2) << BITS
    )
    if largest * max(p0, p1) * 2 >= SAFE:
        lowest, elapsed = lowest.astype(object), elapsed.astype(object)
    nothing = -largest
    worth = 2 * job.chunks * alpha
    edge = worth - ((2 * elapsed + half * (p0 + 1)) << BITS) - 2 * job.chunks * p0 * lowest
    edge[lowest < 0] = nothing
    cloud = worth - ((2 * elapsed + half * (p1 + 1)) << BITS)
    delay = instance.cloud_delay(job)
    cloud[: cloud.size if delay is None else delay] = nothing
    return edge, cloud, p0, p1


def best_value(instance: Instance, job: Job, prices: Prices, half: int, speed: Fraction) -> tuple[int, np.ndarray]:
    """The value alpha_j that makes the most of given prices, and the slots that the job then buys.

    The job's worth is concave in alpha, with slope 1 - sum over bought slots of 1/p; its top is found by bisection.

    Returns
    -------
    alpha
        In units of 2^-BITS.
    bought
        Whether the job buys an edge worker for each of its chunks, per slot from its arrival on.
    """
    lowest = prices.cheapest(instance, job)
    p0, p1 = job.slots(speed=speed), job.slots(in_cloud=True, speed=speed)
    elapsed = np.arange(lowest.size, dtype=float)
    edge = (elapsed + half * (p0 + 1) / 2) / job.chunks + p0 * lowest / 2.0**BITS
    edge[lowest < 0] = np.inf
    cloud = (elapsed + half * (p1 + 1) / 2) / job.chunks
    delay = instance.cloud_delay(job)
    cloud[: cloud.size if delay is None else delay] = np.inf
    if not np.isfinite(np.minimum(edge, cloud)).any():
        raise ProgramError(f"{job.name} has no slot in which it could be trained: the horizon is too short")
    low, high = 0.0, float(np.min(np.minimum(edge, cloud))) + 1.0
    while _bought(edge, cloud, p0, p1, high)[2] < 1 and high < 1e15:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if _bought(edge, cloud, p0, p1, middle)[2] >= 1 else (middle, high)
    by_edge, _, _ = _bought(edge, cloud, p0, p1, low)
    return int(low * 2**BITS), by_edge


def _bought(
    edge: np.ndarray, cloud: np.ndarray, p0: int, p1: int, alpha: float
) -> tuple[np.ndarray, np.ndarray, float]:
    gain_edge, gain_cloud = (alpha - edge) / p0, (alpha - cloud) / p1
    by_edge = (gain_edge > 0) & (gain_edge >= gain_cloud)
    by_cloud = (gain_cloud > 0) & ~by_edge
    return by_edge, by_cloud, by_edge.sum() / p0 + by_cloud.sum() / p1


def certify(instance: Instance, prices: Prices, half: int = 1, speed: Fraction = Fraction(1)) -> PriceCertificate:
    """The best certificate with given prices; a job whose worth would be negative is given the value 0."""
    values = np.array([best_value(instance, job, prices, half, speed)[0] for job in instance.jobs], dtype=np.int64)
    return PriceCertificate(prices, values, half, speed)
