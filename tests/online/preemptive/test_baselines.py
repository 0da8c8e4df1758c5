"""SRTF, Tiresias-L and BatchSche: feasible, repeatable, and equal to literal versions of their rules."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from schedproof.core.errors import InputError, NoSolution
from schedproof.instances.preemptive import Instance, Schedule, from_json
from schedproof.instances.preemptive.schedule import Intervals
from schedproof.online.preemptive.batch_sche import batch_sche
from schedproof.online.preemptive.srtf import srtf
from schedproof.online.preemptive.tiresias_l import tiresias_l
from tests.support import size
from tests.tiny.preemptive import tiny_instance, tiny_preemptive

THRESHOLDS = (4, 12)
POLICIES: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "srtf": (srtf, {}),
    "srtf, faster": (srtf, {"speed": "1.5"}),
    "tiresias_l": (tiresias_l, {"thresholds": THRESHOLDS}),
    "tiresias_l, default": (tiresias_l, {}),
    "batch_sche": (batch_sche, {}),
    "batch_sche, windows": (batch_sche, {"window": 4, "speed": "5/4"}),
    "batch_sche, dear cloud": (batch_sche, {"cloud_price": 100}),
    "batch_sche, even prices": (batch_sche, {"cloud_price": 1}),
}


def schedule(name: str, instance: Instance) -> Schedule:
    factory, options = POLICIES[name]
    policy = factory(**options)
    assert policy.guarantee(instance).value is None
    result = instance.drive(policy, name, options, 0, lambda jobs: None)
    assert isinstance(result, Schedule)
    return result


def rows(intervals: Intervals) -> list[tuple[int, ...]]:
    return list(zip(*(getattr(intervals, name).tolist() for name in Intervals.COLUMNS), strict=True))


@pytest.mark.parametrize("name", POLICIES)
def test_every_schedule_passes_the_checker_twice_the_same(name: str) -> None:
    for seed in range(size(20, 120, 1000)):
        instance = tiny_instance(seed, jobs=3 + seed % 7)
        first, second = schedule(name, instance), schedule(name, instance)
        assert first.violations(instance) == [], (name, seed)
        assert first.to_json(instance) == second.to_json(instance)


@pytest.mark.parametrize("name", ["srtf", "tiresias_l", "batch_sche", "batch_sche, dear cloud"])
def test_tight_storage_is_kept_or_refused(name: str) -> None:
    kept = refused = 0
    for seed in range(size(60, 200, 1000)):
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
def test_storage_is_free_again_in_the_slot_of_a_completion(name: str) -> None:
    value = tiny_preemptive(5, storage=True, cloud=False, ps_types=False, servers=1, jobs=2)
    for arrival, row in enumerate(value["jobs"]):
        same = {"arrival": 2 * arrival, "chunks": 1, "epochs": 2, "minibatches": 1, "upload_delay": {"edge-0": 0}}
        row.update(same, minibatch_time=1, update_time=0, gradient_size=0, worker_types=["gpu"], chunk_size=7)
    value["servers"][0].update(workers={"gpu": 1}, storage=7)
    instance = from_json(value)
    result = schedule(name, instance)
    assert result.violations(instance) == []
    assert result.intervals.start.tolist() == [0, 2]


# --- the job-level schedulers against a slot by slot version of their rules ---------------------------------------


def literal(instance: Instance, name: str, speed: Fraction) -> list[tuple[int, ...]]:
    """SRTF or Tiresias-L with a loop over slots, every quantity counted anew from the slots that were run."""
    workers = [
        (server.index, kind, number)
        for server in instance.edges
        for kind, count in enumerate(server.workers.values())
        for number in range(count)
    ]
    home: dict[tuple[int, int], int] = {}  # (job, chunk) -> worker
    need: dict[tuple[int, int], int] = {}
    got: Counter[tuple[int, int]] = Counter()
    landed: dict[int, int] = {}
    first: dict[int, int] = {}
    before: set[int] = set()
    log: dict[tuple[int, int], list[int]] = {}

    def left(chunk: tuple[int, int]) -> int:
        return need[chunk] - got[chunk]

    def held(j: int) -> dict[int, int]:
        """Worker -> unfinished slots of the job there."""
        total: Counter[int] = Counter()
        for chunk, w in home.items():
            if chunk[0] == j:
                total[w] += left(chunk)
        return {w: slots for w, slots in total.items() if slots}

    def key(j: int) -> tuple[Any, ...]:
        job = instance.jobs[j]
        if name == "srtf":
            return max(held(j).values()), j not in before, job.arrival, j
        attained = sum(got[chunk] for chunk in home if chunk[0] == j)
        return bisect_right(THRESHOLDS, attained), first.get(j, 10**9), landed[j], job.arrival, j

    slot, unfinished = 0, {job.index for job in instance.jobs}
    while unfinished:
        for job in (job for job in instance.jobs if job.arrival == slot):
            for number in range(job.chunks):
                pending = Counter(w for chunk, w in home.items() for _ in range(left(chunk)))
                types = [list(instance.servers[s].workers)[k] for s, k, _ in workers]
                able = [
                    w
                    for w, (s, _, _) in enumerate(workers)
                    if types[w] in job.worker_types and job.delay(instance.servers[s]) is not None
                ]
                w = min(able, key=lambda w: (pending[w], w))
                home[job.index, number] = w
                need[job.index, number] = job.slots(speed=speed)
                arrives = slot + (job.delay(instance.servers[workers[w][0]]) or 0)
                landed[job.index] = max(landed.get(job.index, 0), arrives)
        taken: set[int] = set()
        running = set()
        for j in sorted((j for j in unfinished if landed.get(j, slot + 1) <= slot), key=key):
            if not taken & held(j).keys():
                taken |= held(j).keys()
                running.add(j)
        for j in running:
            first.setdefault(j, slot)
            for w in held(j):
                chunk = min(c for c, place in home.items() if c[0] == j and place == w and left(c))
                got[chunk] += 1
                log.setdefault(chunk, []).append(slot)
        unfinished -= {j for j in running if not held(j)}
        before = running
        slot += 1
    found = []
    for (j, number), slots in log.items():
        cuts = [0, *(i for i in range(1, len(slots)) if slots[i] > slots[i - 1] + 1), len(slots)]
        for a, b in pairwise(cuts):
            found.append((j, number, *workers[home[j, number]], slots[a], slots[b - 1] + 1))
    return sorted(found)


@pytest.mark.parametrize(("name", "speed"), [("srtf", 1), ("srtf, faster", "1.5"), ("tiresias_l", 1)])
def test_equals_the_slot_by_slot_version(name: str, speed: Any) -> None:
    preempted = 0
    for seed in range(size(15, 80, 800)):
        instance = tiny_instance(seed, storage=False, jobs=4 + seed % 5, servers=1 + seed % 3)
        result = schedule(name, instance)
        assert sorted(rows(result.intervals)) == literal(instance, name.split(",")[0], Fraction(speed)), (name, seed)
        preempted += result.preemptions()
    assert preempted


@pytest.mark.parametrize("name", ["srtf", "tiresias_l"])
def test_all_or_nothing(name: str) -> None:
    """Whenever a job runs, every worker that holds an unfinished chunk of it trains one."""
    for seed in range(size(20, 100, 800)):
        instance = tiny_instance(seed, jobs=7, servers=2)
        table = rows(schedule(name, instance).intervals)
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
    with pytest.raises(NoSolution, match="no edge worker can serve job 'job-2'"):
        schedule(name, from_json(value))


# --- BatchSche -----------------------------------------------------------------------------------------------------


def test_batch_sche_sends_each_job_that_may_go_to_the_cheap_cloud_and_never_preempts() -> None:
    for seed in range(size(20, 100, 500)):
        instance = tiny_instance(seed, cloud=True)
        result = schedule("batch_sche", instance)
        assert result.preemptions() == 0
        frame = result.to_frame(instance)
        assert frame.in_cloud.tolist() == ["cloud" in job.upload_delay for job in instance.jobs]
        for job in instance.jobs:
            if (delay := instance.cloud_delay(job)) is not None:
                assert frame.jct[job.index] == delay + job.slots(in_cloud=True)


def test_batch_sche_takes_the_cheaper_place_and_the_edge_on_a_tie() -> None:
    seen = set()
    for seed in range(size(20, 60, 200)):
        instance = tiny_instance(seed, cloud=True)
        cheap = schedule("batch_sche, even prices", instance).to_frame(instance).in_cloud.tolist()
        for job, in_cloud in zip(instance.jobs, cheap, strict=True):
            better = "cloud" in job.upload_delay and job.slots(in_cloud=True) < job.slots()
            assert in_cloud == better
            seen.add(in_cloud)
        assert not schedule("batch_sche, dear cloud", instance).to_frame(instance).in_cloud.any()
    assert seen == {False, True}


def test_batch_sche_starts_a_jobs_workers_together_and_a_batch_waits_for_its_window() -> None:
    for seed in range(size(20, 80, 500)):
        instance = tiny_instance(seed, cloud=False)
        result = schedule("batch_sche, windows", instance).intervals
        for job in instance.jobs:
            mine = [row for row in rows(result) if row[0] == job.index]
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


# --- options -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("factory", "options"),
    [
        (srtf, {"speed": 0}),
        (srtf, {"speed": "fast"}),
        (tiresias_l, {"thresholds": "12,4"}),
        (tiresias_l, {"thresholds": "0,4"}),
        (tiresias_l, {"thresholds": "few"}),
        (batch_sche, {"window": 0}),
        (batch_sche, {"cloud_price": "-1"}),
        (batch_sche, {"cloud_price": "1/0"}),
    ],
)
def test_bad_options_are_one_sentence(factory: Callable[..., Any], options: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="expected"):
        factory(**options)


def test_thresholds_as_text() -> None:
    assert tiresias_l(thresholds="4,12").thresholds == tiresias_l(thresholds=(4, 12)).thresholds == (4, 12)
