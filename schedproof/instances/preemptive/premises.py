"""Exact tests of the repaired theorems' assumptions on an instance."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from schedproof.instances.preemptive.instance import Instance


def lands_in_order(instance: Instance) -> bool:
    """Return whether chunks reach each edge server in the order of arrivals.

    A chunk reaches a server when its upload ends; ties are in file order. Servers that no job names have the delays of
    ``"*"``: one of them represents all.
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


def in_order_or_alike(instance: Instance) -> bool:
    """Return whether uploads end in order of placement, or all jobs have equal D_j.

    D_j is the number of chunks. Either condition suffices for the repaired Theorem 3, in the residual order (claims
    ``preemptive.lemma4_repaired`` and ``preemptive.lemma4_alike``).
    """
    return len({job.chunks for job in instance.jobs}) == 1 or lands_in_order(instance)


def never_split(instance: Instance) -> bool:
    """Return whether every job has one chunk, no cloud, or the same rate in the cloud."""
    return all(
        job.chunks == 1 or instance.cloud_delay(job) is None or job.chunk_time == job.chunk_time_in_cloud
        for job in instance.jobs
    )


def whole_slots_at(instance: Instance, speed: Fraction) -> bool:
    """Return whether all chunk times are whole slots, at speed 1 and a given speed."""
    times = [time for job in instance.jobs for time in (job.chunk_time, job.chunk_time_in_cloud)]
    return all((time / s).denominator == 1 for time in times for s in (1, speed))


def enough_parameter_servers(instance: Instance, after_upload: bool = True) -> bool:
    """Return whether a job always gets a parameter server once a chunk can run.

    A job has a parameter server if its upload is complete to the cloud, or to servers with enough open parameter
    servers. Enough is the number of edge workers plus the number of jobs that may use the cloud. Jobs that may use the
    cloud count, because they can hold an edge parameter server while their chunks run in the cloud.

    Parameters
    ----------
    after_upload
        Whether uploads count, as in (2i) and (4h); otherwise all parameter servers are open on arrival.
    """
    enough = sum(q.count for q in instance.classes) + sum(instance.cloud_delay(j) is not None for j in instance.jobs)
    for job in instance.kinds_of_jobs[1]:
        delays = [delay for _, delay in instance.qualified(job)]
        cloud = instance.cloud_delay(job)
        if cloud is not None and (not after_upload or not delays or cloud <= min(delays)):
            continue
        types = ((s, kind, n) for s in instance.edges for kind, n in s.parameter_servers.items() if job.opens(s, kind))
        if enough > sum(n for s, _, n in types if not after_upload or (job.delay(s) or 0) <= min(delays)):
            return False
    return True


def long_enough(instance: Instance) -> bool:
    """Return whether T >= last arrival + largest delay + all work in sequence."""
    latest = max((job.arrival + max(job.upload_delay.values(), default=0) for job in instance.jobs), default=0)
    return latest + sum(job.chunks * job.slots() for job in instance.jobs) <= instance.horizon


def room_for_all(instance: Instance) -> bool:
    """Return whether every edge server can store all chunks of all jobs."""
    need = sum(job.chunks * job.chunk_size for job in instance.jobs)
    return all(server.storage is None or server.storage >= need for server in instance.edges)
