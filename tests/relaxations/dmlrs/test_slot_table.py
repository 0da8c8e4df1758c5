from __future__ import annotations

import random
from decimal import Decimal
from math import inf

import numpy as np
import pytest
from msgspec import structs

from schedproof.instances.dmlrs import Instance, Job
from schedproof.proofs_checks.strategies import dmlrs_builders as builders
from schedproof.relaxations.dmlrs.slot_kernels import FOUND, FULL, Groups, Multipliers, States, core, invert, several
from schedproof.relaxations.dmlrs.slot_table import SlotTable, exact_slot_cost, shares
from tests.support import size
from tests.tiny.dmlrs import tiny_cluster


def everything(instance: Instance, job: Job, free: np.ndarray, prices: np.ndarray) -> tuple[list[float], list[float]]:
    worker, ps, most = instance.grid.worker(job), instance.grid.ps(job), job.batch_size
    needed = [job.ps_needed(n) for n in range(most + 1)]
    single = [0.0] + [inf] * most
    reached = {(0, 0): 0.0}
    for h in range(len(free)):
        patterns = [
            (w, s, float(prices[h] @ worker) * w + float(prices[h] @ ps) * s)
            for w in range(most + 1)
            for s in range(needed[-1] + 1)
            if all(worker * w + ps * s <= free[h])
        ]
        for w, s, cost in patterns:
            if w and s == needed[w]:
                single[w] = min(single[w], cost)
        further: dict[tuple[int, int], float] = {}
        for (w, s), cost in reached.items():
            for dw, ds, more in patterns:
                if w + dw <= most and s + ds <= needed[-1]:
                    key = (w + dw, s + ds)
                    further[key] = min(further.get(key, inf), cost + more)
        reached = further
    spread = [
        min((cost for (w, s), cost in reached.items() if w >= n and s >= needed[n]), default=inf)
        for n in range(most + 1)
    ]
    return single, spread


def compare(instance: Instance, job: Job, prices: np.ndarray) -> SlotTable:
    free = instance.grid.at(job.arrival)
    table = exact_slot_cost(instance.grid)(job, free, prices)
    single, spread = everything(instance, job, free, prices)
    assert table.internal.tolist() == single
    assert table.external.tolist() == spread
    worker, ps = instance.grid.worker(job), instance.grid.ps(job)
    for inside, costs in ((True, single), (False, spread)):
        for n, cost in enumerate(costs):
            if cost < inf:
                rows = table.place(n, inside)
                assert sum(w for _, w, _ in rows) == n
                assert sum(s for _, _, s in rows) == job.ps_needed(n)
                assert len({h for h, _, _ in rows}) == len(rows)
                assert not inside or n == 0 or len(rows) == 1
                assert all((worker * w + ps * s <= free[h]).all() for h, w, s in rows)
                assert sum(float(prices[h] @ (worker * w + ps * s)) for h, w, s in rows) == cost
    return table


def whole_prices(rng: random.Random, instance: Instance) -> np.ndarray:
    top = rng.choice([1, 2, 5, 100, 10**6])
    return np.array([[rng.randrange(top) for _ in instance.resources] for _ in instance.machines], dtype=float)


@pytest.mark.parametrize("seed", range(size(20, 60, 1000)))
def test_tiny_slots_equal_enumeration(seed: int) -> None:
    rng = random.Random(seed)
    instance = tiny_cluster(seed, machines=rng.randrange(1, 6), most_workers=rng.choice([4, 8, 12]), jobs=1)
    compare(instance, instance.jobs[0], whole_prices(rng, instance))


def roomy(seed: int) -> Instance:
    """A job of up to 30 workers on machines that hold about ten each."""
    rng = random.Random(seed)
    names = ["a", "b", "c"]
    demand = {r: rng.randrange(0 if r != "a" else 1, 5) for r in names}
    sizes = {"batch_size": rng.choice([10, 20, 30]), "workers_per_ps": rng.choice([1, 2, Decimal("2.5"), 5])}
    row = builders.job("j", 1, 1, demand, {r: rng.randrange(5) for r in names}) | sizes
    alike = rng.random() < 0.3
    machines = [{r: 24 if alike else 2 * rng.randrange(4, 18) for r in names} for _ in range(rng.randrange(2, 7))]
    return builders.build_instance(machines, [row])


@pytest.mark.parametrize("seed", range(size(5, 12, 200)))
def test_larger_slots_equal_enumeration(seed: int) -> None:
    instance = roomy(seed)
    compare(instance, instance.jobs[0], whole_prices(random.Random(seed), instance))


def test_workers_and_parameter_servers_that_compete_for_the_cheap_machine() -> None:
    instance = roomy(1)
    prices = np.array([[10.0**h] * 3 for h in range(len(instance.machines))])
    table = compare(instance, instance.jobs[0], prices)
    assert np.isfinite(table.external).sum() > 5


def test_a_job_without_demand_costs_zero() -> None:
    value = {"a": 0, "b": 0, "c": 0}
    instance = roomy(2)
    job = structs.replace(instance.jobs[0], worker=value, ps=value)
    free = instance.grid.at(0)
    table = exact_slot_cost(instance.grid)(job, free, np.ones(free.shape))
    assert not table.internal.any()
    assert not table.external.any()
    assert sum(w for _, w, _ in table.place(job.batch_size, False)) == job.batch_size


def test_a_full_machine_holds_no_worker() -> None:
    instance = roomy(3)
    free = np.zeros_like(instance.grid.at(0))
    table = exact_slot_cost(instance.grid)(instance.jobs[0], free, np.ones(free.shape))
    assert np.isinf(table.internal[1:]).all()
    assert np.isinf(table.external[1:]).all()
    assert table.internal[0] == table.external[0] == 0


def test_a_share_that_does_not_fit_is_not_spread() -> None:
    front = np.array([2, 1, 0])
    assert list(shares(front, 2, 3, 1)) == [(2, 0), (1, 1)]
    assert sum(map(sum, shares(front, 2, 4, 1))) < 5


def test_the_inverse_of_three_by_three() -> None:
    matrix, inverse = np.array([[2.0, 1.0, 0.0], [0.0, 3.0, 1.0], [1.0, 0.0, 4.0]]), np.empty((3, 3))
    invert(matrix, np.arange(3), inverse)
    assert np.allclose(inverse @ matrix, np.eye(3), atol=1e-12, rtol=0)


def test_the_search_for_patterns_asks_for_more_space() -> None:
    front, one = np.array([[3, 2, 1, 0]]), np.ones(1)
    rows = np.full((65, 65), -1)
    rows[0, 0] = 0
    last = several(front[0], 64, 128, rows)
    groups = Groups(np.array([64]), front, one, one, *[np.zeros(1, dtype=np.int64)] * 2)
    for entries, expected, placed in ((100, FULL, 0), (4000, FOUND, 40)):
        placement = np.zeros((2, 1), dtype=np.int64)
        states = States.of(entries, 1, 64, 128)
        states.together[0] = rows[last]
        assert core(groups, 40, 40, Multipliers(0.0, 0.0, 0.0), np.inf, states, *placement) == expected
        assert (placement == placed).all()
