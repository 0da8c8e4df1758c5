"""Progress of a job in the best-schedule sweep: whole units, or pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Literal

import numpy as np

from schedproof.core.base.numbers import ceil
from schedproof.core.errors import ProgramError
from schedproof.instances.dmlrs.job import Job
from schedproof.relaxations.dmlrs.slot_table import SlotTable
from schedproof.relaxations.dmlrs.sweep_kernels import forward, forward_pairs

Fineness = int | Literal["exact"]
INTERNAL, EXTERNAL = 0, 1  # kinds of workers, along the axes of length 2
MOST_ENTRIES = 8 * 10**7  # limit on a sweep's entries, 8 bytes each


def rate_ratio(job: Job) -> Fraction:
    """Return rho = c_e/c_i: so many external workers equal an internal worker."""
    return job.external_time / job.internal_time


@dataclass(frozen=True, eq=False)
class Costs:
    """The distinct tables of a job's slots.

    Attributes
    ----------
    rows
        A(n) and B(n) of each table, shape (tables, 2, F + 1).
    table
        The table of each slot, shape (slots,).
    most
        The most internal and external workers of each slot, shape (slots, 2).
    """

    rows: np.ndarray
    table: np.ndarray
    most: np.ndarray

    @classmethod
    def of(cls, job: Job, tables: Sequence[SlotTable]) -> Costs:
        distinct = list({id(table): table for table in tables}.values())
        number = {id(table): n for n, table in enumerate(distinct)}
        rows = np.array([[table.internal, table.external] for table in distinct], dtype=float)
        rows = rows.reshape(-1, 2, job.batch_size + 1)
        table = np.array([number[id(table)] for table in tables], dtype=np.int64)
        return cls(rows, table, np.isfinite(rows).sum(axis=2)[table] - 1)


class Line:
    """Progress as a number of units, rounded slot by slot; a state is such a number.

    Attributes
    ----------
    gains
        The units of 0, ..., F internal and external workers.
    need
        The units that complete the job.
    """

    def __init__(self, job: Job, costs: Costs, fineness: int, *, up: bool) -> None:
        (top, bottom), counts = (fineness * rate_ratio(job)).as_integer_ratio(), range(job.batch_size + 1)
        self.costs = costs
        self.gains = [(n * top + up * (bottom - 1)) // bottom for n in counts], [n * fineness for n in counts]
        self.need = ceil(fineness * job.work * job.external_time)
        self.pad = max(self.gains[INTERNAL][-1], self.gains[EXTERNAL][-1])
        self.entries = (len(costs.table) + 1) * (self.pad + self.need + 1)

    def sweep(self, keep: bool = True) -> np.ndarray:
        """Return the least cost within each number of slots; ``keep`` allows backtracking."""
        slots = len(self.costs.table)
        limit = sum(max(self.gains[INTERNAL][a], self.gains[EXTERNAL][b]) for a, b in self.costs.most.tolist())
        if limit < self.need:  # a job that cannot finish needs no memory, however large its numbers
            return np.full(slots, np.inf)
        _affordable(self.entries if keep else self.entries // max(1, slots) * 2)
        self.rows = np.full((slots + 1 if keep else 2, self.pad + self.need + 1), np.inf)
        self.rows[:, : self.pad + 1] = 0.0  # D_t(v) is entry v + pad
        self.steps, best = np.array(self.gains, dtype=np.int64), np.empty(slots)
        first, gain, cost = options(self.steps, self.costs.rows)
        largest = np.append(gain, 0)[first[:-1]] * (np.diff(first) > 0)
        slot, last = largest[self.costs.table], np.int64(self.need)
        within = np.minimum(last, np.cumsum(slot))  # the largest v with a finite D_t(v)
        useful = np.maximum(1, last - np.append(np.cumsum(slot[:0:-1])[::-1], 0))  # no later slot can need less
        forward(first, gain, cost, self.costs.table, self.pad + useful, self.pad + within + 1, self.rows, best)
        return best

    def end(self, slots: int) -> int:
        return self.need

    def value(self, slots: int, state: int) -> float:
        return float(self.rows[slots, self.pad + state])

    def ways(self, slots: int, state: int) -> np.ndarray:
        before = self.pad + np.maximum(state - self.steps, 0)
        return self.rows[slots - 1][before] + self.costs.rows[self.costs.table[slots - 1]]

    def before(self, state: int, kind: int, workers: int) -> int:
        return max(0, state - self.gains[kind][workers])


class Pairs:
    """Progress as a state (a, b): the internal and external worker-slots."""

    def __init__(self, job: Job, costs: Costs) -> None:
        self.costs, self.pad = costs, job.batch_size
        limit = costs.most.sum(axis=0).tolist()
        last = [min(n, ceil(job.work * c)) for n, c in zip(limit, (job.internal_time, job.external_time), strict=True)]
        missing = [ceil((job.work - a / job.internal_time) * job.external_time) for a in range(last[INTERNAL] + 1)]
        self.done = [(a, max(0, b)) for a, b in enumerate(missing) if b <= last[EXTERNAL]]
        self.shape = (len(costs.table) + 1, last[INTERNAL] + 1, self.pad + last[EXTERNAL] + 1)
        self.entries = prod(self.shape)

    def sweep(self) -> np.ndarray:
        if not self.done:
            return np.full(len(self.costs.table), np.inf)
        _affordable(self.entries)
        self.rows = np.empty(self.shape)
        forward_pairs(self.costs.rows, self.costs.table, self.pad, self.rows)
        a, b = np.array(self.done, dtype=np.int64).T
        ends = self.rows[1:, a, self.pad + b]
        self.chosen = ends.argmin(axis=1)
        return ends.min(axis=1)

    def end(self, slots: int) -> tuple[int, int]:
        """Return the cheapest final state; on ties, that with the fewest internal workers."""
        return self.done[self.chosen[slots - 1]]

    def value(self, slots: int, state: tuple[int, int]) -> float:
        return float(self.rows[slots, state[0], self.pad + state[1]])

    def ways(self, slots: int, state: tuple[int, int]) -> np.ndarray:
        (a, b), n, row = state, np.arange(self.pad + 1), self.rows[slots - 1]
        before = np.stack([row[np.maximum(a - n, 0), self.pad + b], row[a, self.pad + np.maximum(b - n, 0)]])
        return before + self.costs.rows[self.costs.table[slots - 1]]

    def before(self, state: tuple[int, int], kind: int, workers: int) -> tuple[int, int]:
        a, b = state
        return (max(0, a - workers), b) if kind == INTERNAL else (a, max(0, b - workers))


def _affordable(entries: int) -> None:
    if entries > MOST_ENTRIES:
        raise ProgramError(
            f"a best-schedule sweep needs {entries} states, too many for memory: choose a smaller fineness=K"
        )


def options(gains: np.ndarray, costs: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return each table's undominated options (first, gain, cost) by decreasing gain.

    Table n's options are first[n] to first[n + 1].

    Parameters
    ----------
    gains
        Progress of 0, ..., F workers at the internal and external rate, shape (2, F + 1), int64, not decreasing.
    costs
        Costs of these workers, shape (tables, 2, F + 1), float64; inf for an infeasible option.
    """
    order = np.argsort(-gains, axis=None)[: np.count_nonzero(gains > 0)]
    gain, begin = np.unique(-gains.ravel()[order], return_index=True)
    least = np.minimum.reduceat(costs.reshape(-1, gains.size)[:, order], begin, axis=1)  # of all options of a gain
    larger = np.minimum.accumulate(least, axis=1)
    kept = least < np.insert(larger[:, :-1], 0, np.inf, axis=1)
    return np.append(0, np.cumsum(kept.sum(axis=1))), np.broadcast_to(-gain, kept.shape)[kept], least[kept]
