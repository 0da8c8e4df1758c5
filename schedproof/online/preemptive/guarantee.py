"""What is proven of A_online (claim ``preemptive.theorem3_minlp_repaired``), and whether its premises hold."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.bound import Answer, Guarantee
from schedproof.instances.preemptive.instance import ANY, Instance

SOURCE = "preemptive.theorem3_minlp_repaired"


def a_online_guarantee(instance: Instance, speed: Fraction, residual: bool, use_cloud: bool) -> Guarantee:
    """The ratio 3/2 D_max (1 + 1/eps) of the repaired Theorem 3, with its premises.

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
        "one rate per job (no cloud, or the same rate there)": _answer(
            all(
                instance.cloud_delay(job) is None or (use_cloud and job.chunk_time == job.chunk_time_in_cloud)
                for job in instance.jobs
            )
        ),
        "a free parameter server for every running job": _enough_parameter_servers(instance),
        "no storage limit": _answer(all(s.storage is None for s in instance.edges)),
    }
    value = Fraction(3, 2) * instance.largest_chunk_count * (1 + 1 / eps) if eps > 0 else None
    return Guarantee(value, SOURCE, premises)


def _times(job: object) -> tuple[Fraction, Fraction]:
    return job.chunk_time, job.chunk_time_in_cloud  # type: ignore[attr-defined]


def _answer(holds: bool) -> Answer:
    return "yes" if holds else "no"


def _enough_parameter_servers(instance: Instance) -> Answer:
    """Yes when every job may use the cloud's, or when those open to everybody are at least as many as the workers."""
    if all(instance.cloud_delay(job) is not None for job in instance.jobs):
        return "yes"
    workers = sum(q.count for q in instance.classes)
    edges = {s.name for s in instance.edges}
    everywhere = all(ANY in job.upload_delay or job.upload_delay.keys() >= edges for job in instance.jobs)
    untyped = sum(s.parameter_servers.get(ANY, 0) for s in instance.edges)
    return "yes" if everywhere and untyped >= workers else "cannot tell"
