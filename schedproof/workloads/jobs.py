"""Jobs of a cluster's log, and the time window that becomes an instance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from math import ceil
from typing import NamedTuple

import numpy as np

from schedproof.core.base.numbers import plural
from schedproof.core.errors import InputError
from schedproof.workloads.settings import decimal_of
from schedproof.workloads.tables import MISSING
from schedproof.workloads.tally import ACCEPTED, DROPPED, FIXED, Tally

MOST_GPUS = 1_000_000
ONE_TYPE = "gpu"  # of a cluster whose GPU types do not count
MOST_ROWS = 10**9
MOST_MACHINES = 10**6
ORDER = {
    "unordered": (FIXED, "submitted before the job in the previous row: sorted"),
    "tie": (ACCEPTED, "submitted in the same second as another job: kept in file order"),
}
SIZES = {
    "gpus_missing": (DROPPED, "no GPU count"),
    "gpus_unreadable": (DROPPED, "a GPU count that is not a plausible number"),
    "gpus_fractional": (DROPPED, "a GPU count that is not whole"),
    "gpus_as_decimal": (ACCEPTED, "a whole GPU count written with decimals"),
    "gpus_zero": (DROPPED, "no GPU"),
    "gpus_negative": (DROPPED, "a negative GPU count"),
}
WIDE = {
    "wider_than_machines": (ACCEPTED, "more GPUs than any machine has: its chunks run on several machines"),
    "wider_than_cluster": (ACCEPTED, "more GPUs than the whole cluster has: its chunks do not run all at once"),
}
TYPES = {"type_missing": (DROPPED, "a GPU type that no machine has")}
DURATIONS = {
    "duration_missing": (DROPPED, "no duration"),
    "duration_unreadable": (DROPPED, "a duration that is not a plausible number, like UNLIMITED"),
    "duration_not_positive": (DROPPED, "a duration that is zero or negative"),
    "duration_too_long": (DROPPED, "a duration of more slots than the format allows"),
}
ASKED = {
    "other_status": (DROPPED, "a status that is not requested"),
    "min_gpus": (DROPPED, "fewer GPUs than min_gpus"),
    "before_start": (DROPPED, "submitted before the window"),
    "after_hours": (DROPPED, "submitted after the window"),
    "skipped": (DROPPED, "among the skipped first jobs"),
    "beyond_jobs": (DROPPED, "beyond the requested number of jobs"),
}


class Job(NamedTuple):
    """A job of a log.

    Attributes
    ----------
    row
        The job's line in the log.
    submitted
        Seconds since 1970 UTC, or since the log's origin.
    gpus
        Number of GPUs, or of processors in a log without GPUs.
    duration
        Seconds on these GPUs; None if the duration is not used.
    types
        The types of GPUs on which the job may run, in lower case; empty: all types.
    start
        Seconds of the recorded start, from the same origin as ``submitted``; None if unknown.
    """

    row: int
    name: str
    submitted: int
    gpus: int
    duration: Decimal | None
    user: str = ""
    types: tuple[str, ...] = ()
    start: Decimal | None = None


@dataclass(frozen=True, kw_only=True)
class Window:
    """The selection of jobs by time, GPUs and number.

    The jobs submitted in ``hours`` from ``start`` with at least ``min_gpus``; of these, ``jobs`` after the first
    ``skip``.
    """

    start: int | None = None
    hours: Decimal | None = None
    min_gpus: int = 1
    skip: int = 0
    jobs: int = MOST_ROWS


def gpu_count(text: str, row: int, tally: Tally) -> int | None:
    """Return an integer number of GPUs >= 1, or None after counting the reason."""
    number = decimal_of(text)
    if number is None or number > MOST_GPUS:
        tally.add("gpus_missing" if text.lower() in MISSING else "gpus_unreadable", row, cell=text)
    elif number <= 0:
        tally.add("gpus_negative" if number else "gpus_zero", row)
    elif number % 1:
        tally.add("gpus_fractional", row)
    else:
        tally.add("gpus_as_decimal", row, count=not text.isdecimal())
        return int(number)
    return None


def cut(jobs: Sequence[Job], chosen: Window, tally: Tally, longest: Decimal | None = None) -> list[Job]:
    """Return the jobs of the window by submission; count omissions and oddities.

    Parameters
    ----------
    longest
        Largest allowed duration in seconds.
    """
    submitted, row, gpus = (
        np.array([getattr(job, name) for job in jobs], dtype=np.int64) for name in ("submitted", "row", "gpus")
    )
    tally.add_all("unordered", row[np.flatnonzero(submitted[1:] < submitted[:-1]) + 1])
    order = np.argsort(submitted, kind="stable")

    def keep(reason: str, wanted: np.ndarray) -> None:
        nonlocal order
        tally.add_all(reason, row[order[~wanted]])
        order = order[wanted]

    if longest is not None:
        keep("duration_too_long", np.array([(jobs[i].duration or 0) <= longest for i in order.tolist()], dtype=bool))
    if order.size and (chosen.start is not None or chosen.hours is not None):
        start = int(submitted[order[0]]) if chosen.start is None else chosen.start
        keep("before_start", submitted[order] >= start)
        if chosen.hours is not None:
            keep("after_hours", submitted[order] - start < float(chosen.hours * 3600))
    keep("min_gpus", gpus[order] >= chosen.min_gpus)
    keep("skipped", np.arange(order.size) >= chosen.skip)
    keep("beyond_jobs", np.arange(order.size) < chosen.jobs)

    _, group, size = np.unique(submitted[order], return_inverse=True, return_counts=True)
    tally.add_all("tie", row[order[size[group] > 1]])
    return [jobs[i] for i in order.tolist()]


def count_wide(jobs: Sequence[Job], machines: Sequence[int], tally: Tally) -> None:
    """Count the jobs with more GPUs than any machine, or than all machines together."""
    row, gpus = (np.array([getattr(job, name) for job in jobs], dtype=np.int64) for name in ("row", "gpus"))
    tally.add_all("wider_than_machines", row[gpus > max(machines)])
    tally.add_all("wider_than_cluster", row[gpus > sum(machines)])


class Cluster(NamedTuple):
    """The machines of an instance.

    Attributes
    ----------
    sizes
        GPUs of each machine; if empty, the machines are derived from the jobs.
    origin
        The source of the sizes.
    machine_gpus
        GPUs of a derived machine.
    types
        The type of each machine's GPUs, in lower case, if known.
    """

    sizes: tuple[int, ...] = ()
    origin: str = ""
    machine_gpus: int = 8
    types: tuple[str, ...] = ()

    def of(self, jobs: Sequence[Job]) -> tuple[tuple[int, ...], str]:
        """Return the GPUs of each machine, and an explanation for the report.

        Derived machines have as many GPUs as the jobs use on average, if each job starts at its submission. The total
        is at least the GPUs of the widest job, and at most the largest demand.
        """
        if self.sizes:
            return self.sizes, f"{self.origin}: {describe_sizes(self.sizes)}"
        average, largest = demand(jobs)
        least = max(average, *(job.gpus for job in jobs))
        sizes = spread(min(largest, ceil(least / self.machine_gpus) * self.machine_gpus), self.machine_gpus)
        return sizes, (
            f"not in the log, assumed: {describe_sizes(sizes)}; while jobs run, each from its submission, they use "
            f"{average:.1f} GPUs on average and {largest} at most; the widest job has {max(job.gpus for job in jobs)}"
        )

    def by_type(self, jobs: Sequence[Job]) -> tuple[tuple[int, ...], tuple[str, ...], str]:
        """Return the GPUs and the type of each machine, and the explanation.

        If jobs have no types, all machines have one type. If jobs have types, machines are derived for each type.

        Raises
        ------
        InputError
            If the machines' types are not known.
        """
        if not any(job.types for job in jobs):
            sizes, why = self.of(jobs)
            return sizes, (ONE_TYPE,) * len(sizes), why
        if self.types:
            return self.sizes, self.types, f"{self.origin}: {describe_sizes(self.sizes, self.types)}"
        if self.sizes:
            raise InputError(
                "--map type: expected GPU types of the machines: a machine file with machine_map=type=COLUMN, or no "
                "machines, to derive some for each type"
            )
        own: dict[str, list[Job]] = {}
        for job in jobs:
            if len(job.types) != 1:
                raise InputError(
                    f"--map type: expected one GPU type for each job, not {len(job.types)} for {job.name}, to derive "
                    "machines; give a machine file with machine_map=type=COLUMN"
                )
            own.setdefault(job.types[0], []).append(job)
        found = {kind: self.of(mine) for kind, mine in own.items()}
        types = tuple(kind for kind, (sizes, _) in found.items() for _ in sizes)
        why = "; ".join(f"{kind}: {words}" for kind, (_, words) in found.items())
        return sum((sizes for sizes, _ in found.values()), ()), types, why


def demand(jobs: Sequence[Job]) -> tuple[float, int]:
    """Return average and peak GPUs in use, if each job starts at its submission."""
    start = np.array([job.submitted for job in jobs], dtype=float)
    gpus = np.array([job.gpus for job in jobs], dtype=np.int64)
    end = start + np.array([float(job.duration or 0) for job in jobs])
    time, change = np.concatenate([start, end]), np.concatenate([gpus, -gpus])
    order = np.lexsort((change, time))  # at equal times, ends come before starts
    level, length = np.cumsum(change[order])[:-1], np.diff(time[order])
    busy = length[level > 0].sum()
    return (float((level * length).sum() / busy) if busy else float(gpus.max())), int(max(level.max(), gpus.max()))


def spread(gpus: int, machine_gpus: int) -> tuple[int, ...]:
    """Return machines of one size (the last may be smaller) with ``full`` GPUs.

    Raises
    ------
    InputError
        For more than `MOST_MACHINES`.
    """
    full, rest = divmod(gpus, machine_gpus)
    if full > MOST_MACHINES:
        raise InputError(f"expected at most {MOST_MACHINES} machines of {plural(machine_gpus, 'GPU')}, not {full}")
    return (machine_gpus,) * full + (rest,) * (rest > 0)


def describe_sizes(sizes: Sequence[int], types: Sequence[str] = ()) -> str:
    """Return the counts of machines by their GPUs and types, as text."""
    kinds = [f" ({kind})" for kind in types] or [""] * len(sizes)
    counts = sorted(Counter(zip(sizes, kinds, strict=True)).items(), reverse=True)
    return ", ".join(f"{count} of {plural(size, 'GPU')}{kind}" for (size, kind), count in counts)
