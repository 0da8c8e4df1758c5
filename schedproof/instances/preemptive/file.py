"""The preemptive family's JSON format: its schema, its checks, and the way back."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, UnsetType

from schedproof.core.errors import InputError
from schedproof.core.numbers import as_decimal
from schedproof.core.reading import Count, Name, Positive, at_least_zero, convert, number_schema, unique_names
from schedproof.instances.preemptive.instance import ANY, Instance, Job, Server

LONGEST = 10**12  # slots of one chunk; beyond any horizon, and far from overflowing anything


class ServerRow(msgspec.Struct, forbid_unknown_fields=True):
    name: Name
    workers: dict[str, Count] | UnsetType = UNSET
    parameter_servers: Count | dict[str, Count] | UnsetType = UNSET
    storage: Fraction | UnsetType = UNSET
    cloud: bool = False


class JobRow(msgspec.Struct, forbid_unknown_fields=True):
    name: Name
    arrival: Count
    chunks: Positive
    epochs: Positive
    minibatches: Positive
    worker_types: list[str]
    minibatch_time: Fraction
    update_time: Fraction
    gradient_size: Fraction
    bandwidth: Fraction
    upload_delay: dict[str, Count]
    chunk_size: Fraction | UnsetType = UNSET
    ps_types: list[str] | UnsetType = UNSET


class InstanceFile(msgspec.Struct, forbid_unknown_fields=True):
    version: Annotated[int, msgspec.Meta(ge=1, le=1)]
    family: str
    horizon: Positive
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
    servers = _servers(file.servers)
    by_name = {server.name: server for server in servers}
    unique_names([row.name for row in file.jobs], "jobs")
    jobs = tuple(_job(i, row, by_name) for i, row in enumerate(file.jobs))
    instance = Instance(file.horizon, servers, jobs)
    for job in jobs:
        _servable(instance, job)
    return instance


def _servers(rows: list[ServerRow]) -> tuple[Server, ...]:
    if not rows:
        raise InputError("expected at least one server", path="servers")
    unique_names([row.name for row in rows], "servers")
    clouds = [i for i, row in enumerate(rows) if row.cloud]
    if len(clouds) > 1:
        raise InputError("expected at most one cloud", path=f"servers[{clouds[1]}].cloud", value=True)
    return tuple(_server(i, row) for i, row in enumerate(rows))


def _server(i: int, row: ServerRow) -> Server:
    path = f"servers[{i}]"
    if row.name == ANY:
        raise InputError("'*' stands for every other server and cannot be a name", path=f"{path}.name", value=row.name)
    if row.cloud:
        for key in ("workers", "parameter_servers", "storage"):
            if getattr(row, key) is not UNSET:
                raise InputError("expected no such key: the cloud is unlimited", path=f"{path}.{key}")
        return Server(i, row.name, {}, {}, None, True)
    for key in ("workers", "parameter_servers"):
        if getattr(row, key) is UNSET:
            raise InputError(f"the object is missing the required field {key}", path=path)
    ps = row.parameter_servers
    counts: Mapping[str, int] = ps if isinstance(ps, dict) else {ANY: ps or 0}
    if isinstance(ps, dict) and ANY in ps:
        raise InputError("expected a type; write a plain count to serve every type", path=f"{path}.parameter_servers.*")
    storage = row.storage or Fraction(0)
    at_least_zero(storage, f"{path}.storage")
    return Server(i, row.name, row.workers or {}, counts, None if row.storage is UNSET else storage, False)


def _job(i: int, row: JobRow, servers: Mapping[str, Server]) -> Job:
    path = f"jobs[{i}]"
    for key in ("minibatch_time", "update_time", "gradient_size", "chunk_size"):
        at_least_zero(getattr(row, key) or Fraction(0), f"{path}.{key}")
    if row.bandwidth <= 0:
        raise InputError("expected a number > 0", path=f"{path}.bandwidth", value=float(row.bandwidth))
    for key in ("worker_types", "ps_types"):
        types = getattr(row, key)
        if types is not UNSET and (not types or len(set(types)) < len(types)):
            raise InputError("expected a list of distinct types, at least one", path=f"{path}.{key}", value=str(types))
    for name in row.upload_delay:
        if name != ANY and name not in servers:
            raise InputError("expected the name of a server, or '*'", path=f"{path}.upload_delay.{name}", value=name)
    together = row.minibatch_time + row.update_time
    if together <= 0:
        raise InputError(
            "expected minibatch_time + update_time > 0", path=f"{path}.minibatch_time", value=float(row.minibatch_time)
        )
    work = row.epochs * row.minibatches
    chunk_time = work * (together + 2 * row.gradient_size / row.bandwidth)
    if chunk_time > LONGEST:
        raise InputError(
            f"expected a chunk that takes at most {LONGEST} slots (E B (m + G + 2 q/b))", path=path, value=row.name
        )
    return Job(
        index=i,
        name=row.name,
        arrival=row.arrival,
        chunks=row.chunks,
        epochs=row.epochs,
        minibatches=row.minibatches,
        worker_types=tuple(row.worker_types),
        ps_types=tuple(row.ps_types) if row.ps_types else None,
        minibatch_time=row.minibatch_time,
        update_time=row.update_time,
        gradient_size=row.gradient_size,
        bandwidth=row.bandwidth,
        upload_delay=row.upload_delay,
        chunk_size=row.chunk_size or Fraction(0),
        chunk_time=chunk_time,
        chunk_time_in_cloud=work * together,
    )


def _servable(instance: Instance, job: Job) -> None:
    """Refuse a job that nobody can serve, by name, before any solve."""
    path = f"jobs[{job.index}]"
    cloud = instance.cloud_delay(job)
    edge = instance.qualified(job)
    if not edge and cloud is None:
        raise InputError(
            "expected a server in upload_delay with workers of its worker_types", path=path, value=job.name
        )
    if cloud is None and job.chunk_size and not any(_fits(job, q.server) for q, _ in edge):
        raise InputError(
            "expected a chunk that fits the storage of some server that can serve it",
            path=f"{path}.chunk_size",
            value=float(job.chunk_size),
        )
    if cloud is None and not any(
        count and job.opens(s, kind) for s in instance.edges for kind, count in s.parameter_servers.items()
    ):
        raise InputError("expected a server in upload_delay with a parameter server for it", path=path, value=job.name)
    ways = [delay + job.slots() for delay in {delay for _, delay in edge}]
    if cloud is not None:
        ways.append(cloud + job.slots(in_cloud=True))
    earliest = job.arrival + min(ways)
    if earliest > instance.horizon:
        raise InputError(
            f"expected a horizon of at least {earliest}, when {path} ({job.name}) can complete at the earliest",
            path="horizon",
            value=instance.horizon,
        )


def _fits(job: Job, server: Server) -> bool:
    return server.storage is None or job.chunk_size <= server.storage


def to_json(instance: Instance) -> dict[str, Any]:
    """The instance as the JSON object it was read from; numbers are ints or exact Decimals."""
    return {
        "version": 1,
        "family": "preemptive",
        "horizon": instance.horizon,
        "servers": [_server_row(server) for server in instance.servers],
        "jobs": [_job_row(job) for job in instance.jobs],
    }


def canonical(instance: Instance) -> bytes:
    """The instance's canonical JSON bytes."""
    return msgspec.json.Encoder(decimal_format="number").encode(to_json(instance))


def _server_row(server: Server) -> dict[str, Any]:
    if server.cloud:
        return {"name": server.name, "cloud": True}
    ps = server.parameter_servers
    row: dict[str, Any] = {
        "name": server.name,
        "workers": dict(server.workers),
        "parameter_servers": ps[ANY] if set(ps) == {ANY} else dict(ps),
    }
    return row if server.storage is None else row | {"storage": as_decimal(server.storage)}


def _job_row(job: Job) -> dict[str, Any]:
    row: dict[str, Any] = {
        "name": job.name,
        "arrival": job.arrival,
        "chunks": job.chunks,
        "epochs": job.epochs,
        "minibatches": job.minibatches,
        "worker_types": list(job.worker_types),
        "minibatch_time": as_decimal(job.minibatch_time),
        "update_time": as_decimal(job.update_time),
        "gradient_size": as_decimal(job.gradient_size),
        "bandwidth": as_decimal(job.bandwidth),
        "upload_delay": dict(job.upload_delay),
    }
    if job.chunk_size:
        row["chunk_size"] = as_decimal(job.chunk_size)
    return row if job.ps_types is None else row | {"ps_types": list(job.ps_types)}
