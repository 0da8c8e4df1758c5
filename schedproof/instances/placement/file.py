"""The placement family's instance file: what must hold beyond its schema, and the way back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import msgspec

from schedproof.core.errors import InputError
from schedproof.core.reading import Name, Row, Version, as_file, convert, copy_fields, unique_names
from schedproof.instances.placement.entities import (
    Amounts,
    Cluster,
    ClusterRow,
    DurationRow,
    Mode,
    Task,
    TaskRow,
)
from schedproof.instances.placement.instance import Instance

LONGEST_HORIZON = 1_000_000  # slots
MOST_DURATIONS = 10_000  # of a task: every two of them are compared


class InstanceRow(Row, frozen=True):
    version: Version
    family: str
    horizon: Annotated[int, msgspec.Meta(ge=1, le=LONGEST_HORIZON)]
    resources: tuple[Name, ...]
    clusters: Sequence[ClusterRow]
    tasks: Sequence[TaskRow]


def from_json(value: Any) -> Instance:
    """An Instance from a parsed JSON object."""
    row = convert(value, InstanceRow)
    if not row.resources or len(set(row.resources)) < len(row.resources):
        raise InputError("expected distinct names, at least one", path="resources", value=str(list(row.resources)))
    if not row.clusters:
        raise InputError("expected at least one cluster", path="clusters")
    unique_names([cluster.name for cluster in row.clusters], "clusters")
    unique_names([task.name for task in row.tasks], "tasks")
    place = {cluster.name: n for n, cluster in enumerate(row.clusters)}
    clusters = tuple(
        copy_fields(Cluster, c, index=n, amounts=_amounts(c.capacity, row.resources, f"clusters[{n}].capacity"))
        for n, c in enumerate(row.clusters)
    )
    tasks = tuple(_task(i, task, place, row) for i, task in enumerate(row.tasks))
    return Instance(row.horizon, row.resources, clusters, tasks)


def _amounts(amounts: Mapping[str, int], resources: tuple[str, ...], path: str) -> Amounts:
    """Amounts in the order of the resources."""
    for name in amounts:
        if name not in resources:
            raise InputError("expected the name of a resource", path=f"{path}.{name}", value=name)
    return tuple(amounts.get(name, 0) for name in resources)


def _task(i: int, row: TaskRow, place: Mapping[str, int], file: InstanceRow) -> Task:
    path = f"tasks[{i}]"
    if row.arrival >= file.horizon:
        raise InputError(
            f"expected a slot before the horizon, {file.horizon}", path=f"{path}.arrival", value=row.arrival
        )
    for n, name in enumerate(row.clusters):
        if name not in place:
            raise InputError("expected the name of a cluster", path=f"{path}.clusters[{n}]", value=name)
        if name in row.clusters[:n]:
            raise InputError("expected each cluster once", path=f"{path}.clusters[{n}]", value=name)
    needs = _amounts(row.minimum, file.resources, f"{path}.minimum")
    return copy_fields(
        Task,
        row,
        index=i,
        clusters=tuple(place[name] for name in row.clusters),
        needs=needs,
        modes=_modes(row.durations, needs, file.resources, f"{path}.durations"),
    )


def _modes(rows: Sequence[DurationRow], needs: Amounts, resources: tuple[str, ...], path: str) -> tuple[Mode, ...]:
    """A task's modes: at least one, each allocation once and not below the task's minimum."""
    if len(rows) > MOST_DURATIONS:
        raise InputError(f"expected at most {MOST_DURATIONS}", path=path, value=len(rows))
    found: dict[Amounts, int] = {}
    for n, row in enumerate(rows):
        allocation = _amounts(row.allocation, resources, f"{path}[{n}].allocation")
        for name, amount, least in zip(resources, allocation, needs, strict=True):
            if amount < least:
                raise InputError(
                    f"expected at least the task's minimum, {least}",
                    path=f"{path}[{n}].allocation.{name}",
                    value=amount,
                )
        if allocation in found:
            raise InputError("expected each allocation once", path=f"{path}[{n}].allocation")
        found[allocation] = row.slots
    if not found:
        raise InputError("expected at least one", path=path)
    return tuple(Mode(*pair) for pair in found.items())


def to_json(instance: Instance) -> dict[str, Any]:
    """The instance as the JSON object it was read from."""
    names = [cluster.name for cluster in instance.clusters]
    clusters = [copy_fields(ClusterRow, cluster) for cluster in instance.clusters]
    tasks = [copy_fields(TaskRow, task, clusters=tuple(names[n] for n in task.clusters)) for task in instance.tasks]
    return as_file(InstanceRow(1, "placement", instance.horizon, instance.resources, clusters, tasks))
