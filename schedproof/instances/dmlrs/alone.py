"""A job alone on the cluster: its most workers in a slot and its training time.

The frontier f(w) of a machine is the most parameter servers that fit with w workers. The cluster's frontier is the
(max, +) convolution of its machines' frontiers.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from schedproof.core.base.numbers import ceil
from schedproof.instances.dmlrs.grid import Grid
from schedproof.instances.dmlrs.job import Job

ONE = Fraction(1)
NONE = -1  # parameter servers for a number of workers that does not fit


def frontier(free: np.ndarray, worker: np.ndarray, ps: np.ndarray, most_workers: int, most_ps: int) -> np.ndarray:
    """Return how many parameter servers fit with w = 0, 1, ... workers per machine.

    Parameters
    ----------
    free
        Free amounts, shape (machines, R), int64 units.
    worker, ps
        Demands alpha and beta, shape (R,), int64 units.
    most_workers, most_ps
        Limits of the frontier.

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
    """Return the joint frontier of two sets of machines, shape (most_workers + 1,).

    A frontier is a step function, so only the ends of its steps and its last entry need to be tried.
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
    """Return the frontier of all machines together, shape (most_workers + 1,)."""
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
    """Return how many workers a job can have in a slot on one machine, and in all."""
    free, worker, ps = grid.at(slot), grid.worker(job), grid.ps(job)
    needed = np.array([job.ps_needed(n) for n in range(job.batch_size + 1)], dtype=np.int64)
    single = frontier(free, worker, ps, job.batch_size, int(needed[-1])).max(axis=0, initial=NONE)
    spread = cluster_frontier(free, worker, ps, job.batch_size, int(needed[-1]))
    return int(np.flatnonzero(single >= needed).max(initial=0)), int(np.flatnonzero(spread >= needed).max(initial=0))


def time_alone(grid: Grid, job: Job, horizon: int, n: Fraction = ONE) -> int | None:
    """Return the job's training time in slots with 1/n of the cluster to itself.

    The job uses its fastest allocation for a fraction of each slot. In this fraction the allocation uses 1/n of its
    dominant resource. None if the job does not complete by the horizon.
    """
    slots = range(job.arrival, horizon)
    if job.work * job.internal_time > job.batch_size * len(slots):  # no machine holds F workers in every slot
        return None
    if len(grid.free) == 1:  # all slots are equal
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
    """Return the most samples that a job can train per slot with 1/n of the cluster."""
    inside, spread = most_workers(grid, job, slot)
    pairs = ((inside, job.internal_time), (spread, job.external_time))
    return max(workers / time * min(ONE, 1 / (n * _part(grid, job, slot, workers))) for workers, time in pairs)


def _part(grid: Grid, job: Job, slot: int, workers: int) -> Fraction:
    """Return the dominant share of ``workers`` workers; 1 if resources are zero."""
    held = workers * grid.worker(job) + job.ps_needed(workers) * grid.ps(job)
    free = grid.at(slot).sum(axis=0)
    return max((Fraction(int(h), int(f)) for h, f in zip(held, free, strict=True) if h), default=ONE)
