"""SRTF on one server's workers: a job is (slots left, worker)."""

from __future__ import annotations


def place(jobs: tuple[tuple[int, int], ...], slots: int, machines: int) -> int:
    """The worker with the least work, of equal ones the first."""
    work = [sum(left for left, worker in jobs if worker == each) for each in range(machines)]
    return work.index(min(work))


def run(jobs: tuple[tuple[int, int], ...], machines: int) -> list[int]:
    """On each worker the job with the least left, of equal ones the first."""
    order = sorted(range(len(jobs)), key=lambda n: jobs[n][0])
    lines = [[n for n in order if jobs[n][1] == worker] for worker in range(machines)]
    return [line[0] for line in lines if line]
