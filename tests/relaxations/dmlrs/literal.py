"""What the best-schedule sweep and column generation compute, by trying everything in rationals."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import numpy as np

from schedproof.instances.dmlrs import Instance
from schedproof.instances.dmlrs.instance import Job

Rows = tuple[tuple[int, int, int], ...]  # machine, workers, parameter servers
Use = tuple[tuple[tuple[int, int], int], ...]  # ((machine, resource), amount in units)


def fitting(instance: Instance, job: Job, slot: int) -> Iterator[Rows]:
    """Every placement of the job in a slot that fits, has at most F workers, and enough parameter servers."""
    free, worker, ps = instance.grid.at(slot), instance.grid.worker(job), instance.grid.ps(job)
    most = job.ps_needed(job.batch_size)
    each = [
        [(w, s) for w in range(job.batch_size + 1) for s in range(most + 1) if (w * worker + s * ps <= row).all()]
        for row in free
    ]
    for pairs in product(*each):
        workers, servers = (sum(column) for column in zip(*pairs, strict=True))
        if 1 <= workers <= job.batch_size and servers * job.workers_per_ps >= workers:
            yield tuple((h, w, s) for h, (w, s) in enumerate(pairs) if w or s)


def samples(job: Job, rows: Rows) -> Fraction:
    """What a placement trains in a slot, by Fact 1."""
    return sum(w for _, w, _ in rows) / (job.internal_time if len(rows) == 1 else job.external_time)


def price_of(instance: Instance, job: Job, rows: Rows, prices: np.ndarray) -> Fraction:
    """What a placement costs at prices per unit, shape (H, R)."""
    worker, ps = instance.grid.worker(job).tolist(), instance.grid.ps(job).tolist()
    return sum(
        (
            (w * a + s * b) * Fraction(float(prices[h, r]))
            for h, w, s in rows
            for r, (a, b) in enumerate(zip(worker, ps, strict=True))
        ),
        Fraction(0),
    )


def cheapest(instance: Instance, job: Job, prices: list[np.ndarray]) -> list[Fraction | None]:
    """The cheapest cost of completing within 1, 2, ... slots of the arrival; None where nothing does.

    ``prices[i]`` are those of slot arrival + i, per unit, shape (H, R).
    """
    reach: dict[Fraction, Fraction] = {Fraction(0): Fraction(0)}  # samples trained -> cheapest cost
    found: list[Fraction | None] = []
    for i, row in enumerate(prices):
        ways: dict[Fraction, Fraction] = {Fraction(0): Fraction(0)}
        for rows in fitting(instance, job, job.arrival + i):
            gain, cost = samples(job, rows), price_of(instance, job, rows, row)
            ways[gain] = min(cost, ways.get(gain, cost))
        after: dict[Fraction, Fraction] = {}
        for (done, paid), (gain, cost) in product(reach.items(), ways.items()):
            total = min(done + gain, Fraction(job.work))
            after[total] = min(paid + cost, after.get(total, paid + cost))
        reach = after
        found.append(reach.get(Fraction(job.work)))
    return found


def drawn_prices(instance: Instance, rng: random.Random, slots: int, largest: int = 9) -> list[np.ndarray]:
    """Whole prices per unit, some 0; some slots repeat an earlier one's."""
    rows: list[np.ndarray] = []
    shape = (len(instance.machines), len(instance.resources))
    for _ in range(slots):
        fresh = np.array([rng.choice([0, rng.randrange(1, largest)]) for _ in range(shape[0] * shape[1])], dtype=float)
        rows.append(rng.choice(rows) if rows and rng.random() < 0.3 else fresh.reshape(shape))
    return rows
