"""Dominant shares and progressive filling.

The dominant share of n workers and S(n) = ceil(n / gamma) parameter servers is max_r (n alpha^r + S(n) beta^r) / C^r,
where C^r is the cluster's total capacity. Resources with zero capacity are skipped; jobs that need them get no
workers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from heapq import heapify, heappop, heapreplace
from math import lcm

from schedproof.instances.dmlrs.instance import Instance
from schedproof.instances.dmlrs.job import NOTHING, Job


def totals(instance: Instance) -> dict[str, Fraction]:
    """Return the total capacity sum_h C_h^r of each resource, if it is positive."""
    every = {r: sum((m.capacity.get(r, NOTHING) for m in instance.machines), NOTHING) for r in instance.resources}
    return {r: total for r, total in every.items() if total}


def parts(job: Job, total: Mapping[str, Fraction]) -> dict[str, tuple[Fraction, Fraction]]:
    """Return the shares of one worker and of one parameter server, by resource."""
    return {r: (job.worker.get(r, NOTHING) / c, job.ps.get(r, NOTHING) / c) for r, c in total.items()}


def progressive_filling(
    jobs: Iterable[Job], most: Mapping[int, int], total: Mapping[str, Fraction], one_more: Callable[[Job], bool]
) -> dict[int, int]:
    """Repeatedly give one worker to the job of smallest dominant share.

    Parameters
    ----------
    most
        Job's file index -> its most workers.
    one_more
        Reserves the resources of one more worker of a job, with its parameter servers. If it returns False, the job
        gets no more workers.

    Returns
    -------
    dict
        Job's file index -> its workers. Of jobs with equal dominant shares, the first in the file gets the worker.
    """
    by_index = {job.index: job for job in jobs}
    taken = {j: list(parts(job, total).values()) for j, job in by_index.items()}
    scale = lcm(*(p.denominator for rows in taken.values() for row in rows for p in row))
    units = {j: [(int(a * scale), int(b * scale)) for a, b in rows] for j, rows in taken.items()}
    workers = dict.fromkeys(by_index, 0)
    waiting = [(0, j) for j in by_index if most[j] > 0]
    heapify(waiting)
    while waiting:
        _, j = waiting[0]
        if not one_more(by_index[j]):
            heappop(waiting)
            continue
        workers[j] += 1
        if workers[j] == most[j]:
            heappop(waiting)
            continue
        ps = by_index[j].ps_needed(workers[j])
        heapreplace(waiting, (max((workers[j] * a + ps * b for a, b in units[j]), default=0), j))
    return workers
