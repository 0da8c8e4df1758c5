"""Rows of preemptive schedule files, with names of workers and servers."""

from __future__ import annotations

from schedproof.core.base.untyped import Scope, Value
from schedproof.core.data.codecs import Codec, position
from schedproof.core.data.reading import Number, Row
from schedproof.core.errors import expect
from schedproof.instances.preemptive.entities import ANY, Server
from schedproof.instances.preemptive.intervals import Intervals, Services


class IntervalRow(Row, frozen=True):
    """A row of a schedule file: a worker, ``type#number``, trains a chunk."""

    job: str
    chunk: Number
    server: str
    start: Number
    end: Number
    worker: str | None = None


class ServiceRow(Row, frozen=True):
    """A row of a schedule file: a parameter server serves a job."""

    job: str
    server: str
    start: Number
    end: Number
    type: str | None = None


def _intervals(rows: tuple[IntervalRow, ...], path: str, file: Value, instance: Scope) -> Intervals:
    result = []
    for n, row in enumerate(rows):
        job, server = _job_and_server(row, f"{path}[{n}]", instance)
        place = _worker(row.worker, f"{path}[{n}].worker", server)
        result.append((job, row.chunk, server.index, *place, row.start, row.end))
    return Intervals.of(result)


def _services(rows: tuple[ServiceRow, ...], path: str, file: Value, instance: Scope) -> Services:
    result = []
    for n, row in enumerate(rows):
        job, server = _job_and_server(row, f"{path}[{n}]", instance)
        result.append((job, server.index, _ps_type(row.type, f"{path}[{n}].type", server), row.start, row.end))
    return Services.of(result)


def _job_and_server(row: IntervalRow | ServiceRow, path: str, instance: Scope) -> tuple[int, Server]:
    job = position(instance, "jobs", row.job, f"{path}.job")
    return job, instance.servers[position(instance, "servers", row.server, f"{path}.server")]


def _worker(worker: str | None, path: str, server: Server) -> tuple[int, int]:
    if server.cloud:
        expect(worker is None, "expected no worker: the cloud's workers have no names", path, worker)
        return -1, -1
    kind, _, number = (worker or "").rpartition("#")
    known = kind in server.workers and number.isdecimal() and len(number) <= 9
    there = known and int(number) < server.workers[kind]
    expect(there, f"expected a worker of {server.name}, as type#number", path, str(worker))
    return list(server.workers).index(kind), int(number)


def _ps_type(kind: str | None, path: str, server: Server) -> int:
    if server.cloud:
        expect(kind is None, "expected no type: the cloud's parameter servers have no types", path, kind)
        return -1
    known = (kind or ANY) in server.parameter_servers
    expect(known, f"expected a parameter-server type of {server.name}", path, str(kind))
    return list(server.parameter_servers).index(kind or ANY)


def _interval_rows(intervals: Intervals, schedule: Value, instance: Scope) -> list[IntervalRow]:
    jobs, servers = instance.jobs, instance.servers
    workers = [[f"{kind}#" for kind in server.workers] for server in servers]
    return [
        IntervalRow(jobs[j].name, c, servers[s].name, a, b, None if k < 0 else f"{workers[s][k]}{w}")
        for j, c, s, k, w, a, b in intervals.rows()
    ]


def _service_rows(services: Services, schedule: Value, instance: Scope) -> list[ServiceRow]:
    jobs, servers = instance.jobs, instance.servers
    types = [[None if kind == ANY else kind for kind in server.parameter_servers] for server in servers]
    return [
        ServiceRow(jobs[j].name, servers[s].name, a, b, None if k < 0 else types[s][k])
        for j, s, k, a, b in services.rows()
    ]


INTERVALS = Codec(tuple[IntervalRow, ...], _intervals, _interval_rows)
SERVICES = Codec(tuple[ServiceRow, ...], _services, _service_rows)
