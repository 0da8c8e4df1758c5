"""The LP of (4) by kinds of classes as arrays, for large instances.

Classes that serve every job alike are one kind (`kinds`), which has the sum of their workers. Jobs with the same set of
K kinds share a *pool* once their uploads are over: a job draws workers from the pool in a slot, and the pool draws them
from the kinds. The LP is equivalent, with J + K columns per slot instead of J x K. The capacity rows have the prices
beta_q(t) of each class of the kind.
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
from schedproof.relaxations.preemptive.kinds import Ways, kinds_and_ways
from schedproof.relaxations.preemptive.prices import in_breaks

CLOUD, POOL = -1, -2  # codes instead of a kind
INSTEAD = "use a larger block=N, or prices=free"
COLUMN_BYTES = 1500.0  # bytes of the arrays and of HiGHS


@dataclass(frozen=True)
class ClassLP:
    """The class LP as arrays: min costs x, lower <= matrix x <= upper, x >= 0.

    Attributes
    ----------
    kinds
        The kind of each class, shape (classes,).
    job, kind, pool, slot
        Data of each column, shape (columns,). A job's columns name its kind, `CLOUD`, or `POOL` and the pool's number;
        a pool's own columns have job -1 and name the kind that it draws from.
    costs, matrix, lower, upper
        Rows: work (one per job, times its p0), capacity (kind, slot), chunks at once (job, slot), pools (pool, slot).
    capacity_kind, capacity_slot
        The kind and slot of each capacity row, in row order.
    """

    kinds: np.ndarray
    job: np.ndarray
    kind: np.ndarray
    pool: np.ndarray
    slot: np.ndarray
    costs: np.ndarray
    matrix: sparse.csc_array
    lower: np.ndarray
    upper: np.ndarray
    capacity_kind: np.ndarray
    capacity_slot: np.ndarray

    @property
    def columns(self) -> int:
        return int(self.costs.size)

    def prices(self, multipliers: np.ndarray, jobs: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the positive beta_q(t) of the row duals as (kinds, slots, prices)."""
        beta = np.maximum(0.0, -multipliers[jobs : jobs + self.capacity_kind.size])
        keep = beta > 0
        return self.capacity_kind[keep], self.capacity_slot[keep], beta[keep]


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
    kinds, ways_of = kinds_and_ways(instance)
    job, kind, pool, first, last = _parts(instance, ways_of, speed).T
    first, last = first // block, last // block
    lengths = last - first + 1
    memory.require("the LP", int(lengths.sum()), COLUMN_BYTES, INSTEAD, progress)
    owner = np.repeat(np.arange(lengths.size), lengths)
    slot = first[owner] + np.arange(owner.size) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    job, kind, pool = (column[owner] for column in (job, kind, pool))

    mine = np.flatnonzero(job >= 0)  # columns of jobs; the pools' own columns cost 0
    arrival = np.array([j.arrival for j in instance.jobs], dtype=np.int64)
    chunks = np.array([j.chunks for j in instance.jobs], dtype=float)
    chunk_slots = takes[job[mine], (kind[mine] == CLOUD).astype(np.int64)]
    middle = slot[mine] * block + (block - 1) / 2
    waited = np.maximum(middle - arrival[job[mine]], 0) + HALVES[cost] * (chunk_slots + 1) / 2
    costs = np.zeros(job.size)
    costs[mine] = waited / (chunks[job[mine]] * chunk_slots)

    span, jobs = instance.horizon, len(instance.jobs)
    edge, pooled = np.flatnonzero(kind >= 0), np.flatnonzero(pool >= 0)
    capacity, capacity_row = np.unique(kind[edge] * span + slot[edge], return_inverse=True)
    at_once, at_once_row = np.unique(job[mine] * span + slot[mine], return_inverse=True)
    pools, pool_row = np.unique(pool[pooled] * span + slot[pooled], return_inverse=True)
    starts = np.cumsum([0, jobs, capacity.size, at_once.size, pools.size])
    rows = np.concatenate([job[mine], starts[1] + capacity_row, starts[2] + at_once_row, starts[3] + pool_row])
    columns = np.concatenate([mine, edge, mine, pooled])
    work = takes[job[mine], 0] / chunk_slots
    drawn = np.where(job[pooled] >= 0, 1.0, -1.0)
    values = np.concatenate([work, np.ones(edge.size + mine.size), drawn])
    matrix = sparse.csc_array((values, (rows, columns)), shape=(int(starts[4]), job.size))

    limits = [_worker_slots(instance, kinds, capacity // span, capacity % span, block), chunks[at_once // span] * block]
    upper = np.concatenate([np.full(jobs, np.inf), *limits, np.zeros(pools.size)])
    lower = np.concatenate([chunks * takes[:, 0], np.full(int(starts[4]) - jobs, -np.inf)])
    return ClassLP(kinds, job, kind, pool, slot, costs, matrix, lower, upper, capacity // span, capacity % span)


def _worker_slots(instance: Instance, kinds: np.ndarray, kind: np.ndarray, slot: np.ndarray, block: int) -> np.ndarray:
    """Return the worker-slots of kinds in blocks of slots, without breaks."""
    count = np.bincount(kinds, [q.count for q in instance.classes])
    if not instance.breaks:
        result: np.ndarray = count[kind] * block
        return result
    one_of_each = np.unique(kinds, return_index=True)[1]
    open_in = 1.0 - in_breaks(instance, (instance.horizon // block + 1) * block)[one_of_each]
    by_block = open_in.reshape(len(one_of_each), -1, block).sum(axis=2)
    result = count[kind] * by_block[kind, slot]
    return result


def size_of(instance: Instance, speed: Fraction) -> int:
    """Return the number of columns of the class LP, without building it."""
    table = _parts(instance, kinds_and_ways(instance)[1], speed)
    return int((table[:, 4] - table[:, 3] + 1).sum())


def _parts(instance: Instance, ways_of: list[Ways], speed: Fraction) -> np.ndarray:
    """Return the parts of the columns, shape (parts, 5).

    A part has a job or -1, a kind or a code, a pool or -1, and its first and last slot.
    """
    keys = [tuple(sorted(k for k, _ in ways)) for ways in ways_of]
    sharing = Counter(keys)
    numbers: dict[tuple[int, ...], int] = {}
    ranges: dict[int, tuple[int, int]] = {}  # pool -> first and last slot in which a job draws from it
    parts: list[tuple[int, int, int, int, int]] = []
    for job, ways, key in zip(instance.jobs, ways_of, keys, strict=True):
        last = instance.last_slot(job, speed=speed)
        landed = max((job.arrival + delay for _, delay in ways), default=0)
        shares = sharing[key] * len(key) > sharing[key] + len(key)
        if shares and landed <= last:
            pool = numbers.setdefault(key, len(numbers))
            parts.append((job.index, POOL, pool, landed, last))
            low, high = ranges.get(pool, (landed, last))
            ranges[pool] = (min(low, landed), max(high, last))
        for k, delay in ways:
            parts.append((job.index, k, -1, job.arrival + delay, min(last, landed - 1) if shares else last))
        cloud = instance.cloud_delay(job)
        if cloud is not None:
            parts.append((job.index, CLOUD, -1, job.arrival + cloud, last))
    for key, pool in numbers.items():
        parts += [(-1, k, pool, *ranges[pool]) for k in key]
    table = np.array(parts, dtype=np.int64).reshape(-1, 5)
    return table[table[:, 4] >= table[:, 3]]


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
    edge, cloud = _use(lp, handle.point, instance)
    job, place = [job.name for job in instance.jobs], [(q.server.name, q.type) for q in instance.classes]
    values: dict[str, dict[Any, float]] = {
        "class_use.edge": {(job[j], *place[q], t): y for (j, q, t), y in edge.items()},
        "class_use.cloud": {(job[j], t): y for (j, t), y in cloud.items()},
    }
    return replace(outcome, objective=float(lp.costs @ handle.point), values=values)


Stock = dict[int, float]  # workers left, by kind or class


def _use(
    lp: ClassLP, point: np.ndarray, instance: Instance
) -> tuple[dict[tuple[int, int, int], float], dict[tuple[int, int], float]]:
    edge: dict[tuple[int, int, int], float] = defaultdict(float)
    cloud: dict[tuple[int, int], float] = {}
    of_kind: list[Stock] = [{} for _ in range(lp.kinds.max(initial=-1) + 1)]
    for q, k in zip(instance.classes, lp.kinds.tolist(), strict=True):
        of_kind[k][q.index] = q.count
    pools: dict[tuple[int, int], Stock] = defaultdict(dict)
    classes: dict[tuple[int, int], Stock] = {}
    used = np.flatnonzero(point > 1e-9)
    columns = [c[used].tolist() for c in (lp.job, lp.kind, lp.pool, lp.slot, point)]
    for j, k, pool, t, y in zip(*columns, strict=True):
        if j < 0:
            pools[pool, t][k] = y
    for j, k, pool, t, y in zip(*columns, strict=True):
        if j >= 0 and k == CLOUD:
            cloud[j, t] = y
        elif j >= 0:
            for some, part in _taken(pools[pool, t], y) if k == POOL else [(k, y)]:
                for one, share in _taken(classes.setdefault((some, t), dict(of_kind[some])), part):
                    edge[j, one, t] += share
    return edge, cloud


def _taken(stock: Stock, amount: float) -> list[tuple[int, float]]:
    """Take an amount from a stock; return the parts, by kind or class."""
    parts = []
    for key in list(stock):
        part = min(amount, stock[key])
        parts.append((key, part))
        amount -= part
        stock[key] -= part
        if stock[key] > 0:
            break
        del stock[key]
    return parts
