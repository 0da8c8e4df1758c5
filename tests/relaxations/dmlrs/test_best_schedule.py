from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from msgspec import structs

from schedproof.core.base.numbers import ceil
from schedproof.core.errors import ProgramError
from schedproof.instances.dmlrs import Instance, Job, Schedule
from schedproof.reference.dmlrs_given_prices import cost as cost_of
from schedproof.reference.dmlrs_schedules import placements, use_of
from schedproof.relaxations.dmlrs.best_schedule import Sweep, best_schedule
from schedproof.relaxations.dmlrs.progress import Costs, Line, Pairs, rate_ratio
from schedproof.relaxations.dmlrs.slot_table import SlotTable, exact_slot_cost
from schedproof.relaxations.dmlrs.sweep_kernels import TILE
from tests.relaxations.dmlrs.prices import by_spot, cheapest, drawn_prices
from tests.support import size
from tests.tiny.dmlrs import tiny_cluster


def cluster(seed: int) -> Instance:
    return tiny_cluster(seed, machines=1 + seed % 3, jobs=2)


def reference_tables(instance: Instance, job: Job, prices: list[np.ndarray]) -> list[SlotTable]:
    """Tables of all slots from the arrival on, by enumeration; equal slots share one."""
    known: dict[tuple[bytes, bytes], SlotTable] = {}
    for i, row in enumerate(prices):
        key = row.tobytes(), instance.grid.at(job.arrival + i).tobytes()
        if key not in known:
            known[key] = reference_table(instance, job, job.arrival + i, row)
    return [known[row.tobytes(), instance.grid.at(job.arrival + i).tobytes()] for i, row in enumerate(prices)]


def reference_table(instance: Instance, job: Job, slot: int, prices: np.ndarray) -> SlotTable:
    best = np.full((2, job.batch_size + 1), np.inf)
    best[:, 0] = 0.0
    found, given = {}, by_spot(instance, slot, prices)
    for placed in placements(instance, job, slot):
        n, price = placed.workers, float(cost_of(placed.use, given))
        for kind in (0, 1) if placed.internal else (1,):
            if price < best[kind, n]:
                best[kind, n] = price
                found[kind, n] = placed.rows
    return SlotTable(best[0], best[1], lambda n, internal: list(found[1 - internal, n]))


def check_schedules(instance: Instance, job: Job, sweep: Sweep, prices: list[np.ndarray]) -> int:
    """Check feasibility, completion and cost of each schedule; return their number."""
    ends = np.flatnonzero(np.isfinite(sweep.cost)).tolist()
    for end in ends:
        rows = sweep.placements(end + 1)
        assert not Schedule.of(rows, instance, "best_schedule").violations(instance)
        assert all(row.job == job.index and row.slot <= job.arrival + end for row in rows)
        given = {s: p for t, row in enumerate(prices, job.arrival) for s, p in by_spot(instance, t, row).items()}
        paid = [cost_of(use_of(job, r.slot, ((r.machine, r.workers, r.ps),)), given) for r in rows]
        assert sum(paid) == sweep.cost[end]
    return len(ends)


def test_it_equals_brute_force() -> None:
    schedules = parted = 0
    for seed in range(size(20, 24, 1000)):
        instance, rng = cluster(seed), random.Random(seed)
        for job in instance.jobs:
            prices = drawn_prices(instance, rng, instance.horizon - job.arrival)
            truth = [np.inf if cost is None else float(cost) for cost in cheapest(instance, job, prices)]
            tables = reference_tables(instance, job, prices)
            exact = best_schedule(job, tables, "exact")
            assert exact.cost.tolist() == truth == exact.lower.tolist(), seed
            check_schedules(instance, job, exact, prices)
            for fineness in (1, 3):
                sweep = best_schedule(job, tables, fineness)
                assert (sweep.lower <= truth).all() and (sweep.cost >= truth).all(), seed
                parted += int((sweep.lower < sweep.cost).any())
                schedules += check_schedules(instance, job, sweep, prices)
    assert schedules and parted


def test_it_takes_the_exact_slot_tables() -> None:
    for seed in range(size(10, 24, 300)):
        instance, rng = cluster(seed), random.Random(seed)
        for job in instance.jobs:
            prices = drawn_prices(instance, rng, instance.horizon - job.arrival)
            slot_cost = exact_slot_cost(instance.grid)
            tables = [slot_cost(job, instance.grid.at(job.arrival + i), row) for i, row in enumerate(prices)]
            sweep = best_schedule(job, tables, "exact")
            assert (
                sweep.cost.tolist()
                == best_schedule(job, reference_tables(instance, job, prices), "exact").cost.tolist()
            )
            check_schedules(instance, job, sweep, prices)


def drawn_job(rng: random.Random, most_workers: int, work: int, ratio: Fraction) -> Job:
    """A random job of that size; ``ratio`` is rho."""
    [job] = tiny_cluster(rng.randrange(10**6), jobs=1).jobs
    external = Fraction(rng.randrange(1, 30), rng.randrange(1, 30))
    samples = max(1, round(work / external))
    return structs.replace(
        job,
        batch_size=most_workers,
        epochs=1,
        samples=samples,
        external_time=external,
        internal_time=external / ratio,
    )


