"""Index sets of the preemptive programs: which columns exist, and the sums over them that rows are made of.

Every index is made of names, so that a built model reads: ``training.edge["resnet", 0, "edge-1", "gpu", 1, 7]`` is
chunk 0 of resnet on worker 1 of edge-1's gpus in slot 7. The job comes first, the slot last, the place in between. The
letters of an index are j (job), d (chunk), s (server), q (type of worker), w (its number), p (type of PS), t (slot).
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
HALVES = {"printed": 0, "half": 1}  # how many halves of the processing time a cost adds to t - r_j


def slots(job: Job, in_cloud: bool, reading: str, speed: Fraction) -> Fraction:
    """E_j B_j / n_j of one chunk in slots: at the edge rate, or at the cloud's when the whole job is there (1)."""
    read: Callable[[Fraction], Fraction] = pick("reading", reading, READINGS)
    return read((job.chunk_time_in_cloud if in_cloud else job.chunk_time) / speed)


def window(
    instance: Instance, job: Job, delay: int, speed: Fraction, mixed: bool = False, stays: bool = False
) -> range:
    """The slots in which a chunk uploaded with this delay may be trained (2i)."""
    return _few(range(job.arrival + delay, instance.last_slot(job, mixed, speed, stays) + 1), job)


def lifetime(instance: Instance, job: Job, speed: Fraction, mixed: bool = False, stays: bool = False) -> range:
    """The slots in which the job may be in the system."""
    last = instance.last_slot(job, mixed, speed, stays)
    return _few(range(job.arrival, max(last, instance.last_slot(job, mixed, speed) if stays else last) + 1), job)


def _few(slots: range, job: Job) -> range:
    """A job's slots, refused where they are more than a program with an index for each can have."""
    if slots.stop - slots.start > MOST_INDICES:
        raise ProgramError(
            f"{job.name} may be in the system for {slots.stop - slots.start} slots, and a program with an index for "
            f"each slot can have {MOST_INDICES}"
        )
    return slots


def cloud_window(instance: Instance, speed: Fraction, mixed: bool = False) -> list[tuple[Job, range]]:
    """The jobs that may use the cloud, and the slots in which their chunks may be trained there."""
    delays = ((job, instance.cloud_delay(job)) for job in instance.jobs)
    return [(job, window(instance, job, delay, speed, mixed)) for job, delay in delays if delay is not None]


def list_indices(indices: Iterator[T]) -> list[T]:
    """The indices of a model's columns or rows, refused before they are too many to be built."""
    result = list(islice(indices, MOST_INDICES + 1))
    if len(result) > MOST_INDICES:
        raise ProgramError(
            f"a program with an index for each slot would have more than {MOST_INDICES} of a kind for this instance; "
            "its chunks take too many slots, or there are too many of them (`generate --set jobs=6` draws fewer)"
        )
    return result


def class_slots(instance: Instance, speed: Fraction) -> list[tuple[str, str, str, int]]:
    """(job, server, type, slot) for every class and slot in which a chunk of the job may be trained."""
    return list_indices(
        (job.name, q.server.name, q.type, t)
        for job in instance.jobs
        for q, delay in instance.qualified(job)
        for t in window(instance, job, delay, speed)
    )


def cloud_slots(instance: Instance, speed: Fraction) -> list[tuple[str, int]]:
    """(job, slot) for every slot in which a chunk of the job may be trained in the cloud."""
    return list_indices((job.name, t) for job, slots in cloud_window(instance, speed) for t in slots)


def workers(worker_class: WorkerClass) -> Iterator[tuple[str, str, int]]:
    """The single workers of a class as places (server, type, number)."""
    for number in range(worker_class.count):
        yield worker_class.server.name, worker_class.type, number


def chunks(instance: Instance) -> list[tuple[str, int]]:
    """Every chunk (job, number)."""
    return list_indices((job.name, d) for job in instance.jobs for d in range(job.chunks))


class Sums(dict[Model, Model]):
    """Sums by index; one without a term is 0."""

    def __missing__(self, index: Model) -> int:
        return 0


def sums(variable: Model, letters: str, by: str) -> Sums:
    """The sums of a variable over the indices that ``by`` leaves out: ``sums(y, "jdsqwt", "jt")[j, t]``."""
    positions = [letters.index(letter) for letter in by]
    terms: dict[Model, list[Model]] = {}
    for key, entry in variable.items():
        parts = key if isinstance(key, tuple) else (key,)
        index = tuple(parts[position] for position in positions)
        terms.setdefault(index if len(by) > 1 else index[0], []).append(entry)
    return Sums((index, pyo.quicksum(entries)) for index, entries in terms.items())


def charge(job: Job, slot: int, takes: Fraction, cost: str) -> Fraction:
    """What a slot costs in (3): t - r_j, or that and half of the processing time, spread over the job's work."""
    return (slot - job.arrival + HALVES[cost] * (takes + 1) / 2) / (job.chunks * takes)


def fractional_cost(block: Model, instance: Instance, cost: str) -> Model:
    """(3) over a block's columns."""
    jobs = {job.name: job for job in instance.jobs}
    return pyo.quicksum(
        scalar(charge(jobs[name], slot, takes[name], cost)) * column
        for variable, _, takes in block.columns
        for (name, *_, slot), column in variable.items()
    )
