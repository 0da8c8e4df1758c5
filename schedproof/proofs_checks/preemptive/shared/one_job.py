"""The optima of (2), (4) and relaxed (4) for one job, in closed form.

The instance has no cloud.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import count

from schedproof.instances.preemptive import Instance


def fractional_optimum(instance: Instance, one_worker_per_chunk: bool, offset: int) -> Fraction:
    """The optimum of relaxed (4), by filling the earliest slots.

    On any worker, a unit of work in a later slot costs the difference in slots more.
    """
    job = instance.jobs[0]
    work = job.chunks * job.chunk_time
    return sum(
        (
            taken * (slot + offset - job.arrival) / work
            for slot, taken in earliest(instance, work, one_worker_per_chunk)
        ),
        Fraction(0),
    )


def binary_optimum(instance: Instance, units: int) -> tuple[Fraction, int]:
    """The first ``units`` worker-slots under (2c): cost (3) and completion."""
    job = instance.jobs[0]
    used = list(earliest(instance, Fraction(units), True))
    cost = sum((taken * (slot - job.arrival) for slot, taken in used), Fraction(0))
    return cost / (job.chunks * job.chunk_time), used[-1][0] + 1


def earliest(instance: Instance, work: Fraction, one_worker_per_chunk: bool) -> Iterator[tuple[int, Fraction]]:
    """Pairs (slot, worker-slots taken): the earliest slots that hold all work.

    (4e) allows at most D_j in a slot.
    """
    job = instance.jobs[0]
    for slot in count(job.arrival):
        usable = sum(q.count for q, delay in instance.qualified(job) if slot >= job.arrival + delay)
        taken = min(work, Fraction(min(usable, job.chunks) if one_worker_per_chunk else usable))
        yield slot, taken
        work -= taken
        if not work:
            return
