"""What a job could do if it had the cluster to itself: the most workers of a slot, and how long it takes.

The workers and parameter servers that a machine can hold together form a frontier, f(w) = the most parameter servers
beside w workers; the cluster's frontier is the sum of its machines' (a (max, +) convolution).
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from schedproof.core.base.numbers import ceil
from schedproof.instances.dmlrs.grid import Grid
from schedproof.instances.dmlrs.job import Job

ONE = Fraction(1)
NONE = -1  # parameter servers beside a number of workers that does not fit


def frontier(free: np.ndarray, worker: np.ndarray, ps: np.ndarray, most_workers: int, most_ps: int) -> np.ndarray:
    """The most parameter servers beside w = 0, 1, ... workers on machines with these free amounts.

    Parameters
    ----------
    free
        Shape (machines, R), int64 units.
    worker, ps
        Demands alpha and beta, shape (R,), int64 units.
    most_workers, most_ps
        Larger numbers do not matter.

    Returns
    -------
    ndarray
        Shape (machines, most_workers + 1), int64; `NONE` where so many workers do not fit.
    """
    room = np.full((len(free), most_workers + 1), most_ps, dtype=np.int64)
    fits = np.ones(room.shape, dtype=bool)
    for r in range(free.shape[1]):
        rest = free[:, r, None] - np.arange(most_workers + 1) * worker[r]
        fits &= rest >= 0
        if ps[r]:
            np.minimum(room, rest // ps[r], out=room)
    return np.where(fits, room, NONE)


def side_by_side(one: np.ndarray, other: np.ndarray, most_ps: int) -> np.ndarray:
    """The frontier of two sets of machines side by side; both of shape (most_workers + 1,).

    Frontiers fall in steps, so that of the workers on the other side only the ends of its steps need to be tried, or
    all of them with none on this side.
    """
    result = np.where(other >= 0, one[0] + other, NONE)
    ends = np.flatnonzero(np.diff(other, append=NONE) < 0)
    for extra in ends:
        shifted = one[: one.size - extra]
        target = result[extra:]
        np.maximum(target, np.where(shifted >= 0, shifted + other[extra], NONE), out=target)
    return np.minimum(result, most_ps)


def cluster_frontier(
    free: np.ndarray, worker: np.ndarray, ps: np.ndarray, most_workers: int, most_ps: int
) -> np.ndarray:
    """The frontier of all machines together, shape (most_workers + 1,); equal machines are doubled, not added."""
    total = np.full(most_workers + 1, NONE, dtype=np.int64)
    total[0] = 0
    rows, counts = np.unique(free, axis=0, return_counts=True)
    for power, count in zip(frontier(rows, worker, ps, most_workers, most_ps), counts.tolist(), strict=True):
        while count:
            if count & 1:
                total = side_by_side(total, power, most_ps)
            count >>= 1
            power = side_by_side(power, power, most_ps) if count else power
    return total


def most_workers(grid: Grid, job: Job, slot: int) -> tuple[int, int]:
    """The most workers that the job can hold in a slot: all on one machine, and on the whole cluster."""
    free, worker, ps = grid.at(slot), grid.worker(job), grid.ps(job)
    needed = np.array([job.ps_needed(n) for n in range(job.batch_size + 1)], dtype=np.int64)
    single = frontier(free, worker, ps, job.batch_size, int(needed[-1])).max(axis=0, initial=NONE)
    spread = cluster_frontier(free, worker, ps, job.batch_size, int(needed[-1]))
    return int(np.flatnonzero(single >= needed).max(initial=0)), int(np.flatnonzero(spread >= needed).max(initial=0))


def time_alone(grid: Grid, job: Job, horizon: int, n: Fraction = ONE) -> int | None:
    """The slots until a job completes with 1/n of the cluster to itself, each slot used as fast as possible.

    With 1/n of the cluster it runs what is fastest on the whole, for the part of a slot in which that takes 1/n of it,
    by the resource of which it takes the largest part.

    Returns
    -------
    int or None
        None where it does not complete by the horizon.
    """
    slots = range(job.arrival, horizon)
    if job.work * job.internal_time > job.batch_size * len(slots):  # not even F workers on one machine all the time
        return None
    if len(grid.free) == 1:  # every slot is like the first
        rate = _fastest(grid, job, job.arrival, n)
        needed = ceil(job.work / rate) if rate else horizon + 1
        return needed if needed <= len(slots) else None
    trained = Fraction(0)
    rates: dict[bytes, Fraction] = {}
    for slot in slots:
        key = grid.at(slot).tobytes()
        if key not in rates:
            rates[key] = _fastest(grid, job, slot, n)
        trained += rates[key]
        if trained >= job.work:
            return slot + 1 - job.arrival
    return None


def _fastest(grid: Grid, job: Job, slot: int, n: Fraction) -> Fraction:
    """The most samples that the job can train in a slot with 1/n of what is free."""
    inside, spread = most_workers(grid, job, slot)
    pairs = ((inside, job.internal_time), (spread, job.external_time))
    return max(workers / time * min(ONE, 1 / (n * _part(grid, job, slot, workers))) for workers, time in pairs)


def _part(grid: Grid, job: Job, slot: int, workers: int) -> Fraction:
    """The largest part of a resource, of what is free in a slot, that so many workers take; 1 for none."""
    held = workers * grid.worker(job) + job.ps_needed(workers) * grid.ps(job)
    free = grid.at(slot).sum(axis=0)
    return max((Fraction(int(h), int(f)) for h, f in zip(held, free, strict=True) if h), default=ONE)
