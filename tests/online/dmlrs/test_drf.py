from __future__ import annotations

from schedproof.instances.dmlrs import Placement
from schedproof.online.dmlrs.drf import DominantResourceFairness
from schedproof.reference import dmlrs_slot_by_slot as reference
from tests.support import size
from tests.tiny.dmlrs import decided, hand_made, tiny_cluster, workers_of


def test_equals_the_reference() -> None:
    given_up = 0
    for seed in range(size(20, 90, 1000)):
        instance = tiny_cluster(seed, jobs=2 + seed % 6, machines=1 + seed % 4, horizon=6, most_workers=6)
        result = decided(DominantResourceFairness(), instance)
        rows, stopped = reference.drf(instance)
        assert {(p.job, p.slot, p.machine, p.workers, p.ps) for p in result.placements} == rows, seed
        assert result.unfinished == stopped, seed
        given_up += len(stopped)
    assert given_up


def test_the_example_of_the_drf_paper() -> None:
    # 9 CPUs and 18 GB; tasks of (1, 4) and (3, 1). Three of the first and two of the second, dominant shares 2/3.
    tasks = [{"worker": {"gpu": 1, "memory": 4}}, {"worker": {"gpu": 3, "memory": 1}}]
    instance = hand_made([{"gpu": 9, "memory": 18}], [task | {"samples": 9, "batch_size": 9} for task in tasks])
    result = decided(DominantResourceFairness(), instance)
    assert (workers_of(result, 0)[0], workers_of(result, 1)[0]) == (3, 2)


def test_equal_shares_are_served_in_file_order() -> None:
    instance = hand_made([{"gpu": 3}], [{"samples": 9}, {"samples": 9}])
    result = decided(DominantResourceFairness(), instance)
    assert (workers_of(result, 0)[0], workers_of(result, 1)[0]) == (2, 1)


def test_a_job_that_does_not_fit_does_not_block_the_others() -> None:
    instance = hand_made([{"gpu": 2}, {"gpu": 2}], [{"worker": {"gpu": 3}}, {"samples": 4}])
    assert workers_of(decided(DominantResourceFairness(), instance), 1) == {0: 4}


def test_a_job_gets_at_most_its_batch_size_and_its_remaining_work() -> None:
    instance = hand_made([{"gpu": 9}], [{"samples": 5, "batch_size": 3}])
    assert workers_of(decided(DominantResourceFairness(), instance), 0) == {0: 3, 1: 2}


def test_one_round_per_slot_places_each_server_before_its_worker() -> None:
    jobs = [{"samples": 2, "workers_per_ps": 1, "ps": {"gpu": 1}}, {"samples": 1, "ps": {"gpu": 1}}]
    instance = hand_made([{"gpu": 2}] * 4, jobs)
    rows = [p for p in decided(DominantResourceFairness(), instance).placements if p.slot == 0]
    # in turn: the first job's server and worker, the second's, the first's again; machine by machine
    assert rows == [
        Placement(0, 0, 0, 0, 2),
        Placement(0, 0, 1, 2, 0),
        Placement(1, 0, 2, 0, 1),
        Placement(1, 0, 3, 1, 0),
    ]


def test_reserved_amounts_count_in_the_totals() -> None:
    # Of 8 GPUs 5 are reserved. The memory of the second job, not its GPU, is dominant only if all 8 count.
    tasks = [{"worker": {"gpu": 1}}, {"worker": {"gpu": 1, "memory": 2}}]
    jobs = [task | {"samples": 9, "batch_size": 9} for task in tasks]
    reserved = [[{"gpu": 5}]] * 6
    instance = hand_made([{"gpu": 8, "memory": 10}], jobs, reserved=reserved)
    result = decided(DominantResourceFairness(), instance)
    assert (workers_of(result, 0)[0], workers_of(result, 1)[0]) == (2, 1)
