"""Algorithms 1-4 of paper 000 to the letter: y and beta slot by slot, every list gone through for every Q.

The peer of the event-driven policy, and no more than that: plain Python, static order, (5) with the readings of the
default policy. Its total JCT must equal the policy's.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any


@dataclass
class Chunk:
    """One data chunk on one worker; ``trained`` are the slots t with y_jdsw(t) = 1, past and planned."""

    job: int
    chunks: int  # D_j
    slots: int  # E_j B_j / n_j
    lands: int
    trained: list[int] = field(default_factory=list)

    def left(self, t: int) -> int:
        """Remaining slots at t."""
        return len(self.trained) - bisect_left(self.trained, t)


Worker = list[Chunk]  # its chunks in HAPRF order, unfinished ones and, until they are dropped, finished ones
Rents = dict[int, Fraction]  # slot -> beta_sw(t)


def calculate_q(worker: Worker, now: int, chunks: int, slots: int, delay: int) -> Fraction:
    """Alg. 3: the four terms of (5), each sum over all chunks that are pending when the new one lands."""
    waiting, postponed = 0, Fraction(0)
    for chunk in worker:
        left = chunk.left(now + delay)
        if left and chunk.chunks * chunk.slots <= chunks * slots:
            waiting += left
        elif left:
            postponed += Fraction(1, chunk.chunks)
    return Fraction(delay + waiting + slots, chunks) + slots * postponed


def update_variables(worker: Worker, rents: Rents, chunk: Chunk, now: int) -> None:
    """Alg. 4: plan the new chunk's slots, postpone those that it preempts slot by slot, raise beta."""
    worker[:] = [c for c in worker if c.left(now)]
    rate = chunk.chunks * chunk.slots
    worker.insert(next((i for i, c in enumerate(worker) if c.chunks * c.slots > rate), len(worker)), chunk)
    missing = {id(c): c.left(now) for c in worker}
    missing[id(chunk)] = chunk.slots
    for c in worker:
        del c.trained[bisect_left(c.trained, now) :]
    t = now
    while any(missing.values()):
        for c in worker:
            if missing[id(c)] and c.lands <= t:
                c.trained.append(t)
                missing[id(c)] -= 1
                break
        t += 1
    for t in range(now, chunk.trained[-1] + 1):
        rents[t] = rents.get(t, Fraction(0)) + Fraction(1, chunk.chunks)


def run(instance: Any) -> int:
    """Alg. 1; returns the total JCT in slots."""
    classes = [q for q in instance.classes for _ in range(q.count)]
    workers: list[Worker] = [[] for _ in classes]
    rents: list[Rents] = [{} for _ in classes]
    placed: list[Chunk] = []
    completion: dict[int, int] = {}
    arriving: dict[int, list[Any]] = {}
    for job in instance.jobs:
        arriving.setdefault(job.arrival, []).append(job)
    for t in range(max(arriving) + 1):
        for job in arriving.get(t, ()):
            dispatch(instance, job, t, classes, workers, rents, placed, completion)
    for chunk in placed:
        completion[chunk.job] = max(completion.get(chunk.job, 0), chunk.trained[-1] + 1)
    return sum(completion[job.index] - job.arrival for job in instance.jobs)


def dispatch(
    instance: Any,
    job: Any,
    now: int,
    classes: list[Any],
    workers: list[Worker],
    rents: list[Rents],
    placed: list[Chunk],
    completion: dict[int, int],
) -> None:
    """Alg. 2 for one job."""
    delay = [job.delay(q.server) if q.type in job.worker_types else None for q in classes]
    prices = {w: calculate_q(workers[w], now, job.chunks, job.slots(), d) for w, d in enumerate(delay) if d is not None}
    cloud = instance.cloud_delay(job)
    for number in range(job.chunks):
        best = min(prices, key=lambda w: (prices[w], w), default=None)
        takes = job.slots(in_cloud=number == 0)
        if best is None or (cloud is not None and Fraction(cloud + takes, job.chunks) < prices[best]):
            completion[job.index] = now + cloud + takes
            if number == 0:
                return
            continue
        upload = delay[best]
        chunk = Chunk(job.index, job.chunks, job.slots(), now + upload)
        update_variables(workers[best], rents[best], chunk, now)
        placed.append(chunk)
        prices[best] = calculate_q(workers[best], now, job.chunks, job.slots(), upload)
