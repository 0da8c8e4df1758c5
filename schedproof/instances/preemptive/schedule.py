"""A preemptive schedule: which worker trains which chunk when, and which parameter server serves the job."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Annotated, Any, ClassVar

import msgspec
import numpy as np

from schedproof.core.errors import InputError
from schedproof.core.policy import Decisions
from schedproof.core.reading import convert
from schedproof.core.run import Violation
from schedproof.instances.preemptive.instance import Instance
from schedproof.instances.schedule_file import Header, header

WORKER, PS = 0, 1  # the kinds of a decision
Count = np.ndarray
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


@dataclass(frozen=True)
class Intervals:
    """Training intervals [start, end), one entry each; all int64.

    ``job`` and ``server`` are file positions, ``kind`` a position in the server's list of worker types, ``worker`` a
    number below the type's count; both are -1 in the cloud.
    """

    job: Count
    chunk: Count
    server: Count
    kind: Count
    worker: Count
    start: Count
    end: Count

    COLUMNS: ClassVar = ("job", "chunk", "server", "kind", "worker", "start", "end")

    @classmethod
    def of(cls, rows: Iterable[tuple[int, ...]]) -> Intervals:
        """From tuples (job, chunk, server, kind, worker, start, end)."""
        table = np.array(sorted(rows), dtype=np.int64).reshape(-1, 7)
        return cls(*table.T)

    def __len__(self) -> int:
        return len(self.job)


@dataclass(frozen=True)
class Services:
    """Parameter-server intervals [start, end); ``kind`` is a position in the server's PS types, -1 in the cloud."""

    job: Count
    server: Count
    kind: Count
    start: Count
    end: Count

    COLUMNS: ClassVar = ("job", "server", "kind", "start", "end")

    @classmethod
    def of(cls, rows: Iterable[tuple[int, ...]]) -> Services:
        """From tuples (job, server, kind, start, end)."""
        table = np.array(sorted(rows), dtype=np.int64).reshape(-1, 5)
        return cls(*table.T)

    def __len__(self) -> int:
        return len(self.job)


