"""Independent exact checker of dmlrs schedules: one function per constraint.

It shares no code with any model or policy.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction

from schedproof.core.data import checking
from schedproof.core.data.checking import Violation, violation
from schedproof.instances.dmlrs.instance import Instance
from schedproof.instances.dmlrs.job import Job
from schedproof.instances.dmlrs.schedule import Schedule


def violations(schedule: Schedule, instance: Instance) -> list[Violation]:
    """Return every broken constraint, or only the malformed rows if there are some."""
    return checking.violations(schedule, instance, well_formed, RULES)


def well_formed(schedule: Schedule, instance: Instance) -> Iterator[Violation]:
    """Jobs, machines and slots exist, counts are not negative, rows are unique."""
    seen = Counter((p.job, p.slot, p.machine) for p in schedule.placements)
    for j in sorted(schedule.unfinished):
        if not 0 <= j < len(instance.jobs):
            yield violation("job_exists", f"job number {j}")
    for p in schedule.placements:
        where = f"job number {p.job} in slot {p.slot} on machine number {p.machine}"
        if not 0 <= p.job < len(instance.jobs):
            yield violation("job_exists", where)
            continue
        if not 0 <= p.machine < len(instance.machines):
            yield violation("machine_exists", where)
            continue
        where = f"{instance.jobs[p.job].name} in slot {p.slot} on {instance.machines[p.machine].name}"
        if p.workers < 0 or p.ps < 0:
            yield violation("counts_not_negative", where, -min(p.workers, p.ps))
        if not 0 <= p.slot < instance.horizon:
            yield violation("horizon", where, max(-p.slot, p.slot - instance.horizon + 1))
        if seen[p.job, p.slot, p.machine] > 1:
            yield violation("one_row_each", where, seen[p.job, p.slot, p.machine] - 1)


def after_arrival(schedule: Schedule, instance: Instance) -> Iterator[Violation]:
    """(7) A job has no placement before its arrival."""
    for j, slot in _by_slot(schedule):
        job = instance.jobs[j]
        if slot < job.arrival:
            yield violation("after_arrival", f"{job.name} in slot {slot}", job.arrival - slot)


def batch_size(schedule: Schedule, instance: Instance) -> Iterator[Violation]:
    """(4) A job has at most F workers in a slot."""
    for (j, slot), (workers, _, _) in _by_slot(schedule).items():
        job = instance.jobs[j]
        if workers > job.batch_size:
            yield violation("batch_size", f"{job.name} in slot {slot}", workers - job.batch_size)


def parameter_servers(schedule: Schedule, instance: Instance) -> Iterator[Violation]:
    """(2) A job has at most gamma workers per parameter server in a slot."""
    for (j, slot), (workers, ps, _) in _by_slot(schedule).items():
        job = instance.jobs[j]
        if workers > job.workers_per_ps * ps:
            yield violation("parameter_servers", f"{job.name} in slot {slot}", workers - job.workers_per_ps * ps)


def capacity(schedule: Schedule, instance: Instance) -> Iterator[Violation]:
    """(5) No resource of a machine is used beyond its unreserved capacity."""
    used: dict[tuple[int, int, str], Fraction] = defaultdict(Fraction)
    for p in schedule.placements:
        job = instance.jobs[p.job]
        for resource in instance.resources:
            amount = job.worker.get(resource, 0) * p.workers + job.ps.get(resource, 0) * p.ps
            if amount:
                used[p.slot, p.machine, resource] += amount
    for (slot, h, resource), amount in sorted(used.items()):
        machine = instance.machines[h]
        limit = machine.capacity.get(resource, Fraction(0)) - instance.reserved.get((slot, h, resource), Fraction(0))
        if amount > limit:
            yield violation("capacity", f"{resource} of {machine.name} in slot {slot}", amount - limit)


def work(schedule: Schedule, instance: Instance) -> Iterator[Violation]:
    """(3) Every job with placements trains all its samples, unless given up."""
    for job, rest in _remaining_samples(schedule, instance):
        if job.index not in schedule.unfinished and rest > 0:
            yield violation("work", job.name, rest)


def unfinished(schedule: Schedule, instance: Instance) -> Iterator[Violation]:
    """(3) A job listed as unfinished has samples left to train."""
    for job, rest in _remaining_samples(schedule, instance):
        if job.index in schedule.unfinished and rest <= 0:
            yield violation("unfinished", job.name)


def _remaining_samples(schedule: Schedule, instance: Instance) -> list[tuple[Job, Fraction]]:
    """Return each placed job's remaining samples; negative if it trained too many."""
    trained: dict[int, Fraction] = defaultdict(Fraction)
    for (j, _), (workers, _, machines) in _by_slot(schedule).items():
        job = instance.jobs[j]
        together = len(machines) == 1
        bandwidth = job.bandwidth_internal if together else job.bandwidth_external
        exchange = job.workers_per_ps / job.batch_size * 2 * job.model_size / bandwidth
        trained[j] += workers / (job.sample_time + exchange)
    return [(job := instance.jobs[j], job.epochs * job.samples - samples) for j, samples in trained.items()]


def _by_slot(schedule: Schedule) -> dict[tuple[int, int], tuple[int, int, set[int]]]:
    """Return workers, parameter servers and their machines by job and slot."""
    result: dict[tuple[int, int], tuple[int, int, set[int]]] = {}
    for p in schedule.placements:
        workers, ps, machines = result.get((p.job, p.slot), (0, 0, set()))
        if p.workers or p.ps:
            result[p.job, p.slot] = (workers + p.workers, ps + p.ps, machines | {p.machine})
    return result


RULES: tuple[Callable[[Schedule, Instance], Iterator[Violation]], ...] = (
    after_arrival,
    batch_size,
    parameter_servers,
    capacity,
    work,
    unfinished,
)
