"""Program (2) as a CP-SAT model by chunks, without the rows of the Pyomo groups."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction

from schedproof.core.base.numbers import ceil
from schedproof.core.base.untyped import Model
from schedproof.core.data.options import pick
from schedproof.core.runtime.context import Context
from schedproof.core.solvers import cpsat
from schedproof.core.solvers.status import Outcome
from schedproof.formulations.preemptive.index import require_no_restart
from schedproof.instances.preemptive import Instance, Job

COLUMN_BYTES = 10_000.0  # measured at 72,000 columns, including rows and the solver's memory


def by_cpsat(
    instance: Instance, *, chunks: str, reading: str, ps_release: str, speed: Fraction, context: Context
) -> Outcome:
    """Solve program (2) with one Boolean per chunk, worker and slot.

    The Pyomo program counts a worker's chunks of a job; this model places each chunk. Each job has a variable for its
    last slot, instead of alive variables.
    """
    require_no_restart(instance)
    after_upload = pick("ps_release", ps_release, {"printed": True, "none": False})
    model = cpsat.empty("preemptive.minlp2", _columns(instance, after_upload), COLUMN_BYTES, context)
    busy: dict[Model, list[Model]] = defaultdict(list)  # (worker, slot) -> Booleans of its chunks
    active: dict[tuple[int, int], list[Model]] = defaultdict(list)  # (job, slot) -> Booleans of its chunks
    ends = []
    for job in instance.jobs:
        whole = model.new_bool_var(f"whole[{job.name}]")
        end = model.new_int_var(job.arrival, instance.horizon, f"end[{job.name}]")
        ends.append(end - job.arrival)
        _in_cloud(model, instance, job, whole, end, speed)
        units = [_chunk(model, instance, job, d, chunks == "pinned", busy, active) for d in range(job.chunks)]
        for t, x in (pair for unit in units for pair in unit):
            model.add_implication(x, ~whole)
            model.add(end >= t + 1).only_enforce_if(x)
        if chunks == "pinned":
            for unit in units:
                model.add(sum(x for _, x in unit) == job.slots(speed=speed)).only_enforce_if(~whole)
        else:
            together = reading == "ceil_job"
            need = ceil(job.chunks * job.chunk_time / speed) if together else job.chunks * job.slots(speed=speed)
            model.add(sum(x for unit in units for _, x in unit) == need).only_enforce_if(~whole)
    for users in busy.values():
        model.add_at_most_one(users)
    _serve(model, instance, active, after_upload)
    model.minimize(sum(ends))
    outcome, _ = cpsat.solve(model, context)
    exact = (
        Fraction(round(outcome.objective)) if outcome.status == "optimal" and outcome.objective is not None else None
    )
    return Outcome(outcome.status, outcome.objective, outcome.bound, exact=exact, message=outcome.message)


def _columns(instance: Instance, after_upload: bool) -> int:
    columns = 0
    for job in instance.jobs:
        slots = [max(0, instance.horizon - job.arrival - delay) for _, delay in _places(instance, job)]
        columns += 2 + job.chunks * (len(slots) + sum(slots))
        for t in range(instance.horizon - max(slots, default=0), instance.horizon):
            columns += len(_edge_servers(instance, job, t, after_upload) or ())
    return columns


def _places(instance: Instance, job: Job) -> list[tuple[Model, int]]:
    places: list[tuple[Model, int]] = [(place, delay) for q, delay in instance.qualified(job) for place in q.places]
    cloud = instance.cloud_delay(job)
    return places if cloud is None else [*places, (None, cloud)]


def _in_cloud(model: Model, instance: Instance, job: Job, whole: Model, end: Model, speed: Fraction) -> None:
    delay = instance.cloud_delay(job)
    done = None if delay is None else job.arrival + delay + job.slots(in_cloud=True, speed=speed)
    if done is None or done > instance.horizon:
        model.add(whole == 0)
    else:
        model.add(end >= done).only_enforce_if(whole)


def _chunk(
    model: Model, instance: Instance, job: Job, d: int, pinned: bool, busy: dict[Model, list[Model]], active: Model
) -> list[tuple[int, Model]]:
    places = _places(instance, job)
    units = []
    in_slot: dict[int, list[Model]] = defaultdict(list)
    chosen = [model.new_bool_var(f"on[{job.name},{d},{p}]") for p, _ in enumerate(places)]
    for (place, delay), here in zip(places, chosen, strict=True):
        for t in range(job.arrival + delay, instance.horizon):
            if place is not None and instance.calendar.closed(place[0], t):
                continue
            x = model.new_bool_var(f"x[{job.name},{d},{place},{t}]")
            units.append((t, x))
            in_slot[t].append(x)
            active[job.index, t].append(x)
            if place is not None:
                busy[place, t].append(x)
            if pinned:
                model.add_implication(x, here)
    if pinned:
        model.add_at_most_one(chosen)
    for users in in_slot.values():
        model.add_at_most_one(users)
    return units


def _serve(model: Model, instance: Instance, active: dict[tuple[int, int], list[Model]], after_upload: bool) -> None:
    """Add (2e), (2f), (2i): parameter servers for jobs without one in the cloud."""
    counts = {(s.name, kind): n for s in instance.edges for kind, n in s.parameter_servers.items()}
    taken: dict[tuple[str, str, int], list[Model]] = defaultdict(list)
    for (j, t), users in active.items():
        job = instance.jobs[j]
        open_to_it = _edge_servers(instance, job, t, after_upload)
        if open_to_it is None:
            continue
        mine = []
        for server, kind in open_to_it:
            z = model.new_bool_var(f"z[{job.name},{server},{kind},{t}]")
            mine.append(z)
            taken[server, kind, t].append(z)
        for x in users:
            model.add(sum(mine) >= 1).only_enforce_if(x)
    for (name, kind, _), users in taken.items():
        model.add(sum(users) <= counts[name, kind])


def _edge_servers(instance: Instance, job: Job, t: int, after_upload: bool) -> list[tuple[str, str]] | None:
    here = [s for s in instance.servers if job.delay(s) is not None]
    here = [s for s in here if not after_upload or t >= job.arrival + (job.delay(s) or 0)]
    if instance.cloud in here:
        return None
    return [(s.name, kind) for s in here for kind in s.parameter_servers if job.opens(s, kind)]
