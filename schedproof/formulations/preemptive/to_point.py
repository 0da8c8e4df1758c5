"""The points of (2) and (4) that a schedule represents.

A job or chunk that ends after the program's last slot would have finished in the cloud by then. The point places it
in the cloud, at no more than its cost in the schedule.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

from schedproof.core.programs.exact.point import Values
from schedproof.formulations.preemptive.index import slots
from schedproof.instances.preemptive import Instance, Job, Schedule

Worker = tuple[str, str, int] | tuple[()]  # server, type and number; nothing in the cloud
Unit = tuple[Job, int, Worker, int]  # a chunk of a job, its worker, and a slot
LIMITLESS = "*"  # the type of a parameter server in the cloud


def minlp2_point(schedule: Schedule, instance: Instance, *, chunks: str, speed: Fraction, **parameters: Any) -> Values:
    """Return the schedule's point of (2), with ``pinned`` or ``floating`` chunks."""
    away, done = _all_in_cloud(schedule, instance), schedule.completions(instance).tolist()
    late = {job.name for job in instance.jobs if done[job.index] - 1 > instance.last_slot(job, speed=speed)}
    away |= {job.name for job in instance.jobs if job.name in late and instance.cloud_delay(job) is not None}
    units = [unit for unit in _units(schedule, instance) if unit[0].name not in away]
    runs = {(job.name, t) for job, _, _, t in units}
    last = {job: max(t for name, t in runs if name == job) for job, _ in runs}
    point: dict[str, Any] = {
        f"{chunks}_workers.edge": Counter(
            (job.name, *(worker if chunks == "pinned" else worker[:-1]), t) for job, _, worker, t in units if worker
        ),
        f"{chunks}_workers.cloud_at_edge_rate": Counter((job.name, t) for job, _, worker, t in units if not worker),
        "completion.alive": {
            (job.name, t): 1
            for job in instance.jobs
            if job.name in last
            for t in range(job.arrival, last[job.name] + 1)
        },
        "completion.jct": {job.name: done[job.index] - job.arrival for job in instance.jobs},
    }
    if chunks == "pinned":
        where = {(job.name, d): worker for job, d, worker, _ in units}
        point["pinned_workers.holds"] = Counter((j, *worker) for (j, _), worker in where.items() if worker)
        point["pinned_workers.holds_in_cloud"] = Counter(j for (j, _), worker in where.items() if not worker)
    return {**point, **_coupling(schedule, instance, away, runs)}


def ilp4_point(schedule: Schedule, instance: Instance, *, reading: str, speed: Fraction, **parameters: Any) -> Values:
    """Return the schedule's point of (4), chunk by chunk."""
    away = _all_in_cloud(schedule, instance)
    edge, near, far = dict[Any, int](), dict[Any, int](), dict[Any, int]()
    for job, d, worker, t in _in_time(schedule, instance, away, reading, speed):
        if worker:
            edge[(job.name, d, *worker, t)] = 1
        else:
            (far if job.name in away else near)[job.name, d, t] = 1
    runs = {(key[0], key[-1]) for key in (*edge, *near)}
    point: dict[str, Any] = {"training.edge": edge, "training.cloud_at_edge_rate": near, "training.cloud": far}
    return {**point, **_coupling(schedule, instance, away, runs)}


def _units(schedule: Schedule, instance: Instance) -> Iterator[Unit]:
    for j, d, s, kind, number, start, end in schedule.intervals.rows():
        server = instance.servers[s]
        worker: Worker = () if server.cloud else (server.name, list(server.workers)[kind], number)
        for t in range(start, end):
            yield instance.jobs[j], d, worker, t


def _in_time(schedule: Schedule, instance: Instance, away: set[str], reading: str, speed: Fraction) -> Iterator[Unit]:
    """Yield the units; chunks too late for (4) train in the cloud on landing."""
    units = list(_units(schedule, instance))
    last = {job.name: instance.last_slot(job, mixed=True, speed=speed) for job in instance.jobs}
    late = {
        (job.name, d): job for job, d, _, t in units if t > last[job.name] and instance.cloud_delay(job) is not None
    }
    yield from (unit for unit in units if (unit[0].name, unit[1]) not in late)
    for (_, d), job in late.items():
        landed = job.arrival + (instance.cloud_delay(job) or 0)
        takes = -(-slots(job, job.name in away, reading, speed) // 1)
        yield from ((job, d, (), t) for t in range(landed, landed + takes))


def _all_in_cloud(schedule: Schedule, instance: Instance) -> set[str]:
    rows = (schedule.intervals, schedule.services)
    outside = {j for part in rows for j, s in zip(part.job, part.server, strict=True) if not instance.servers[s].cloud}
    return {instance.jobs[j].name for j in set(schedule.intervals.job.tolist()) - outside}


def _coupling(schedule: Schedule, instance: Instance, away: Iterable[str], runs: set[tuple[str, int]]) -> Values:
    serves = dict[tuple[str, str, str, int], int]()
    for j, s, kind, start, end in schedule.services.rows():
        server, job = instance.servers[s], instance.jobs[j].name
        name = LIMITLESS if server.cloud else list(server.parameter_servers)[kind]
        serves |= {(job, server.name, name, t): 1 for t in range(start, end) if (job, t) in runs}
    if instance.cloud:
        own = {(job.name, t) for job, _, _, t in _units(schedule, instance)}
        serves |= {(job, instance.cloud.name, LIMITLESS, t): 1 for job, t in runs - own}
    chunks = Counter(j for j, _ in {row[:2] for row in schedule.intervals.rows()})
    return {
        "placement.all_in_cloud": {
            job.name: Fraction(chunks[job.index], job.chunks) for job in instance.jobs if job.name in away
        },
        "running.runs": dict.fromkeys(runs, 1),
        "parameter_server.serves": serves,
    }
