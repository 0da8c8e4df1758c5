"""An upper bound on R-DMLRS from prices, in integers.

For any prices p >= 0 of the resources, weak duality gives

    optimum <= sum over (t, h, r) of p C + sum_i max(0, max over completions of (u_i - Theta_i)),

where Theta_i is the least cost of a schedule of job i with that completion, or a lower bound on this cost from
`least_cost`.
This module shares no code with the searches for prices.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any

import msgspec
import numpy as np

from schedproof.core.base.numbers import as_text, from_text
from schedproof.core.data.reading import Row, convert
from schedproof.core.errors import InputError
from schedproof.instances.dmlrs import Instance, Job
from schedproof.relaxations.dmlrs.least_cost import INFEASIBLE_COST, Progress, Slots

COST_LIMIT = 2**60  # keeps sums of costs well within the 63 bits of int64
LARGEST_FINENESS, MOST_BITS = 2**20, 2000
Units = Annotated[int, msgspec.Meta(ge=0, le=COST_LIMIT)]
NEGLIGIBLE_UTILITY = Fraction(1, 2**40)  # the bound counts a smaller utility in full, without cost


Rational = Annotated[str, msgspec.Meta(pattern="^[0-9]{1,4000}/[1-9][0-9]{0,3999}$")]


class PriceRow(Row, frozen=True):
    unit: Rational
    prices: list[Annotated[list[Units], msgspec.Meta(min_length=3)]]
    fineness: list[Units]
    tangents: list[tuple[Units, Units, Units, Units]]
    payoffs: list[Rational]
    rates: list[list[Units]]


@dataclass(frozen=True, eq=False)
class PriceCertificate:
    """Prices, and a fineness for each job's schedules, which prove an upper bound.

    Attributes
    ----------
    prices
        The prices p of a unit of the instance's grid, as multiples of 2^-bits: int64, shape (T, H, R).
    bits
        The exponent of the unit 2^-bits; may be negative.
    fineness
        The fineness k of each job, int64, shape (jobs,).
    tangents
        Rows (job, slot, lambda, mu) of multipliers, in addition to the lowest prices of a worker and a parameter
        server, as multiples of 2^-bits: int64, shape (rows, 4).
    payoffs, rates
        For a checker without the least-cost search: upper bounds on each job's utility minus cost, and rates from
        `rates_of`. Optional, empty by default.
    """

    prices: np.ndarray
    bits: int
    fineness: np.ndarray
    tangents: np.ndarray
    payoffs: tuple[Fraction, ...] = ()
    rates: tuple[tuple[int, ...], ...] = ()

    def value(self, instance: Instance) -> Fraction:
        """Return the proven bound, exactly.

        Raises
        ------
        ValueError
            For invalid numbers, or another instance's certificate.
        """
        self._check(instance)
        free = np.broadcast_to(instance.grid.free, self.prices.shape)
        total = sum(p * c for p, c in zip(self.prices.ravel().tolist(), free.ravel().tolist(), strict=True))
        unit = Fraction(2) ** -self.bits
        result = self.found_payoffs(instance)
        if self.payoffs and self.payoffs != result:
            raise ValueError("a payoff of the certificate differs from the payoff that its prices prove")
        return total * unit + sum(result, Fraction(0))

    def found_payoffs(self, instance: Instance) -> tuple[Fraction, ...]:
        return tuple(self.payoff(instance, job) / Fraction(2) ** self.bits for job in instance.jobs)

    def _check(self, instance: Instance) -> None:
        shape = (instance.horizon, len(instance.machines), len(instance.resources)), (len(instance.jobs),), (4,)
        wholes = (self.prices, self.fineness, self.tangents)
        if any(numbers.dtype != np.int64 for numbers in wholes) or not isinstance(self.bits, int):
            raise ValueError("the certificate's numbers: expected integers")
        if abs(self.bits) > MOST_BITS:
            raise ValueError("the unit of the certificate is too large or too small")
        if (self.prices.shape, self.fineness.shape, self.tangents.shape[1:]) != shape:
            raise ValueError("the certificate belongs to another instance")
        if any(numbers.size and numbers.min() < 0 for numbers in wholes):
            raise ValueError("a price or multiplier of the certificate is negative")
        if self.fineness.size and not 1 <= self.fineness.min() <= self.fineness.max() <= LARGEST_FINENESS:
            raise ValueError(f"the fineness of the certificate: expected integers from 1 to {LARGEST_FINENESS}")
        if (self.tangents[:, :2] >= (len(instance.jobs), instance.horizon)).any():
            raise ValueError("a multiplier of the certificate has an unknown job or slot")
        dearest = self.prices.max(axis=1, initial=0).tolist()
        steepest = int(self.tangents[:, 2:].max(initial=0))
        for job in instance.jobs:
            workers, servers = job.batch_size, job.ps_needed(job.batch_size)
            demands = zip(instance.grid.worker(job).tolist(), instance.grid.ps(job).tolist(), strict=True)
            amounts = [workers * worker + servers * ps for worker, ps in demands]
            costs = sum(p * amount for row in dearest for p, amount in zip(row, amounts, strict=True))
            if max(costs, steepest * (workers + servers) * (len(instance.machines) + 1)) >= COST_LIMIT:
                raise ValueError("a price or multiplier of the certificate is too large")

    def payoff(self, instance: Instance, job: Job) -> Fraction:
        """Return an upper bound >= 0 on a schedule's utility minus cost, in 2^-bits.

        A completion's utility bounds the payoff of all later completions, because costs are nonnegative.
        """
        scale, best = Fraction(2) ** self.bits, Fraction(0)
        progress = Progress(job, int(self.fineness[job.index]), instance.horizon - job.arrival)
        if not progress.possible:
            return best
        slots = Slots(instance, job)
        tangents = self.tangents[self.tangents[:, 0] == job.index]
        for t in range(job.arrival, instance.horizon):
            utility = job.utility.upper(t + 1 - job.arrival) * scale
            if utility <= max(best, NEGLIGIBLE_UTILITY * scale):
                return max(best, utility)
            cost = progress.after(slots.costs(t, self.prices[t], tangents[tangents[:, 1] == t, 2:]))
            if cost < INFEASIBLE_COST:
                best = max(best, utility - cost)
        return best

    def to_json(self) -> dict[str, Any]:
        """Return prices by machine runs (slot, first, last, prices) and the rest."""
        rows = []
        for t, prices in enumerate(self.prices):
            first = 0
            for h in range(1, len(prices) + 1):
                if h == len(prices) or (prices[h] != prices[first]).any():
                    rows += [[t, first, h - 1, *prices[first].tolist()]] if prices[first].any() else []
                    first = h
        return {
            "unit": as_text(Fraction(2) ** -self.bits),
            "prices": rows,
            "fineness": self.fineness.tolist(),
            "tangents": self.tangents.tolist(),
            "payoffs": [as_text(payoff) for payoff in self.payoffs],
            "rates": [list(row) for row in self.rates],
        }

    @classmethod
    def from_json(cls, row: Any, instance: Instance) -> PriceCertificate:
        given = convert(row, PriceRow)
        prices = np.zeros((instance.horizon, len(instance.machines), len(instance.resources)), dtype=np.int64)
        for i, (t, first, last, *numbers) in enumerate(given.prices):
            if t >= len(prices) or not first <= last < len(instance.machines) or len(numbers) != prices.shape[2]:
                path = f"multipliers.prices[{i}]"
                raise InputError("expected [slot, first machine, last machine, a price for each resource]", path=path)
            prices[t, first : last + 1] = numbers
        tangents = np.array(given.tangents, dtype=np.int64).reshape(-1, 4)
        payoffs, rates = tuple(map(from_text, given.payoffs)), tuple(map(tuple, given.rates))
        return cls(prices, _bits(given.unit), np.array(given.fineness, dtype=np.int64), tangents, payoffs, rates)


def _bits(unit: str) -> int:
    value = from_text(unit)
    bits = value.denominator.bit_length() - value.numerator.bit_length()
    if abs(bits) > MOST_BITS or value != Fraction(2) ** -bits:
        raise InputError("expected a power of 2, as a rational", path="multipliers.unit", value=unit)
    return bits
