"""Lower bounds with exact certificates, from any prices beta >= 0 of worker slots.

Given beta_q(t) >= 0, the class LP of (4) splits by job. For a value alpha_j of a job's chunk the rows of the dual
require a rent delta_j(t) >= 0 of the job's own slots (the multiplier of (4e)),

    delta_j(t) = max(0, max_q (alpha_j - charge_jq(t)) / p_jq - beta_q(t)),   charge = (t - r_j [+ (p + 1)/2]) / D_j,

and sum_j D_j (alpha_j - sum_t delta_j(t)) - sum_q W_q sum_t beta_q(t) is at most the optimum, for any alpha. In a break
of its server a class has no workers, so its prices there are not part of the last sum.
Prices and values are multiples of 2^-BITS, and a job's term D_j (alpha_j - sum_t delta_j(t)) is rounded down
to a multiple of 2^-FINE_BITS. So the sum is computed in integers and has a short denominator.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Annotated, Any, Literal

import msgspec
import numpy as np

from schedproof.core.base.numbers import dyadic
from schedproof.core.data.reading import Count, Row, convert
from schedproof.core.errors import InputError, ProgramError
from schedproof.core.runtime import memory
from schedproof.formulations.preemptive.index import HALVES
from schedproof.instances.preemptive import Instance, Job

BITS = 24
FINE_BITS = 64
UNIT = f"1/{1 << BITS}"
MOST_ENTRIES = 10**8  # of the table of prices
NO_CLASS = np.iinfo(np.int64).max  # price of a slot in which no class can serve
LARGEST_VALUE = 2.0**30  # slots of a chunk, beyond any horizon
LARGEST_PRODUCT = 2**62  # no integer product may leave the 63 bits of int64
WORTH_BYTES = 340.0  # bytes per slot of the longest chunk while its job's term is computed; measured: 265 to 338
Units = Annotated[int, msgspec.Meta(ge=0, le=LARGEST_PRODUCT)]
PriceRows = list[tuple[list[Count], Count, list[Units]]]  # classes that have the same prices, their first slot, prices


@dataclass(frozen=True)
class Prices:
    """beta_q(t) in units of 2^-BITS: int64, (classes, priced slots), 0 in later slots."""

    units: np.ndarray
    _kept: dict[tuple[int, ...], np.ndarray] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def from_entries(cls, instance: Instance, classes: np.ndarray, times: np.ndarray, beta: np.ndarray) -> Prices:
        """Prices from (class, slot, price) entries, rounded down to multiples of 2^-BITS."""
        units = np.zeros((len(instance.classes), int(times.max(initial=-1)) + 1), dtype=np.int64)
        units[classes, times] = dyadic(np.maximum(beta, 0.0), BITS)
        return cls(units)

    @classmethod
    def from_rows(cls, rows: PriceRows, instance: Instance) -> Prices:
        named = [q for classes, _, _ in rows for q in classes]
        if len(set(named)) < len(named) or max(named, default=-1) >= len(instance.classes):
            raise InputError("expected prices of the instance's classes, each once at most", path="multipliers.prices")
        slots = max((first + len(prices) for _, first, prices in rows), default=0)
        if slots > instance.horizon or slots * len(instance.classes) > MOST_ENTRIES:
            raise InputError("expected prices of the instance's slots", path="multipliers.prices")
        units = np.zeros((len(instance.classes), slots), dtype=np.int64)
        for classes, first, prices in rows:
            units[classes, first : first + len(prices)] = prices
        return cls(units)

    def to_rows(self) -> list[list[Any]]:
        alike = dict[bytes, list[int]]()
        for q in np.flatnonzero(self.units.any(axis=1)).tolist():
            alike.setdefault(self.units[q].tobytes(), []).append(q)
        ends = [np.flatnonzero(self.units[classes[0]])[[0, -1]].tolist() for classes in alike.values()]
        rows = zip(alike.values(), ends, strict=True)
        return [[classes, first, self.units[classes[0], first : last + 1].tolist()] for classes, (first, last) in rows]

    def cheapest(self, instance: Instance, job: Job, length: int) -> np.ndarray:
        """Return the lowest beta_q(t) of the job's classes, from arrival; -1 without one."""
        delays = instance.workers_by_delay(job)
        if not delays:
            return np.full(length, -1, dtype=np.int64)
        landed = min(max(delays), length)
        lowest = np.full(length, NO_CLASS, dtype=np.int64)
        for q, delay in instance.qualified(job) if min(delays) < landed else ():
            if delay < landed:
                part = self._row(q.index, job.arrival + delay, job.arrival + landed)
                np.minimum(lowest[delay:landed], part, out=lowest[delay:landed])
        if landed < length:
            everywhere = self._lowest(instance.qualified_classes(job))
            part = everywhere[job.arrival + landed : job.arrival + length]
            lowest[landed:] = 0
            lowest[landed : landed + part.size] = part
        return np.where(lowest == NO_CLASS, -1, lowest)

    def _row(self, q: int, first: int, last: int) -> np.ndarray:
        row = np.zeros(last - first, dtype=np.int64)
        part = self.units[q, first:last]
        row[: part.size] = part
        return row

    def _lowest(self, classes: tuple[int, ...]) -> np.ndarray:
        if classes not in self._kept:
            self._kept[classes] = self.units[list(classes)].min(axis=0)
        return self._kept[classes]


