"""The preemptive family's schedule file."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from schedproof.core.errors import InputError
from schedproof.instances.preemptive.entities import ANY, Server
from schedproof.instances.preemptive.instance import Instance
from schedproof.instances.preemptive.schedule import Intervals, Schedule, Services
from schedproof.instances.schedule_file import Header, header, named

Number = Annotated[int, msgspec.Meta(ge=-(10**12), le=10**12)]  # far beyond any slot, and sums stay within 63 bits


class IntervalRow(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    job: str
    chunk: Number
    server: str
    start: Number
    end: Number
    worker: str | None = None


class ServiceRow(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    job: str
    server: str
    start: Number
    end: Number
    type: str | None = None


class ScheduleFile(Header):
    intervals: list[IntervalRow]
    parameter_servers: list[ServiceRow]


def from_json(value: Any, instance: Instance) -> Schedule:
    """A schedule from a parsed JSON object, its names resolved on the instance."""
    file = ScheduleFile.read(value, instance)
    jobs = {job.name: job.index for job in instance.jobs}
    servers = {server.name: server for server in instance.servers}
    intervals, services = [], []
    for n, row in enumerate(file.intervals):
        path = f"intervals[{n}]"
        job = named(jobs, row.job, "job", f"{path}.job")
        server = named(servers, row.server, "server", f"{path}.server")
        intervals.append((job, row.chunk, server.index, *_worker(path, server, row.worker), row.start, row.end))
    for n, service in enumerate(file.parameter_servers):
        path = f"parameter_servers[{n}]"
        job = named(jobs, service.job, "job", f"{path}.job")
        server = named(servers, service.server, "server", f"{path}.server")
        services.append((job, server.index, _ps_type(path, server, service.type), service.start, service.end))
    decided = (file.instance_sha256, file.policy, file.options, file.seed)
    return Schedule(Intervals.of(intervals), Services.of(services), *decided)


def to_json(schedule: Schedule, instance: Instance) -> dict[str, Any]:
    """The schedule file's JSON object."""
    jobs, servers = instance.jobs, instance.servers
    workers = [[f"{kind}#" for kind in s.workers] for s in servers]
    types = [list(s.parameter_servers) for s in servers]
    return {
        **header(schedule),
        "intervals": [
            IntervalRow(jobs[j].name, c, servers[s].name, a, b, None if k < 0 else f"{workers[s][k]}{w}")
            for j, c, s, k, w, a, b in schedule.intervals.rows()
        ],
        "parameter_servers": [
            ServiceRow(jobs[j].name, servers[s].name, a, b, None if k < 0 or types[s][k] == ANY else types[s][k])
            for j, s, k, a, b in schedule.services.rows()
        ],
    }


def _worker(path: str, server: Server, worker: str | None) -> tuple[int, int]:
    if server.cloud:
        if worker is not None:
            raise InputError("expected no worker in the cloud", path=f"{path}.worker", value=worker)
        return -1, -1
    kind, _, number = (worker or "").rpartition("#")
    known = kind in server.workers and number.isdecimal() and len(number) <= 9
    if not known or int(number) >= server.workers[kind]:
        raise InputError(f"expected a worker of {server.name}, type#number", path=f"{path}.worker", value=str(worker))
    return list(server.workers).index(kind), int(number)


def _ps_type(path: str, server: Server, kind: str | None) -> int:
    if server.cloud:
        if kind is not None:
            raise InputError("expected no type in the cloud", path=f"{path}.type", value=kind)
        return -1
    if (kind or ANY) not in server.parameter_servers:
        raise InputError(f"expected a parameter-server type of {server.name}", path=f"{path}.type", value=str(kind))
    return list(server.parameter_servers).index(kind or ANY)
