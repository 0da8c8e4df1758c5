"""Exact lower bounds without a horizon, from prices of resources and starts.

For prices mu_{n,r,t} >= 0 of a unit of resource r of cluster n in slot t and nu_{n,t} >= 0 of a start on n in t,

    sum_j min over (n, x, t >= a_j) of [t + d_{j,x} - a_j + nu_{n,t} + sum_r x_r sum_{u=t}^{t+d_{j,x}-1} mu_{n,r,u}]
    - sum_{n,r,t} C_{n,r} mu_{n,r,t} - sum_{n,t} nu_{n,t}

is at most the total completion time of every schedule that runs each task once, to its end.

Proof. Each task has one start in a feasible schedule, and the bracket of this start is at least the minimum. The
brackets sum to the objective plus the price of all use, which is at most the subtracted sums by (5) and (2). After the
last priced slot waiting only increases a bracket, so the minimum is over finitely many starts. Dominated modes are not
needed.

In a break a cluster has no resources and no starts, so its prices there are not part of the subtracted sums.

The bound also holds for the closed intervals of (5), which allow fewer schedules. Prices are multiples of 2^-BITS, so
the sum is a rational computed in integers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any, Literal

import msgspec
import numpy as np

from schedproof.core.base.numbers import dyadic
from schedproof.core.data.reading import Count, Row, convert
from schedproof.core.errors import InputError
from schedproof.instances.placement import Instance
from schedproof.relaxations.placement.modes import Modes, Ways, ways

BITS = 24
UNIT = f"1/{1 << BITS}"
LARGEST_UNITS, LARGEST_PRICE = 2**62, 2.0**37
MOST_ENTRIES = 10**7  # of the table of prices
FIRST_SLOTS, MOST_STARTS = 64, 1 << 18  # slots examined together at first, and most starts together
Units = Annotated[int, msgspec.Meta(ge=1, le=LARGEST_UNITS)]


class PriceRow(Row, frozen=True):
    unit: Literal["1/16777216"]
    resources: list[tuple[Count, Count, Count, Units]]
    starts: list[tuple[Count, Count, Units]]


@dataclass(frozen=True, eq=False)
class StartPrices:
    """Prices in units of 2^-BITS that prove a bound; 0 after the priced slots.

    Attributes
    ----------
    resources
        mu: int64, shape (clusters, resources, priced slots).
    starts
        nu: int64, shape (clusters, priced slots).
    """

    resources: np.ndarray
    starts: np.ndarray

    @classmethod
    def of(cls, resources: np.ndarray, starts: np.ndarray) -> StartPrices:
        """Round doubles of these shapes down into the range; negative prices become 0."""
        return cls(*(dyadic(np.clip(prices, 0.0, LARGEST_PRICE), BITS) for prices in (resources, starts)))

    @classmethod
    def free(cls, instance: Instance) -> StartPrices:
        """Return prices of 0, which prove the sum of the tasks' shortest modes."""
        clusters, resources = len(instance.clusters), len(instance.resources)
        return cls(np.zeros((clusters, resources, 0), dtype=np.int64), np.zeros((clusters, 0), dtype=np.int64))

    def value(self, instance: Instance) -> Fraction:
        """Return the proven bound, exactly.

        Raises
        ------
        ValueError
            For invalid prices, another instance's certificate, or a task without a possible cluster.
        """
        clusters, slots = len(instance.clusters), self.starts.shape[-1]
        if self.resources.shape != (clusters, len(instance.resources), slots) or self.starts.shape != (clusters, slots):
            raise ValueError("the certificate belongs to another instance")
        if self.resources.dtype != np.int64 or self.starts.dtype != np.int64:
            raise ValueError("expected prices as integer multiples of the unit")
        if any(prices.size and prices.min() < 0 for prices in (self.resources, self.starts)):
            raise ValueError("a price of the certificate is negative")
        return Fraction(self.units(instance, ways(instance)), 1 << BITS)

    def units(self, instance: Instance, found: Ways) -> int:
        """Return the value in units of 2^-BITS; ``found`` is the result of `ways`."""
        amounts, rented = np.array([cluster.amounts for cluster in instance.clusters], dtype=object), self
        if instance.breaks:
            open_ = ~in_breaks(instance, self.starts.shape[1])
            rented = StartPrices(self.resources * open_[:, None], self.starts * open_)
        rent = int((amounts * rented.resources.astype(object).sum(axis=2)).sum()) + sum(rented.starts.ravel().tolist())
        return sum(self.cheapest_starts(instance, found)) - rent

    def cheapest_starts(self, instance: Instance, found: Ways) -> list[int]:
        slots, modes = self.starts.shape[1], [mode for task in instance.tasks for mode in task.modes]
        late = slots + max((task.arrival for task in instance.tasks), default=0)
        waits = late + max((mode.slots for mode in modes), default=0)
        holds = slots * max((sum(mode.allocation) for mode in modes), default=0)
        dearest = int(self.starts.max(initial=0)) + holds * int(self.resources.max(initial=0)) + (waits << BITS)
        kind = np.int64 if dearest < LARGEST_UNITS else object  # Python's integers
        sums = np.zeros((*self.resources.shape[:2], slots + 1), dtype=kind)  # prefix sums over slots
        sums[:, :, 1:] = self.resources.astype(kind).cumsum(axis=2)
        launches = np.zeros((len(self.starts), slots + 1), dtype=kind)
        launches[:, :-1] = self.starts
        pairs = zip(instance.tasks, found, strict=True)
        return [_cheapest_start(task.arrival, here, sums, launches) for task, here in pairs]

    def to_json(self) -> dict[str, Any]:
        tables = {"resources": self.resources, "starts": self.starts}
        rows = {
            name: np.stack([*np.nonzero(table), table[np.nonzero(table)]], axis=1) for name, table in tables.items()
        }
        return {"unit": UNIT} | {name: table.tolist() for name, table in rows.items()}

    @classmethod
    def from_json(cls, row: Any, instance: Instance) -> StartPrices:
        given = convert(row, PriceRow)
        clusters, resources = len(instance.clusters), len(instance.resources)
        slots = 1 + max([t for *_, t, _ in given.resources] + [t for _, t, _ in given.starts], default=-1)
        if slots * clusters * (resources + 1) > MOST_ENTRIES:
            raise InputError(f"expected at most {MOST_ENTRIES} prices", path="multipliers")
        shapes = {"resources": (clusters, resources, slots), "starts": (clusters, slots)}
        return cls(*(_table(getattr(given, name), shape, f"multipliers.{name}") for name, shape in shapes.items()))


