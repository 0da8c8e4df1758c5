"""A_online on the workers of one place or two: a job is (slots left, what its rate is of, worker, slots of its upload).

The last number is that of the slots until the upload has ended.
"""

from __future__ import annotations

UPLOADS = True


def keep(slots: int, order: str = "static") -> int:
    """The printed rate is that of all slots; the residual one is that of those that are left."""
    return slots if order == "static" else 0


def place(
    jobs: tuple[tuple[int, int, int, int], ...],
    slots: int,
    machines: int,
    delays: tuple[int, ...],
    order: str = "static",
) -> int:
    """The worker that (5) makes cheapest, of equal ones the first."""
    costs = []
    for each in range(machines):
        then = later(jobs, machines, delays[each])
        rates = [(size if order == "static" else left, left) for left, size, worker, _ in then if worker == each]
        before = sum(left for rate, left in rates if rate <= slots)
        behind = len([rate for rate, left in rates if rate > slots])
        costs.append(delays[each] + before + slots + slots * behind)
    return costs.index(min(costs))


def later(
    jobs: tuple[tuple[int, int, int, int], ...], machines: int, slots: int
) -> tuple[tuple[int, int, int, int], ...]:
    """What will be left so many slots later."""
    for _ in range(slots):
        runs = run(jobs, machines)
        after = [(job[0] - (n in runs), job[1], job[2], max(0, job[3] - 1)) for n, job in enumerate(jobs)]
        jobs = tuple([job for job in after if job[0]])
    return jobs


def run(jobs: tuple[tuple[int, int, int, int], ...], machines: int) -> list[int]:
    """On each worker the landed job of the highest rate, of equal ones that with the least left, which came first."""
    landed = [n for n, job in enumerate(jobs) if not job[3]]
    order = sorted(landed, key=lambda n: (jobs[n][1], jobs[n][0]))
    lines = [[n for n in order if jobs[n][2] == worker] for worker in range(machines)]
    return [line[0] for line in lines if line]
