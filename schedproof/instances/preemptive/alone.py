"""A job's time with a fraction of the cluster to itself."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from schedproof.instances.preemptive.entities import Job
from schedproof.instances.preemptive.instance import Instance


def time_alone(instance: Instance, job: Job, n: Fraction) -> int:
    """Return a job's JCT (slots) with 1/n of each edge worker class, and the cloud.

    A fraction of a worker trains that fraction of its chunks. The job is done in the first slot t with sum_q (W_q / n)
    floor((t - Delta_q) / p_j) >= D_j, or when the cloud has trained all chunks. The speed is 1, chunks take whole
    slots, and parameter servers do not limit the job.
    """
    slots, needed = job.slots(), -(-job.chunks * n.numerator // n.denominator)
    workers = instance.workers_by_delay(job)
    cloud = instance.cloud_delay(job)
    candidates = [] if cloud is None else [cloud + job.slots(in_cloud=True)]
    if workers:
        candidates.append(_first(workers, slots, needed))
    return min(candidates)


def _first(workers: Counter[int], slots: int, needed: int) -> int:
    at_least = slots * -(-needed // workers.total())
    low, high = min(workers) + at_least, max(workers) + at_least
    while low < high:
        middle = (low + high) // 2
        if sum(count * max(0, (middle - delay) // slots) for delay, count in workers.items()) >= needed:
            high = middle
        else:
            low = middle + 1
    return low
