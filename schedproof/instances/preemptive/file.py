"""The preemptive family's instance file: what must hold beyond its schema, and the way back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from msgspec import UNSET

from schedproof.core.errors import InputError
from schedproof.core.reading import Positive, Row, Version, as_file, convert, json_schema, taken, unique_names
from schedproof.instances.preemptive.instance import ANY, Instance, Job, JobRow, Server, ServerRow

LONGEST = 10**12  # slots of one chunk; beyond any horizon, and far from overflowing anything


class InstanceRow(Row, frozen=True):
    version: Version
    family: str
    horizon: Positive
    servers: Sequence[ServerRow]
    jobs: Sequence[JobRow]


def schema() -> dict[str, Any]:
    """The JSON Schema of the format."""
    return json_schema(InstanceRow)


def from_json(value: Any) -> Instance:
    """An Instance from a parsed JSON object.

    Raises
    ------
    InputError
        At the first thing that is wrong: path, value, what was expected.
    """
    row = convert(value, InstanceRow)
    servers = _servers(row.servers)
    by_name = {server.name: server for server in servers}
    unique_names([job.name for job in row.jobs], "jobs")
    jobs = tuple(_job(i, job, by_name) for i, job in enumerate(row.jobs))
    instance = Instance(row.horizon, servers, jobs)
    for job in jobs:
        _servable(instance, job)
    return instance


def _servers(rows: Sequence[ServerRow]) -> tuple[Server, ...]:
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
    if isinstance(ps, dict) and ANY in ps:
        raise InputError("expected a type; write a plain count to serve every type", path=f"{path}.parameter_servers.*")
    counts = ps if isinstance(ps, dict) else {ANY: ps or 0}
    storage = None if row.storage is UNSET else row.storage
    return Server(i, row.name, row.workers or {}, counts, storage, False)


def _job(i: int, row: JobRow, servers: Mapping[str, Server]) -> Job:
    path = f"jobs[{i}]"
    for key in ("worker_types", "ps_types"):
        types = getattr(row, key)
        if types is not UNSET and (not types or len(set(types)) < len(types)):
            raise InputError(
                "expected a list of distinct types, at least one", path=f"{path}.{key}", value=str(list(types))
            )
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
    optional = {"chunk_size": row.chunk_size or Fraction(0), "ps_types": row.ps_types or ()}
    return taken(Job, row, index=i, chunk_time=chunk_time, chunk_time_in_cloud=work * together, **optional)


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
    servers = [_server_row(server) for server in instance.servers]
    jobs = [
        taken(JobRow, job, chunk_size=job.chunk_size or UNSET, ps_types=job.ps_types or UNSET) for job in instance.jobs
    ]
    return as_file(InstanceRow(1, "preemptive", instance.horizon, servers, jobs))


def _server_row(server: Server) -> ServerRow:
    if server.cloud:
        return ServerRow(server.name, cloud=True)
    ps = server.parameter_servers
    counts = ps[ANY] if set(ps) == {ANY} else dict(ps)
    return ServerRow(server.name, dict(server.workers), counts, UNSET if server.storage is None else server.storage)
