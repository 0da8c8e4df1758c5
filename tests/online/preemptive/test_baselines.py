from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import schedproof as sp
from schedproof.core.errors import InputError, NoSolution
from schedproof.instances.preemptive import Instance, Schedule, from_json
from schedproof.reference.preemptive import job_level, srtf, tiresias_l
from schedproof.reference.preemptive_floating import job_level_anywhere
from tests.support import size
from tests.tiny.preemptive import tiny_instance, tiny_preemptive

THRESHOLDS = (4, 12)
POLICIES: dict[str, tuple[str, dict[str, Any]]] = {
    "srtf": ("srtf", {}),
    "srtf, faster": ("srtf", {"speed": "1.5"}),
    "tiresias_l": ("tiresias_l", {"thresholds": THRESHOLDS}),
    "tiresias_l, default": ("tiresias_l", {}),
    "batch_sche": ("batch_sche", {}),
    "batch_sche, windows": ("batch_sche", {"window": 4, "speed": "5/4"}),
    "batch_sche, dear cloud": ("batch_sche", {"cloud_price": 100}),
    "batch_sche, even prices": ("batch_sche", {"cloud_price": 1}),
}


def schedule(name: str, instance: Instance) -> Schedule:
    policy, options = POLICIES[name]
    run = sp.policy(policy, **options).run(instance)
    assert run.guarantee.value is None
    result: Schedule = run.schedule
    return result


@pytest.mark.parametrize("name", ["srtf", "tiresias_l", "batch_sche", "batch_sche, dear cloud"])
def test_tight_storage_is_respected_or_the_job_rejected(name: str) -> None:
    kept = refused = 0
    for seed in range(size(60, 120, 1000)):
        instance = tiny_instance(seed, storage=True, tight=True, cloud=seed % 2 == 0, jobs=8)
        try:
            result = schedule(name, instance)
        except NoSolution as error:
            assert "storage" in str(error)
            refused += 1
            continue
        assert result.violations(instance) == [], (name, seed)
        kept += 1
    assert kept and refused


@pytest.mark.parametrize("name", ["srtf", "tiresias_l"])
def test_storage_is_free_in_the_slot_of_a_completion(name: str) -> None:
    value = tiny_preemptive(5, storage=True, cloud=False, ps_types=False, servers=1, jobs=2)
    for arrival, row in enumerate(value["jobs"]):
        same = {"arrival": 2 * arrival, "chunks": 1, "epochs": 2, "minibatches": 1, "upload_delay": {"edge-0": 0}}
        row.update(same, minibatch_time=1, update_time=0, gradient_size=0, worker_types=["gpu"], chunk_size=7)
    value["servers"][0].update(workers={"gpu": 1}, storage=7)
    instance = from_json(value)
    result = schedule(name, instance)
    assert result.violations(instance) == []
    assert result.intervals.start.tolist() == [0, 2]


@pytest.mark.parametrize(("name", "speed"), [("srtf", 1), ("srtf, faster", "1.5"), ("tiresias_l", 1)])
@pytest.mark.parametrize("restart", [0, 1, 4])
def test_equals_the_reference(name: str, speed: Any, restart: int) -> None:
    order = srtf if name.startswith("srtf") else lambda gang, slot: tiresias_l(gang, slot, THRESHOLDS)
    preempted = 0
    for seed in range(size(15, 48, 800)):
        instance = tiny_instance(seed, storage=False, jobs=4 + seed % 5, servers=1 + seed % 3, restart=restart)
        result = schedule(name, instance)
        assert sorted(result.intervals.rows()) == sorted(job_level(instance, order, Fraction(speed))), (name, seed)
        assert result.violations(instance, speed=speed) == [], seed
        preempted += result.preemptions()
    assert preempted


@pytest.mark.parametrize("name", ["srtf", "tiresias_l"])
def test_equals_the_reference_in_a_crowd(name: str) -> None:
    order = srtf if name == "srtf" else lambda gang, slot: tiresias_l(gang, slot, THRESHOLDS)
    for seed in range(size(2, 4, 60)):
        instance = tiny_instance(seed, storage=False, cloud=False, jobs=25, servers=2)
        result = schedule(name, instance)
        assert sorted(result.intervals.rows()) == sorted(job_level(instance, order, Fraction(1))), seed
        assert result.preemptions() > 5


