from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import schedproof as sp
from schedproof.core.simulation.timeline import MEASURES, Timeline, steps
from schedproof.instances.preemptive.alone import time_alone
from tests.instances.schedules import schedules
from tests.support import size

OF = schedules()


def test_the_measures_of_three_jobs_by_hand() -> None:
    # A job waits from 1 to 2 and, interrupted, from 4 to 5, on one of two workers.
    runs = [(0, 0, 2), (1, 2, 4), (1, 3, 4), (1, 5, 6), (2, 4, 6)]
    use, room = {"workers": [(start, end, 1) for _, start, end in runs]}, {"workers": [(0, 9, 2)]}
    line = Timeline.of([0, 1, 4], [2, 6, 6], runs, use=use, room=room, alone=lambda job, n: 2 * n)
    assert dict(zip(line.queue.time.tolist(), line.queue.value.tolist(), strict=True)) == {
        **{0: 0, 1: 1, 2: 0, 4: 1, 5: 0, 6: 0},
    }
    assert line.fairness == [Fraction(2, 3), Fraction(25, 2 * 8), Fraction(2, 4)]
    assert line.measures == {
        **{"jct_p50": 2, "jct_p95": 5, "jct_p99": 5, "utilisation": Fraction(8, 12)},
        **{"queue_mean": Fraction(2, 6), "queue_max": 1, "fairness_mean": 131 / 144, "fairness_max": Fraction(25, 16)},
    }
    assert line.sentence == (
        "JCT p50 2, p95 5, p99 5 slots; 66.7 % of workers in use; jobs waiting 0.333 on average, 1 at most; "
        "finish-time fairness 0.91 on average, 1.56 at most"
    )


def test_without_jobs_the_measures_are_empty() -> None:
    assert Timeline.of([], [], [], use={}, room={}).measures == {}
    assert Timeline.of([], [], [], use={}, room={}).sentence == ""


def test_integrals_are_exact_beyond_64_bits() -> None:
    line = steps(np.array([0, 1]), np.array([2**61, 2**61]), np.array([9, 1]))
    assert line.until(np.array([1, 2**61])).tolist() == [9, 9 + 10 * (2**61 - 1)]


@pytest.mark.parametrize("family", ["preemptive", "dmlrs", "placement"])
def test_every_measure_equals_counting_slots(family: str) -> None:
    for seed in range(size(4, 6, 100)):
        instance, schedule = OF[family].drawn(seed)
        line = schedule.timeline(instance)
        rows, jobs = [*schedule.occupied(instance)], getattr(instance, instance.card.own.size[0])
        start, end = min(job.arrival for job in jobs), int(line.end.max())
        slots = range(start, end)
        there = {t: [j for j, job in enumerate(jobs) if job.arrival <= t < line.end[j]] for t in slots}
        busy = {
            t: {row.job for row in rows if _counts(family, row, schedule) and row.start <= t < row.end} for t in slots
        }
        waits = [sum(j not in busy[t] for j in there[t]) for t in slots]
        found = line.measures
        assert (found["queue_mean"], found["queue_max"]) == (Fraction(sum(waits), len(slots)), max(waits))
        ordered = sorted(int(line.end[j]) - job.arrival for j, job in enumerate(jobs))
        for p in (50, 95, 99):
            least = next(x for x in ordered if 100 * sum(y <= x for y in ordered) >= p * len(ordered))
            assert found[f"jct_p{p}"] == least
        assert found["utilisation"] == max(_used(family, rows, instance, start, end))
        rho = []
        for j, job in enumerate(jobs):
            stay = range(job.arrival, int(line.end[j]))
            alone = line.alone(j, Fraction(sum(len(there[t]) for t in stay), len(stay))) if stay else None
            rho += [] if alone is None else [len(stay) / Fraction(alone)]
        assert line.fairness == rho
        assert {*found} == {*MEASURES} - (set() if rho else {"fairness_mean", "fairness_max"})


def _counts(family: str, row: Any, schedule: Any) -> bool:
    if family == "preemptive":
        return row.resource.startswith("worker")
    if family == "dmlrs":
        return any(
            (p.job, p.slot, p.machine) == (row.job, row.start, row.place) and p.workers for p in schedule.placements
        )
    return True


def _used(family: str, rows: list[Any], instance: Any, start: int, end: int) -> list[Fraction]:
    if family == "preemptive":
        workers = sum(group.count for group in instance.classes)
        used = sum(r.end - r.start for r in rows if r.resource.startswith("worker "))
        return [Fraction(used, workers * (end - start))] if workers else []
    parts = []
    for k, name in enumerate(instance.resources):
        used = sum(r.amount for t in range(start, end) for r in rows if r.resource == name and r.start <= t < r.end)
        if family == "dmlrs":
            room = sum(instance.free(t, m, name) for t in range(start, end) for m in instance.machines)
        else:
            room = (end - start) * sum(cluster.amounts[k] for cluster in instance.clusters)
        parts += [Fraction(used) / room] if room else []
    return parts


def test_minimal_jct_equals_the_exact_optimum() -> None:
    # By program (2) without parameter servers' limits, and by a task's shortest mode.
    for seed in range(size(4, 6, 60)):
        drawn, _ = OF["preemptive"].drawn(seed)
        job = drawn.jobs[seed % len(drawn.jobs)]
        value = drawn.to_json()
        value["jobs"] = [value["jobs"][job.index] | {"arrival": 0}]
        for server in value["servers"]:
            server |= {} if server.get("cloud") else {"parameter_servers": 9}
            server.pop("storage", None)
        value["jobs"][0].pop("ps_types", None)
        alone = type(drawn).from_json(value)
        enough = time_alone(alone, alone.jobs[0], Fraction(1)) + 2  # a few columns, not hundreds
        alone = replace(alone, restart=0, horizon=enough)
        best = sp.program("preemptive.minlp2").solve(alone, solver="cpsat").objective
        assert time_alone(alone, alone.jobs[0], Fraction(1)) == best, seed
        instance, schedule = OF["placement"].drawn(seed)
        for task in instance.tasks:
            assert schedule.timeline(instance).alone(task.index, Fraction(1)) == instance.shortest(task)


def test_a_smaller_share_takes_longer_and_half_a_worker_twice_as_long() -> None:
    day = sp.embedded("day")
    for job in day.jobs:
        times = [time_alone(day, job, Fraction(n)) for n in (1, 2, 4, 64)]
        assert times == sorted(times)
    edge = replace(day, servers=tuple(server for server in day.servers if not server.cloud))
    for job in edge.jobs:
        (workers, delay), *others = {(sum(q.count for q, _ in edge.qualified(job)), d) for _, d in edge.qualified(job)}
        if not others:
            assert time_alone(edge, job, Fraction(2 * workers)) == delay + 2 * job.chunks * job.slots()
