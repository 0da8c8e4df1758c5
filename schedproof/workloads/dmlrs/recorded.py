"""Instances of the dmlrs family from recorded jobs: one worker per GPU."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from schedproof.core.errors import InputError
from schedproof.instances.dmlrs.instance import LONGEST_HORIZON
from schedproof.instances.dmlrs.job import LARGEST_BATCH
from schedproof.workloads.draws import Row
from schedproof.workloads.jobs import Cluster, Job
from schedproof.workloads.tally import DROPPED, Tally

WIDEST = {"too_wide": (DROPPED, f"more GPUs than the limit of workers of a job, {LARGEST_BATCH}")}


def from_jobs(
    jobs: Sequence[Job],
    tally: Tally,
    cluster: Cluster,
    *,
    slot_seconds: int = 3600,
    patience: int = 10,
) -> tuple[Row, Row]:
    """Map each job to at most one worker per GPU; all workers take its duration.

    Parameters
    ----------
    jobs
        Sorted by submission. Arrivals are slots since the first job, rounded down; durations are rounded up.
    tally
        Counts jobs too wide for the format.
    cluster
        The machines.

    Returns
    -------
    tuple
        The JSON object of the instance, and its part of the report.

    Raises
    ------
    InputError
        If the horizon is too long for the format, or no job remains.
    """
    tally.reasons |= WIDEST
    fitting = [job for job in jobs if job.gpus <= LARGEST_BATCH]
    for job in jobs:
        tally.add("too_wide", job.row, count=job.gpus > LARGEST_BATCH)
    if not fitting:
        raise InputError(f"no job is left; dropped: {tally.sentence()}")
    if any(job.types for job in fitting):
        raise InputError("--map type: expected no GPU types for the family dmlrs; the family preemptive has them")
    gpus, why = cluster.of(fitting)
    rows = [_row(job, fitting[0].submitted, slot_seconds, patience) for job in fitting]
    horizon = max(row["arrival"] + row["utility"]["value"] // row["batch_size"] for row in rows)
    if horizon > LONGEST_HORIZON:
        raise InputError(
            f"expected at most {LONGEST_HORIZON} slots, not {horizon}: "
            "set longer slots, a shorter window or less patience",
            path="slot_seconds",
            value=slot_seconds,
        )
    system: list[Row] = [{"name": f"m{n}", "capacity": {"gpu": size}} for n, size in enumerate(gpus, start=1)]
    head: Row = {"version": 1, "family": "dmlrs", "horizon": horizon, "resources": ["gpu"]}
    settled = {
        "machines": why,
        "samples": "set to GPUs times duration in slots: a worker trains one sample per slot",
        "model_size, bandwidth": "not in the log: set to 0 and 1, as the duration includes communication",
        "ps": "not in the log: set to no demand",
        "utility": f"not in the log: GPUs times the part of {patience} durations that is left at completion",
    }
    why_none = "no schedule: policies of dmlrs choose the workers of each slot, which a log does not record"
    return head | {"machines": system, "jobs": rows}, {"set": settled, "recorded": {"summary": why_none}}


def _row(job: Job, first: int, slot: int, patience: int) -> Row:
    length = ceil((job.duration or 0) / slot)
    return {
        "name": job.name,
        "arrival": (job.submitted - first) // slot,
        "epochs": 1,
        "samples": job.gpus * length,
        "batch_size": job.gpus,
        "workers_per_ps": job.gpus,
        "sample_time": 1,
        "model_size": 0,
        "bandwidth_internal": 1,
        "bandwidth_external": 1,
        "worker": {"gpu": 1},
        "ps": {},
        "utility": {"kind": "linear", "value": job.gpus * length * patience, "slope": job.gpus},
    }
