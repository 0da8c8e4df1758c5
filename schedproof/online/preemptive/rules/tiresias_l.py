"""Tiresias-L on one server's workers: a job is (slots left, all its slots, worker, rank of its first start or 0)."""

from __future__ import annotations

ORDER = True
TURNS = True


def keep(slots: int) -> int:
    """What the attained service is the rest of."""
    return slots


def place(jobs: tuple[tuple[int, int, int, int], ...], slots: int, machines: int) -> int:
    """The worker with the least work, of equal ones the first."""
    work = [sum(left for left, _, worker, _ in jobs if worker == each) for each in range(machines)]
    return work.index(min(work))


def run(
    jobs: tuple[tuple[int, int, int, int], ...], machines: int, thresholds: tuple[int, ...] = (500, 3000)
) -> list[int]:
    """On each worker the first queue by attained service, in it those that have started, the first of them first."""
    queue = [sum(size - left >= threshold for threshold in thresholds) for left, size, _, _ in jobs]
    order = sorted(range(len(jobs)), key=lambda n: (queue[n], jobs[n][3] == 0, jobs[n][3]))
    lines = [[n for n in order if jobs[n][2] == worker] for worker in range(machines)]
    return [line[0] for line in lines if line]
