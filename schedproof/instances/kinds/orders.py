"""The least cost of a few jobs, by enumeration of orders and machines.

The cost must not decrease when a job completes later. Then some optimal schedule starts each piece of work as early as
the machine's order of jobs allows; on one machine a job is interrupted only by a job that is earlier in the order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import permutations, product
from math import factorial
from typing import Any

from schedproof.core.base.numbers import as_fraction
from schedproof.core.errors import InputError
from schedproof.core.simulation.breaks import Calendar
from schedproof.instances.kinds.rows import calendar, machine_names, rows

Orders = Sequence[Sequence[int]]  # the jobs of each machine
MOST = 300_000  # schedules that are enumerated


def best_order(kind: Any, instance: Any) -> Fraction:
    """Return the least cost without arrivals if all machines have the same order."""
    _require_at_once(kind)
    if any(_arrivals(instance)):
        raise InputError("expected jobs without arrivals: `best_order` supports only these; use `best`", path="jobs")
    machines = len(machine_names(instance))
    return _least(kind, instance, ([order] * machines for order in permutations(range(len(rows(instance))))))


def best(kind: Any, instance: Any) -> Fraction:
    """Return the least cost over all orders, and over machines for `everywhere=False`."""
    jobs, machines = range(len(rows(instance))), range(len(machine_names(instance)))
    if not kind.everywhere:
        _require_few(len(machines) ** len(jobs) * factorial(len(jobs)))
        homes = product(machines, repeat=len(jobs))
        orders = (
            [[j for j in order if home[j] == i] for i in machines] for home in homes for order in permutations(jobs)
        )
        return _least(kind, instance, orders)
    _require_few(factorial(len(jobs)) ** len(machines))
    if not kind.at_once and not kind.preemptive:
        return _cost(kind, instance, _shops(kind, instance))
    _require_at_once(kind)
    return _least(kind, instance, product(permutations(jobs), repeat=len(machines)))


def _require_at_once(kind: Any) -> None:
    if not (kind.at_once and kind.everywhere):
        raise InputError(
            "expected at_once=True and everywhere=True: enumeration does not support other jobs here", path="jobs"
        )


def _require_few(count: int) -> None:
    if count > MOST:
        raise InputError(f"expected at most {MOST} schedules, found up to {count}: enumeration supports no more")


def _least(kind: Any, instance: Any, candidates: Iterable[Orders]) -> Fraction:
    return _cost(kind, instance, (_ends(kind, instance, orders) for orders in candidates))


def _cost(kind: Any, instance: Any, ends: Iterable[Sequence[int]]) -> Fraction:
    return min(as_fraction(kind.cost(rows(instance), each)) for each in ends)


def _arrivals(instance: Any) -> list[int]:
    return [getattr(job, "arrival", 0) for job in rows(instance)]


def _ends(kind: Any, instance: Any, orders: Orders) -> list[int]:
    """Return the completions if each machine runs its jobs in order."""
    jobs, arrivals = rows(instance), _arrivals(instance)
    ends, open_hours = [*arrivals], calendar(instance)
    for i, order in enumerate(orders):
        work = {j: kind.time(instance, i, jobs[j]) for j in order}
        for j, end in (_preemptive if kind.preemptive else _in_sequence)(i, work, arrivals, open_hours):
            ends[j] = max(ends[j], end)
    return ends


def _in_sequence(
    i: int, work: dict[int, int], arrivals: Sequence[int], open_hours: Calendar
) -> Iterator[tuple[int, int]]:
    now = 0
    for j, time in work.items():
        if time:
            now = open_hours.finish(i, max(now, arrivals[j]), time, pauses=False)
            yield j, now


def _preemptive(
    i: int, work: dict[int, int], arrivals: Sequence[int], open_hours: Calendar
) -> Iterator[tuple[int, int]]:
    """Yield completions if the first arrived job of the order always runs."""
    left, now = {j: time for j, time in work.items() if time}, 0
    while left:
        j = next((j for j in left if arrivals[j] <= now), None)
        later = [arrivals[k] for k in left if arrivals[k] > now]
        later += [open_hours.next_change(now)]
        if j is None or open_hours.closed(i, now):
            now = min(later)
            continue
        until = min([now + left[j], *later])
        left[j] -= until - now
        now = until
        if not left[j]:
            del left[j]
            yield j, now


def _shops(kind: Any, instance: Any) -> Iterator[list[int]]:
    """Yield completions of all shops without interruptions and unforced idle time."""
    jobs, machines, open_hours = rows(instance), range(len(machine_names(instance))), calendar(instance)
    work = [(j, i, time) for j, job in enumerate(jobs) for i in machines if (time := kind.time(instance, i, job))]

    def after(left: list[tuple[int, int, int]], last: int, ends: list[int], free: list[int]) -> Iterator[list[int]]:
        if not left:
            yield ends
        for j, i, time in left:
            now = open_hours.finish(i, max(ends[j], free[i]), time, pauses=False)
            start = now - time
            if start >= last:  # work is placed by its start
                rest = [other for other in left if other != (j, i, time)]
                yield from after(
                    rest,
                    start,
                    [now if k == j else end for k, end in enumerate(ends)],
                    [now if k == i else end for k, end in enumerate(free)],
                )

    yield from after(work, 0, _arrivals(instance), [0] * len(machines))
