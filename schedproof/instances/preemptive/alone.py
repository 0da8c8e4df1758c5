"""How long a job takes with a part of the cluster to itself."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from schedproof.instances.preemptive.entities import Job
from schedproof.instances.preemptive.instance import Instance


def time_alone(instance: Instance, job: Job, n: Fraction) -> int:
    """The JCT (slots) that a job would have with 1/n of each class of edge workers, and the cloud, to itself.

    A part of a worker trains that part of the chunks that the worker would. The chunks are done in the first slot by
    which the classes can have trained so many, sum_q (W_q / n) floor((t - Delta_q) / p_j) >= D_j, or by which the cloud
    has. Speed is 1, chunks take whole slots, and parameter servers are not counted: there is one wherever a worker is.
    """
    slots, needed = job.slots(), -(-job.chunks * n.numerator // n.denominator)
    workers = instance.workers_by_delay(job)
    cloud = instance.cloud_delay(job)
    candidates = [] if cloud is None else [cloud + job.slots(in_cloud=True)]
    if workers:
        candidates.append(_first(workers, slots, needed))
    return min(candidates)


def _first(workers: Counter[int], slots: int, needed: int) -> int:
    """The first slot by which workers, by upload delay, have trained so many chunks."""
    at_least = slots * -(-needed // workers.total())
    low, high = min(workers) + at_least, max(workers) + at_least
    while low < high:
        middle = (low + high) // 2
        if sum(count * max(0, (middle - delay) // slots) for delay, count in workers.items()) >= needed:
            high = middle
        else:
            low = middle + 1
    return low
