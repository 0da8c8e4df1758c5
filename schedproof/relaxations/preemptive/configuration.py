"""A bound stronger than the LP of (4): jobs count until their last slot.

It relaxes only the capacity of classes in (2), at prices beta_q(t) >= 0. Then the jobs are independent. Either a job is
wholly in the cloud and done p' slots after landing, or it is done C slots after its arrival. In the latter case each
chunk has run in p slots before, on one worker in each slot. The chunk has paid at least B_j(C), the sum of the p
cheapest prices, each the lowest among classes where the job has landed. (A chunk in the cloud while others are not
takes p >= p' slots there, so the job is done no sooner than wholly in the cloud.) A schedule pays for at most W_q
workers of a class, so its total JCT is at least

    sum_j min(Delta_jc + p'_j, min_C C + D_j B_j(C)) - sum_q W_q sum_t beta_q(t).

If chunks may move (`FloatingCertificate`), number a job's worker-slots in the order of time and assign unit n to chunk
n modulo D_j. Each chunk then has p slots, on one worker in each. The remark on the cloud fails: a chunk may use the
cloud without payment in some slots, so every slot from r_j + Delta_jc on has the price 0. The result is also a bound
for pinned chunks, and the two bounds are equal if no job may use the cloud.

At the prices of the LP of (4) this bound is at least the LP's optimum, because the LP's average over the slots of a
chunk, plus half of p, is at most C. The best prices solve the LP over all such configurations of a job.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from time import perf_counter
from typing import Any, ClassVar, Literal

import numpy as np

from schedproof.core.certificates.bound import Bound, bound_of
from schedproof.core.data.reading import Row, convert
from schedproof.core.runtime.context import USUAL, Context
from schedproof.instances.preemptive import Instance
from schedproof.relaxations.preemptive import ascent
from schedproof.relaxations.preemptive.ascent_kernels import configuration_use
from schedproof.relaxations.preemptive.prices import BITS, LARGEST_PRODUCT, UNIT, PriceRows, Prices


class ConfigurationRow(Row, frozen=True):
    unit: Literal["1/16777216"]
    prices: PriceRows


@dataclass(frozen=True)
class ConfigurationCertificate:
    """Prices of worker slots.

    Attributes
    ----------
    prices
        beta.
    moves
        Whether it covers schedules whose chunks may move.
    """

    prices: Prices
    moves: ClassVar[bool] = False

    def value(self, instance: Instance, speed: Fraction) -> Fraction:
        """Return the proven bound, exactly; raise as `worth` does."""
        worth = sum(self.worth(instance, speed).tolist())
        rents = sum(q.count * sum(row.tolist()) for q, row in zip(instance.classes, self.prices.units, strict=True))
        return Fraction(worth - rents, 1 << BITS)

    def worth(self, instance: Instance, speed: Fraction) -> np.ndarray:
        """Return lower bounds on each job's JCT plus payment, in units, int64, (jobs,).

        Raises
        ------
        ValueError
            For invalid prices, or another instance's certificate.
        """
        units = self.prices.units
        if units.dtype != np.int64 or units.shape[0] != len(instance.classes):
            raise ValueError("the certificate belongs to another instance")
        if units.size and units.min() < 0:
            raise ValueError("a price of the certificate is negative")
        market, kinds = ascent.market(instance, speed)
        lowest = ascent.lowest_by_kind(units, market, kinds)
        if int(units.max(initial=0)) > dearest(instance, speed):
            raise ValueError("the prices of the certificate are too large")
        values, used = np.zeros(len(instance.jobs), dtype=np.int64), np.zeros_like(lowest)
        for jobs, part in ascent.in_pieces(market):
            configuration_use(lowest, part, 1 << BITS, self.moves, values[jobs], used)
        return values

    def to_json(self) -> dict[str, Any]:
        return {"unit": UNIT, "prices": self.prices.to_rows()}

    @classmethod
    def from_json(cls, row: Any, instance: Instance) -> ConfigurationCertificate:
        return cls(Prices.from_rows(convert(row, ConfigurationRow).prices, instance))


class FloatingCertificate(ConfigurationCertificate):
    """Prices of worker slots, for chunks that may move."""

    moves = True


def dearest(instance: Instance, speed: Fraction) -> int:
    """The largest price, in units, for which a job's wait and payment fit 63 bits."""
    work = max((job.chunks * job.slots(speed=speed) for job in instance.jobs), default=0)
    return (LARGEST_PRODUCT - (2 * instance.horizon << BITS)) // max(1, work)


def configuration_bound(
    instance: Instance,
    *,
    speed: Fraction = Fraction(1),
    steps: int = 60,
    start: Path | None = None,
    context: Context = USUAL,
) -> Bound:
    """The ascent continues from ``start``, a certificate of this bound or `lp4_bound`."""
    return _by_ascent("configuration_lp", ConfigurationCertificate, instance, speed, steps, start, context)


def floating_bound(
    instance: Instance,
    *,
    speed: Fraction = Fraction(1),
    steps: int = 60,
    start: Path | None = None,
    context: Context = USUAL,
) -> Bound:
    return _by_ascent("floating_configuration_lp", FloatingCertificate, instance, speed, steps, start, context)


def _by_ascent(
    name: str,
    proof: type[ConfigurationCertificate],
    instance: Instance,
    speed: Fraction,
    steps: int,
    start: Path | None,
    context: Context,
) -> Bound:
    started = perf_counter()
    market, kinds = ascent.market(instance, speed)
    values, limit = np.zeros(len(instance.jobs)), dearest(instance, speed)
    pieces = ascent.in_pieces(market)

    def use(prices: np.ndarray, used: np.ndarray) -> float:
        return sum(
            float(configuration_use(prices, part, 1.0, proof.moves, values[jobs], used)) for jobs, part in pieces
        )

    def prove(units: np.ndarray) -> Bound:
        certificate = proof(Prices(np.minimum(units, limit)[kinds]))
        return bound_of(f"preemptive.{name}", certificate, instance, {}, started=started, speed=speed)

    begin = ascent.first_prices(instance, market, kinds, start)
    return ascent.best_bound(use, market, begin, steps, prove, context)
