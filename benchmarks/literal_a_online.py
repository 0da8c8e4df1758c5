"""Algorithms 1-4 of paper 000 to the letter: a loop over slots, and every list gone through for every Q.

The peer of the event-driven policy, and no more than that: plain Python, y as a set of slots for each chunk, static
order, (5) as printed with the readings of the default policy. Its total JCT must equal the policy's.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any


@dataclass
class Chunk:
    """One data chunk on one worker."""

    job: int
    number: int
    chunks: int  # D_j
    slots: int  # E_j B_j / n_j
    lands: int
    left: int
    trained: list[int] = field(default_factory=list)  # the slots t with y_jdsw(t) = 1


def first_landed(queue: list[Chunk], t: int) -> Chunk | None:
    """HAPRF: the landed chunk of the highest rate; the queue is kept in that order."""
    for chunk in queue:
        if chunk.left > 0 and chunk.lands <= t:
            return chunk
    return None


def calculate_q(queue: list[Chunk], now: int, chunks: int, slots: int, delay: int) -> Fraction:
    """Alg. 3: run a copy of the worker slot by slot until the chunk lands, then add the four terms of (5)."""
    copy = [Chunk(c.job, c.number, c.chunks, c.slots, c.lands, c.left) for c in queue]
    for t in range(now, now + delay):
        if (chunk := first_landed(copy, t)) is not None:
            chunk.left -= 1
    pending = [c for c in copy if c.left > 0]
    waiting = sum(c.left for c in pending if c.chunks * c.slots <= chunks * slots)
    postponed = sum((Fraction(1, c.chunks) for c in pending if c.chunks * c.slots > chunks * slots), Fraction(0))
    return Fraction(delay + waiting + slots, chunks) + slots * postponed


def run(instance: Any) -> int:
    """Alg. 1 and 2; returns the total JCT in slots."""
    workers = [(q, number) for q in instance.classes for number in range(q.count)]
    queues: list[list[Chunk]] = [[] for _ in workers]
    arrivals: dict[int, list[Any]] = {}
    for job in instance.jobs:
        arrivals.setdefault(job.arrival, []).append(job)
    completion: dict[int, int] = {}
    left = sum(job.chunks for job in instance.jobs)
    t = 0
    while left:
        for job in arrivals.get(t, ()):
            left -= dispatch(instance, job, t, workers, queues, completion)
        for queue in queues:
            chunk = first_landed(queue, t)
            if chunk is None:
                continue
            chunk.trained.append(t)
            chunk.left -= 1
            if chunk.left == 0:
                queue.remove(chunk)
                completion[chunk.job] = max(completion.get(chunk.job, 0), t + 1)
                left -= 1
        t += 1
    return sum(completion[job.index] - job.arrival for job in instance.jobs)


def dispatch(
    instance: Any, job: Any, now: int, workers: list[Any], queues: list[list[Chunk]], completion: dict[int, int]
) -> int:
    """Alg. 2 for one job; returns how many of its chunks went to the cloud (they need no slots here)."""
    delay = [job.delay(q.server) if q.type in job.worker_types else None for q, _ in workers]
    prices = {w: calculate_q(queues[w], now, job.chunks, job.slots(), d) for w, d in enumerate(delay) if d is not None}
    cloud = instance.cloud_delay(job)
    in_cloud = 0
    for number in range(job.chunks):
        best = min(prices, key=lambda w: (prices[w], w), default=None)
        takes = job.slots(in_cloud=number == 0)
        if cloud is not None and (best is None or Fraction(cloud + takes, job.chunks) < prices[best]):
            completion[job.index] = max(completion.get(job.index, 0), now + cloud + takes)
            if number == 0:
                return int(job.chunks)
            in_cloud += 1
            continue
        upload = delay[best]
        queue = queues[best]
        rate = job.chunks * job.slots()
        position = next((i for i, c in enumerate(queue) if c.chunks * c.slots > rate), len(queue))
        queue.insert(position, Chunk(job.index, number, job.chunks, job.slots(), now + upload, job.slots()))
        prices[best] = calculate_q(queue, now, job.chunks, job.slots(), upload)
    return in_cloud
