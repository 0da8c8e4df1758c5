"""The least cost of a few jobs without arrivals, by enumeration of orders."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import partial
from itertools import permutations, product
from typing import Any

from schedproof.core.errors import InputError
from schedproof.instances.kinds.rows import calendar, machine_names, rows

Orders = Sequence[Sequence[int]]  # of each machine


def best_order(kind: Any, instance: Any) -> Fraction:
    """Return the least cost if all machines have the same order."""
    machines = len(machine_names(instance))
    return _least(kind, instance, ([order] * machines for order in permutations(range(len(rows(instance))))))


def best(kind: Any, instance: Any) -> Fraction:
    """Return the least cost if each machine has its own order."""
    every = permutations(range(len(rows(instance))))
    return _least(kind, instance, product(every, repeat=len(machine_names(instance))))


def _least(kind: Any, instance: Any, candidates: Iterable[Orders]) -> Fraction:
    jobs = rows(instance)
    if not (kind.at_once and kind.everywhere) or any(getattr(job, "arrival", 0) for job in jobs):
        raise InputError(
            "expected jobs without arrivals that may run on all machines at once: enumeration supports no others",
            path="jobs",
        )
    times = [[kind.time(instance, i, job) for job in jobs] for i in range(len(machine_names(instance)))]
    finish = partial(calendar(instance).finish, pauses=kind.preemptive)
    return min(Fraction(kind.cost(jobs, _ends(times, orders, finish))) for orders in candidates)


def _ends(times: Sequence[Sequence[int]], orders: Orders, finish: Callable[[int, int, int], int]) -> list[int]:
    ends = [0] * len(times[0])
    for i, (mine, order) in enumerate(zip(times, orders, strict=True)):
        now = 0
        for j in order:
            if mine[j]:
                now = finish(i, now, mine[j])
                ends[j] = max(ends[j], now)
    return ends
