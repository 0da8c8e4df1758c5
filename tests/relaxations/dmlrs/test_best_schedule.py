"""The sweep is held against every schedule, on tiny clusters, and against a plain dynamic program on any tables."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from schedproof.core.errors import ProgramError
from schedproof.instances.dmlrs import Instance, Schedule
from schedproof.instances.dmlrs.instance import Job
from schedproof.relaxations.dmlrs.best_schedule import Sweep, best_schedule
from schedproof.relaxations.dmlrs.slot_table import SlotTable, exact_slot_cost
from tests.relaxations.dmlrs.literal import cheapest, drawn_prices, fitting, price_of
from tests.support import size, tiny_cluster


def cluster(seed: int) -> Instance:
    """Up to three small machines, jobs of up to four workers, four slots."""
    return tiny_cluster(seed, machines=1 + seed % 3, jobs=2, exact_utilities=True)


def literal_table(instance: Instance, job: Job, slot: int, prices: np.ndarray) -> SlotTable:
    """A slot's table from all placements."""
    best = np.full((2, job.batch_size + 1), np.inf)
    best[:, 0] = 0.0
    found = {}
    for rows in fitting(instance, job, slot):
        workers, cost = sum(w for _, w, _ in rows), float(price_of(instance, job, rows, prices))
        for kind in (0, 1) if len(rows) == 1 else (1,):
            if cost < best[kind, workers]:
                best[kind, workers] = cost
                found[kind, workers] = rows
    return SlotTable(best[0], best[1], lambda n, internal: list(found[1 - internal, n]))


def tables(instance: Instance, job: Job, prices: list[np.ndarray], slot_cost: object = None) -> list[SlotTable]:
    """Of all slots from the arrival on; slots that are equal share one where ``prices`` does."""
    known: dict[tuple[int, bytes], SlotTable] = {}
    result = []
    for i, row in enumerate(prices):
        free = instance.grid.at(job.arrival + i)
        key = (id(row), free.tobytes())
        if key not in known:
            known[key] = literal_table(instance, job, job.arrival + i, row)
        result.append(known[key])
    return result


def as_numbers(values: list[Fraction | None]) -> list[float]:
    return [np.inf if value is None else float(value) for value in values]


def check_schedule(instance: Instance, job: Job, sweep: Sweep, slots: int, prices: list[np.ndarray]) -> None:
    """It is feasible, done in time, and costs what it should."""
    rows = sweep.placements(slots)
    alone = replace(instance, jobs=(*instance.jobs,))
    assert not Schedule.of(rows, alone, "best_schedule").violations(alone)
    assert all(row.job == job.index and row.slot < job.arrival + slots for row in rows)
    paid = sum(price_of(instance, job, ((r.machine, r.workers, r.ps),), prices[r.slot - job.arrival]) for r in rows)
    assert paid == sweep.cost[slots - 1]


def test_it_equals_brute_force() -> None:
    """Exactly so at the exact fineness, each rounding on its own side, and the schedule is there."""
    finite = parted = 0
    for seed in range(size(20, 100, 1000)):
        instance, rng = cluster(seed), random.Random(seed)
        for job in instance.jobs:
            prices = drawn_prices(instance, rng, instance.horizon - job.arrival)
            truth = as_numbers(cheapest(instance, job, prices))
            given = tables(instance, job, prices)
            exact = best_schedule(job, given, "exact")
            assert exact.cost.tolist() == truth == exact.lower.tolist(), seed
            for fineness in (1, 2, 5):
                sweep = best_schedule(job, given, fineness)
                assert (sweep.lower <= truth).all() and (sweep.cost >= truth).all(), seed
                parted += (sweep.lower < sweep.cost).any()
                for slots in np.flatnonzero(np.isfinite(sweep.cost)).tolist():
                    check_schedule(instance, job, sweep, slots + 1, prices)
                    finite += 1
            for slots in np.flatnonzero(np.isfinite(exact.cost)).tolist():
                check_schedule(instance, job, exact, slots + 1, prices)
    assert finite and parted
