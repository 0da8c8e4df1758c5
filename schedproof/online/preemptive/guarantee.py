"""What is proven of A_online (claim ``preemptive.theorem3_minlp_repaired``), and whether its premises hold."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from schedproof.core.bound import Answer, Guarantee
from schedproof.instances.preemptive.instance import Instance, Job

SOURCE = "preemptive.theorem3_minlp_repaired"


def a_online_guarantee(instance: Instance, speed: Fraction, residual: bool, use_cloud: bool) -> Guarantee:
    """The repaired ratio of Theorem 3, D_max max(1 + 1/eps, (3 + eps)/(2 eps)), with its premises.

    Parameters
    ----------
    speed
        1 + eps, of the online run; the offline optimum runs at speed 1.
    residual
        Whether chunks were ordered and priced by (5) on residual rates, as the proof needs.
    use_cloud
        Whether the policy may send chunks to the cloud.
    """
    eps = speed - 1
    premises: dict[str, Answer] = {
        "speed augmentation (eps > 0)": _answer(eps > 0),
        "chunks ordered by residual rate, priced by (5)": _answer(residual),
        "whole slots at both speeds": _answer(
            all((time / s).denominator == 1 for job in instance.jobs for time in _times(job) for s in (1, speed))
        ),
        "no job pays for a mixed placement": _answer(all(_unmixed(instance, job) for job in instance.jobs)),
        "the policy may use every server": _answer(use_cloud or instance.cloud is None),
        "chunks land in the order of placement": _answer(_in_order(instance)),
        "a free parameter server for every running job": _enough_parameter_servers(instance),
        "no storage limit": _answer(all(s.storage is None for s in instance.edges)),
    }
    value = instance.largest_chunk_count * max(1 + 1 / eps, (3 + eps) / (2 * eps)) if eps > 0 else None
    return Guarantee(value, SOURCE, premises)


def _answer(holds: bool) -> Answer:
    return "yes" if holds else "no"


def _times(job: Job) -> tuple[Fraction, Fraction]:
    return job.chunk_time, job.chunk_time_in_cloud


def _unmixed(instance: Instance, job: Job) -> bool:
    """One chunk, no cloud, or the same rate there: then a job split between edge and cloud loses nothing."""
    return job.chunks == 1 or instance.cloud_delay(job) is None or job.chunk_time == job.chunk_time_in_cloud


def _in_order(instance: Instance) -> bool:
    """Whether, on each edge server, jobs that arrive later land no earlier.

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


def _enough_parameter_servers(instance: Instance) -> Answer:
    """Whether each job may use the cloud's, or has as many open to it as there are edge workers and jobs for the cloud.

    A job that may use the cloud can hold an edge server's while its chunks run in the cloud, so it counts beside the
    workers. With fewer it depends on the run.
    """
    enough = sum(q.count for q in instance.classes) + len(
        [job for job in instance.jobs if instance.cloud_delay(job) is not None]
    )
    opened: dict[tuple[frozenset[str], tuple[str, ...] | None], int] = {}  # what opens them -> how many
    for job in instance.jobs:
        if instance.cloud_delay(job) is not None:
            continue
        key = (frozenset(job.upload_delay), job.ps_types)
        if key not in opened:
            opened[key] = sum(
                count
                for server in instance.edges
                for kind, count in server.parameter_servers.items()
                if job.opens(server, kind)
            )
        if opened[key] < enough:
            return "cannot tell"
    return "yes"
