"""A bound stronger than the LP of (4): a job counts until its last chunk's last slot, not until its average one.

Of (2), only the capacity of classes is relaxed, at prices beta_q(t) >= 0. Then each job is on its own. Either it is in
the cloud as a whole and done p' slots after it has landed there; or, if it is done C slots after its arrival, each of
its chunks has had p slots before that, on one worker in each of them, and paid for them no less than the p cheapest
prices B_j(C) among these slots, in each of them the lowest among the job's classes where it has landed by then. (A
chunk that is in the cloud while others are not takes p slots there, p >= p', so that the job is done no sooner than in
the cloud as a whole.) Any schedule, in which no more than W_q workers of a class are ever paid for, thus has a total
JCT of at least

    sum_j min(Delta_jc + p'_j, min_C C + D_j B_j(C)) - sum_q W_q sum_t beta_q(t).

Where chunks may move (`FloatingCertificate`), number the worker-slots that a job uses in the order of time and let unit
n be of chunk n modulo D_j: as no slot has more than D_j of them, each chunk has p slots, on one worker in each. So all
of this holds but for the remark on the cloud: a chunk may be there in some of its slots, for which nothing is paid, so
that every slot from r_j + Delta_jc on has the price 0. This bounds schedules whose chunks stay, too, and is the same
number where no job may use the cloud.

With the prices of the LP of (4) this is no less than the LP's optimum, for the LP's average over the slots of a chunk,
and half of p, is no more than C. The best prices solve the LP over all such configurations of a job.
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
    """Prices of worker slots, and nothing else.

    Attributes
    ----------
    prices
        beta.
    moves
        Whether it is about schedules whose chunks may move.
    """

    prices: Prices
    moves: ClassVar[bool] = False

    def value(self, instance: Instance, speed: Fraction) -> Fraction:
        """The bound that the certificate proves, exactly.

        Raises
        ------
        ValueError
            As for `worth`.
        """
        worth = sum(self.worth(instance, speed).tolist())
        rents = sum(q.count * sum(row.tolist()) for q, row in zip(instance.classes, self.prices.units, strict=True))
        return Fraction(worth - rents, 1 << BITS)

    def worth(self, instance: Instance, speed: Fraction) -> np.ndarray:
        """What each job costs at least when it waits and pays, in units, int64, (jobs,).

        Raises
        ------
        ValueError
            For a negative price, one that is not in whole units or too large, or another instance's certificate.
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
        """Prices in units."""
        return {"unit": UNIT, "prices": self.prices.to_rows()}

    @classmethod
    def from_json(cls, row: Any, instance: Instance) -> ConfigurationCertificate:
        """The certificate that `to_json` wrote; raises InputError for anything else."""
        return cls(Prices.from_rows(convert(row, ConfigurationRow).prices, instance))


class FloatingCertificate(ConfigurationCertificate):
    """Prices of worker slots, for chunks that may move."""

    moves = True


def dearest(instance: Instance, speed: Fraction) -> int:
    """The largest price, in units, at which what a job waits and pays is a number of 63 bits."""
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
    """The ascent goes on from the prices of a certificate, ``start``, of this bound or of `lp4_bound`."""
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
    """From the prices of a certificate or of a relaxed run, and so many steps."""
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
