"""The dmlrs family's instance file: what must hold beyond its schema, and the way back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, UnsetType

from schedproof.core.errors import InputError
from schedproof.core.reading import Amount, Name, Row, Version, as_file, convert, copy_fields, unique_names
from schedproof.instances.dmlrs.grid import units
from schedproof.instances.dmlrs.instance import Instance
from schedproof.instances.dmlrs.job import Job, JobRow, Machine, MachineRow
from schedproof.instances.dmlrs.utility import Table

LONGEST_HORIZON = 100_000  # slots: every program and policy looks at each
MOST_PS = 1_000_000  # of a job at once


class InstanceRow(Row, frozen=True):
    version: Version
    family: str
    horizon: Annotated[int, msgspec.Meta(ge=1, le=LONGEST_HORIZON)]
    resources: tuple[Name, ...]
    machines: Sequence[MachineRow]
    jobs: Sequence[JobRow]
    reserved: list[list[dict[str, Amount]]] | UnsetType = UNSET


def from_json(value: Any) -> Instance:
    """An Instance from a parsed JSON object."""
    row = convert(value, InstanceRow)
    known = set(row.resources)
    if not known or len(known) < len(row.resources):
        raise InputError("expected distinct names, at least one", path="resources", value=str(list(row.resources)))
    if not row.machines:
        raise InputError("expected at least one machine", path="machines")
    unique_names([machine.name for machine in row.machines], "machines")
    unique_names([job.name for job in row.jobs], "jobs")
    for i, machine in enumerate(row.machines):
        _known_resources(machine.capacity, known, f"machines[{i}].capacity")
    machines = tuple(copy_fields(Machine, machine, index=i) for i, machine in enumerate(row.machines))
    jobs = tuple(_job(i, job, known, row.horizon) for i, job in enumerate(row.jobs))
    reserved = {} if row.reserved is UNSET else _reserved(row.reserved, known, machines, row.horizon)
    units(row.resources, machines, jobs, reserved)  # refuses amounts of too many digits while the file is at hand
    return Instance(row.horizon, row.resources, machines, jobs, reserved)


def _known_resources(amounts: Mapping[str, Fraction], known: set[str], path: str) -> None:
    for name in amounts:
        if name not in known:
            raise InputError("expected the name of a resource", path=f"{path}.{name}", value=name)


def _job(i: int, row: JobRow, known: set[str], horizon: int) -> Job:
    path = f"jobs[{i}]"
    _known_resources(row.worker, known, f"{path}.worker")
    _known_resources(row.ps, known, f"{path}.ps")
    if row.batch_size > MOST_PS * row.workers_per_ps:
        raise InputError(
            f"expected so much that {row.batch_size} workers need at most {MOST_PS} parameter servers",
            path=f"{path}.workers_per_ps",
            value=float(row.workers_per_ps),
        )
    if row.bandwidth_internal < row.bandwidth_external:
        raise InputError(
            f"expected at least bandwidth_external, {float(row.bandwidth_external)}:"
            " a machine is no slower than a link",
            path=f"{path}.bandwidth_internal",
            value=float(row.bandwidth_internal),
        )
    if row.arrival >= horizon:
        raise InputError(f"expected a slot before the horizon, {horizon}", path=f"{path}.arrival", value=row.arrival)
    if isinstance(row.utility, Table):
        _non_increasing(row.utility.values, f"{path}.utility.values", horizon)
    transfer = 2 * row.model_size * row.workers_per_ps / row.batch_size
    internal, external = (row.sample_time + transfer / b for b in (row.bandwidth_internal, row.bandwidth_external))
    return copy_fields(Job, row, index=i, internal_time=internal, external_time=external)


def _non_increasing(values: Sequence[Fraction], path: str, horizon: int) -> None:
    if not 1 <= len(values) <= horizon:
        raise InputError(f"expected 1 to {horizon} values", path=path, value=len(values))
    for n, (before, after) in enumerate(pairwise(values), 1):
        if after > before:
            raise InputError("expected no more than the value before", path=f"{path}[{n}]", value=float(after))


def _reserved(
    rows: list[list[dict[str, Fraction]]], known: set[str], machines: tuple[Machine, ...], horizon: int
) -> dict[tuple[int, int, str], Fraction]:
    if len(rows) != horizon:
        raise InputError(f"expected one row for each of the {horizon} slots", path="reserved", value=len(rows))
    found = {}
    for t, row in enumerate(rows):
        if len(row) != len(machines):
            raise InputError(f"expected one object for each of the {len(machines)} machines", path=f"reserved[{t}]")
        for machine, amounts in zip(machines, row, strict=True):
            path = f"reserved[{t}][{machine.index}]"
            _known_resources(amounts, known, path)
            for name, amount in amounts.items():
                if amount > machine.capacity.get(name, 0):
                    raise InputError("expected at most the capacity", path=f"{path}.{name}", value=float(amount))
                if amount:
                    found[t, machine.index, name] = amount
    return found


def to_json(instance: Instance) -> dict[str, Any]:
    """The instance as the JSON object it was read from; numbers are ints or exact Decimals."""
    machines = [copy_fields(MachineRow, machine) for machine in instance.machines]
    jobs = [copy_fields(JobRow, job) for job in instance.jobs]
    row = InstanceRow(1, "dmlrs", instance.horizon, instance.resources, machines, jobs)
    if not instance.reserved:
        return as_file(row)
    table: list[list[dict[str, Fraction]]] = [[{} for _ in machines] for _ in range(instance.horizon)]
    for (slot, machine, name), amount in instance.reserved.items():
        table[slot][machine][name] = amount
    return as_file(msgspec.structs.replace(row, reserved=table))
