"""The dmlrs family's JSON format: its schema, its checks, and the way back."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from schedproof.core.errors import InputError
from schedproof.core.numbers import as_decimal
from schedproof.core.reading import (
    Count,
    Name,
    Positive,
    above_zero,
    at_least_zero,
    convert,
    number_schema,
    unique_names,
)
from schedproof.instances.dmlrs.grid import units
from schedproof.instances.dmlrs.instance import Instance, Job, Machine
from schedproof.instances.dmlrs.utility import Constant, Linear, Sigmoid, Table, Utility

LONGEST = 100_000  # slots of a horizon: every program and policy looks at each slot
MOST_WORKERS = 10_000  # of a job at once: every cost table has an entry for each number of them
MOST_PS = 1_000_000  # beside them


class SigmoidRow(msgspec.Struct, forbid_unknown_fields=True, tag_field="kind", tag="sigmoid"):
    theta1: Fraction
    theta2: Fraction
    theta3: Fraction


class ConstantRow(msgspec.Struct, forbid_unknown_fields=True, tag_field="kind", tag="constant"):
    value: Fraction


class LinearRow(msgspec.Struct, forbid_unknown_fields=True, tag_field="kind", tag="linear"):
    value: Fraction
    slope: Fraction


class TableRow(msgspec.Struct, forbid_unknown_fields=True, tag_field="kind", tag="table"):
    values: list[Fraction]


class MachineRow(msgspec.Struct, forbid_unknown_fields=True):
    name: Name
    capacity: dict[str, Fraction]


class JobRow(msgspec.Struct, forbid_unknown_fields=True):
    name: Name
    arrival: Count
    epochs: Positive
    samples: Positive
    batch_size: Positive
    workers_per_ps: Fraction
    sample_time: Fraction
    model_size: Fraction
    bandwidth_internal: Fraction
    bandwidth_external: Fraction
    worker: dict[str, Fraction]
    ps: dict[str, Fraction]
    utility: SigmoidRow | ConstantRow | LinearRow | TableRow


class InstanceFile(msgspec.Struct, forbid_unknown_fields=True):
    version: Count
    family: str
    horizon: Positive
    resources: list[Name]
    machines: list[MachineRow]
    jobs: list[JobRow]
    reserved: list[list[dict[str, Fraction]]] | UnsetType = UNSET


def schema() -> dict[str, Any]:
    """The JSON Schema of the format."""
    return msgspec.json.schema(InstanceFile, schema_hook=number_schema)


def from_json(value: Any) -> Instance:
    """An Instance from a parsed JSON object.

    Raises
    ------
    InputError
        At the first thing that is wrong: path, value, what was expected.
    """
    file = convert(value, InstanceFile)
    if file.version != 1:
        raise InputError("expected 1", path="version", value=file.version)
    if file.horizon > LONGEST:
        raise InputError(f"expected at most {LONGEST} slots", path="horizon", value=file.horizon)
    if not file.resources or len(set(file.resources)) < len(file.resources):
        raise InputError("expected distinct names, at least one", path="resources", value=str(file.resources))
    if not file.machines:
        raise InputError("expected at least one machine", path="machines")
    unique_names([row.name for row in file.machines], "machines")
    unique_names([row.name for row in file.jobs], "jobs")
    known = set(file.resources)
    for i, machine in enumerate(file.machines):
        _amounts(machine.capacity, known, f"machines[{i}].capacity")
    machines = tuple(Machine(i, row.name, row.capacity) for i, row in enumerate(file.machines))
    jobs = tuple(_job(i, row, known, file.horizon) for i, row in enumerate(file.jobs))
    reserved = {} if file.reserved is UNSET else _reserved(file.reserved, known, machines, file.horizon)
    instance = Instance(file.horizon, tuple(file.resources), machines, jobs, reserved)
    units(instance)  # told here, where the file is named
    return instance


def _amounts(row: Mapping[str, Fraction], known: set[str], path: str) -> None:
    for name, amount in row.items():
        if name not in known:
            raise InputError("expected the name of a resource", path=f"{path}.{name}", value=name)
        at_least_zero(amount, f"{path}.{name}")


def _job(i: int, row: JobRow, known: set[str], horizon: int) -> Job:
    path = f"jobs[{i}]"
    for key in ("workers_per_ps", "sample_time", "bandwidth_internal", "bandwidth_external"):
        above_zero(getattr(row, key), f"{path}.{key}")
    at_least_zero(row.model_size, f"{path}.model_size")
    _amounts(row.worker, known, f"{path}.worker")
    _amounts(row.ps, known, f"{path}.ps")
    if row.batch_size > MOST_WORKERS:
        raise InputError(f"expected at most {MOST_WORKERS} workers", path=f"{path}.batch_size", value=row.batch_size)
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
    transfer = 2 * row.model_size * row.workers_per_ps / row.batch_size
    return Job(
        index=i,
        name=row.name,
        arrival=row.arrival,
        epochs=row.epochs,
        samples=row.samples,
        batch_size=row.batch_size,
        workers_per_ps=row.workers_per_ps,
        sample_time=row.sample_time,
        model_size=row.model_size,
        bandwidth_internal=row.bandwidth_internal,
        bandwidth_external=row.bandwidth_external,
        worker=row.worker,
        ps=row.ps,
        utility=_utility(row.utility, f"{path}.utility", horizon),
        internal_time=row.sample_time + transfer / row.bandwidth_internal,
        external_time=row.sample_time + transfer / row.bandwidth_external,
    )


def _utility(row: Any, path: str, horizon: int) -> Utility:
    if isinstance(row, TableRow):
        if not 1 <= len(row.values) <= horizon:
            raise InputError(f"expected 1 to {horizon} values", path=f"{path}.values", value=len(row.values))
        for n, value in enumerate(row.values):
            at_least_zero(value, f"{path}.values[{n}]")
        for n, (before, after) in enumerate(pairwise(row.values), 1):
            if after > before:
                raise InputError(
                    "expected no more than the value before", path=f"{path}.values[{n}]", value=float(after)
                )
        return Table(tuple(row.values))
    for key in row.__struct_fields__:
        at_least_zero(getattr(row, key), f"{path}.{key}")
    if isinstance(row, SigmoidRow):
        return Sigmoid(row.theta1, row.theta2, row.theta3)
    return Linear(row.value, row.slope) if isinstance(row, LinearRow) else Constant(row.value)


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
            _amounts(amounts, known, path)
            for name, amount in amounts.items():
                if amount > machine.capacity.get(name, 0):
                    raise InputError("expected at most the capacity", path=f"{path}.{name}", value=float(amount))
                if amount:
                    found[t, machine.index, name] = amount
    return found


def to_json(instance: Instance) -> dict[str, Any]:
    """The instance as the JSON object it was read from; numbers are ints or exact Decimals."""
    row: dict[str, Any] = {
        "version": 1,
        "family": "dmlrs",
        "horizon": instance.horizon,
        "resources": list(instance.resources),
        "machines": [{"name": m.name, "capacity": _decimals(m.capacity)} for m in instance.machines],
        "jobs": [_job_row(job) for job in instance.jobs],
    }
    if instance.reserved:
        table: list[list[dict[str, Any]]] = [[{} for _ in instance.machines] for _ in range(instance.horizon)]
        for (slot, machine, name), amount in instance.reserved.items():
            table[slot][machine][name] = as_decimal(amount)
        row["reserved"] = table
    return row


def canonical(instance: Instance) -> bytes:
    """The instance's canonical JSON bytes."""
    return msgspec.json.Encoder(decimal_format="number").encode(to_json(instance))