def in_breaks(instance: Instance, slots: int) -> np.ndarray:
    """Return whether each class is in a break in each slot, shape (classes, slots)."""
    result = np.zeros((len(instance.classes), slots), dtype=bool)
    for q in instance.classes:
        for start, end in instance.calendar.breaks[q.server.index]:
            result[q.index, start:end] = True
    return result


class PriceRow(Row, frozen=True):
    unit: Literal["1/16777216"]
    values: list[Units]
    prices: PriceRows


@dataclass(frozen=True)
class PriceCertificate:
    """Prices of worker slots and a value per job: together they prove a lower bound.

    Attributes
    ----------
    prices
        beta.
    values
        alpha_j in units of 2^-BITS, int64, shape (jobs,).
    """

    prices: Prices
    values: np.ndarray

    def value(self, instance: Instance, cost: str, speed: Fraction) -> Fraction:
        """Return the proven bound, exactly.

        Parameters
        ----------
        cost
            ``half`` with half of the processing time, or ``printed``.
        speed
            The divisor of every chunk time before it is rounded up to whole slots.

        Raises
        ------
        ValueError
            For invalid prices or values, or another instance's certificate.
        """
        units, values = self.prices.units, self.values
        if units.shape[0] != len(instance.classes) or values.shape != (len(instance.jobs),):
            raise ValueError("the certificate belongs to another instance")
        if (units.size and units.min() < 0) or (values.size and values.min() < 0):
            raise ValueError("a price or value of the certificate is negative")
        if units.dtype != np.int64 or values.dtype != np.int64:
            raise ValueError("the prices and values of the certificate: expected integers, in units")
        prices = Prices(units)  # without cached prices, because arrays can be changed in place
        paid = np.where(in_breaks(instance, units.shape[1]), 0, units) if instance.breaks else units
        rents = sum(q.count * _sum(row) for q, row in zip(instance.classes, paid, strict=True))
        half = HALVES[cost]
        worth = sum(self._worth(instance, job, prices, half, speed) for job in instance.jobs)
        return Fraction(worth - (rents << FINE_BITS - BITS), 1 << FINE_BITS)

    def _worth(self, instance: Instance, job: Job, prices: Prices, half: int, speed: Fraction) -> int:
        edge, cloud, p0, p1 = excesses(instance, job, prices, int(self.values[job.index]), half, speed)
        by_edge = (edge > 0) & (edge * p1 >= cloud * p0)
        by_cloud = (cloud > 0) & ~by_edge
        rent = _sum(edge[by_edge]) * p1 + _sum(cloud[by_cloud]) * p0
        return rounded_down(2 * job.chunks * int(self.values[job.index]) * p0 * p1 - rent, 2 * p0 * p1 << BITS)

    def to_json(self) -> dict[str, Any]:
        return {"unit": UNIT, "values": self.values.tolist(), "prices": self.prices.to_rows()}

    @classmethod
    def from_json(cls, row: Any, instance: Instance) -> PriceCertificate:
        given = convert(row, PriceRow)
        return cls(Prices.from_rows(given.prices, instance), np.array(given.values, dtype=np.int64))


def rounded_down(numerator: int, denominator: int) -> int:
    """Return a rational in multiples of 2^-FINE_BITS, rounded down."""
    return (numerator << FINE_BITS) // denominator


def _sum(values: np.ndarray) -> int:
    if values.size * int(values.max(initial=0)) < LARGEST_PRODUCT:
        return int(values.sum())
    return sum(values.tolist())


