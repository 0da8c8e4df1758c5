"""Exact optima of tiny instances: enumeration of orders, and rational simplex."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import permutations, product
from math import prod

from schedproof.instances.preemptive import Instance
from schedproof.reference.simplex import solve

MOST_PLACEMENTS, MOST_COLUMNS = 200, 70


@lru_cache(maxsize=64)
def least_total_jct(instance: Instance, whole_slots: bool) -> Fraction | None:
    """The optimum of (2) for jobs of one chunk, each pinned to one worker.

    None if there are too many orders. On each worker some priority order is optimal: the order of completions in an
    optimal schedule.
    """
    places = [
        [(q.index, n, delay) for q, delay in instance.qualified(job) for n in range(q.count)]
        + ([] if (far := instance.cloud_delay(job)) is None else [(-1, job.index, far)])
        for job in instance.jobs
    ]
    several = any(job.chunks > 1 for job in instance.jobs)
    if several or len(places) > 4 or prod(len(some) for some in places) > MOST_PLACEMENTS:
        return None
    totals = []
    for chosen in product(*places):
        loads: dict[tuple[int, int], list[tuple[Fraction, Fraction]]] = {}
        for job, (q, n, delay) in zip(instance.jobs, chosen, strict=True):
            time = job.chunk_time_in_cloud if q < 0 else job.chunk_time
            work = Fraction(job.slots(in_cloud=q < 0)) if whole_slots else time
            loads.setdefault((q, n), []).append((Fraction(job.arrival + delay), work))
        totals.append(sum(min(_ends(order) for order in permutations(load)) for load in loads.values()))
    return min(totals) - Fraction(sum(job.arrival for job in instance.jobs))


def _ends(order: Sequence[tuple[Fraction, Fraction]]) -> Fraction:
    busy: list[tuple[Fraction, Fraction]] = []  # disjoint intervals, sorted
    total = Fraction(0)
    for landing, work in order:
        at, rest, mine = landing, work, []
        for begin, end in [*busy, (at + rest + sum((b - a for a, b in busy), Fraction(0)), None)]:
            if begin > at and rest:
                mine.append((at, min(begin, at + rest)))
                rest -= mine[-1][1] - at
            at = max(at, end) if end is not None else at
        total += mine[-1][1]
        busy = sorted([*busy, *mine])
    return total


@lru_cache(maxsize=64)
def least_fractional_cost(instance: Instance, speed: Fraction) -> Fraction | None:
    """The optimum of relaxed (4) without (4e).

    Slot t costs t - r_j + p_j/(1+eps). The result is None if there is a cloud or the program is too large. Each unit
    of work has a gain that exceeds every delay, so all work is trained.
    """
    jobs = instance.jobs
    last = max(j.arrival + d for j in jobs for _, d in instance.qualified(j)) if instance.cloud is None else 0
    end = last + sum(j.chunks * j.slots() for j in jobs)
    columns = [
        (job, (q.index, n, t))
        for job in jobs
        for q, delay in instance.qualified(job)
        for n in range(q.count)
        for t in range(job.arrival + delay, end)
    ]
    if instance.cloud is not None or len(columns) > MOST_COLUMNS:
        return None
    slots = sorted({place for _, place in columns})
    work = {job.index: job.chunks * Fraction(job.slots()) for job in jobs}
    costs = [
        (place[2] - job.arrival + job.slots() / speed) / work[job.index] for job, place in columns
    ]  # of one unit; D p units in all
    gain = 1 + max(costs)
    rows = [[Fraction(job is mine) for mine, _ in columns] for job in jobs]
    rows += [[Fraction(place == slot) for _, place in columns] for slot in slots]
    sides = [*work.values(), *(Fraction(1) for _ in slots)]
    taken, _ = solve([gain - cost for cost in costs], rows, sides)
    if sum(taken) != sum(work.values()):
        raise ArithmeticError("the horizon is too short for all jobs")
    return sum((amount * cost for amount, cost in zip(taken, costs, strict=True)), Fraction(0))
