"""Preemptive instances of recorded jobs, with one chunk per GPU."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction

from schedproof.core.errors import InputError
from schedproof.workloads.draws import Row
from schedproof.workloads.jobs import ONE_TYPE, TYPES, WIDE, Cluster, Job, count_wide, demand
from schedproof.workloads.preemptive import draws, slots
from schedproof.workloads.preemptive.settings import Settings
from schedproof.workloads.tally import Tally

NOT_COVERED = (
    "jobs that change their number of GPUs, a different speed on each GPU type, shared GPUs, and speeds that depend on "
    "other jobs"
)
SET = {
    "worker_types": "not in the trace, or not mapped: one type, 'gpu'",
    "chunks": "set to the GPU count",
    "epochs, minibatches, minibatch_time": "not in the trace: set to 1, 1 and the recorded duration in slots",
    "update_time, gradient_size, bandwidth": "not in the trace: set to 0, 0 and 1, as the duration includes them",
}


def from_jobs(
    jobs: Sequence[Job],
    tally: Tally,
    cluster: Cluster,
    *,
    slot_seconds: int | str = 60,
    inflation: Fraction = Fraction(1, 100),
    load: Fraction = Fraction(1),
    restart: int = 0,
) -> tuple[Row, Row]:
    """Map each job to one chunk per GPU; every chunk takes the job's duration.

    Parameters
    ----------
    jobs
        Sorted by submission. Arrivals are slots since the first job, rounded down.
    tally
        Counts jobs wider than a machine.
    cluster
        The machines.

    Returns
    -------
    tuple
        The JSON object of the instance, and its part of the report.
    """
    tally.reasons |= WIDE | TYPES
    gpus, types, why = cluster.by_type(jobs)
    jobs = _on_types(jobs, types, tally)
    count_wide(jobs, gpus, tally)
    slot = Decimal(slots.choose(jobs, inflation) if isinstance(slot_seconds, str) else slot_seconds)
    settings = Settings(slot_seconds=slot, load=load)  # type: ignore[arg-type]  # a rational, too
    arrival = draws.to_slots([job.submitted - jobs[0].submitted for job in jobs], settings)
    job_rows = rows(jobs, arrival, [{"*": 0}] * len(jobs), settings.slot_seconds)
    lengths = [draws.chunk_slots(row) for row in job_rows]
    system: list[Row] = [
        {"name": f"m{n}", "workers": {kind: size}, "parameter_servers": size}
        for n, (size, kind) in enumerate(zip(gpus, types, strict=True), start=1)
    ]
    settled = {"servers": why, "cloud, upload_delay": "not in the log: no cloud, and delay 0"} | SET
    if {*types} != {ONE_TYPE}:
        settled["worker_types"] = "GPUs of a job's types, for the recorded duration on each; of any type without one"
    return draws.instance(system, job_rows, lengths, restart), {
        "time": slots.account(jobs, slot),
        "recorded": schedule(jobs, gpus, types, load, not cluster.sizes),
        "load": load_of(job_rows, lengths, sum(gpus)),
        "set": settled,
        "not_covered": NOT_COVERED,
    }


def schedule(jobs: Sequence[Job], gpus: Sequence[int], types: Sequence[str], load: Fraction, assumed: bool) -> Row:
    """Return the recorded starts, in seconds from the first submission, or a reason.

    The machines must have the GPUs that the jobs use at once: all of them, and for each type, its jobs alone.
    """
    unknown = [job.row for job in jobs if job.start is None]
    if len(unknown) == len(jobs):
        return {"summary": "no schedule: the log has no starts, or they are not mapped"}
    if unknown:
        return {
            "summary": f"no schedule: {len(unknown)} of {len(jobs)} jobs have no usable start, the first in line "
            f"{min(unknown)}"
        }
    if load != 1:
        return {"summary": "no schedule: the option load changes the submissions"}
    ran = [job._replace(submitted=job.start) for job in jobs]  # type: ignore[arg-type]  # a rational, too
    for kind in (None, *dict.fromkeys(types)):
        mine = [job for job in ran if kind is None or job.types == (kind,)]
        room = sum(size for size, other in zip(gpus, types, strict=True) if kind in (None, other))
        if mine and (most := demand(mine)[1]) > room:
            of = f" of the type {kind}" if kind else ""
            return {
                "summary": f"no schedule: in the log, jobs run on up to {most} GPUs{of} at once, and the machines have "
                f"{room}: state the machines of the log (machines and machine_gpus, or machine_file)"
            }
    seconds = [float((job.start or 0) - jobs[0].submitted) for job in jobs]
    most = demand(ran)[1]
    summary = f"each job has a start, and jobs run on up to {most} GPUs at once"
    return {"summary": summary, "gpus_at_once": most, "assumed_machines": assumed, "starts": seconds}


def _on_types(jobs: Sequence[Job], types: Sequence[str], tally: Tally) -> list[Job]:
    """Return the jobs with their types among the machines'; drop the others."""
    kinds = tuple(dict.fromkeys(types))
    result: list[Job] = []
    for job in jobs:
        mine = tuple(kind for kind in kinds if kind in job.types) if job.types else kinds
        tally.add("type_missing", job.row, count=not mine)
        result += [job._replace(types=mine)] if mine else []
    if not result:
        raise InputError(f"no job is left; dropped: {tally.sentence()}")
    return result


def rows(
    jobs: Sequence[Job], arrival: Sequence[int], delays: Sequence[Mapping[str, int]], slot_seconds: Decimal
) -> list[Row]:
    """Return the instance's jobs; durations are rounded up to 10^-12 slots."""
    return [
        {
            "name": job.name,
            "arrival": start,
            "chunks": job.gpus,
            "epochs": 1,
            "minibatches": 1,
            "worker_types": list(job.types or (ONE_TYPE,)),
            "minibatch_time": draws.in_slots(job.duration or Decimal(0), slot_seconds, draws.UP),
            "update_time": 0,
            "gradient_size": 0,
            "bandwidth": 1,
            "upload_delay": delay,
        }
        for job, start, delay in zip(jobs, arrival, delays, strict=True)
    ]


def load_of(rows: Sequence[Row], lengths: Sequence[int], workers: int) -> Row:
    """Return work over capacity: sum_j D_j ceil(p_j) / (workers x slots of arrivals)."""
    slots = rows[-1]["arrival"] + 1
    work = sum(row["chunks"] * length for row, length in zip(rows, lengths, strict=True))
    return {"work": work, "workers": workers, "slots": slots, "work_over_capacity": round(work / (workers * slots), 4)}