def slots_of(schedule: Schedule) -> set[tuple[int, ...]]:
    """Return every (job, server, kind, worker, slot) of training."""
    return {(j, *place, t) for j, _, *place, start, end in schedule.intervals.rows() for t in range(start, end)}


@pytest.mark.parametrize("name", ["srtf", "tiresias_l"])
@pytest.mark.parametrize("restart", [0, 3])
def test_equals_the_reference_for_jobs_on_any_workers(name: str, restart: int) -> None:
    order = srtf if name == "srtf" else lambda gang, slot: tiresias_l(gang, slot, THRESHOLDS)
    moved = 0
    for seed in range(size(12, 24, 3000)):
        crowd = {"jobs": 20, "servers": 2} if seed % 4 == 0 else {"jobs": 4 + seed % 5, "servers": 1 + seed % 3}
        instance = tiny_instance(seed, storage=False, restart=restart, **crowd)
        run = sp.policy(POLICIES[name][0], chunks="floating", **POLICIES[name][1]).run(instance)
        assert run.feasible and run.unusual_rules == {"chunks": "floating"}, seed
        assert slots_of(run.schedule) == job_level_anywhere(instance, order, Fraction(1)), (name, seed)
        moved += any(v.constraint == "chunk_stays" for v in run.schedule.violations(instance))
    assert moved


@pytest.mark.parametrize("name", ["srtf", "tiresias_l"])
def test_a_gang_starts_completely_or_not_at_all(name: str) -> None:
    for seed in range(size(20, 60, 800)):
        instance = tiny_instance(seed, jobs=7, servers=2)
        table = schedule(name, instance).intervals.rows()
        for job in instance.jobs:
            mine = [row for row in table if row[0] == job.index]
            ends: dict[tuple[int, ...], int] = {}
            for _, _, server, kind, worker, _, end in mine:
                ends[server, kind, worker] = max(end, ends.get((server, kind, worker), 0))
            for slot in {t for row in mine for t in range(row[5], row[6])}:
                busy = Counter(row[2:5] for row in mine if row[5] <= slot < row[6])
                assert set(busy.values()) == {1}
                assert busy.keys() == {place for place, end in ends.items() if end > slot}, (seed, job.name, slot)


@pytest.mark.parametrize("name", ["srtf", "tiresias_l"])
def test_edge_only(name: str) -> None:
    value = tiny_preemptive(3, cloud=True)
    instance = from_json(value)
    assert np.all(schedule(name, instance).intervals.worker >= 0)
    value["jobs"][2]["upload_delay"] = {"cloud": 4}
    with pytest.raises(NoSolution, match="job 'job-2': no edge worker can serve it"):
        schedule(name, from_json(value))


# --- BatchSche -----------------------------------------------------------------------------------------------------


def test_batch_sche_sends_eligible_jobs_to_the_cheap_cloud_and_never_preempts() -> None:
    for seed in range(size(20, 60, 500)):
        instance = tiny_instance(seed, cloud=True)
        result = schedule("batch_sche", instance)
        assert result.preemptions() == 0
        frame = result.to_frame(instance)
        assert frame.in_cloud.tolist() == ["cloud" in job.upload_delay for job in instance.jobs]
        for job in instance.jobs:
            if (delay := instance.cloud_delay(job)) is not None:
                assert frame.jct[job.index] == delay + job.slots(in_cloud=True)


def test_batch_sche_uses_the_cheaper_place_and_the_edge_on_a_tie() -> None:
    seen = set()
    for seed in range(size(20, 36, 200)):
        instance = tiny_instance(seed, cloud=True)
        cheap = schedule("batch_sche, even prices", instance).to_frame(instance).in_cloud.tolist()
        for job, in_cloud in zip(instance.jobs, cheap, strict=True):
            better = "cloud" in job.upload_delay and job.slots(in_cloud=True) < job.slots()
            assert in_cloud == better
            seen.add(in_cloud)
        assert not schedule("batch_sche, dear cloud", instance).to_frame(instance).in_cloud.any()
    assert seen == {False, True}