def _decimals(amounts: Mapping[str, Fraction]) -> dict[str, Any]:
    return {name: as_decimal(amount) for name, amount in amounts.items()}


def _job_row(job: Job) -> dict[str, Any]:
    return {
        "name": job.name,
        "arrival": job.arrival,
        "epochs": job.epochs,
        "samples": job.samples,
        "batch_size": job.batch_size,
        "workers_per_ps": as_decimal(job.workers_per_ps),
        "sample_time": as_decimal(job.sample_time),
        "model_size": as_decimal(job.model_size),
        "bandwidth_internal": as_decimal(job.bandwidth_internal),
        "bandwidth_external": as_decimal(job.bandwidth_external),
        "worker": _decimals(job.worker),
        "ps": _decimals(job.ps),
        "utility": _utility_row(job.utility),
    }


def _utility_row(utility: Utility) -> dict[str, Any]:
    if isinstance(utility, Sigmoid):
        thetas = zip(
            ("theta1", "theta2", "theta3"), (utility.priority, utility.criticality, utility.target), strict=True
        )
        return {"kind": "sigmoid"} | {name: as_decimal(value) for name, value in thetas}
    if isinstance(utility, Linear):
        return {"kind": "linear", "value": as_decimal(utility.amount), "slope": as_decimal(utility.slope)}
    if isinstance(utility, Table):
        return {"kind": "table", "values": [as_decimal(value) for value in utility.values]}
    assert isinstance(utility, Constant)
    return {"kind": "constant", "value": as_decimal(utility.amount)}