@dataclass(frozen=True)
class Schedule:
    """What a policy or a program decided on one instance.

    Attributes
    ----------
    options
        What the decider was told; ``speed`` (1 + eps), ``chunks`` (pinned or floating) and, for floating ones, the
        ``reading`` of their duration change what is feasible.
    """

    intervals: Intervals
    services: Services
    instance_sha256: str
    policy: str
    options: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0

    @property
    def speed(self) -> Fraction:
        """1 + eps, the speed at which the workers ran."""
        return Fraction(str(self.options.get("speed", 1)))  # a float says the decimal that it prints

    def completions(self, instance: Instance) -> np.ndarray:
        """c_j, the end of each job's last interval; the arrival for a job that never runs. Shape (jobs,)."""
        ends = np.array([job.arrival for job in instance.jobs], dtype=np.int64)
        np.maximum.at(ends, self.intervals.job, self.intervals.end)
        return ends

    def objective(self, instance: Instance) -> Fraction:
        """The total JCT, sum of c_j - r_j, in slots (2)."""
        arrivals = sum(job.arrival for job in instance.jobs)
        return Fraction(int(self.completions(instance).sum()) - arrivals)

    def violations(self, instance: Instance) -> list[Violation]:
        """Every broken constraint, in exact arithmetic; empty for a feasible schedule."""
        from schedproof.instances.preemptive.checker import violations

        return violations(self, instance)

    def preemptions(self) -> int:
        """How often a chunk was interrupted."""
        chunks = np.unique(np.stack([self.intervals.job, self.intervals.chunk]), axis=1).shape[1]
        return len(self.intervals) - chunks

    def to_frame(self, instance: Instance) -> Any:
        """One row per job: arrival, completion, JCT (slots), intervals and whether it used the cloud."""
        import pandas as pd

        done = self.completions(instance)
        arrivals = np.array([job.arrival for job in instance.jobs], dtype=np.int64)
        cloud = -1 if instance.cloud is None else instance.cloud.index
        in_cloud = np.bincount(self.intervals.job[self.intervals.server == cloud], minlength=len(instance.jobs))
        return pd.DataFrame(
            {
                "job": [job.name for job in instance.jobs],
                "chunks": [job.chunks for job in instance.jobs],
                "arrival": arrivals,
                "completion": done,
                "jct": done - arrivals,
                "intervals": np.bincount(self.intervals.job, minlength=len(instance.jobs)),
                "in_cloud": in_cloud > 0,
            }
        )

    def plot(self, instance: Instance, ax: Any = None) -> Any:
        """A Gantt chart of the workers."""
        from schedproof.instances.preemptive.picture import draw_gantt

        return draw_gantt(self, instance, ax)

    def to_json(self, instance: Instance) -> dict[str, Any]:
        """The schedule file's JSON object."""
        jobs, servers = instance.jobs, instance.servers
        workers = [[f"{kind}#" for kind in s.workers] for s in servers]
        types = [list(s.parameter_servers) for s in servers]
        i, p = self.intervals, self.services
        return {
            **header(self, "preemptive"),
            "intervals": [
                IntervalRow(jobs[j].name, c, servers[s].name, a, b, None if k < 0 else f"{workers[s][k]}{w}")
                for j, c, s, k, w, a, b in zip(*(getattr(i, n).tolist() for n in i.COLUMNS), strict=True)
            ],
            "parameter_servers": [
                ServiceRow(jobs[j].name, servers[s].name, a, b, None if k < 0 or types[s][k] == "*" else types[s][k])
                for j, s, k, a, b in zip(*(getattr(p, n).tolist() for n in p.COLUMNS), strict=True)
            ],
        }

    @classmethod
    def from_json(cls, value: Any, instance: Instance) -> Schedule:
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
        return cls(
            Intervals.of((j, c, s, k, w, a, b) for j, s, c, k, w, a, b in intervals),
            Services.of(services),
            file.instance_sha256,
            file.policy,
            file.options,
            file.seed,
        )

    @classmethod
    def from_decisions(
        cls, log: list[Decisions], instance: Instance, policy: str, options: Mapping[str, Any], seed: int
    ) -> Schedule:
        """Pair an arrival policy's starts and stops into intervals."""
        time = np.concatenate([d.time for d in log])
        job = np.concatenate([d.job for d in log])
        rows = {name: np.concatenate([d.columns[name] for d in log]) for name in COLUMNS}
        rows |= {"time": time, "job": job}
        return cls(
            Intervals(*_paired(rows, WORKER, Intervals.COLUMNS)),
            Services(*_paired(rows, PS, Services.COLUMNS)),
            instance.sha256,
            policy,
            options,
            seed,
        )


COLUMNS = ("what", "chunk", "server", "kind", "worker", "starts")  # of a preemptive decision, beside time and job


def _paired(rows: dict[str, np.ndarray], what: int, columns: tuple[str, ...]) -> list[np.ndarray]:
    """Match each start with the stop of the same job and chunk (in time, a chunk runs at most once at any moment)."""
    keep = np.flatnonzero(rows["what"] == what)
    order = keep[np.lexsort((rows["starts"][keep], rows["time"][keep], rows["chunk"][keep], rows["job"][keep]))]
    starts = rows["starts"][order].astype(bool)
    begin, finish = order[starts], order[~starts]
    same = begin.size == finish.size and all(np.array_equal(rows[n][begin], rows[n][finish]) for n in ("job", "chunk"))
    if not same or not np.array_equal(starts, np.arange(order.size) % 2 == 0):
        raise ValueError("a policy's starts and stops do not alternate")
    times = {"start": rows["time"][begin], "end": rows["time"][finish]}
    return [times[n] if n in times else rows[n][begin].astype(np.int64) for n in columns]


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
