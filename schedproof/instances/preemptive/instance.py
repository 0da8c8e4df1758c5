"""The preemptive family's Instance: frozen, exact, with the little arithmetic that every layer needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from schedproof.core.numbers import ceil
from schedproof.core.policy import Hidden
from schedproof.instances.arriving import Arriving

ANY = "*"  # in upload_delay: every edge server that is not named; in parameter_servers: a plain count, any type


@dataclass(frozen=True, slots=True)
class Server:
    """An edge server, or the cloud with unlimited workers, parameter servers and storage.

    Attributes
    ----------
    index
        Position in the file.
    workers
        Worker type -> count (W_s); empty for the cloud.
    parameter_servers
        Type -> count (P_s); the type ``"*"`` is a plain count that serves every job. Empty for the cloud.
    storage
        U_s in GB; None where unlimited.
    """

    index: int
    name: str
    workers: Mapping[str, int]
    parameter_servers: Mapping[str, int]
    storage: Fraction | None
    cloud: bool


@dataclass(frozen=True, slots=True)
class WorkerClass:
    """The interchangeable workers of one type on one edge server, W_q of them."""

    index: int
    server: Server
    type: str
    count: int


@dataclass(frozen=True, slots=True)
class Job:
    """A training job: D_j chunks, each one worker's work, released on arrival and usable after its upload.

    Attributes
    ----------
    index
        Position in the file.
    chunk_time, chunk_time_in_cloud
        E_j B_j / n_j in slots, exact: across servers (zeta_j = 0), and when the whole job is in the cloud (zeta_j = 1).
    upload_delay
        Server name or ``"*"`` -> Delta_js in slots.
    """

    index: int
    name: str
    arrival: int
    chunks: int
    epochs: int
    minibatches: int
    worker_types: tuple[str, ...]
    ps_types: tuple[str, ...] | None
    minibatch_time: Fraction
    update_time: Fraction
    gradient_size: Fraction
    bandwidth: Fraction
    upload_delay: Mapping[str, int]
    chunk_size: Fraction
    chunk_time: Fraction
    chunk_time_in_cloud: Fraction

    def delay(self, server: Server) -> int | None:
        """Delta_js in slots; None where the server cannot serve the job."""
        if server.cloud:
            return self.upload_delay.get(server.name)
        return self.upload_delay.get(server.name, self.upload_delay.get(ANY))

    def slots(self, in_cloud: bool = False, speed: Fraction | int = 1) -> int:
        """Whole slots of one chunk under the reading ``ceil_chunk``; the speed divides before rounding."""
        return ceil((self.chunk_time_in_cloud if in_cloud else self.chunk_time) / speed)

    def opens(self, server: Server, ps_type: str) -> bool:
        """Whether this server's parameter servers of that type may serve the job (o_jsp)."""
        if self.delay(server) is None:
            return False
        return server.cloud or ps_type == ANY or self.ps_types is None or ps_type in self.ps_types


@dataclass(frozen=True, eq=False)
class Instance(Arriving):
    """A validated preemptive instance.

    Attributes
    ----------
    horizon
        T in slots; every job completes by it.
    servers, jobs
        In file order.
    """

    horizon: int
    servers: tuple[Server, ...]
    jobs: tuple[Job, ...]

    family = "preemptive"
    sense = "minimize"

    @cached_property
    def cloud(self) -> Server | None:
        """The cloud, if there is one."""
        return next((s for s in self.servers if s.cloud), None)

    @cached_property
    def edges(self) -> tuple[Server, ...]:
        """The edge servers, in file order."""
        return tuple(s for s in self.servers if not s.cloud)

    @cached_property
    def classes(self) -> tuple[WorkerClass, ...]:
        """The edge worker classes: servers in file order, types in file order."""
        pairs = [(s, kind, count) for s in self.edges for kind, count in s.workers.items() if count > 0]
        return tuple(WorkerClass(i, *row) for i, row in enumerate(pairs))

    @cached_property
    def largest_chunk_count(self) -> int:
        """D_max."""
        return max((job.chunks for job in self.jobs), default=1)

    def qualified(self, job: Job) -> list[tuple[WorkerClass, int]]:
        """The edge classes that may train the job (v_jsw), each with its upload delay; not to be changed."""
        key = (job.worker_types, job.upload_delay.get(ANY))
        if job.upload_delay.keys() <= {ANY, self._cloud_name} and key in self._alike:
            return self._alike[key]
        pairs = ((q, job.delay(q.server)) for q in self.classes if q.type in job.worker_types)
        found = [(q, delay) for q, delay in pairs if delay is not None]
        if job.upload_delay.keys() <= {ANY, self._cloud_name}:
            self._alike[key] = found
        return found

    @cached_property
    def _alike(self) -> dict[tuple[tuple[str, ...], int | None], list[tuple[WorkerClass, int]]]:
        """Classes and delays shared by all jobs that name no edge server: in a trace, nearly all of them."""
        return {}

    @property
    def _cloud_name(self) -> str:
        return "" if self.cloud is None else self.cloud.name

    def cloud_delay(self, job: Job) -> int | None:
        """Delta_jc; None when there is no cloud or the job may not use it."""
        return None if self.cloud is None else job.delay(self.cloud)

    def last_slot(self, job: Job, mixed: bool = False, speed: Fraction | int = 1, stays: bool = False) -> int:
        """The last slot that some optimal solution gives to the job (formulations: Horizon).

        Parameters
        ----------
        mixed
            Whether a chunk may sit in the cloud at the edge rate, as in (4), where chunks are counted one by one.
        speed
            Divides every chunk time before it is rounded up.
        stays
            Whether a chunk stays on its server, as in (8): one that began early may then end later than in the cloud.
        """
        delay = self.cloud_delay(job)
        if delay is not None and not stays:
            slots = job.slots(in_cloud=not mixed, speed=speed)  # the edge rate is never the higher one
            return min(self.horizon, job.arrival + delay + slots) - 1
        if speed not in self._enough:
            self._enough[speed] = self._all_landed + sum(j.chunks * j.slots(speed=speed) for j in self.jobs)
        return min(self.horizon, self._enough[speed]) - 1

    @cached_property
    def _enough(self) -> dict[Fraction | int, int]:
        """Speed -> when all jobs can be done, run one by one after everything has landed; filled as it is asked for."""
        return {}

    @cached_property
    def _all_landed(self) -> int:
        return max((job.arrival + delay for job in self.jobs for _, delay in self.qualified(job)), default=0)

    def notes(self) -> tuple[str, ...]:
        """Nothing: a job that nobody can serve is an error of its file."""
        return ()

    def system(self) -> Hidden:
        """What an arrival policy may know beforehand: everything but the jobs."""
        empty = Instance(self.horizon, self.servers, ())
        return Hidden(
            family=self.family,
            horizon=self.horizon,
            servers=self.servers,
            edges=self.edges,
            cloud=self.cloud,
            classes=self.classes,
            qualified=empty.qualified,
            cloud_delay=empty.cloud_delay,
        )

    def schedule_type(self) -> Any:
        """The family's Schedule."""
        from schedproof.instances.preemptive.schedule import Schedule

        return Schedule

    def canonical(self) -> bytes:
        """The instance's canonical JSON bytes."""
        from schedproof.instances.preemptive.file import canonical

        return canonical(self)
