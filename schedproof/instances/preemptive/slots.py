"""Distortion by whole slots: the growth of the work, and finer slots."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from schedproof.core.data.reading import MOST
from schedproof.core.errors import InputError
from schedproof.instances.preemptive.instance import Instance


class Distortion(NamedTuple):
    """The growth of the jobs' work by rounding to whole slots.

    Attributes
    ----------
    inflation
        Relative growth of the total edge time of all chunks, if each chunk's time is rounded up to whole slots.
    short, jobs
        The number of jobs whose chunks are shorter than a slot, and the number of all jobs.
    """

    inflation: Fraction
    short: int
    jobs: int

    @classmethod
    def of(cls, instance: Instance) -> Distortion:
        exact = sum((job.chunks * job.chunk_time for job in instance.jobs), Fraction(0))
        whole = sum(job.chunks * job.slots() for job in instance.jobs)
        short = sum(job.chunk_time < 1 for job in instance.jobs)
        return cls(whole / exact - 1 if exact else Fraction(0), short, len(instance.jobs))


def refined(value: dict[str, Any], parts: int) -> dict[str, Any]:
    """Return the JSON object of an instance in slots of 1/``parts``.

    Raises
    ------
    InputError
        If a number of slots becomes too large.
    """
    if value["horizon"] * parts > MOST:
        raise InputError(f"parts={parts}: expected a horizon of at most {MOST // parts} slots")
    jobs = [
        job
        | {name: job[name] * parts for name in ("arrival", "minibatch_time", "update_time", "gradient_size")}
        | {"upload_delay": {server: delay * parts for server, delay in job["upload_delay"].items()}}
        for job in value["jobs"]
    ]
    slots: dict[str, Any] = {name: value[name] * parts for name in ("horizon", "restart") if name in value}
    if value.get("breaks"):
        slots["breaks"] = [row | {key: row[key] * parts for key in ("start", "end")} for row in value["breaks"]]
    return value | slots | {"jobs": jobs}
