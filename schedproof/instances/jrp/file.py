"""The jrp family's instance file: what must hold beyond its schema, and the way back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import UNSET

from schedproof.core.errors import InputError
from schedproof.core.reading import PositiveAmount, Row, Version, as_file, convert, copy_fields, unique_names
from schedproof.instances.jrp.entities import NOTHING, DataNode, DataNodeRow, Job, JobRow, Server, ServerRow
from schedproof.instances.jrp.instance import Instance


class InstanceRow(Row, frozen=True):
    version: Version
    family: str
    communication_share: PositiveAmount
    servers: Sequence[ServerRow]
    jobs: Sequence[JobRow]


def from_json(value: Any) -> Instance:
    """An Instance from a parsed JSON object."""
    row = convert(value, InstanceRow)
    share = row.communication_share
    if share >= 1:
        raise InputError(
            "expected a number between 0 and 1, neither of the two", path="communication_share", value=float(share)
        )
    if not row.servers:
        raise InputError("expected at least one server", path="servers")
    unique_names([server.name for server in row.servers], "servers")
    unique_names([job.name for job in row.jobs], "jobs")
    place = {server.name: j for j, server in enumerate(row.servers)}
    servers = tuple(copy_fields(Server, server, index=j) for j, server in enumerate(row.servers))
    return Instance(share, servers, tuple(_job(k, job, place) for k, job in enumerate(row.jobs)))


def _job(k: int, row: JobRow, place: Mapping[str, int]) -> Job:
    path = f"jobs[{k}].data_nodes"
    unique_names([node.name for node in row.nodes], path)
    deadline = None if row.deadline is UNSET else row.deadline
    batches = NOTHING if deadline is None else row.epochs / (row.minibatch_size * deadline)  # per GB and second
    return copy_fields(
        Job,
        row,
        index=k,
        deadline=deadline,
        nodes=tuple(_node(i, node, place, f"{path}[{i}]") for i, node in enumerate(row.nodes)),
        compute_rate=batches * row.minibatch_work,
        bandwidth_rate=batches * row.parameter_size / row.sync_period,
    )


def _node(i: int, row: DataNodeRow, place: Mapping[str, int], path: str) -> DataNode:
    for n, name in enumerate(row.servers):
        if name not in place:
            raise InputError("expected the name of a server", path=f"{path}.servers[{n}]", value=name)
        if name in row.servers[:n]:
            raise InputError("expected each server once", path=f"{path}.servers[{n}]", value=name)
    return copy_fields(DataNode, row, index=i, servers=tuple(place[name] for name in row.servers))


def to_json(instance: Instance) -> dict[str, Any]:
    """The instance as the JSON object it was read from; numbers are ints or exact Decimals."""
    servers = [copy_fields(ServerRow, server) for server in instance.servers]
    jobs = [_job_row(job, instance) for job in instance.jobs]
    return as_file(InstanceRow(1, "jrp", instance.communication_share, servers, jobs))


def _job_row(job: Job, instance: Instance) -> JobRow:
    names = [server.name for server in instance.servers]
    nodes = tuple(copy_fields(DataNodeRow, node, servers=tuple(names[j] for j in node.servers)) for node in job.nodes)
    return copy_fields(JobRow, job, deadline=UNSET if job.deadline is None else job.deadline, nodes=nodes)
