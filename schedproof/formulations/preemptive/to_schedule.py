"""Schedules from solved models of (2) or (7): chunk numbers and intervals."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from schedproof.core.base.untyped import Model
from schedproof.core.simulation.policy import DecidedBy
from schedproof.instances.preemptive import Instance, Intervals, Job, Schedule, Services

Place = tuple[int, int, int]  # server, kind, worker; kind and worker are -1 in the cloud
Training = list[tuple[int, int, Place, int]]  # job, chunk, place, slot


def pinned_schedule(model: Model, instance: Instance) -> Schedule:
    """Return the schedule of a solved pinned program; a worker trains chunks in turn."""
    speed, training = Fraction(model.placement.speed), Training()
    slots_at: dict[tuple[Model, ...], list[int]] = {}
    for *place, t in _on(model.pinned_workers.edge):
        slots_at.setdefault(tuple(place), []).append(t)
    for job in _outside_cloud(model, instance):
        chunk, need = 0, job.slots(speed=speed)
        for (name, *place), slots in slots_at.items():
            if name == job.name:
                where = _place(instance, *place)
                training += [(job.index, chunk + n // need, where, t) for n, t in enumerate(sorted(slots))]
                chunk += len(slots) // need
        training += _in_cloud(instance, job, range(chunk, job.chunks), need)
    return _schedule(model, instance, training, {"chunks": "pinned", "speed": str(speed)})


def floating_schedule(model: Model, instance: Instance) -> Schedule:
    """Return the schedule of a solved floating program; chunks get work in turn."""
    use, speed, training = model.floating_workers, Fraction(model.placement.speed), Training()
    taken: dict[tuple[Model, ...], int] = {}  # (server, type, slot) -> workers that have a job already
    for job in _outside_cloud(model, instance):
        units: list[tuple[Place, int]] = []
        for name, server, kind, t in sorted(_on(use.edge), key=lambda key: key[-1]):
            for _ in range(round(use.edge[name, server, kind, t].value) if name == job.name else 0):
                number = taken[server, kind, t] = taken.get((server, kind, t), -1) + 1
                units.append((_place(instance, server, kind, number), t))
        for name, t in _on(use.cloud_at_edge_rate):
            if name == job.name and instance.cloud is not None:
                units += [((instance.cloud.index, -1, -1), t)] * round(use.cloud_at_edge_rate[name, t].value)
        training += [(job.index, n % job.chunks, place, t) for n, (place, t) in enumerate(units)]
    work = model.component("job_work")  # the user may have dropped this variable
    reading = "ceil_chunk" if work is None else work.reading
    return _schedule(model, instance, training, {"chunks": "floating", "reading": reading, "speed": str(speed)})


def _outside_cloud(model: Model, instance: Instance) -> list[Job]:
    return [job for job in instance.jobs if model.placement.all_in_cloud[job.name].value < 0.5]


def _on(variable: Model) -> list[Model]:
    return [key for key, v in variable.items() if v.value and v.value > 0.5]


def _place(instance: Instance, server: str, kind: str, number: int) -> Place:
    s = next(s for s in instance.servers if s.name == server)
    return s.index, list(s.workers).index(kind), number


def _in_cloud(instance: Instance, job: Job, chunks: Iterable[int], slots: int) -> Training:
    if instance.cloud is None:
        return []
    start = job.arrival + (instance.cloud_delay(job) or 0)
    place = (instance.cloud.index, -1, -1)
    return [(job.index, chunk, place, t) for chunk in chunks for t in range(start, start + slots)]


def _schedule(model: Model, instance: Instance, training: Training, options: dict[str, str]) -> Schedule:
    outside = _outside_cloud(model, instance)
    for job in (job for job in instance.jobs if job not in outside):
        training += _in_cloud(instance, job, range(job.chunks), job.slots(True, model.placement.speed))
    runs = {(job, t) for job, _, _, t in training}
    serving: dict[tuple[int, int], tuple[int, int]] = {}
    jobs = {job.name: job.index for job in instance.jobs}
    for name, server, kind, t in _on(model.parameter_server.serves):
        s = next(s for s in instance.servers if s.name == server)
        serving[jobs[name], t] = (s.index, -1 if s.cloud else list(s.parameter_servers).index(kind))
    if instance.cloud is not None:
        serving |= dict.fromkeys(runs - serving.keys(), (instance.cloud.index, -1))
    trained = _merge(((j, c, *place), t) for j, c, place, t in training)
    served = _merge(((j, *serving[j, t]), t) for j, t in runs if (j, t) in serving)
    at_once = model.component("parameter_server_has_landed") is None
    options |= {"ps_release": "none" if at_once else "printed"}
    return Schedule.by(DecidedBy(model.local_name, options), instance, Intervals.of(trained), Services.of(served))


def _merge(units: Iterable[tuple[tuple[int, ...], int]]) -> list[tuple[int, ...]]:
    merged: list[tuple[int, ...]] = []
    for key, t in sorted(units):
        if merged and merged[-1][:-2] == key and merged[-1][-1] == t:
            merged[-1] = (*merged[-1][:-1], t + 1)
        else:
            merged.append((*key, t, t + 1))
    return merged
