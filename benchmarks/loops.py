"""SRTF as one compiled loop over arrays, written for comparison; it checks nothing and reads no instance file.

The chunks of a job are pinned to the workers with the least work, or float: then a job starts on any free workers.
"""

from __future__ import annotations

from importlib.util import find_spec
from time import process_time
from typing import Any, NamedTuple

import numpy as np

MISSING = "" if find_spec("numba") else "numba is not installed: `pip install numba` adds the compiled loops"
if not MISSING:
    from numba import njit

    compiled = njit(cache=True)
else:

    def compiled(function: Any) -> Any:
        """Return the function itself; no row uses it."""
        return function


class Ran(NamedTuple):
    """A run of the loop: processor seconds, total JCT, and (job, worker, start, end) if chunks are pinned."""

    seconds: float
    total: int
    spans: np.ndarray


def srtf(instance: Any, pinned: bool) -> Ran:
    """Return the run of SRTF on workers that are all alike."""
    jobs = instance.jobs
    rows = [(j.arrival, j.arrival + instance.qualified(j)[0][1], j.slots(), j.chunks) for j in jobs]
    arrival, landing, slots, chunks = np.array(rows, dtype=np.int64).T.copy()
    workers = sum(group.count for group in instance.classes)
    loop(arrival[:1], landing[:1], slots[:1], chunks[:1], workers, pinned)  # compiles
    began = process_time()
    total, spans = loop(arrival, landing, slots, chunks, workers, pinned)
    return Ran(process_time() - began, int(total), spans)


@compiled
def held(j: int, left: int, slots: Any, first: Any, width: Any, many: Any) -> tuple[int, int]:
    """Return the first and last entry of a job's workers with an unfinished chunk; entries by falling `many`."""
    low = first[j]
    gone = many[low] - -(-left // slots[j])
    high = low
    while high < low + width[j] and many[high] > gone:
        high += 1
    return low, high


@compiled
def loop(arrival: Any, landing: Any, slots: Any, chunks: Any, workers: int, pinned: bool) -> Any:
    """Return the total JCT and the spans."""
    jobs, total = arrival.size, 0
    by_arrival, by_landing = np.argsort(arrival, kind="mergesort"), np.argsort(landing, kind="mergesort")
    first = np.cumsum(chunks) - chunks
    where, many = np.zeros(chunks.sum(), np.int64), np.zeros(chunks.sum(), np.int64)
    width, left, since = np.zeros(jobs, np.int64), slots.copy(), np.full(jobs, -1)
    work, taken, chosen = np.zeros(workers, np.int64), np.zeros(workers, np.int64), np.zeros(jobs, np.int64)
    line, count = np.zeros(jobs, np.int64), 0  # landed jobs, by shortest remaining time
    spans = [(0, 0, 0, 0) for _ in range(0)]
    now, arrived, landed, event = 0, 0, 0, 0
    while landed < jobs or count:
        event += 1
        until = 1 << 60
        if landed < jobs:
            until = landing[by_landing[landed]]
        if arrived < jobs:
            until = min(until, arrival[by_arrival[arrived]])
        for j in line[:count]:
            if since[j] >= 0:
                until = min(until, now + (left[j] - 1) % slots[j] + 1)
        passed, now = until - now, until
        for j in line[:count]:
            if since[j] >= 0:
                if pinned:
                    low, high = held(j, left[j], slots, first, width, many)
                    for w in where[low:high]:
                        work[w] -= passed
                left[j] -= passed
        while arrived < jobs and arrival[by_arrival[arrived]] == now:
            j = by_arrival[arrived]
            arrived += 1
            if pinned:
                low = first[j]
                for _ in range(chunks[j]):
                    w = work.argmin()
                    work[w] += slots[j]
                    k = low
                    while k < low + width[j] and where[k] != w:
                        k += 1
                    if k == low + width[j]:
                        width[j] += 1
                        where[k] = w
                    many[k] += 1
                    while k > low and many[k - 1] < many[k]:
                        where[k - 1], where[k] = where[k], where[k - 1]
                        many[k - 1], many[k] = many[k], many[k - 1]
                        k -= 1
                left[j] = slots[j] * many[low]
        while landed < jobs and landing[by_landing[landed]] == now:
            line[count] = by_landing[landed]
            count += 1
            landed += 1
        for n in range(1, count):  # almost sorted
            j, k = line[n], n
            key = left[j], since[j] < 0, arrival[j], j
            while k and (left[line[k - 1]], since[line[k - 1]] < 0, arrival[line[k - 1]], line[k - 1]) > key:
                line[k] = line[k - 1]
                k -= 1
            line[k] = j
        room = workers
        for j in line[:count]:
            if room == 0:
                break
            if left[j] == 0:
                continue
            if pinned:
                low, high = held(j, left[j], slots, first, width, many)
                fits = True
                for w in where[low:high]:
                    fits = fits and taken[w] != event
                if not fits:
                    continue
                for w in where[low:high]:
                    taken[w] = event
                room -= high - low
            elif chunks[j] > room:
                continue
            else:
                room -= chunks[j]
            chosen[j] = event
        kept = 0
        for j in line[:count]:
            if since[j] >= 0 and (chosen[j] != event or left[j] % slots[j] == 0):
                if pinned:
                    low, high = held(j, left[j] + passed, slots, first, width, many)
                    for w in where[low:high]:
                        spans.append((j, w, since[j], now))
                since[j] = -1
            if chosen[j] == event and since[j] < 0:
                since[j] = now
            if left[j]:
                line[kept] = j
                kept += 1
            else:
                total += now - arrival[j]
        count = kept
    table = np.zeros((len(spans), 4), np.int64)
    for n in range(len(spans)):
        table[n] = spans[n]
    return total, table
