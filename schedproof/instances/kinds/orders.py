"""The least cost of a few jobs on machines by enumeration of orders, without arrivals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import permutations, product
from typing import Any

from schedproof.core.errors import InputError
from schedproof.instances.kinds.rows import machine_names, rows

Orders = Sequence[Sequence[int]]  # of each machine


def best_order(kind: Any, instance: Any) -> Fraction:
    """Return the least cost with one order for all machines."""
    machines = len(machine_names(instance))
    return _least(kind, instance, ([order] * machines for order in permutations(range(len(rows(instance))))))


def best(kind: Any, instance: Any) -> Fraction:
    """Return the least cost with an order for each machine."""
    every = permutations(range(len(rows(instance))))
    return _least(kind, instance, product(every, repeat=len(machine_names(instance))))


def _least(kind: Any, instance: Any, candidates: Iterable[Orders]) -> Fraction:
    jobs = rows(instance)
    if not (kind.at_once and kind.everywhere) or any(getattr(job, "arrival", 0) for job in jobs):
        raise InputError("expected jobs without arrivals that may run on all machines at once", path="jobs")
    times = [[kind.time(instance, i, job) for job in jobs] for i in range(len(machine_names(instance)))]
    return min(Fraction(kind.cost(jobs, _ends(times, orders))) for orders in candidates)


def _ends(times: Sequence[Sequence[int]], orders: Orders) -> list[int]:
    ends = [0] * len(times[0])
    for mine, order in zip(times, orders, strict=True):
        now = 0
        for j in order:
            now += mine[j]
            ends[j] = max(ends[j], now if mine[j] else 0)
    return ends
