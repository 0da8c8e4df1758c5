"""Dmlrs instances of recorded jobs: as many workers as a job has GPUs, which train it in its duration."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from schedproof.core.errors import InputError
from schedproof.instances.dmlrs.instance import LONGEST_HORIZON
from schedproof.instances.dmlrs.job import LARGEST_BATCH
from schedproof.workloads.draws import Row
from schedproof.workloads.jobs import Job, machines_for
from schedproof.workloads.tally import DROPPED, Tally

WIDEST = {"too_wide": (DROPPED, f"more GPUs than a job can have workers at once, {LARGEST_BATCH}")}


def from_jobs(
    jobs: Sequence[Job],
    tally: Tally,
    *,
    slot_seconds: int = 3600,
    machines: int | None = None,
    machine_gpus: int = 8,
    patience: int = 10,
) -> tuple[Row, Row]:
    """A job has at most as many workers as GPUs, and needs all of them for its duration; nothing is drawn.

    Parameters
    ----------
    jobs
        By submission; an arrival is rounded down to slots from the first one, a duration up.
    tally
        Where jobs that are too wide for the format are counted.

    Returns
    -------
    tuple
        The JSON object of the instance, and what the report says of it.

    Raises
    ------
    InputError
        Where the slots are too many for the format, or no job is left.
    """
    tally.reasons |= WIDEST
    fitting = [job for job in jobs if job.gpus <= LARGEST_BATCH]
    for job in jobs:
        tally.add("too_wide", job.row, count=job.gpus > LARGEST_BATCH)
    if not fitting:
        raise InputError(f"no job is left; dropped: {tally.sentence()}")
    count, why = machines_for(fitting, machine_gpus, machines)
    rows = [_row(job, fitting[0].submitted, slot_seconds, patience) for job in fitting]
    horizon = max(row["arrival"] + row["utility"]["value"] // row["batch_size"] for row in rows)
    if horizon > LONGEST_HORIZON:
        raise InputError(
            f"expected longer slots, a shorter window or less patience: at most {LONGEST_HORIZON} slots, not {horizon}",
            path="slot_seconds",
            value=slot_seconds,
        )
    system: list[Row] = [{"name": f"m{n}", "capacity": {"gpu": machine_gpus}} for n in range(1, count + 1)]
    head: Row = {"version": 1, "family": "dmlrs", "horizon": horizon, "resources": ["gpu"]}
    settled = {
        "machines": why,
        "samples": "set to GPUs times duration in slots, each of which takes a worker a slot",
        "model_size, bandwidth": "not in the log: set to 0 and 1, the duration holds communication",
        "ps": "not in the log: none is needed",
        "utility": f"not in the log: GPUs times what is left of {patience} times the duration when the job is done",
    }
    return head | {"machines": system, "jobs": rows}, {"set": settled}


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
