"""The jrp family's JSON format: its schema, its checks, and the way back."""

from __future__ import annotations

from fractions import Fraction
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
from schedproof.instances.jrp.instance import NOTHING, DataNode, Instance, Job, Server


class ServerRow(msgspec.Struct, forbid_unknown_fields=True):
    name: Name
    storage: Fraction
    compute: Fraction
    bandwidth: Fraction


class DataNodeRow(msgspec.Struct, forbid_unknown_fields=True):
    name: Name
    size: Fraction
    servers: list[str]


class JobRow(msgspec.Struct, forbid_unknown_fields=True):
    name: Name
    epochs: Positive
    minibatch_size: Fraction
    minibatch_work: Fraction
    parameter_size: Fraction
    sync_period: Positive
    data_nodes: list[DataNodeRow]
    deadline: Fraction | UnsetType = UNSET


class InstanceFile(msgspec.Struct, forbid_unknown_fields=True):
    version: Count
    family: str
    communication_share: Fraction
    servers: list[ServerRow]
    jobs: list[JobRow]


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
    if not 0 < file.communication_share < 1:
        raise InputError(
            "expected a number between 0 and 1, neither of the two",
            path="communication_share",
            value=float(file.communication_share),
        )
    if not file.servers:
        raise InputError("expected at least one server", path="servers")
    unique_names([row.name for row in file.servers], "servers")
    unique_names([row.name for row in file.jobs], "jobs")
    place = {row.name: j for j, row in enumerate(file.servers)}
    servers = tuple(_server(j, row) for j, row in enumerate(file.servers))
    jobs = tuple(_job(k, row, place) for k, row in enumerate(file.jobs))
    return Instance(file.communication_share, servers, jobs)


def _server(j: int, row: ServerRow) -> Server:
    for key in ("storage", "compute", "bandwidth"):
        at_least_zero(getattr(row, key), f"servers[{j}].{key}")
    return Server(j, row.name, row.storage, row.compute, row.bandwidth)


def _job(k: int, row: JobRow, place: dict[str, int]) -> Job:
    path = f"jobs[{k}]"
    above_zero(row.minibatch_size, f"{path}.minibatch_size")
    at_least_zero(row.minibatch_work, f"{path}.minibatch_work")
    at_least_zero(row.parameter_size, f"{path}.parameter_size")
    deadline = None if row.deadline is UNSET else row.deadline
    if deadline is not None:
        above_zero(deadline, f"{path}.deadline")
    unique_names([node.name for node in row.data_nodes], f"{path}.data_nodes")
    batches = NOTHING if deadline is None else row.epochs / (row.minibatch_size * deadline)  # per GB and second
    return Job(
        index=k,
        name=row.name,
        deadline=deadline,
        epochs=row.epochs,
        minibatch_size=row.minibatch_size,
        minibatch_work=row.minibatch_work,
        parameter_size=row.parameter_size,
        sync_period=row.sync_period,
        nodes=tuple(_node(i, node, place, f"{path}.data_nodes[{i}]") for i, node in enumerate(row.data_nodes)),
        compute_rate=batches * row.minibatch_work,
        bandwidth_rate=batches * row.parameter_size / row.sync_period,
    )


def _node(i: int, row: DataNodeRow, place: dict[str, int], path: str) -> DataNode:
    at_least_zero(row.size, f"{path}.size")
    for n, name in enumerate(row.servers):
        if name not in place:
            raise InputError("expected the name of a server", path=f"{path}.servers[{n}]", value=name)
        if name in row.servers[:n]:
            raise InputError("expected each server once", path=f"{path}.servers[{n}]", value=name)
    return DataNode(i, row.name, row.size, tuple(place[name] for name in row.servers))


def to_json(instance: Instance) -> dict[str, Any]:
    """The instance as the JSON object it was read from; numbers are ints or exact Decimals."""
    return {
        "version": 1,
        "family": "jrp",
        "communication_share": as_decimal(instance.communication_share),
        "servers": [
            {
                "name": server.name,
                "storage": as_decimal(server.storage),
                "compute": as_decimal(server.compute),
                "bandwidth": as_decimal(server.bandwidth),
            }
            for server in instance.servers
        ],
        "jobs": [_job_row(job, instance) for job in instance.jobs],
    }


def canonical(instance: Instance) -> bytes:
    """The instance's canonical JSON bytes."""
    return msgspec.json.Encoder(decimal_format="number").encode(to_json(instance))


def _job_row(job: Job, instance: Instance) -> dict[str, Any]:
    deadline = {} if job.deadline is None else {"deadline": as_decimal(job.deadline)}
    return {
        "name": job.name,
        **deadline,
        "epochs": job.epochs,
        "minibatch_size": as_decimal(job.minibatch_size),
        "minibatch_work": as_decimal(job.minibatch_work),
        "parameter_size": as_decimal(job.parameter_size),
        "sync_period": job.sync_period,
        "data_nodes": [
            {
                "name": node.name,
                "size": as_decimal(node.size),
                "servers": [instance.servers[j].name for j in node.servers],
            }
            for node in job.nodes
        ],
    }
