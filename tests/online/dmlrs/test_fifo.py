from __future__ import annotations

from typing import Any

import pytest

from schedproof.core.runtime.context import Context
from schedproof.instances.dmlrs import Placement
from schedproof.instances.dmlrs.drive import system
from schedproof.online.dmlrs.fifo import FirstInFirstOut
from schedproof.reference import dmlrs_slot_by_slot as reference
from tests.support import size
from tests.tiny.dmlrs import decided, hand_made, tiny_cluster, workers_of


@pytest.mark.parametrize("number", [1, 2, 4])
def test_equals_the_reference(number: int) -> None:
    for seed in range(size(20, 36, 500)):
        instance = tiny_cluster(seed, jobs=2 + seed % 6, machines=1 + seed % 4, horizon=6, most_workers=6)
        result = decided(FirstInFirstOut(workers=number), instance)
        rows, _ = reference.fifo(instance, lambda job: min(number, job.batch_size))
        assert {(p.job, p.slot, p.machine, p.workers, p.ps) for p in result.placements} == rows, seed


def test_the_first_waiting_job_blocks_later_jobs() -> None:
    jobs = [{"samples": 6, "batch_size": 3}, {"samples": 4, "batch_size": 2}, {"samples": 2, "batch_size": 1}]
    result = decided(FirstInFirstOut(workers=3), hand_made([{"gpu": 4}], jobs))
    assert workers_of(result, 0) == {0: 3, 1: 3}
    assert workers_of(result, 1) == {2: 2, 3: 2}
    assert workers_of(result, 2) == {2: 1, 3: 1}


def test_a_job_keeps_its_places_until_it_completes() -> None:
    jobs = [{"samples": 5}, {"samples": 5, "arrival": 1}]
    result = decided(FirstInFirstOut(workers=2), hand_made([{"gpu": 2}, {"gpu": 2}], jobs))
    assert workers_of(result, 0) == {0: 2, 1: 2, 2: 2}
    assert workers_of(result, 1) == {1: 2, 2: 2, 3: 2}
    assert {(p.machine, p.workers) for p in result.placements} == {(0, 1), (1, 1)}


def test_places_must_respect_later_reservations() -> None:
    reserved = [[{"gpu": n}] for n in (0, 2, 0, 0)]
    instance = hand_made([{"gpu": 2}], [{"samples": 4}], horizon=4, reserved=reserved)
    assert workers_of(decided(FirstInFirstOut(workers=2), instance), 0) == {2: 2, 3: 2}


def test_a_job_that_never_fits_is_refused_and_does_not_block() -> None:
    instance = hand_made([{"gpu": 2}], [{"samples": 4}, {"arrival": 1, "samples": 1, "batch_size": 1}])
    result = decided(FirstInFirstOut(workers=3), instance)
    assert workers_of(result, 0) == {}
    assert workers_of(result, 1) == {1: 1}


def test_a_job_that_would_miss_the_horizon_at_its_rate_is_dropped() -> None:
    job = {"samples": 4, "model_size": 1, "workers_per_ps": 2, "batch_size": 2, "sample_time": "1"}
    job |= {"sample_time": 1, "bandwidth_internal": 10**6, "bandwidth_external": 2, "arrival": 0}
    behind = {"samples": 1, "batch_size": 1}
    apart = decided(FirstInFirstOut(workers=2), hand_made([{"gpu": 1}, {"gpu": 1}], [job, behind], horizon=3))
    assert workers_of(apart, 0) == {}
    assert workers_of(apart, 1) == {0: 1}
    together = decided(FirstInFirstOut(workers=2), hand_made([{"gpu": 2}], [job, behind], horizon=3))
    assert workers_of(together, 0) == {0: 2, 1: 2, 2: 2}


def test_a_round_for_each_job_from_the_first_machine_on() -> None:
    jobs = [{"samples": 2, "workers_per_ps": 1, "ps": {"gpu": 1}, "batch_size": 2}, {"ps": {"gpu": 1}, "batch_size": 1}]
    result = decided(FirstInFirstOut(workers=2), hand_made([{"gpu": 2}] * 3, jobs))
    assert result.placements == (
        Placement(0, 0, 0, 1, 1),
        Placement(0, 0, 1, 1, 0),
        Placement(0, 0, 2, 0, 1),
        Placement(1, 0, 1, 0, 1),
        Placement(1, 0, 2, 1, 0),
    )


def test_numbers_depend_on_the_seed_and_not_on_other_jobs() -> None:
    jobs = [{"samples": 10**4, "batch_size": 200} for _ in range(200)]
    many = hand_made([{"gpu": 10**6}], jobs, horizon=10**4)
    few = hand_made([{"gpu": 10**6}], jobs[:50], horizon=10**4)

    def drawn(instance: Any, seed: int) -> list[int]:
        policy = FirstInFirstOut(context=Context(seed=seed))
        policy.start(system(instance))
        policy.arrive(0, instance.jobs)
        return [policy.max_workers(training) for training in policy.present.values()]

    assert set(drawn(many, 0)) == set(range(1, 31))
    assert drawn(many, 0)[:50] == drawn(few, 0)
    assert drawn(many, 0) == drawn(many, 0) != drawn(many, 1)
