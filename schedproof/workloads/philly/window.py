"""The part of the trace that was asked for, in order of submission."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from schedproof.workloads.philly.options import Options
from schedproof.workloads.philly.tables import Jobs
from schedproof.workloads.preemptive.draws import LONGEST_CHUNK, UP, in_slots
from schedproof.workloads.tally import Tally


@dataclass(frozen=True)
class Window:
    """Jobs as columns, by submission (s since 1970 UTC), then as in the file; ``length`` in slots, if used."""

    name: list[str]
    submitted: list[int]
    gpus: list[int]
    length: list[int | Decimal]


def cut(jobs: Jobs, chosen: Options, tally: Tally, machines: Sequence[int]) -> Window:
    """The jobs of the window; counts those left out by reason, and what is odd about those kept.

    A duration is rounded up to 10^-12 slots, so that no work is lost and multiples of a slot stay exact.
    """
    submitted = np.array(jobs.submitted, dtype=np.int64)
    row = np.array(jobs.row, dtype=np.int64)
    gpus = np.array(jobs.gpus, dtype=np.int64)
    backwards = np.flatnonzero(submitted[1:] < submitted[:-1]) + 1
    _count(tally, "unordered", row[backwards])
    order = np.argsort(submitted, kind="stable")

    def keep(reason: str, wanted: np.ndarray) -> None:
        nonlocal order
        _count(tally, reason, row[order[~wanted]])
        order = order[wanted]

    slot = chosen.settings.slot_seconds
    if chosen.timed:
        limit = LONGEST_CHUNK * slot
        keep("duration_too_long", np.array([jobs.duration[i] <= limit for i in order.tolist()], dtype=bool))
    if order.size and (chosen.start is not None or chosen.hours is not None):
        start = int(submitted[order[0]]) if chosen.start is None else chosen.start
        keep("before_start", submitted[order] >= start)
        if chosen.hours is not None:
            keep("after_hours", submitted[order] - start < float(chosen.hours * 3600))
    keep("min_gpus", gpus[order] >= chosen.min_gpus)
    keep("skipped", np.arange(order.size) >= chosen.skip)
    keep("beyond_jobs", np.arange(order.size) < chosen.jobs)

    _, group, size = np.unique(submitted[order], return_inverse=True, return_counts=True)
    _count(tally, "tie", row[order[size[group] > 1]])
    _count(tally, "wider_than_machines", row[order[gpus[order] > max(machines)]])
    _count(tally, "wider_than_cluster", row[order[gpus[order] > sum(machines)]])
    kept = order.tolist()
    return Window(
        [jobs.name[i] for i in kept],
        [jobs.submitted[i] for i in kept],
        [jobs.gpus[i] for i in kept],
        [in_slots(jobs.duration[i], slot, UP) for i in kept] if chosen.timed else [],
    )


def _count(tally: Tally, reason: str, rows: np.ndarray) -> None:
    tally.add(reason, int(rows.min(initial=np.iinfo(np.int64).max)), count=len(rows))