def drawn_table(rng: random.Random, job: Job, whole: bool = True) -> SlotTable:
    """Random non-decreasing costs, some 0; few or no internal workers fit."""
    rows = []
    for most in (rng.randrange(job.batch_size // 3 + 1), rng.randrange(job.batch_size + 1)):
        steps = [rng.choice([0, 0, 1, 2, 7]) if whole else rng.random() for _ in range(most)]
        rows.append(np.array([0.0, *np.cumsum(steps), *[np.inf] * (job.batch_size - most)]))
    return SlotTable(rows[0], rows[1], lambda n, internal: [(0 if internal else 1, n, 0)])


def plain(job: Job, tables: list[SlotTable], fineness: int, up: bool) -> list[float]:
    need = ceil(fineness * job.work * job.external_time)
    rho = rate_ratio(job)
    reach, best = {0: 0.0}, []
    for table in tables:
        after: dict[int, float] = {}
        for done, paid in reach.items():
            for n in range(job.batch_size + 1):
                inside = ceil(n * fineness * rho) if up else n * fineness * rho.numerator // rho.denominator
                for gain, cost in ((inside, table.internal[n]), (n * fineness, table.external[n])):
                    state = min(need, done + gain)
                    after[state] = min(paid + cost, after.get(state, np.inf))
        reach = after
        best.append(reach.get(need, np.inf))
    return best


def test_both_roundings_equal_a_plain_dynamic_program() -> None:
    long = finite = 0
    for seed in range(size(12, 12, 200)):
        rng = random.Random(seed)
        fineness, ratio = rng.choice([1, 2, 4]), 1 + Fraction(rng.randrange(50), rng.randrange(1, 17))
        job = drawn_job(rng, rng.randrange(1, 25), rng.randrange(1, 300), ratio)
        different = [drawn_table(rng, job, whole=seed % 3 > 0) for _ in range(4)]
        tables = [rng.choice(different) for _ in range(rng.randrange(1, 12))]
        sweep = best_schedule(job, tables, fineness)
        assert sweep.cost.tolist() == pytest.approx(plain(job, tables, fineness, up=False), rel=1e-12)
        assert sweep.lower.tolist() == pytest.approx(plain(job, tables, fineness, up=True), rel=1e-12)
        again = best_schedule(job, [replace(table) for table in tables], fineness)
        assert again.cost.tolist() == sweep.cost.tolist() and again.lower.tolist() == sweep.lower.tolist()
        long += fineness * job.work * job.external_time > 2 * TILE
        finite += np.isfinite(sweep.cost).any()
    assert finite and long


def test_pairs_and_the_exact_line_agree() -> None:
    finite = 0
    for seed in range(size(10, 24, 400)):
        rng = random.Random(seed)
        job = drawn_job(rng, rng.randrange(1, 9), rng.randrange(1, 40), 1 + Fraction(rng.randrange(9), 7))
        tables = [drawn_table(rng, job) for _ in range(rng.randrange(1, 8))]
        costs = Costs.of(job, tables)
        line, pairs = Line(job, costs, rate_ratio(job).denominator, up=False), Pairs(job, costs)
        assert line.sweep().tolist() == pairs.sweep().tolist() == best_schedule(job, tables, "exact").cost.tolist()
        finite += np.isfinite(pairs.sweep()).any()
    assert finite


def test_a_finer_progress_brings_both_sides_together() -> None:
    rng = random.Random(5)
    job = drawn_job(rng, 20, 200, Fraction(157, 50))
    tables = [drawn_table(rng, job) for _ in range(30)]
    gaps = [best_schedule(job, tables, fineness) for fineness in (1, 4, 50)]
    assert [sweep.cost[-1] - sweep.lower[-1] for sweep in gaps] == sorted(
        (sweep.cost[-1] - sweep.lower[-1] for sweep in gaps), reverse=True
    )
    assert gaps[0].lower[-1] < gaps[0].cost[-1]
    assert gaps[-1].lower.tolist() == gaps[-1].cost.tolist()


def test_of_equal_costs_earlier_slots_have_more_workers() -> None:
    # All costs are 0: the last slot takes only the remaining work.
    rng = random.Random(0)
    alone = drawn_job(rng, 4, 6, Fraction(1))
    job = structs.replace(alone, samples=6, external_time=Fraction(1), internal_time=Fraction(1))
    nothing, none = np.zeros(5), np.array([0.0, *[np.inf] * 4])
    table = SlotTable(none, nothing, lambda n, internal: [(0 if internal else 1, n, 0)])
    for fineness in (1, "exact"):
        sweep = best_schedule(job, [table, table], fineness)  # type: ignore[arg-type]
        assert [(p.slot - job.arrival, p.machine, p.workers) for p in sweep.placements(2)] == [(0, 1, 4), (1, 1, 2)]
        alike = replace(table, internal=nothing)
        sweep = best_schedule(job, [alike, alike], fineness)  # type: ignore[arg-type]
        assert [(p.slot - job.arrival, p.machine, p.workers) for p in sweep.placements(2)] == [(0, 0, 4), (1, 0, 2)]


def test_a_job_that_cannot_finish_has_no_schedule() -> None:
    job = drawn_job(random.Random(1), 3, 10**15, Fraction(10**12 + 1, 10**12))
    tables = [drawn_table(random.Random(2), job) for _ in range(3)]
    for fineness in (1, 1000, "exact"):
        sweep = best_schedule(job, tables, fineness)  # type: ignore[arg-type]
        assert np.isinf(sweep.cost).all() and np.isinf(sweep.lower).all()
        with pytest.raises(ProgramError, match="no schedule"):
            sweep.placements(3)


def test_a_sweep_that_is_too_large_is_refused() -> None:
    job = drawn_job(random.Random(1), 200, 4000, Fraction(10**12 + 1, 10**12))
    table = SlotTable(np.arange(201.0), np.arange(201.0), lambda n, internal: [(0, n, 0)])
    with pytest.raises(ProgramError, match="smaller fineness"):
        best_schedule(job, [table] * 80, "exact")


def test_no_slots_have_no_schedules() -> None:
    [job] = tiny_cluster(0, jobs=1).jobs
    for fineness in (1, "exact"):
        assert best_schedule(job, [], fineness).cost.size == 0  # type: ignore[arg-type]
