from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from schedproof.instances.dmlrs import Instance, Job, from_json
from schedproof.instances.dmlrs.alone import NONE, cluster_frontier, frontier, most_workers, side_by_side
from schedproof.instances.dmlrs.job import LARGEST_BATCH
from tests.support import size
from tests.tiny.dmlrs import tiny_cluster, tiny_dmlrs


def fitting(instance: Instance, job: Job, slot: int, machine: int, most_ps: int) -> list[tuple[int, int]]:
    m = instance.machines[machine]
    return [
        (w, s)
        for w in range(job.batch_size + 1)
        for s in range(most_ps + 1)
        if all(w * job.worker.get(r, 0) + s * job.ps.get(r, 0) <= instance.free(slot, m, r) for r in instance.resources)
    ]


def by_trying(instance: Instance, job: Job, slot: int) -> tuple[int, int]:
    most_ps = job.ps_needed(job.batch_size)
    places = [fitting(instance, job, slot, m.index, most_ps) for m in instance.machines]

    def enough(rows: tuple[tuple[int, int], ...]) -> bool:
        w, s = sum(row[0] for row in rows), sum(row[1] for row in rows)
        return w <= job.batch_size and w <= job.workers_per_ps * s

    single = max((w for place in places for w, s in place if enough(((w, s),))), default=0)
    spread = max((sum(w for w, _ in rows) for rows in product(*places) if enough(rows)), default=0)
    return single, spread


def test_the_most_workers_equal_trying_every_placement() -> None:
    apart = 0
    for seed in range(size(15, 36, 600)):
        instance = tiny_cluster(seed, machines=1 + seed % 3, most_workers=3, reserved=seed % 4 == 0)
        for job in instance.jobs:
            for slot in {0, instance.horizon - 1}:
                found = most_workers(instance.grid, job, slot)
                assert found == by_trying(instance, job, slot), (seed, job.name, slot)
                apart += found[0] < found[1]
    assert apart, "spreading must matter somewhere"


def test_finishing_alone_equals_the_best_of_every_slot() -> None:
    answers = {True: 0, False: 0}
    for seed in range(size(20, 20, 1000)):
        instance = tiny_cluster(seed, most_workers=3, machines=2, reserved=seed % 2 == 0)
        for job in instance.jobs:
            trained = Fraction(0)
            for slot in range(job.arrival, instance.horizon):
                single, spread = by_trying(instance, job, slot)
                trained += max(single / job.internal_time, spread / job.external_time)
            answers[trained >= job.work] += 1
            assert (job in instance.unservable_jobs) == (trained < job.work), (seed, job.name)
    assert min(answers.values()) > 0


def test_a_frontier_by_hand() -> None:
    # 10 free units, workers of 3 and servers of 2: beside 0, 1, 2, 3 workers 5, 3, 2, 0 servers.
    worker, ps = np.array([3]), np.array([2])
    rows = frontier(np.array([[10], [2]]), worker, ps, 4, 9)
    assert rows.tolist() == [[5, 3, 2, 0, NONE], [1, NONE, NONE, NONE, NONE]]
    assert side_by_side(rows[0], rows[1], 9).tolist() == [6, 4, 3, 1, NONE]
    assert side_by_side(rows[0], rows[0], 6).tolist() == [6, 6, 6, 5, 4]
    assert frontier(np.array([[10]]), worker, ps, 4, 2).tolist() == [[2, 2, 2, 0, NONE]], "no more than matter"


def test_equal_machines_are_counted_with_multiplicity() -> None:
    worker, ps = np.array([3, 1]), np.array([2, 2])
    rng = np.random.Generator(np.random.PCG64(1))
    for count in range(1, 12):
        kinds = rng.integers(0, 12, size=(3, 2))
        free = kinds[rng.integers(3, size=count)]
        one_by_one = np.full(21, NONE)
        one_by_one[0] = 0
        for row in frontier(free, worker, ps, 20, 30):
            one_by_one = side_by_side(one_by_one, row, 30)
        assert cluster_frontier(free, worker, ps, 20, 30).tolist() == one_by_one.tolist()


def only_job(**more: object) -> Instance:
    value = tiny_dmlrs(0, jobs=1, machines=2, horizon=3, reserved=False)
    value["resources"] = ["gpu", "cpu"]
    value["machines"] = [{"name": f"m{h}", "capacity": {"gpu": 2, "cpu": 2}} for h in range(2)]
    value["jobs"][0] |= {
        "batch_size": 4,
        "workers_per_ps": 2,
        "epochs": 1,
        "samples": 1,
        "worker": {"gpu": 1},
        "ps": {"cpu": 1},
    }
    value["jobs"][0] |= more
    return from_json(value)


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({}, (2, 4)),
        ({"worker": {}}, (4, 4)),
        ({"worker": {}, "ps": {}}, (4, 4)),
        ({"ps": {}}, (2, 4)),
        ({"workers_per_ps": 100}, (2, 4)),
        ({"worker": {"gpu": 3}}, (0, 0)),
        ({"ps": {"cpu": 3}}, (0, 0)),
        ({"batch_size": 3}, (2, 3)),
        ({"batch_size": LARGEST_BATCH, "worker": {}, "ps": {}}, (LARGEST_BATCH, LARGEST_BATCH)),
    ],
)
def test_zero_and_excessive_demands(more: dict[str, object], expected: tuple[int, int]) -> None:
    instance = only_job(**more)
    assert most_workers(instance.grid, instance.jobs[0], 0) == expected


def test_the_note_on_jobs_that_cannot_finish() -> None:
    value = tiny_dmlrs(0, jobs=8, horizon=3, reserved=False)
    for job in value["jobs"]:
        job["samples"] = 10**9
    instance = from_json(value)
    assert len(instance.unservable_jobs) == 8
    assert instance.notes() == (
        "8 of 8 jobs cannot finish even on an empty cluster: job-0, job-1, job-2, job-3, job-4, ...",
    )
    value["jobs"] = value["jobs"][:1]
    assert from_json(value).notes() == ("1 of 1 jobs cannot finish even on an empty cluster: job-0",)


def test_run_time_does_not_depend_on_the_horizon() -> None:
    value = tiny_dmlrs(2, jobs=3, horizon=4, reserved=False)
    value["horizon"] = 100_000
    for job in value["jobs"]:
        job["samples"] = 10**9
    assert len(from_json(value).unservable_jobs) == 3
