"""Philly's CSV files: the derived job table and the two forms of the machine list."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from typing import TextIO

from schedproof.workloads.philly.tally import ACCEPTED, Tally
from schedproof.workloads.philly.times import AMBIGUOUS, seconds_of
from schedproof.workloads.preemptive.draws import CLOUD

MISSING = {"", "na", "nan", "none", "null"}
MOST_GPUS = 1_000_000
JOB_COLUMNS = ("timestamp", "duration", "num_gpus", "gpu_time", "cluster")
JOBS_NEED = ("timestamp", "duration", "num_gpus")
MACHINE_COLUMNS = ("machineid", "number of gpus", "single gpu mem")
MACHINES_NEED = ("machineid", "number of gpus")


@dataclass
class Jobs:
    """Jobs as columns, in file order: row in the file, name, submission (s since 1970 UTC), GPUs, duration (s, or None)."""

    row: list[int] = field(default_factory=list)
    name: list[str] = field(default_factory=list)
    submitted: list[int] = field(default_factory=list)
    gpus: list[int] = field(default_factory=list)
    duration: list[Decimal | None] = field(default_factory=list)
    rows: int = 0  # read, kept or not

    def add(self, row: int, name: str, submitted: int, gpus: int, duration: Decimal | None) -> None:
        """Append one job."""
        self.row.append(row)
        self.name.append(name)
        self.submitted.append(submitted)
        self.gpus.append(gpus)
        self.duration.append(duration)


def submission(value: object, row: int, tally: Tally) -> int | None:
    """The submission time in seconds; None, and counted, when there is none."""
    if not isinstance(value, str) or value.strip().lower() in MISSING:
        tally.add("submission_missing" if value is None or isinstance(value, str) else "submission_unreadable", row)
        return None
    try:
        seconds, odd = seconds_of(value.strip())
    except ValueError:
        tally.add("submission_unreadable", row)
        return None
    if odd:
        tally.add("submission_ambiguous" if odd == AMBIGUOUS else "submission_nonexistent", row)
    return seconds


def read_jobs(text: TextIO, file: str, tally: Tally, *, timed: bool) -> Jobs:
    """The derived job table, ``timestamp,duration,num_gpus,...``.

    Parameters
    ----------
    timed
        Whether the durations matter: where they do not, a bad one is accepted.

    Raises
    ------
    InputError
        When the file is no such table.
    """
    jobs = Jobs()
    seen: set[tuple[str, ...]] = set()
    for row, fields in _table(text, file, tally, JOB_COLUMNS, JOBS_NEED):
        jobs.rows += 1
        if fields is None:
            continue
        key = (fields["timestamp"], fields["duration"], fields["num_gpus"])
        submitted = submission(key[0], row, tally)
        gpus = None if submitted is None else _gpus(key[2], row, tally)
        if submitted is None or gpus is None:
            continue
        seconds, reason = _duration(key[1])
        if reason:
            tally.add(reason, row, None if timed else ACCEPTED)
            if timed:
                continue
        whole = tuple(fields.values())
        if whole in seen:
            tally.add("duplicate", row)
        seen.add(whole)
        jobs.add(row, f"row-{row}", submitted, gpus, seconds)
    return jobs


def read_machines(text: TextIO, file: str, tally: Tally) -> tuple[int, list[tuple[str, int]]]:
    """The machines that have GPUs, in file order, and how many rows were read.

    Raises
    ------
    InputError
        When the file is no machine list.
    """
    count = 0
    machines: dict[str, int] = {}
    for row, fields in _table(text, file, tally, MACHINE_COLUMNS, MACHINES_NEED):
        count += 1
        if fields is None:
            continue
        name = fields["machineid"]
        if name in ("", "*", CLOUD) or len(name) > 1000:
            tally.add("machine_nameless", row)
        elif name in machines:
            tally.add("machine_repeated", row)
        elif gpus := _gpus(fields["number of gpus"], row, tally):
            machines[name] = gpus
    return count, list(machines.items())
