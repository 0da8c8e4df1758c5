"""Jobs on one server's workers with restarts, and their least total JCT by enumeration."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product

from schedproof.instances.preemptive import Instance, Job
from tests.tiny.preemptive import instance_of, job

Chunk = tuple[int, int, bool]  # slots of training left, slots of restart left, whether it ran in the last slot


def few_jobs(seed: int, restart: int) -> Instance:
    rng = random.Random(seed)
    rows = [
        job(f"j{n}", arrival=rng.randrange(4), chunks=rng.choice([1, 1, 2]), minibatch_time=rng.randrange(1, 5))
        for n in range(rng.randrange(2, 4))
    ]
    work = sum(row["chunks"] * row["minibatch_time"] for row in rows)
    horizon = 99 if restart else 3 + work  # brute force tries idle slots up to it
    return instance_of(*rows, workers=rng.randrange(1, 3), restart=restart, horizon=horizon)


def least_total_jct(instance: Instance) -> int:
    """Return the optimum if chunks never move: all assignments to workers, then all choices in each slot."""
    workers = sum(q.count for q in instance.classes)
    owner = [job for job in instance.jobs for _ in range(job.chunks)]
    return min(_least(owner, on, instance.restart) for on in product(range(workers), repeat=len(owner)))


def _least(owner: Sequence[Job], on: Sequence[int], restart: int) -> int:
    last = max(job.arrival for job in owner)

    @cache
    def best(t: int, chunks: tuple[Chunk, ...]) -> int:
        present = {job.name for job, (left, *_) in zip(owner, chunks, strict=True) if left and job.arrival <= t}
        if not any(left for left, *_ in chunks):
            return 0
        return len(present) + min(best(min(t, last) + 1, after) for after in in_slot(t, chunks))

    def in_slot(t: int, chunks: tuple[Chunk, ...]) -> Iterator[tuple[Chunk, ...]]:
        lines = []
        for worker in set(on):
            here = [c for c, w in enumerate(on) if w == worker and chunks[c][0] and owner[c].arrival <= t]
            if t > last:  # without further arrivals, idling and interruptions gain nothing
                here = [c for c in here if chunks[c][2]] or here
            lines.append(here if t > last and here else [*here, -1])
        for chosen in product(*lines):
            yield tuple(_after(*chunk, c in chosen, restart) for c, chunk in enumerate(chunks))

    return best(0, tuple((job.slots(), 0, False) for job in owner))


def _after(left: int, owed: int, ran: bool, runs: bool, restart: int) -> Chunk:
    if not runs:
        return left, restart if ran and left else owed, False
    return (left, owed - 1, True) if owed else (left - 1, 0, left > 1)
