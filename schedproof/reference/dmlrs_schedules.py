"""Enumeration of a job's placements and schedules on tiny clusters.

A placement has as few parameter servers as its workers need. A schedule ends when the work is done and has no
superfluous slot. Prices are nonnegative and utilities fall with time, so that a cheapest schedule, a best schedule and
an optimum are among the listed schedules.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache

from schedproof.core.errors import expect
from schedproof.instances.dmlrs import Instance, Job

Spot = tuple[int, int, str]  # slot, machine index, resource
Use = dict[Spot, Fraction]
MOST_SLOTS = 500


@dataclass(frozen=True, eq=False)
class Placed:
    """A job's placement in one slot.

    Attributes
    ----------
    rows
        (machine index, workers, parameter servers), without empty machines.
    use
        Amount of every used resource.
    """

    slot: int
    workers: int
    internal: bool
    rows: tuple[tuple[int, int, int], ...]
    use: Use = field(repr=False)

    def samples(self, job: Job) -> Fraction:
        return self.workers / (job.internal_time if self.internal else job.external_time)


@dataclass(frozen=True, eq=False)
class Plan:
    """A schedule pi of one job, slot by slot."""

    job: Job
    parts: tuple[Placed, ...]

    @property
    def time(self) -> int:
        return self.parts[-1].slot + 1 - self.job.arrival

    @property
    def utility(self) -> Fraction:
        return self.job.utility.lower(self.time)

    @cached_property
    def use(self) -> Use:
        """Return the amounts used, by spot."""
        return {spot: amount for part in self.parts for spot, amount in part.use.items()}

    def rows(self) -> list[list[int]]:
        """Return [job, slot, machine, workers, parameter servers], the form in witnesses."""
        return [[self.job.index, part.slot, *row] for part in self.parts for row in part.rows]


def shares(total: int, machines: int) -> Iterator[tuple[int, ...]]:
    """Yield every distribution of ``total`` equal items over the machines."""
    if machines == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in shares(total - first, machines - 1):
            yield (first, *rest)


def use_of(job: Job, slot: int, rows: tuple[tuple[int, int, int], ...]) -> Use:
    use: Use = {}
    for h, workers, ps in rows:
        for resource in {**job.worker, **job.ps}:
            amount = workers * job.worker.get(resource, Fraction(0)) + ps * job.ps.get(resource, Fraction(0))
            if amount:
                use[slot, h, resource] = amount
    return use


def add_use(one: Use, other: Use) -> Use:
    return one | {spot: one.get(spot, Fraction(0)) + amount for spot, amount in other.items()}


def free(instance: Instance, spot: Spot) -> Fraction:
    slot, h, resource = spot
    return instance.free(slot, instance.machines[h], resource)


def limit(instance: Instance, spot: Spot, cap: Fraction) -> Fraction:
    """Return the largest amount of a resource that a job may hold at a spot.

    The limits are the unreserved amount and a share of the capacity.
    """
    return min(free(instance, spot), cap * instance.machines[spot[1]].capacity.get(spot[2], Fraction(0)))


def placements(instance: Instance, job: Job, slot: int, cap: Fraction = Fraction(1)) -> tuple[Placed, ...]:
    """Return every placement of a job in a slot of an empty cluster, within ``cap``."""
    return _placements(instance, job.index, slot, cap)


@lru_cache(maxsize=512)
def _placements(instance: Instance, index: int, slot: int, cap: Fraction) -> tuple[Placed, ...]:
    job = instance.jobs[index]
    counts = range(1, job.batch_size + 1)
    return tuple(p for n in counts for p in spread(instance, job, slot, n, job.ps_needed(n), cap))


def spread(
    instance: Instance, job: Job, slot: int, workers: int, ps: int, cap: Fraction = Fraction(1)
) -> Iterator[Placed]:
    """Yield every distribution of workers and parameter servers that fits."""
    count = len(instance.machines)
    for ws in shares(workers, count):
        for ss in shares(ps, count):
            rows = tuple((h, w, s) for h, (w, s) in enumerate(zip(ws, ss, strict=True)) if w or s)
            use = use_of(job, slot, rows)
            if all(amount <= limit(instance, spot, cap) for spot, amount in use.items()):
                yield Placed(slot, workers, len(rows) == 1, rows, use)


def plans(instance: Instance, job: Job, cap: Fraction = Fraction(1), first: int | None = None) -> tuple[Plan, ...]:
    """Return every schedule on an empty cluster without a superfluous slot.

    Parameters
    ----------
    cap
        The largest share of a capacity that the job may hold.
    first
        The first slot in which the job may run, by default its arrival (7).

    Raises
    ------
    InputError
        If there are more than `MOST_SLOTS` slots.
    """
    expected = f"expected at most {MOST_SLOTS} slots, as every schedule of a job is listed"
    expect(instance.horizon <= MOST_SLOTS, expected, "instance.horizon", instance.horizon)
    return _plans(instance, job.index, cap, job.arrival if first is None else first)


@lru_cache(maxsize=512)
def _plans(instance: Instance, index: int, cap: Fraction, first: int) -> tuple[Plan, ...]:
    result: list[Plan] = []
    job = instance.jobs[index]

    def extend(slot: int, parts: tuple[Placed, ...], trained: Fraction) -> None:
        if trained >= job.work:
            if all(trained - part.samples(job) < job.work for part in parts):
                result.append(Plan(job, parts))
        elif slot < instance.horizon:
            for part in placements(instance, job, slot, cap):
                extend(slot + 1, (*parts, part), trained + part.samples(job))
            extend(slot + 1, parts, trained)

    extend(first, (), Fraction(0))
    return tuple(result)