def excesses(
    instance: Instance, job: Job, prices: Prices, alpha: int, half: int, speed: Fraction
) -> tuple[np.ndarray, np.ndarray, int, int]:
    """Return the excess of alpha_j over the charge of each slot, in integers.

    The integers are 2 D_j 2^BITS (alpha_j - charge_j(t) - p beta(t)), at the edge and in the cloud.

    Returns
    -------
    edge, cloud
        int64 (or Python integers if 63 bits do not suffice), shape (slots from arrival on,), the edge at the price of
        its cheapest class. Where no column exists, a very negative number.
    p0, p1
        The job's chunk slots at the two rates.
    """
    p0, p1 = job.slots(speed=speed), job.slots(in_cloud=True, speed=speed)
    reach = (alpha * job.chunks >> BITS) + 1  # from then on the charge without prices exceeds alpha: the rent is 0
    lowest = prices.cheapest(instance, job, min(reach, _lifetime(instance, job, speed)))
    elapsed = np.arange(lowest.size, dtype=np.int64)
    largest = 2 * job.chunks * (alpha + p0 * int(max(lowest.max(initial=0), 0))) + (
        (2 * lowest.size + p0 + p1 + 2) << BITS
    )
    if largest * max(p0, p1) * 2 >= LARGEST_PRODUCT:
        lowest, elapsed = lowest.astype(object), elapsed.astype(object)
    nothing = -largest
    worth = 2 * job.chunks * alpha
    edge = worth - ((2 * elapsed + half * (p0 + 1)) << BITS) - 2 * job.chunks * p0 * lowest
    edge[lowest < 0] = nothing
    cloud = worth - ((2 * elapsed + half * (p1 + 1)) << BITS)
    delay = instance.cloud_delay(job)
    cloud[: cloud.size if delay is None else delay] = nothing
    return edge, cloud, p0, p1


def best_value(instance: Instance, job: Job, prices: Prices, half: int, speed: Fraction) -> int:
    """Return the alpha_j, in units of 2^-BITS, that maximises the job's term.

    The term is concave in alpha, with slope 1 - sum over bought slots of 1/p. Bisection in doubles finds its maximum,
    with a rounding error that only weakens the bound. The window of slots grows until later slots charge more than
    alpha.
    """
    p0, p1 = job.slots(speed=speed), job.slots(in_cloud=True, speed=speed)
    length = min(_lifetime(instance, job, speed), 4 * (p0 + max(instance.workers_by_delay(job), default=0)))
    while True:
        alpha = _best_within(instance, job, prices, half, p0, p1, length)
        if alpha * job.chunks < length or length == _lifetime(instance, job, speed):
            break
        length = min(_lifetime(instance, job, speed), 2 * length)
    if not np.isfinite(alpha):
        raise NoRoom(job)
    return min(int(alpha * 2**BITS), LARGEST_PRODUCT)


def require_memory(instance: Instance, speed: Fraction, slot_bytes: float = WORTH_BYTES) -> None:
    """Raise `ProgramError` if the longest chunk's slots would not fit the free memory."""
    longest = max((job.slots(speed=speed) for job in instance.jobs), default=0)
    memory.require_bytes(f"a chunk of {longest:,} slots would take", slot_bytes * longest, "take longer slots")


class NoRoom(ProgramError):
    """A job with too few slots."""

    def __init__(self, job: Job) -> None:
        super().__init__(f"job '{job.name}' has no slot in which it could be trained: the horizon is too short")


def _lifetime(instance: Instance, job: Job, speed: Fraction) -> int:
    return max(0, instance.last_slot(job, speed=speed) - job.arrival + 1)


def _best_within(instance: Instance, job: Job, prices: Prices, half: int, p0: int, p1: int, length: int) -> float:
    lowest = prices.cheapest(instance, job, length)
    elapsed = np.arange(length, dtype=float)
    edge = (elapsed + half * (p0 + 1) / 2) / job.chunks + p0 * lowest / 2.0**BITS
    edge[lowest < 0] = np.inf
    delay = instance.cloud_delay(job)
    if delay is None:  # one rate: the p0 cheapest slots are bought, and the dearest of them sets the value
        return float(np.partition(edge, p0 - 1)[p0 - 1]) if p0 <= length else np.inf
    cloud = (elapsed + half * (p1 + 1) / 2) / job.chunks
    cloud[:delay] = np.inf
    cheapest = np.minimum(edge, cloud)
    if not np.isfinite(cheapest).any():
        return np.inf
    low, high = 0.0, float(cheapest.min()) + 1.0
    while _slots_bought(edge, cloud, p0, p1, high) < 1 and high < LARGEST_VALUE:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if _slots_bought(edge, cloud, p0, p1, middle) >= 1 else (middle, high)
    return low


def _slots_bought(edge: np.ndarray, cloud: np.ndarray, p0: int, p1: int, alpha: float) -> float:
    gain_edge, gain_cloud = (alpha - edge) / p0, (alpha - cloud) / p1
    by_edge = (gain_edge > 0) & (gain_edge >= gain_cloud)
    by_cloud = (gain_cloud > 0) & ~by_edge
    return float(by_edge.sum() / p0 + by_cloud.sum() / p1)


def certify(instance: Instance, prices: Prices, half: int = 1, speed: Fraction = Fraction(1)) -> PriceCertificate:
    """Return the best certificate with given prices; a negative term is set to 0."""
    values = np.array([best_value(instance, job, prices, half, speed) for job in instance.jobs], dtype=np.int64)
    return PriceCertificate(prices, values)
