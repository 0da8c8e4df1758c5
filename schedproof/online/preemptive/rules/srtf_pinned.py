"""SRTF on the workers of one place or two: a job is (slots left, worker, slots until its upload has ended)."""

from __future__ import annotations

UPLOADS = True


def place(jobs: tuple[tuple[int, int, int], ...], slots: int, machines: int) -> int:
    """The worker with the least work, of equal ones the first."""
    work = [sum(left for left, worker, _ in jobs if worker == each) for each in range(machines)]
    return work.index(min(work))


def run(jobs: tuple[tuple[int, int, int], ...], machines: int) -> list[int]:
    """On each worker the job with the least left whose upload has ended, of equal ones the first."""
    order = sorted([n for n, job in enumerate(jobs) if not job[2]], key=lambda n: jobs[n][0])
    lines = [[n for n in order if jobs[n][1] == worker] for worker in range(machines)]
    return [line[0] for line in lines if line]
