"""From a solved model of (2) or (7) to a Schedule: integer values, chunk numbers, and slots merged into intervals."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from schedproof.formulations.preemptive.index import collect
from schedproof.instances.preemptive import Instance, Intervals, Job, Schedule, Services

Place = tuple[int, int, int]  # server, kind, worker; kind and worker are -1 in the cloud
Training = list[tuple[int, int, Place, int]]  # job, chunk, place, slot


def pinned_schedule(model: Any, instance: Instance) -> Schedule:
    """The schedule of a solved program with pinned chunks: each worker trains the chunks it holds one after another."""
    use, training = model.pinned_workers, Training()
    speed = _speed(model)
    slots_at = collect(_on(use.edge), slice(0, 4))
    for job in instance.jobs:
        if model.placement.all_in_cloud[job.name].value > 0.5:
            training += _in_cloud(instance, job, range(job.chunks), job.slots(True, speed))
            continue
        chunk, need = 0, job.slots(speed=speed)
        for worker, keys in slots_at.items():
            if worker[0] != job.name:
                continue
            place = _place(instance, worker[1], worker[2], worker[3])
            for n, key in enumerate(sorted(keys, key=lambda k: k[-1])):
                training.append((job.index, chunk + n // need, place, key[-1]))
            chunk += len(keys) // need
        training += _in_cloud(instance, job, range(chunk, job.chunks), need)
    return _schedule(model, instance, training, {"chunks": "pinned", "speed": str(speed)})


def floating_schedule(model: Any, instance: Instance) -> Schedule:
    """The schedule of a solved program with floating chunks: units of work are dealt to chunks and workers in order."""
    use, training = model.floating_workers, Training()
    speed = _speed(model)
    taken: dict[tuple[Any, ...], int] = {}  # (server, type, slot) -> workers already given away
    for job in instance.jobs:
        if model.placement.all_in_cloud[job.name].value > 0.5:
            training += _in_cloud(instance, job, range(job.chunks), job.slots(True, speed))
            continue
        unit = 0
        for key in sorted(_on(use.edge), key=lambda k: k[-1]):
            if key[0] != job.name:
                continue
            for _ in range(round(use.edge[key].value)):
                number = taken[key[1:]] = taken.get(key[1:], -1) + 1
                training.append((job.index, unit % job.chunks, _place(instance, key[1], key[2], number), key[-1]))
                unit += 1
        for key in _on(use.far):
            if key[0] == job.name and instance.cloud is not None:
                for _ in range(round(use.far[key].value)):
                    training.append((job.index, unit % job.chunks, (instance.cloud.index, -1, -1), key[-1]))
                    unit += 1
    work = model.component("job_work")  # a user may have dropped it
    reading = "ceil_chunk" if work is None else work.reading
    return _schedule(model, instance, training, {"chunks": "floating", "reading": reading, "speed": str(speed)})


def _speed(model: Any) -> Fraction:
    return Fraction(model.placement.speed)


def _on(variable: Any) -> list[Any]:
    return [key for key, v in variable.items() if v.value and v.value > 0.5]


def _place(instance: Instance, server: str, kind: str, number: int) -> Place:
    s = next(s for s in instance.servers if s.name == server)
    return s.index, list(s.workers).index(kind), number


def _in_cloud(instance: Instance, job: Job, chunks: Iterable[int], slots: int) -> Training:
    """Chunks in the cloud start when they have landed: nothing is contended there, so later is never needed."""
    if instance.cloud is None:
        return []
    start = job.arrival + (instance.cloud_delay(job) or 0)
    place = (instance.cloud.index, -1, -1)
    return [(job.index, chunk, place, t) for chunk in chunks for t in range(start, start + slots)]


def _schedule(model: Any, instance: Instance, training: Training, options: dict[str, str]) -> Schedule:
    runs = {(job, t) for job, _, _, t in training}
    serving: dict[tuple[int, int], tuple[int, int]] = {}
    jobs = {job.name: job.index for job in instance.jobs}
    for name, server, kind, t in _on(model.parameter_server.serves):
        s = next(s for s in instance.servers if s.name == server)
        serving[jobs[name], t] = (s.index, -1 if s.cloud else list(s.parameter_servers).index(kind))
    if instance.cloud is not None:
        serving |= dict.fromkeys(runs - serving.keys(), (instance.cloud.index, -1))
    return Schedule(
        Intervals.of(
            (job, chunk, *place, start, end)
            for (job, chunk, place), start, end in _merged(((j, c, p), t) for j, c, p, t in training)
        ),
        Services.of(
            (job, *ps, start, end)
            for (job, ps), start, end in _merged(((key[0], serving[key]), key[1]) for key in runs if key in serving)
        ),
        instance.sha256,
        model.local_name,
        options,
    )


def _merged(units: Iterable[tuple[Any, int]]) -> list[tuple[Any, int, int]]:
    """Runs of consecutive slots with the same key, as (key, start, end)."""
    merged: list[tuple[Any, int, int]] = []
    for key, t in sorted(units):
        if merged and merged[-1][0] == key and merged[-1][2] == t:
            merged[-1] = (key, merged[-1][1], t + 1)
        else:
            merged.append((key, t, t + 1))
    return merged
