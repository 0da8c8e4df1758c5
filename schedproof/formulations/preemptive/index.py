"""Index sets of the preemptive programs: columns, and sums over them.

Indices are made of names: ``training.edge["resnet", 0, "edge-1", "gpu", 1, 7]`` is chunk 0 of resnet on worker 1 of
edge-1's gpus in slot 7. The job is first, the slot last, the place between. The letters of an index are j (job),
d (chunk), s (server), q (type of worker), w (its number), p (type of PS), t (slot).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import islice
from typing import TypeVar

from schedproof.core.base.lazy import pyo
from schedproof.core.base.numbers import ceil, scalar
from schedproof.core.base.untyped import Model
from schedproof.core.data.options import pick
from schedproof.core.errors import ProgramError
from schedproof.instances.preemptive import Instance, Job, WorkerClass

T = TypeVar("T")
MOST_INDICES = 500_000  # Pyomo takes a KiB for each
READINGS: dict[str, Callable[[Fraction], Fraction]] = {
    "ceil_chunk": lambda time: Fraction(ceil(time)),
    "fluid": lambda time: time,
}
HALVES = {"printed": 0, "half": 1}  # halves of the processing time that a cost adds to t - r_j


def require_no_restart(instance: Instance) -> None:
    """Refuse restarts: the exact programs count only slots of training."""
    if instance.restart:
        raise ProgramError(
            f"restart: expected 0 for an exact program of the family preemptive, not {instance.restart}, as no row "
            "counts interruptions; certified bounds such as preemptive.lp4 hold for any restart"
        )


def require_no_breaks(instance: Instance, what: str, instead: str) -> None:
    """Refuse breaks of servers for a method that does not support them."""
    if instance.breaks:
        raise ProgramError(f"breaks: {what} does not support breaks of servers; {instead}")


def workers_in(instance: Instance) -> Callable[[str, int, int], int]:
    """Return a function of server, slot and n: 0 in a break, else n."""
    position = {server.name: server.index for server in instance.servers}
    closed = instance.calendar.closed

    def open_workers(server: str, slot: int, count: int) -> int:
        return 0 if instance.breaks and closed(position[server], slot) else count

    return open_workers


def slots(job: Job, in_cloud: bool, reading: str, speed: Fraction) -> Fraction:
    """E_j B_j / n_j of one chunk in slots, at the edge rate or the all-cloud rate (1)."""
    read: Callable[[Fraction], Fraction] = pick("reading", reading, READINGS)
    return read((job.chunk_time_in_cloud if in_cloud else job.chunk_time) / speed)


def window(
    instance: Instance, job: Job, delay: int, speed: Fraction, mixed: bool = False, stays: bool = False
) -> range:
    """Return the slots in which a chunk with this upload delay may be trained (2i)."""
    return _few(range(job.arrival + delay, instance.last_slot(job, mixed, speed, stays) + 1), job)


def lifetime(instance: Instance, job: Job, speed: Fraction, mixed: bool = False, stays: bool = False) -> range:
    """Return the slots in which the job may be in the system."""
    last = instance.last_slot(job, mixed, speed, stays)
    return _few(range(job.arrival, max(last, instance.last_slot(job, mixed, speed) if stays else last) + 1), job)


def _few(slots: range, job: Job) -> range:
    if slots.stop - slots.start > MOST_INDICES:
        raise ProgramError(
            f"job '{job.name}' may be in the system for {slots.stop - slots.start} slots; a program with an index for "
            f"each slot allows at most {MOST_INDICES}"
        )
    return slots


def cloud_window(instance: Instance, speed: Fraction, mixed: bool = False) -> list[tuple[Job, range]]:
    """List the jobs that may use the cloud, each with its training slots there."""
    delays = ((job, instance.cloud_delay(job)) for job in instance.jobs)
    return [(job, window(instance, job, delay, speed, mixed)) for job, delay in delays if delay is not None]


def list_indices(indices: Iterator[T]) -> list[T]:
    """List a model's indices; raise `ProgramError` when there are too many."""
    result = list(islice(indices, MOST_INDICES + 1))
    if len(result) > MOST_INDICES:
        raise ProgramError(
            f"a program with an index for each slot would have more than {MOST_INDICES} indices of one kind; "
            "use fewer or shorter chunks (`generate --set jobs=6` draws fewer)"
        )
    return result


def class_slots(instance: Instance, speed: Fraction) -> list[tuple[str, str, str, int]]:
    """List each (job, server, type, slot) in which the job may be trained."""
    return list_indices(
        (job.name, q.server.name, q.type, t)
        for job in instance.jobs
        for q, delay in instance.qualified(job)
        for t in window(instance, job, delay, speed)
    )


def cloud_slots(instance: Instance, speed: Fraction) -> list[tuple[str, int]]:
    """List each (job, slot) in which the job may be trained in the cloud."""
    return list_indices((job.name, t) for job, slots in cloud_window(instance, speed) for t in slots)


def workers(worker_class: WorkerClass) -> Iterator[tuple[str, str, int]]:
    """Yield the single workers of a class as places (server, type, number)."""
    for number in range(worker_class.count):
        yield worker_class.server.name, worker_class.type, number


def chunks(instance: Instance) -> list[tuple[str, int]]:
    """List every chunk (job, number)."""
    return list_indices((job.name, d) for job in instance.jobs for d in range(job.chunks))


class Sums(dict[Model, Model]):
    """Sums by index; the sum of no term is 0."""

    def __missing__(self, index: Model) -> int:
        return 0


def sums(variable: Model, letters: str, by: str) -> Sums:
    """Sum over the letters missing from ``by``: ``sums(y, "jdsqwt", "jt")[j, t]``."""
    positions = [letters.index(letter) for letter in by]
    terms: dict[Model, list[Model]] = {}
    for key, entry in variable.items():
        parts = key if isinstance(key, tuple) else (key,)
        index = tuple(parts[position] for position in positions)
        terms.setdefault(index if len(by) > 1 else index[0], []).append(entry)
    return Sums((index, pyo.quicksum(entries)) for index, entries in terms.items())


def charge(job: Job, slot: int, takes: Fraction, cost: str) -> Fraction:
    """Cost of a slot in (3): t - r_j, plus half the processing time, over the work."""
    return (slot - job.arrival + HALVES[cost] * (takes + 1) / 2) / (job.chunks * takes)


def fractional_cost(block: Model, instance: Instance, cost: str) -> Model:
    """Return the cost (3) of a block's columns."""
    jobs = {job.name: job for job in instance.jobs}
    return pyo.quicksum(
        scalar(charge(jobs[name], slot, takes[name], cost)) * column
        for variable, _, takes in block.columns
        for (name, *_, slot), column in variable.items()
    )
