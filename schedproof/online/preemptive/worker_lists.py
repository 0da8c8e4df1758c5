"""Every edge worker's ordered list of pending chunks, in exact arithmetic.

`kernels` has the loops; this class holds their arrays, and switches to Python integers if 63 bits do not suffice.

Versions of this algorithm: docs/architecture.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import NamedTuple

import numpy as np

from schedproof.core.base.untyped import Compiled, Loaded
from schedproof.online.preemptive import kernels
from schedproof.online.preemptive.exact_growth import growth
from schedproof.online.preemptive.kernels import Chunks, Lists, New

LARGEST_PRODUCT = 2**62  # no integer product of the kernels may leave the 63 bits of int64
NOWHERE = -1


class Chunk(NamedTuple):
    """A chunk to be placed.

    Attributes
    ----------
    slots
        The training time p.
    spread
        The number D of the job's chunks; chunks run in the order of D times the remaining slots.
    weight
        The weight w = 1/D of the chunk's delay, at most 1.
    """

    slots: int
    spread: int
    weight: Fraction


class WorkerLists:
    """The lists of all edge workers, in class order (server, type, number).

    Parameters
    ----------
    counts
        Workers of each class, shape (classes,).
    residual
        Whether a chunk's rate is 1/(D p_hat), for its remaining slots p_hat, rather than 1/(D p).
    exact_growth
        Whether prices are the exact growth of sum (C - r)/D rather than the estimate (5).
    restart
        The slots without progress after an interruption of a chunk.
    """

    def __init__(self, counts: np.ndarray, residual: bool, exact_growth: bool, restart: int = 0) -> None:
        self.place = np.repeat(np.arange(counts.size), counts)
        self.workers = self.place.size
        self._residual, self._exact_growth, self._restart = residual, exact_growth, restart
        self._compiled = True
        self.scale = 1  # L, a common multiple of the denominators of all weights so far: prices are in units of 1/L
        self._now = 0
        self._space = np.full(self.workers, 4)  # capacity of each worker's slice of the pool
        self._home = np.arange(self.workers) * 4  # where the slice starts
        self._used = 4 * self.workers
        self._lists = Lists(
            self._home.astype(np.int64), np.zeros(self.workers, dtype=np.int64), *_columns(3, self._used)
        )
        self._chunks = Chunks(*_columns(len(Chunks._fields), 64))
        self._running = np.full(self.workers, NOWHERE)
        self._placed = 0
        self._latest = 0  # the latest landing so far
        self._most_time = self._most_weight = 0  # upper bounds over all lists
        self._events = np.zeros((64, 4), dtype=np.int64)
        self._scratch = tuple(np.zeros(64, dtype=np.int64) for _ in range(3))
        self._cost = np.empty(self.workers, dtype=np.int64)  # by `kernels.dispatch`

    def advance(self, until: int) -> np.ndarray:
        """Run all workers up to ``until``.

        Returns rows (time, chunk number, worker, is start).
        """
        self._events = _with_room(self._events, 4 * int(self._lists.size.sum()) + 2 * self.workers)
        run = self._kernel(kernels.advance)
        lists = self._lists, self._chunks, self._running, self._events
        filled = run(self._now, until, self._residual, self._restart, *lists, 0)
        self._now = until
        self._most_time += filled * self._restart
        return np.array(self._events[:filled], dtype=np.int64)

    def price(
        self,
        chunk: Chunk,
        delay: np.ndarray,
        only: int | None = None,
        cost: Compiled = None,
        enough: int = 0,
        count: int = 1,
    ) -> np.ndarray:
        """Return L Q of one more chunk by worker, in integers; -1 if not qualified.

        Parameters
        ----------
        only
            The single worker to price, if given.
        delay
            Upload delay by class in slots, -1 if the class cannot train the job.
        cost
            The array to update, from an earlier call for the same job; a new one otherwise.
        enough
            After this many workers with the least possible price of (5) the others are skipped and get -1; 0: price
            all.
        count
            The number of such chunks to be placed.
        """
        if cost is None:
            self._widen([chunk], chunk.slots * count + int(delay.max(initial=0)), count)
            cost = np.full(self.workers, -1, dtype=np.int64 if self._compiled else object)
        low, high = (0, self.workers) if only is None else (only, only + 1)
        wait = delay if self._compiled else delay.astype(object)
        new = New(self._now, chunk.slots, chunk.spread, self._counts(chunk), wait, enough)
        kernel = self._kernel(growth if self._exact_growth else kernels.price)
        kernel(low, high, new, self._residual, self.place, self._lists, self._chunks, self._scratch, cost)
        return cost

    def ask(self, kernel: Compiled, chunk: Chunk, count: int, delay: np.ndarray, *more: Loaded) -> Loaded:
        """Call a kernel for ``count`` new chunks."""
        self._widen([chunk], chunk.slots * count + int(delay.max(initial=0)), count)
        new = New(self._now, chunk.slots, chunk.spread, self._counts(chunk), delay, 0)
        return self._kernel(kernel)(new, self.place, self._lists, self._chunks, *more)

    def place_chunk(self, worker: int, chunk: Chunk, delay: int) -> int:
        """Dispatch one chunk to a worker; return its number in order of placement, from 0."""
        number = self._placed
        if number == self._chunks.remaining.size:
            self._chunks = Chunks(*_longer(self._chunks, number + 1))
        slots, spread, _ = chunk
        values = Chunks(slots, spread * slots, self._counts(chunk), self._now + delay, spread, 0)
        for column, value in zip(self._chunks, values, strict=True):
            column[number] = value
        self._make_room(worker)
        self._kernel(kernels.insert)(worker, number, self._lists, self._chunks)
        head = self._lists.begin[worker]
        self._most_time = max(self._most_time, int(self._lists.tail_time[head]))
        self._most_weight = max(self._most_weight, int(self._lists.tail_weight[head]))
        self._placed += 1
        self._latest = max(self._latest, self._now + delay)
        return number

    def dispatch(
        self,
        kernel: Compiled,
        chunks: Sequence[Chunk],
        rows: Sequence[tuple[int, ...]],
        delays: np.ndarray,
        *more: Loaded,
    ) -> tuple[np.ndarray, np.ndarray] | None:
        """Place all chunks of jobs in order of arrival, and run the workers up to it.

        The result equals that of the methods for one chunk, called one by one.

        Parameters
        ----------
        kernel
            `kernels.dispatch`, or a kernel with the same arguments and ``more``.
        chunks
            One of each job.
        rows
            For each job its arrival, the number of chunks, its row of ``delays``, and the rest of a row of
            `kernels.dispatch`.
        delays
            As for the kernel.

        Returns
        -------
        arrays or None
            Rows of worker (-1: the cloud) and L Q, one for each chunk in order, until no worker can take a chunk, and
            the rows of `advance`. If prices are exact growths or 63 bits do not suffice, nothing is done, and the
            result is None.
        """
        count, longest, pending = sum(row[1] for row in rows), int(delays.max(initial=0)), int(self._lists.size.sum())
        self._latest = max(self._latest, rows[-1][0] + longest)
        most = sum(chunk.slots * row[1] for chunk, row in zip(chunks, rows, strict=True)) + longest
        most += self._restart * (pending + count)  # a chunk interrupts at most once, when it lands
        if self._exact_growth or not self._fits(chunks, most, count):
            return None
        self._rescale(chunks)
        jobs = np.array(
            [
                (arrival, chunk.slots, chunk.spread, number, self._counts(chunk), *where)
                for chunk, (arrival, number, *where) in zip(chunks, rows, strict=True)
            ],
            dtype=np.int64,
        )
        self._chunks = Chunks(*_longer(self._chunks, self._placed + count))
        out = np.empty((count, 2), dtype=np.int64)
        state = np.array([0, 0, self._placed, 0, self._most_time, self._most_weight, 0, self._now, 0], dtype=np.int64)
        answer = kernels.MORE_EVENTS
        while answer not in (kernels.END, kernels.NO_WORKER):
            if answer == kernels.MORE_EVENTS:
                needed = int(state[8]) + 4 * int(self._lists.size.sum()) + 2 * self.workers
                self._events = _with_room(self._events, needed)
            else:
                self._make_room(answer)
            about = jobs, delays, self._residual, self._restart, self.place, self._lists, self._chunks, self._running
            pool = self._home, self._space, state, out, self._events, self._scratch, self._cost
            answer = kernel(*about, *pool, *more)
        _, _, self._placed, filled, self._most_time, self._most_weight, _, self._now, ran = state.tolist()
        return out[:filled], self._events[:ran].copy()

    def done(self, chunk: int) -> bool:
        return bool(self._chunks.remaining[chunk] == 0)

    def _kernel(self, compiled: Compiled) -> Compiled:
        return compiled if self._compiled else compiled.py_func

    def _counts(self, chunk: Chunk) -> int:
        return self.scale // chunk.weight.denominator * chunk.weight.numerator

    def _widen(self, chunks: Sequence[Chunk], more: int, count: int) -> None:
        """Extend L to new weights' denominators; use Python integers before an overflow.

        Parameters
        ----------
        chunks
            One of each job.
        more, count
            The largest time that new chunks add to a list, upload included, and the number of new chunks.
        """
        if self._compiled and not self._fits(chunks, more, count):
            self._compiled = False
            pool = (column.astype(object) for column in self._lists[2:])  # the lists' positions remain int64
            self._lists = Lists(*self._lists[:2], *pool)
            self._chunks = Chunks(*(column.astype(object) for column in self._chunks))
            self._running, self._events = self._running.astype(object), self._events.astype(object)
            self._scratch = tuple(column.astype(object) for column in self._scratch)
        self._rescale(chunks)

    def _fits(self, chunks: Sequence[Chunk], more: int, count: int) -> bool:
        """Whether 63 bits suffice for new chunks; arguments as for `_widen`."""
        factor, spread, lists = self._factor(chunks), max(chunk.spread for chunk in chunks), self._lists
        if self._compiled and self._reach(more, count, spread, factor) >= LARGEST_PRODUCT:
            heads = lists.begin[lists.size > 0]
            self._most_time = int(lists.tail_time[heads].max(initial=0))
            self._most_weight = int(lists.tail_weight[heads].max(initial=0))
        return self._compiled and self._reach(more, count, spread, factor) < LARGEST_PRODUCT

    def _factor(self, chunks: Sequence[Chunk]) -> int:
        return lcm(self.scale, *{chunk.weight.denominator for chunk in chunks}) // self.scale

    def _rescale(self, chunks: Sequence[Chunk]) -> None:
        if (factor := self._factor(chunks)) > 1:
            self.scale *= factor
            self._most_weight *= factor
            for weights in (self._chunks.weight, self._lists.tail_weight):
                weights *= factor

    def _reach(self, more: int, count: int, spread: int, factor: int) -> int:
        longest = 2 * (self._most_time + more + self._latest + 1)
        return longest * max(spread, factor * (self._most_weight + self.scale * (count + 1)))

    def _make_room(self, worker: int) -> None:
        begin, size = int(self._lists.begin[worker]), int(self._lists.size[worker])
        home, space = int(self._home[worker]), int(self._space[worker])
        if size + 1 >= self._scratch[0].size:  # `growth` needs one entry more than the longest list
            self._scratch = tuple(_with_room(column, size + 2) for column in self._scratch)
        if begin + size < home + space:
            return
        if 2 * size > space:
            home, self._space[worker] = self._used, 2 * space
            self._used += 2 * space
            self._lists = Lists(*self._lists[:2], *_longer(self._lists[2:], self._used))
            self._home[worker] = home
        for column in self._lists[2:]:
            column[home : home + size] = column[begin : begin + size].copy()
        self._lists.begin[worker] = home


def cheapest(cost: np.ndarray) -> int | None:
    """Return the first worker of least price; entries of -1 are no prices."""
    if cost.dtype == np.int64 and cost.size:
        first = int(np.argmin(cost.view(np.uint64)))  # where -1 is larger than any price
        return first if cost[first] >= 0 else None
    able = np.flatnonzero(cost >= 0)
    return int(able[np.argmin(cost[able])]) if able.size else None


def _columns(count: int, rows: int, kind: Loaded = np.int64) -> list[np.ndarray]:
    return list(np.zeros((rows, count), dtype=kind).T)


def _longer(columns: Sequence[np.ndarray], needed: int) -> Sequence[np.ndarray]:
    rows = columns[0].size
    if needed <= rows:
        return columns
    larger = _columns(len(columns), max(needed, 2 * rows), columns[0].dtype)
    for new, old in zip(larger, columns, strict=True):
        new[:rows] = old
    return larger


def _with_room(column: np.ndarray, needed: int) -> np.ndarray:
    if needed <= column.shape[0]:
        return column
    larger = np.zeros((max(needed, 2 * column.shape[0]), *column.shape[1:]), dtype=column.dtype)
    larger[: column.shape[0]] = column
    return larger
