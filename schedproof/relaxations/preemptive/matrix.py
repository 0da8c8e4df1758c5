"""The LP of (4) by classes as arrays, for large instances.

Jobs with the same set of classes share a *pool* once their uploads are over: a job draws workers from the pool
in a slot, and the pool draws them from the classes. The LP is equivalent, with J + Q columns per slot instead of J x Q,
and the capacity rows keep their prices beta_q(t).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from scipy import sparse

from schedproof.core.runtime import memory
from schedproof.core.runtime.context import Context, Progress, silent
from schedproof.core.solvers.exact_check import FEASIBILITY
from schedproof.core.solvers.linear_program import LinearProgram
from schedproof.core.solvers.status import Outcome
from schedproof.formulations.preemptive.index import HALVES, slots
from schedproof.instances.preemptive import Instance
from schedproof.relaxations.preemptive.prices import in_breaks

CLOUD, POOL = -1, -2  # codes instead of a class
INSTEAD = "use a larger block=N, or prices=free"
COLUMN_BYTES = 1500.0  # bytes of the arrays and of HiGHS


@dataclass(frozen=True)
class ClassLP:
    """The class LP as arrays: min costs x, lower <= matrix x <= upper, x >= 0.

    Attributes
    ----------
    job, worker_class, pool, slot
        Data of each column, shape (columns,). A job's columns name its class, `CLOUD`, or `POOL` and the pool's number;
        a pool's own columns have job -1 and name the class that it draws from.
    costs, matrix, lower, upper
        Rows: work (one per job, times its p0), capacity (class, slot), chunks at once (job, slot), pools (pool, slot).
    capacity_class, capacity_slot
        The class and slot of each capacity row, in row order.
    unpooled_columns
        The number of columns without pools.
    """

    job: np.ndarray
    worker_class: np.ndarray
    pool: np.ndarray
    slot: np.ndarray
    costs: np.ndarray
    matrix: sparse.csc_array
    lower: np.ndarray
    upper: np.ndarray
    capacity_class: np.ndarray
    capacity_slot: np.ndarray
    unpooled_columns: int

    @property
    def columns(self) -> int:
        return int(self.costs.size)

    def prices(self, multipliers: np.ndarray, jobs: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the positive beta_q(t) of the row duals as (classes, slots, prices)."""
        beta = np.maximum(0.0, -multipliers[jobs : jobs + self.capacity_class.size])
        keep = beta > 0
        return self.capacity_class[keep], self.capacity_slot[keep], beta[keep]


Part = tuple[int, int, int, int, int, float]  # job, class, pool, first slot, last slot, slots of a chunk


