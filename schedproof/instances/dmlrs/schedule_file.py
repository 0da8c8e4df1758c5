"""The dmlrs family's schedule file."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from schedproof.instances.dmlrs.instance import Instance
from schedproof.instances.dmlrs.schedule import Placement, Schedule
from schedproof.instances.schedule_file import Header, header, named

Number = Annotated[int, msgspec.Meta(ge=-(10**12), le=10**12)]


class PlacementRow(msgspec.Struct, forbid_unknown_fields=True):
    job: str
    slot: Number
    machine: str
    workers: Number
    ps: Number


class ScheduleFile(Header):
    slots: list[PlacementRow]
    unfinished: list[str] = msgspec.field(default_factory=list)


def from_json(value: Any, instance: Instance) -> Schedule:
    """A schedule from a parsed JSON object, its names resolved on the instance."""
    file = ScheduleFile.read(value, instance)
    jobs = {job.name: job.index for job in instance.jobs}
    machines = {machine.name: machine.index for machine in instance.machines}

    def place(n: int, row: PlacementRow) -> Placement:
        job = named(jobs, row.job, "job", f"slots[{n}].job")
        machine = named(machines, row.machine, "machine", f"slots[{n}].machine")
        return Placement(job, row.slot, machine, row.workers, row.ps)

    rows = sorted(place(n, row) for n, row in enumerate(file.slots))
    unfinished = frozenset(named(jobs, name, "job", f"unfinished[{n}]") for n, name in enumerate(file.unfinished))
    return Schedule(tuple(rows), file.instance_sha256, file.policy, file.options, file.seed, unfinished)


def to_json(schedule: Schedule, instance: Instance) -> dict[str, Any]:
    """The schedule file's JSON object."""
    jobs, machines = instance.jobs, instance.machines
    slots = [
        PlacementRow(jobs[p.job].name, p.slot, machines[p.machine].name, p.workers, p.ps) for p in schedule.placements
    ]
    row = {**header(schedule), "slots": slots}
    return row | ({"unfinished": [jobs[j].name for j in sorted(schedule.unfinished)]} if schedule.unfinished else {})
