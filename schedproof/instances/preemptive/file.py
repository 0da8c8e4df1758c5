"""The preemptive family's instance file: what must hold beyond its schema, and the way back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from msgspec import UNSET

from schedproof.core.errors import InputError
from schedproof.core.reading import Positive, Row, Version, as_file, convert, copy_fields, unique_names
from schedproof.instances.preemptive.instance import ANY, LONGEST_CHUNK, Instance, Job, JobRow, Server, ServerRow

MOST_WORKERS = 10**6  # of all servers
MOST_CHUNKS = 10**6  # of all jobs: with `LONGEST_CHUNK` the slots of all of them stay within 63 bits


class InstanceRow(Row, frozen=True):
    version: Version
    family: str
    horizon: Positive
    servers: Sequence[ServerRow]
    jobs: Sequence[JobRow]


def from_json(value: Any) -> Instance:
    """An Instance from a parsed JSON object."""
    row = convert(value, InstanceRow)
    servers = _servers(row.servers)
    by_name = {server.name: server for server in servers}
    unique_names([job.name for job in row.jobs], "jobs")
    chunks = sum(job.chunks for job in row.jobs)
    _require(chunks <= MOST_CHUNKS, f"expected at most {MOST_CHUNKS} chunks of all jobs together", "jobs")
    jobs = tuple(_job(i, job, by_name) for i, job in enumerate(row.jobs))
    instance = Instance(row.horizon, servers, jobs)
    for job in jobs:
        _servable(instance, job)
    return instance


def _require(holds: bool, expected: str, path: str, value: Any = None) -> None:
    if not holds:
        raise InputError(expected, path=path, value=value)


def _servers(rows: Sequence[ServerRow]) -> tuple[Server, ...]:
    _require(len(rows) > 0, "expected at least one server", "servers")
    unique_names([row.name for row in rows], "servers")
    workers = sum(sum(row.workers.values()) for row in rows if row.workers)
    _require(workers <= MOST_WORKERS, f"expected at most {MOST_WORKERS} workers of all servers", "servers")
    clouds = [i for i, row in enumerate(rows) if row.cloud]
    _require(len(clouds) < 2, "expected at most one cloud", f"servers[{min(clouds[1:], default=0)}].cloud", True)
    return tuple(_server(i, row) for i, row in enumerate(rows))


def _server(i: int, row: ServerRow) -> Server:
    path = f"servers[{i}]"
    _require(row.name != ANY, "'*' stands for every other server and cannot be a name", f"{path}.name", row.name)
    if row.cloud:
        for key in ("workers", "parameter_servers", "storage"):
            given = getattr(row, key) is not UNSET
            _require(not given, "expected no such key: the cloud is unlimited", f"{path}.{key}")
        return Server(i, row.name, {}, {}, None, True)
    for key in ("workers", "parameter_servers"):
        _require(getattr(row, key) is not UNSET, f"the object is missing the required field {key}", path)
    ps = row.parameter_servers
    counts = ps if isinstance(ps, dict) else {}
    typed = "expected a type; write a plain count to serve every type"
    _require(ANY not in counts, typed, f"{path}.parameter_servers.*")
    storage = None if row.storage is UNSET else row.storage
    return Server(i, row.name, row.workers or {}, {ANY: ps} if isinstance(ps, int) else counts, storage, False)


def _job(i: int, row: JobRow, servers: Mapping[str, Server]) -> Job:
    path = f"jobs[{i}]"
    for key in ("worker_types", "ps_types"):
        types = getattr(row, key)
        if types is not UNSET:
            distinct = len(types) > 0 and len(set(types)) == len(types)
            _require(distinct, "expected a list of distinct types, at least one", f"{path}.{key}", str(list(types)))
    for name in row.upload_delay:
        known = name == ANY or name in servers
        _require(known, "expected the name of a server, or '*'", f"{path}.upload_delay.{name}", name)
    together = row.minibatch_time + row.update_time
    time = float(row.minibatch_time)
    _require(together.numerator > 0, "expected minibatch_time + update_time > 0", f"{path}.minibatch_time", time)
    work = row.epochs * row.minibatches
    chunk_time = work * (together + 2 * row.gradient_size / row.bandwidth if row.gradient_size else together)
    most = f"expected a chunk that takes at most {LONGEST_CHUNK} slots (E B (m + G + 2 q/b))"
    _require(chunk_time <= LONGEST_CHUNK, most, path, row.name)
    optional = {"chunk_size": row.chunk_size or Fraction(0), "ps_types": row.ps_types or ()}
    return copy_fields(Job, row, index=i, chunk_time=chunk_time, chunk_time_in_cloud=work * together, **optional)


def _servable(instance: Instance, job: Job) -> None:
    """Refuse a job that nobody can serve, by name, before any solve."""
    path = f"jobs[{job.index}]"
    cloud = instance.cloud_delay(job)
    edge = instance.qualified(job)
    if cloud is None:
        workers = "expected a server in upload_delay with workers of its worker_types"
        _require(len(edge) > 0, workers, path, job.name)
        fits = any(q.server.storage is None or job.chunk_size <= q.server.storage for q, _ in edge)
        size = "expected a chunk that fits the storage of some server that can serve it"
        _require(fits, size, f"{path}.chunk_size", float(job.chunk_size))
        served = any(n and job.opens(s, kind) for s in instance.edges for kind, n in s.parameter_servers.items())
        _require(served, "expected a server in upload_delay with a parameter server for it", path, job.name)
    slots = job.slots()
    if any(job.arrival + delay + slots <= instance.horizon for _, delay in edge):
        return
    in_cloud = [] if cloud is None else [cloud + job.slots(in_cloud=True)]
    earliest = job.arrival + min([*(delay + slots for _, delay in edge), *in_cloud])
    horizon = f"expected a horizon of at least {earliest}, when {path} ({job.name}) can complete at the earliest"
    _require(earliest <= instance.horizon, horizon, "horizon", instance.horizon)


def to_json(instance: Instance) -> dict[str, Any]:
    """The instance as the JSON object it was read from; numbers are ints or exact Decimals."""
    servers = [_server_row(server) for server in instance.servers]
    jobs = [
        copy_fields(JobRow, job, chunk_size=job.chunk_size or UNSET, ps_types=job.ps_types or UNSET)
        for job in instance.jobs
    ]
    return as_file(InstanceRow(1, "preemptive", instance.horizon, servers, jobs))


def _server_row(server: Server) -> ServerRow:
    if server.cloud:
        return ServerRow(server.name, cloud=True)
    ps = server.parameter_servers
    counts = ps[ANY] if set(ps) == {ANY} else dict(ps)
    return ServerRow(server.name, dict(server.workers), counts, UNSET if server.storage is None else server.storage)
