"""A_online on one server's workers: a job is (slots left, what its rate is taken of, worker)."""

from __future__ import annotations


def keep(slots: int, order: str = "static") -> int:
    """The printed rate is that of all slots; the residual one is that of those that are left."""
    return slots if order == "static" else 0


def place(jobs: tuple[tuple[int, int, int], ...], slots: int, machines: int, order: str = "static") -> int:
    """The worker that (5) makes cheapest, of equal ones the first."""
    costs = []
    for each in range(machines):
        rates = [(size if order == "static" else left, left) for left, size, worker in jobs if worker == each]
        before = sum(left for rate, left in rates if rate <= slots)
        behind = len([rate for rate, left in rates if rate > slots])
        costs.append(before + slots + slots * behind)
    return costs.index(min(costs))


def run(jobs: tuple[tuple[int, int, int], ...], machines: int) -> list[int]:
    """On each worker the job of the highest rate, of equal ones that with the least left, which came first."""
    order = sorted(range(len(jobs)), key=lambda n: (jobs[n][1], jobs[n][0]))
    lines = [[n for n in order if jobs[n][2] == worker] for worker in range(machines)]
    return [line[0] for line in lines if line]
