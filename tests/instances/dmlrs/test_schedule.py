from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import pytest

import schedproof as sp
from schedproof.core.data.reading import parse
from schedproof.core.simulation.policy import DecidedBy, Decisions
from schedproof.instances.dmlrs import Instance, Placement, Schedule, from_json
from schedproof.instances.dmlrs.drive import COLUMNS, GIVEN_UP, schedule_of
from tests.instances.dmlrs.greedy import greedy
from tests.tiny.dmlrs import tiny_cluster, tiny_dmlrs


def drawn(seed: int) -> tuple[Instance, Schedule]:
    instance = tiny_cluster(seed, jobs=4, machines=3, horizon=5, exact_utilities=seed % 2 == 0)
    return instance, greedy(instance, seed, give_up=0.6)


def as_parsed(schedule: Schedule, instance: Instance) -> Any:
    return parse(msgspec.json.encode(schedule.to_json(instance)))


def test_the_file_names_given_up_jobs() -> None:
    instance = sp.embedded("cluster")
    schedule = greedy(instance, 1, give_up=1)
    assert set(as_parsed(schedule, instance)["unfinished"]) == {instance.jobs[j].name for j in schedule.unfinished}
    assert schedule.unfinished and "unfinished" not in as_parsed(greedy(instance, 1, give_up=0), instance)


@pytest.mark.parametrize("key", ["slot", "workers", "ps"])
@pytest.mark.parametrize("number", [-(10**12), -1, 10**12])
def test_any_number_that_a_file_can_hold_is_judged(key: str, number: int) -> None:
    value = tiny_dmlrs(0, jobs=1, machines=1, reserved=False)
    value["jobs"][0] |= {"arrival": 3, "worker": {"gpu": 1}, "utility": {"kind": "table", "values": [3, 2]}}
    instance = from_json(value)
    parsed = as_parsed(Schedule.of([Placement(0, 0, 0, 1, 1)], instance, "hand"), instance)
    parsed["slots"][0][key] = number
    schedule = Schedule.from_json(parsed, instance)
    assert schedule.violations(instance)
    assert schedule.objective(instance) >= 0 and len(schedule.to_frame(instance)) == 1


def decisions(*rows: tuple[int, int, int, int, int]) -> Decisions:
    """Return a schedule of rows (time, job, machine, workers, ps)."""
    time, job, *columns = np.array(rows, dtype=np.int64).reshape(-1, 5).T
    return Decisions(time, job, dict(zip(COLUMNS, columns, strict=True)))


def test_decisions_become_placements_and_given_up_jobs() -> None:
    instance = tiny_cluster(1, jobs=3, machines=2)
    placed = (0, 1, 1, 2, 1), (0, 1, 0, 1, 0), (1, 0, 0, 3, 2)
    decided = decisions(*placed, (2, 1, GIVEN_UP, 0, 0), (2, 0, 1, 0, 0))
    schedule = schedule_of(decided, instance, DecidedBy("policy", {"a": 1}, 7))
    assert schedule.placements == (Placement(0, 1, 0, 3, 2), Placement(1, 0, 0, 1, 0), Placement(1, 0, 1, 2, 1))
    assert schedule.unfinished == {1}
    assert (schedule.policy, schedule.options, schedule.seed) == ("policy", {"a": 1}, 7)
    assert schedule.completions(instance) == {0: 2}


def test_completion_is_the_end_of_the_last_slot_with_workers() -> None:
    value = tiny_dmlrs(0, jobs=3, machines=1, horizon=6, reserved=False)
    for n, job in enumerate(value["jobs"]):
        job |= {"arrival": n, "utility": {"kind": "table", "values": [32, 16, 8, 4, 2, 1]}}
    instance = from_json(value)
    rows = [Placement(0, 1, 0, 1, 1), Placement(0, 3, 0, 1, 1), Placement(0, 5, 0, 0, 1)]
    rows += [Placement(1, 1, 0, 1, 1), Placement(2, 4, 0, 1, 1)]
    schedule = Schedule.of(rows, instance, "hand", unfinished=frozenset({2}))
    assert schedule.completions(instance) == {0: 4, 1: 2}
    assert schedule.objective(instance) == 4 + 32, "training times 4 and 1"


def test_a_sigmoids_utility_is_its_lower_bound() -> None:
    value = tiny_dmlrs(0, jobs=1, machines=1, reserved=False)
    value["jobs"][0] |= {"arrival": 0, "utility": {"kind": "sigmoid", "theta1": 7, "theta2": 2, "theta3": 3}}
    instance = from_json(value)
    schedule = Schedule.of([Placement(0, 0, 0, 1, 1)], instance, "hand")
    utility = instance.jobs[0].utility
    assert schedule.objective(instance) == utility.lower(1) < utility.upper(1)


def test_the_frame_has_a_row_per_job() -> None:
    assert Schedule.of([], tiny_cluster(7), "nobody").to_frame(tiny_cluster(7)).completion.isna().all()
    for seed in range(10):
        instance, schedule = drawn(seed)
        frame = schedule.to_frame(instance)
        done = schedule.completions(instance)
        assert frame.job.tolist() == [job.name for job in instance.jobs]
        assert frame.completion.dropna().tolist() == [done[j] for j in sorted(done)]
        assert frame.utility.sum() == pytest.approx(float(schedule.objective(instance)))
        assert frame.worker_slots.sum() == sum(p.workers for p in schedule.placements)
        for job in instance.jobs:
            mine = [p.slot for p in schedule.placements if p.job == job.index]
            assert frame.machines_at_once[job.index] == max((mine.count(t) for t in mine), default=0)
        times = {j: time for j, time in enumerate(frame.training_time.tolist()) if isinstance(time, int)}
        assert times == {j: end - instance.jobs[j].arrival for j, end in done.items()}