def class_lp(
    instance: Instance, cost: str, reading: str, speed: Fraction, block: int = 1, progress: Progress = silent
) -> ClassLP:
    """Build the class LP's arrays without a loop over columns.

    Parameters
    ----------
    block
        Number of slots merged into one. Prices of this coarser LP still prove a bound; a block costs as much as its
        middle slot.
    """
    takes = np.array([[float(slots(j, c, reading, speed)) for c in (False, True)] for j in instance.jobs]).reshape(
        -1, 2
    )
    parts, unpooled = _parts(instance, takes, speed)
    table = np.array(parts, dtype=float).reshape(-1, 6)
    job, worker_class, pool, first, last = table[:, :5].astype(np.int64).T
    first, last = first // block, last // block
    lengths = last - first + 1
    memory.require("the LP", int(lengths.sum()), COLUMN_BYTES, INSTEAD, progress)
    owner = np.repeat(np.arange(lengths.size), lengths)
    slot = first[owner] + np.arange(owner.size) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    job, worker_class, pool, chunk_slots = (column[owner] for column in (job, worker_class, pool, table[:, 5]))

    mine = np.flatnonzero(job >= 0)  # columns of jobs; the pools' own columns cost 0
    arrival = np.array([j.arrival for j in instance.jobs], dtype=np.int64)
    chunks = np.array([j.chunks for j in instance.jobs], dtype=float)
    middle = slot[mine] * block + (block - 1) / 2
    waited = np.maximum(middle - arrival[job[mine]], 0) + HALVES[cost] * (chunk_slots[mine] + 1) / 2
    costs = np.zeros(job.size)
    costs[mine] = waited / (chunks[job[mine]] * chunk_slots[mine])

    span, jobs = instance.horizon, len(instance.jobs)
    edge, pooled = np.flatnonzero(worker_class >= 0), np.flatnonzero(pool >= 0)
    capacity, capacity_row = np.unique(worker_class[edge] * span + slot[edge], return_inverse=True)
    at_once, at_once_row = np.unique(job[mine] * span + slot[mine], return_inverse=True)
    pools, pool_row = np.unique(pool[pooled] * span + slot[pooled], return_inverse=True)
    starts = np.cumsum([0, jobs, capacity.size, at_once.size, pools.size])
    rows = np.concatenate([job[mine], starts[1] + capacity_row, starts[2] + at_once_row, starts[3] + pool_row])
    columns = np.concatenate([mine, edge, mine, pooled])
    work = takes[job[mine], 0] / chunk_slots[mine]
    drawn = np.where(job[pooled] >= 0, 1.0, -1.0)
    values = np.concatenate([work, np.ones(edge.size + mine.size), drawn])
    matrix = sparse.csc_array((values, (rows, columns)), shape=(int(starts[4]), job.size))

    limits = [_worker_slots(instance, capacity // span, capacity % span, block), chunks[at_once // span] * block]
    upper = np.concatenate([np.full(jobs, np.inf), *limits, np.zeros(pools.size)])
    lower = np.concatenate([chunks * takes[:, 0], np.full(int(starts[4]) - jobs, -np.inf)])
    return ClassLP(
        job, worker_class, pool, slot, costs, matrix, lower, upper, capacity // span, capacity % span, unpooled
    )


def _worker_slots(instance: Instance, classes: np.ndarray, slot: np.ndarray, block: int) -> np.ndarray:
    """Return the worker-slots of classes in blocks of slots, without breaks."""
    count = np.array([q.count for q in instance.classes], dtype=float)
    if not instance.breaks:
        result: np.ndarray = count[classes] * block
        return result
    open_in = 1.0 - in_breaks(instance, (instance.horizon // block + 1) * block)
    by_block = open_in.reshape(len(instance.classes), -1, block).sum(axis=2)
    result = count[classes] * by_block[classes, slot]
    return result


def _parts(instance: Instance, takes: np.ndarray, speed: Fraction) -> tuple[list[Part], int]:
    qualified = [instance.qualified(job) for job in instance.jobs]
    keys = [tuple(q.index for q, _ in pairs) for pairs in qualified]
    sharing = Counter(keys)
    numbers: dict[tuple[int, ...], int] = {}
    ranges: dict[int, tuple[int, int]] = {}  # pool -> first and last slot in which a job draws from it
    parts: list[Part] = []
    unpooled = 0
    for job, pairs, key in zip(instance.jobs, qualified, keys, strict=True):
        last, (p0, p1) = instance.last_slot(job, speed=speed), takes[job.index]
        landed = max((job.arrival + delay for _, delay in pairs), default=0)
        shares = sharing[key] * len(key) > sharing[key] + len(key)
        if shares and landed <= last:
            pool = numbers.setdefault(key, len(numbers))
            parts.append((job.index, POOL, pool, landed, last, p0))
            low, high = ranges.get(pool, (landed, last))
            ranges[pool] = (min(low, landed), max(high, last))
        for q, delay in pairs:
            parts.append((job.index, q.index, -1, job.arrival + delay, min(last, landed - 1) if shares else last, p0))
            unpooled += max(0, last - job.arrival - delay + 1)
        cloud = instance.cloud_delay(job)
        if cloud is not None:
            parts.append((job.index, CLOUD, -1, job.arrival + cloud, last, p1))
            unpooled += max(0, last - job.arrival - cloud + 1)
    for key, pool in numbers.items():
        parts += [(-1, q, pool, *ranges[pool], 1.0) for q in key]
    return [part for part in parts if part[4] >= part[3]], unpooled


def by_matrix(instance: Instance, *, reading: str, speed: Fraction, cost: str, context: Context) -> Outcome:
    """Solve the class LP from arrays directly in HiGHS."""
    lp = class_lp(instance, cost, reading, speed)
    handle = LinearProgram(lp.costs, lp.matrix, lp.lower, lp.upper)
    outcome = handle.solve(context)
    if not outcome.has_point:
        return outcome
    held = lp.matrix @ handle.point
    short = float(np.max(np.maximum(lp.lower - held, held - lp.upper), initial=0.0))
    if short > FEASIBILITY:
        return Outcome("solver_failed", message=f"highs reports {outcome.status}, but a row is violated by {short:.3g}")
    edge, cloud = _use(lp, handle.point)
    job, place = [job.name for job in instance.jobs], [(q.server.name, q.type) for q in instance.classes]
    values: dict[str, dict[Any, float]] = {
        "class_use.edge": {(job[j], *place[q], t): y for (j, q, t), y in edge.items()},
        "class_use.cloud": {(job[j], t): y for (j, t), y in cloud.items()},
    }
    return replace(outcome, objective=float(lp.costs @ handle.point), values=values)


def _use(lp: ClassLP, point: np.ndarray) -> tuple[dict[tuple[int, int, int], float], dict[tuple[int, int], float]]:
    edge: dict[tuple[int, int, int], float] = defaultdict(float)
    cloud: dict[tuple[int, int], float] = {}
    stock: dict[tuple[int, int], dict[int, float]] = defaultdict(dict)  # (pool, slot) -> class -> workers left
    used = np.flatnonzero(point > 1e-9)
    columns = [c[used].tolist() for c in (lp.job, lp.worker_class, lp.pool, lp.slot, point)]
    for j, q, pool, t, y in zip(*columns, strict=True):
        if j < 0:
            stock[pool, t][q] = y
    for j, q, pool, t, y in zip(*columns, strict=True):
        if j >= 0 and q >= 0:
            edge[j, q, t] += y
        elif j >= 0 and q == CLOUD:
            cloud[j, t] = y
        for some, rest in stock[pool, t].items() if j >= 0 and q == POOL else ():
            part = min(y, rest)
            edge[j, some, t] += part
            stock[pool, t][some] -= part
            y -= part
    return {key: y for key, y in edge.items() if y > 0}, cloud
