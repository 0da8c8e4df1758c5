"""What the repaired theorems assume of an instance, each a question with an exact answer."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from schedproof.instances.preemptive.instance import Instance


def lands_in_order(instance: Instance) -> bool:
    """Whether on each edge server chunks land in the order in which their jobs arrive (ties in file order).

    Servers that no job names have the same delays, those of ``"*"``: one of them stands for all.
    """
    named = {name for job in instance.jobs for name in job.upload_delay}
    servers = [s for s in instance.edges if s.name in named]
    servers += [s for s in instance.edges if s.name not in named][:1]
    ordered = sorted(instance.jobs, key=lambda job: job.arrival)
    for server in servers:
        landed = [job.arrival + delay for job in ordered if (delay := job.delay(server)) is not None]
        if any(later < earlier for earlier, later in pairwise(landed)):
            return False
    return True


def unmixed(instance: Instance) -> bool:
    """Whether no job can pay for being split between cloud and edge: one chunk, no cloud, or the same rate there."""
    return all(
        job.chunks == 1 or instance.cloud_delay(job) is None or job.chunk_time == job.chunk_time_in_cloud
        for job in instance.jobs
    )


def whole_slots_at(instance: Instance, speed: Fraction) -> bool:
    """Whether no chunk time loses anything by rounding, at speed 1 and at another."""
    times = [time for job in instance.jobs for time in (job.chunk_time, job.chunk_time_in_cloud)]
    return all((time / s).denominator == 1 for time in times for s in (1, speed))


def enough_parameter_servers(instance: Instance) -> bool:
    """Whether each job may use the cloud's, or has as many open to it as there are edge workers and jobs for the cloud.

    A job that may use the cloud can hold an edge server's while its chunks run in the cloud, so it counts beside the
    workers.
    """
    enough = sum(q.count for q in instance.classes) + sum(instance.cloud_delay(j) is not None for j in instance.jobs)
    needy = [job for job in instance.jobs if instance.cloud_delay(job) is None]
    alike = {(frozenset(job.upload_delay), job.ps_types): job for job in needy}  # the same servers are open to them
    return all(
        sum(n for s in instance.edges for kind, n in s.parameter_servers.items() if job.opens(s, kind)) >= enough
        for job in alike.values()
    )
