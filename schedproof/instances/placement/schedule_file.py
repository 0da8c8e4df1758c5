"""The placement family's schedule file."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import UNSET, UnsetType

from schedproof.core.errors import InputError
from schedproof.core.policy import DecidedBy
from schedproof.instances.placement.instance import Instance
from schedproof.instances.placement.schedule import Schedule, Start
from schedproof.instances.schedule_file import Header, header, named

Number = Annotated[int, msgspec.Meta(ge=-(10**12), le=10**12)]


class StartRow(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    task: str
    cluster: str
    allocation: dict[str, Number]
    slot: Number
    until: Number | UnsetType = UNSET


class ScheduleFile(Header):
    starts: list[StartRow]


def from_json(value: Any, instance: Instance) -> Schedule:
    """A schedule from a parsed JSON object, its names resolved on the instance."""
    file = ScheduleFile.read(value, instance)
    tasks = {task.name: task.index for task in instance.tasks}
    clusters = {cluster.name: cluster.index for cluster in instance.clusters}

    def start(n: int, row: StartRow) -> Start:
        for name in row.allocation:
            if name not in instance.resources:
                raise InputError("expected the name of a resource", path=f"starts[{n}].allocation.{name}", value=name)
        task = named(tasks, row.task, "task", f"starts[{n}].task")
        cluster = named(clusters, row.cluster, "cluster", f"starts[{n}].cluster")
        allocation = tuple(row.allocation.get(name, 0) for name in instance.resources)
        return Start(task, cluster, allocation, row.slot, None if row.until is UNSET else row.until)

    starts = [start(n, row) for n, row in enumerate(file.starts)]
    return Schedule.of(starts, instance, DecidedBy(file.policy, file.options, file.seed))


def to_json(schedule: Schedule, instance: Instance) -> dict[str, Any]:
    """The schedule file's JSON object."""
    rows = [
        StartRow(
            instance.tasks[row.task].name,
            instance.clusters[row.cluster].name,
            dict(zip(instance.resources, row.allocation, strict=True)),
            row.slot,
            UNSET if row.until is None else row.until,
        )
        for row in schedule.starts
    ]
    return {**header(schedule), "starts": rows}