def in_breaks(instance: Instance, slots: int) -> np.ndarray:
    """Return whether each cluster is in a break in each slot, shape (clusters, slots)."""
    result = np.zeros((len(instance.clusters), slots), dtype=bool)
    for n, times in enumerate(instance.calendar.breaks):
        for start, end in times:
            result[n, start:end] = True
    return result


def _table(rows: Sequence[tuple[int, ...]], shape: tuple[int, ...], path: str) -> np.ndarray:
    table = np.zeros(shape, dtype=np.int64)
    for i, (*index, price) in enumerate(rows):
        if any(number >= size for number, size in zip(index, shape, strict=True)) or table[tuple(index)]:
            raise InputError("expected a cluster and resource of the instance, each slot once", path=f"{path}[{i}]")
        table[tuple(index)] = price
    return table


def _cheapest_start(arrival: int, found: Sequence[tuple[int, Modes]], sums: np.ndarray, launches: np.ndarray) -> int:
    if not found:
        raise ValueError("a task can run on no cluster, so no schedule exists")
    last = launches.shape[1] - 1  # the first slot without a price; later slots only cost more
    shortest = min(int(modes.slots.min()) for _, modes in found)
    start, width, best = arrival, FIRST_SLOTS, None
    while best is None or (start <= last and (start + shortest - arrival) << BITS < best):
        t = np.arange(start, max(start, min(start + width - 1, last)) + 1)
        begin, costs = np.minimum(t, last), [] if best is None else [best]
        for n, (allocations, slots) in found:
            held = sums[n][:, np.minimum(t + slots[:, None], last)] - sums[n][:, None, begin]
            taken = ((t + slots[:, None] - arrival).astype(sums.dtype) << BITS) + launches[n, begin]
            costs.append(int((taken + (allocations.T[:, :, None] * held).sum(axis=0)).min()))
        best, start = min(costs), int(t[-1]) + 1
        width = min(2 * width, max(1, MOST_STARTS // max(modes.slots.size for _, modes in found)))
    return best
