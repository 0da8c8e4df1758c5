"""Index sets of the preemptive programs: which columns exist, and how the rows collect them.

Every index is made of names, so that a built model reads: ``training.edge["resnet", 0, "edge-1", "gpu", 1, 7]`` is
chunk 0 of resnet on worker 1 of edge-1's gpus in slot 7. The job comes first, the slot last, the place in between.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

from schedproof.core.options import pick
from schedproof.instances.preemptive import Instance, Job, WorkerClass

READINGS = {
    "ceil_chunk": lambda time: Fraction(-(-time.numerator // time.denominator)),
    "fluid": lambda time: time,
}


def slots(job: Job, in_cloud: bool, reading: str, speed: Fraction) -> Fraction:
    """E_j B_j / n_j of one chunk in slots: at the edge rate, or at the cloud's when the whole job is there (1)."""
    time = job.chunk_time_in_cloud if in_cloud else job.chunk_time
    return pick("reading", reading, READINGS)(time / speed)


def window(
    instance: Instance, job: Job, delay: int, speed: Fraction, mixed: bool = False, stays: bool = False
) -> range:
    """The slots in which a chunk uploaded with this delay may be trained (2i)."""
    return range(job.arrival + delay, instance.last_slot(job, mixed, speed, stays) + 1)


def lifetime(instance: Instance, job: Job, speed: Fraction, mixed: bool = False, stays: bool = False) -> range:
    """The slots in which the job may be in the system."""
    last = instance.last_slot(job, mixed, speed, stays)
    return range(job.arrival, max(last, instance.last_slot(job, mixed, speed) if stays else last) + 1)


def workers(worker_class: WorkerClass) -> Iterator[tuple[str, str, int]]:
    """The single workers of a class as places (server, type, number)."""
    for number in range(worker_class.count):
        yield worker_class.server.name, worker_class.type, number


def cloud_jobs(instance: Instance) -> list[Job]:
    """The jobs that may use the cloud."""
    return [job for job in instance.jobs if instance.cloud_delay(job) is not None]


def collect(keys: Iterable[tuple[Any, ...]], *positions: int | slice) -> dict[Any, list[tuple[Any, ...]]]:
    """Index keys by the values at some positions: the rows that a sum over the rest makes."""
    rows: dict[Any, list[tuple[Any, ...]]] = {}
    for key in keys:
        index: tuple[Any, ...] = ()
        for position in positions:
            part = key[position]
            index += part if isinstance(part, tuple) else (part,)
        rows.setdefault(index[0] if len(index) == 1 else index, []).append(key)
    return rows
