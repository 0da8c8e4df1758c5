from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from schedproof.instances.dmlrs import Instance, Schedule
from schedproof.online.dmlrs.dorm import Dorm
from schedproof.online.dmlrs.drf import DominantResourceFairness
from schedproof.online.dmlrs.fifo import FirstInFirstOut
from tests.support import size
from tests.tiny.dmlrs import decided, hand_made, tiny_cluster, workers_of

POLICIES: dict[str, Callable[[], Any]] = {
    "fifo": FirstInFirstOut,
    "fifo, two": lambda: FirstInFirstOut(workers=2),
    "drf": DominantResourceFairness,
    "dorm": Dorm,
    "dorm, strict": lambda: Dorm(theta1=Fraction(0), theta2=Fraction(1, 3)),
}
CHEAP = {"fifo", "fifo, two", "drf"}


def count(name: str, dev: int, ci: int, deep: int) -> int:
    return size(dev, ci, deep) if name in CHEAP else size(dev // 2, ci // 3, deep // 2)


def trained(schedule: Schedule, instance: Instance, j: int) -> Fraction:
    """Return the samples that a job has trained, by Fact 1."""
    job, total = instance.jobs[j], Fraction(0)
    for slot, n in workers_of(schedule, j).items():
        machines = {row.machine for row in schedule.placements if (row.job, row.slot) == (j, slot)}
        total += n / (job.internal_time if len(machines) == 1 else job.external_time)
    return total


@pytest.mark.parametrize("name", POLICIES)
def test_a_given_up_job_has_trained_part_of_its_work(name: str) -> None:
    finished = given_up = 0
    for seed in range(count(name, 12, 60, 1000)):
        instance = tiny_cluster(seed, jobs=2 + seed % 5, machines=1 + seed % 3, horizon=3 + seed % 4)
        first = decided(POLICIES[name](), instance)
        assert first.violations(instance) == [], (name, seed)
        for j in first.unfinished:
            assert 0 < trained(first, instance, j) < instance.jobs[j].work, (name, seed)
        finished += len(first.completions(instance))
        given_up += len(first.unfinished)
    assert finished
    assert bool(given_up) == (not name.startswith("fifo"))  # a job that starts under FIFO completes


@pytest.mark.parametrize("name", POLICIES)
@pytest.mark.parametrize("reserved", [False, True])
def test_more_jobs_and_machines(name: str, reserved: bool) -> None:
    finished, seeds = 0, count(name, 4, 10, 40)
    for seed in range(seeds):
        instance = tiny_cluster(seed, jobs=15, machines=6, horizon=12, most_workers=9, reserved=reserved)
        result = decided(POLICIES[name](), instance)
        assert result.violations(instance) == [], (name, seed)
        finished += len(result.completions(instance))
    assert finished > 2 * seeds


@pytest.mark.parametrize("name", ["fifo, two", "drf", "dorm"])
def test_a_job_that_cannot_finish_is_not_run(name: str) -> None:
    instance = hand_made([{"gpu": 4}], [{"samples": 17, "batch_size": 4}, {"arrival": 3, "samples": 2}], horizon=4)
    result = decided(POLICIES[name](), instance)
    assert workers_of(result, 0) == {}
    assert workers_of(result, 1) == {3: 2}


@pytest.mark.parametrize("name", ["drf", "dorm"])
def test_a_job_is_given_up_once_it_cannot_finish(name: str) -> None:
    # 7 samples in 3 slots. 3 workers are free in the first slot and 1 in the second, where 4 would be needed.
    reserved = [[{"gpu": 0}], [{"gpu": 2}], [{"gpu": 0}]]
    instance = hand_made([{"gpu": 3}], [{"samples": 7, "batch_size": 3}], horizon=3, reserved=reserved)
    result = decided(POLICIES[name](), instance)
    assert workers_of(result, 0) == {0: 3, 1: 1, 2: 3}
    reserved[1] = [{"gpu": 3}]
    instance = hand_made([{"gpu": 3}], [{"samples": 7, "batch_size": 3}], horizon=3, reserved=reserved)
    result = decided(POLICIES[name](), instance)
    assert workers_of(result, 0) == {0: 3}
    assert result.unfinished == {0}
    assert result.violations(instance) == []


@pytest.mark.parametrize("name", POLICIES)
def test_no_capacity_and_no_jobs(name: str) -> None:
    assert decided(POLICIES[name](), hand_made([{}], [{}, {"arrival": 2}])).placements == ()
    assert decided(POLICIES[name](), hand_made([{"gpu": 1}], [])).placements == ()


@pytest.mark.parametrize("name", ["fifo, two", "drf", "dorm"])
def test_a_worker_without_demand_fits_anywhere(name: str) -> None:
    instance = hand_made([{}, {"gpu": 1}], [{"samples": 4, "batch_size": 2, "worker": {}}, {"samples": 2}])
    result = decided(POLICIES[name](), instance)
    assert result.violations(instance) == []
    assert workers_of(result, 0) == {0: 2, 1: 2}


@pytest.mark.parametrize("name", ["fifo, two", "drf", "dorm"])
def test_equal_capacities_of_which_a_part_is_reserved(name: str) -> None:
    reserved = [[{"gpu": 2}], [{"gpu": 0}], [{"gpu": 2}]]
    instance = hand_made([{"gpu": 2}], [{"samples": 2, "batch_size": 2}], horizon=3, reserved=reserved)
    assert workers_of(decided(POLICIES[name](), instance), 0) == {1: 2}