def test_batch_sche_starts_a_jobs_workers_together_after_its_window() -> None:
    for seed in range(size(20, 48, 500)):
        instance = tiny_instance(seed, cloud=False)
        result = schedule("batch_sche, windows", instance).intervals
        for job in instance.jobs:
            mine = [row for row in result.rows() if row[0] == job.index]
            start = min(row[5] for row in mine)
            places = {row[2:5] for row in mine}
            assert {row[2:5] for row in mine if row[5] == start} == places
            batch = -(-job.arrival // 4) * 4
            assert start >= batch + max(job.delay(instance.servers[place[0]]) or 0 for place in places)


def test_batch_sche_serves_a_job_that_only_the_cloud_can_serve() -> None:
    value = tiny_preemptive(3, cloud=True)
    value["jobs"][2]["upload_delay"] = {"cloud": 4}
    instance = from_json(value)
    result = schedule("batch_sche, dear cloud", instance)
    assert result.violations(instance) == []
    assert result.to_frame(instance).in_cloud.tolist() == [False, False, True, False, False, False]


def test_batch_sche_with_floating_chunks_starts_as_early_as_reservations_allow() -> None:
    earlier = 0
    for seed in range(size(10, 30, 1000)):
        instance = tiny_instance(seed, cloud=False, storage=False, jobs=10, servers=1 + seed % 2)
        pinned, floating = (sp.policy("batch_sche", chunks=c).run(instance) for c in ("pinned", "floating"))
        assert floating.feasible and floating.schedule.preemptions() == 0, (seed, floating.violations[:2])
        assert slots_of(floating.schedule) == reserved(instance), seed
        earlier += floating.objective < pinned.objective
    assert earlier


def reserved(instance: Instance) -> set[tuple[int, ...]]:
    everywhere = [place for q in instance.classes for place in q.places]
    taken: set[tuple[int, ...]] = set()  # (place, slot)
    result: set[tuple[int, ...]] = set()
    for job in sorted(instance.jobs, key=lambda job: (job.arrival, job.chunks * job.slots(), job.index)):
        opens = {p: job.arrival + delay for q, delay in instance.qualified(job) for p in q.places}
        width = min(job.chunks, len(opens))
        length = -(-job.chunks // width) * job.slots()

        ahead = range(job.arrival, instance.horizon)
        free = {t: [p for p in everywhere if opens.get(p, t + 1) <= t and (*p, t) not in taken] for t in ahead}
        start = next(t for t in ahead if all(len(free[slot]) >= width for slot in range(t, t + length)))
        last: list[Any] = []
        for slot in range(start, start + length):
            done = (slot - start) // job.slots()
            last = [] if (slot - start) % job.slots() == 0 else last
            line = sorted(free[slot], key=lambda p: (p not in last, everywhere.index(p)))
            last = line[: min(width, job.chunks - done * width)]
            taken |= {(*p, slot) for p in last}
            result |= {(job.index, *p, slot) for p in last}
    return result


# --- options -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("policy", "options"),
    [
        ("srtf", {"speed": 0}),
        ("srtf", {"speed": "fast"}),
        ("tiresias_l", {"thresholds": "12,4"}),
        ("tiresias_l", {"thresholds": "0,4"}),
        ("tiresias_l", {"thresholds": "few"}),
        ("batch_sche", {"window": 0}),
        ("batch_sche", {"cloud_price": "-1"}),
        ("batch_sche", {"cloud_price": "1/0"}),
    ],
)
def test_bad_options_give_one_message(policy: str, options: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="expected"):
        sp.policy(policy, **options).build(tiny_instance(0))


def test_thresholds_as_text() -> None:
    text, numbers = (sp.policy("tiresias_l", thresholds=t).build(tiny_instance(0)) for t in ("4,12", (4, 12)))
    assert text.thresholds == numbers.thresholds == (4, 12)
