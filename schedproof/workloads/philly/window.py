"""The window of the trace that the options name, in order of submission."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from schedproof.workloads.philly.options import Options
from schedproof.workloads.philly.tables import Job
from schedproof.workloads.preemptive.draws import LONGEST_CHUNK
from schedproof.workloads.tally import Tally


def cut(jobs: Sequence[Job], chosen: Options, tally: Tally, machines: Sequence[int]) -> list[Job]:
    """The jobs of the window, by submission; counts those left out by reason, and what is odd about those kept."""
    submitted, row, gpus = (
        np.array([getattr(job, name) for job in jobs], dtype=np.int64) for name in ("submitted", "row", "gpus")
    )
    tally.add_all("unordered", row[np.flatnonzero(submitted[1:] < submitted[:-1]) + 1])
    order = np.argsort(submitted, kind="stable")

    def keep(reason: str, wanted: np.ndarray) -> None:
        nonlocal order
        tally.add_all(reason, row[order[~wanted]])
        order = order[wanted]

    if chosen.timed:
        limit = LONGEST_CHUNK * chosen.settings.slot_seconds
        keep("duration_too_long", np.array([(jobs[i].duration or 0) <= limit for i in order.tolist()], dtype=bool))
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
    tally.add_all("wider_than_machines", row[order[gpus[order] > max(machines)]])
    tally.add_all("wider_than_cluster", row[order[gpus[order] > sum(machines)]])
    return [jobs[i] for i in order.tolist()]
