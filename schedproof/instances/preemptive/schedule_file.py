"""The preemptive family's schedule file."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Any

import msgspec

from schedproof.core.errors import InputError
from schedproof.core.reading import convert
from schedproof.instances.preemptive.instance import Instance
from schedproof.instances.preemptive.schedule import Intervals, Schedule, Services
from schedproof.instances.schedule_file import Header, header

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
    """A schedule from a parsed JSON object, its names resolved on the instance.

    Raises
    ------
    InputError
        For a name, worker or type that the instance does not have, or another instance's schedule.
    """
    file = convert(value, ScheduleFile)
    file.require(instance)
    _require_speed(file.options.get("speed", 1))
    names = _Names(instance)
    intervals = [
        (
            *names.place(f"intervals[{n}]", r.job, r.server),
            r.chunk,
            *names.worker(f"intervals[{n}]", r),
            r.start,
            r.end,
        )
        for n, r in enumerate(file.intervals)
    ]
    services = [
        (
            *names.place(f"parameter_servers[{n}]", r.job, r.server),
            names.ps(f"parameter_servers[{n}]", r),
            r.start,
            r.end,
        )
        for n, r in enumerate(file.parameter_servers)
    ]
    return Schedule(
        Intervals.of((j, c, s, k, w, a, b) for j, s, c, k, w, a, b in intervals),
        Services.of(services),
        file.instance_sha256,
        file.policy,
        file.options,
        file.seed,
    )


def to_json(schedule: Schedule, instance: Instance) -> dict[str, Any]:
    """The schedule file's JSON object."""
    jobs, servers = instance.jobs, instance.servers
    workers = [[f"{kind}#" for kind in s.workers] for s in servers]
    types = [list(s.parameter_servers) for s in servers]
    i, p = schedule.intervals, schedule.services
    return {
        **header(schedule),
        "intervals": [
            IntervalRow(jobs[j].name, c, servers[s].name, a, b, None if k < 0 else f"{workers[s][k]}{w}")
            for j, c, s, k, w, a, b in zip(*(getattr(i, n).tolist() for n in i.COLUMNS), strict=True)
        ],
        "parameter_servers": [
            ServiceRow(jobs[j].name, servers[s].name, a, b, None if k < 0 or types[s][k] == "*" else types[s][k])
            for j, s, k, a, b in zip(*(getattr(p, n).tolist() for n in p.COLUMNS), strict=True)
        ],
    }


def _require_speed(value: Any) -> None:
    try:
        positive = Fraction(str(value)) > 0
    except (ValueError, ZeroDivisionError):
        positive = False
    if not positive:
        raise InputError("expected a number > 0", path="options.speed", value=value)


class _Names:
    """Resolves the names of a schedule file on an instance."""

    def __init__(self, instance: Instance) -> None:
        self.servers = instance.servers
        self.job_index = {job.name: job.index for job in instance.jobs}
        self.server_index = {server.name: server.index for server in instance.servers}

    def place(self, path: str, job: str, server: str) -> tuple[int, int]:
        if job not in self.job_index:
            raise InputError("expected the name of a job", path=f"{path}.job", value=job)
        if server not in self.server_index:
            raise InputError("expected the name of a server", path=f"{path}.server", value=server)
        return self.job_index[job], self.server_index[server]

    def worker(self, path: str, row: IntervalRow) -> tuple[int, int]:
        server = self.servers[self.server_index[row.server]]
        if server.cloud:
            if row.worker is not None:
                raise InputError("expected no worker in the cloud", path=f"{path}.worker", value=row.worker)
            return -1, -1
        kind, _, number = (row.worker or "").rpartition("#")
        if kind not in server.workers or not number.isdecimal() or int(number) >= server.workers[kind]:
            raise InputError(
                f"expected a worker of {server.name}, type#number", path=f"{path}.worker", value=str(row.worker)
            )
        return list(server.workers).index(kind), int(number)

    def ps(self, path: str, row: ServiceRow) -> int:
        server = self.servers[self.server_index[row.server]]
        if server.cloud:
            if row.type is not None:
                raise InputError("expected no type in the cloud", path=f"{path}.type", value=row.type)
            return -1
        kind = row.type or "*"
        if kind not in server.parameter_servers:
            raise InputError(
                f"expected a parameter-server type of {server.name}", path=f"{path}.type", value=str(row.type)
            )
        return list(server.parameter_servers).index(kind)
