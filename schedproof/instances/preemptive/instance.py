"""The preemptive family's Instance: frozen, exact, with the numbers that every layer needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from msgspec import UNSET, UnsetType

from schedproof.core.errors import InputError
from schedproof.core.instance import Instance as AnyInstance
from schedproof.core.reading import Amount, Count, Name, Positive, PositiveAmount, Row

LONGEST_CHUNK = 10**12  # slots of one chunk; beyond any horizon, and far from overflowing anything
ANY = "*"  # in upload_delay: every edge server that is not named; in parameter_servers: a plain count, any type


class ServerRow(Row, frozen=True):
    """An edge server, or the cloud with unlimited workers, parameter servers and storage.

    Attributes
    ----------
    workers
        Worker type -> count (W_s).
    parameter_servers
        Type -> count (P_s); a plain count serves every job.
    storage
        U_s in GB; unset where unlimited.
    """

    name: Name
    workers: dict[str, Count] | UnsetType = UNSET
    parameter_servers: Count | dict[str, Count] | UnsetType = UNSET
    storage: Amount | UnsetType = UNSET
    cloud: bool = False


@dataclass(frozen=True, slots=True)
class Server:
    """A server with its position in the file; the type ``"*"`` is a plain count, and the cloud's counts are empty."""

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

    @property
    def places(self) -> list[tuple[int, int, int]]:
        """The workers as (server, position of the type in the server's list, number)."""
        kind = list(self.server.workers).index(self.type)
        return [(self.server.index, kind, number) for number in range(self.count)]


class JobRow(Row, frozen=True):
    """A training job: D_j chunks, each one worker's work, released on arrival and usable after its upload.

    Attributes
    ----------
    arrival, chunks
        r_j (slot), D_j.
    epochs, minibatches, minibatch_time, update_time
        E_j, B_j, m_j and G_j (slots).
    gradient_size, bandwidth
        q_j (MB), b_j (MB per slot).
    upload_delay
        Server name or ``"*"`` -> Delta_js in slots.
    chunk_size
        u_j in GB.
    ps_types
        The parameter servers' types that may serve it; unset for all.
    """

    name: Name
    arrival: Count
    chunks: Positive
    epochs: Positive
    minibatches: Positive
    worker_types: tuple[str, ...]
    minibatch_time: Amount
    update_time: Amount
    gradient_size: Amount
    bandwidth: PositiveAmount
    upload_delay: dict[str, Count]
    chunk_size: Amount | UnsetType = UNSET
    ps_types: tuple[str, ...] | UnsetType = UNSET


class Job(JobRow, frozen=True, kw_only=True):
    """A job with its position in the file; no ``ps_types`` means all of them.

    Attributes
    ----------
    chunk_time, chunk_time_in_cloud
        E_j B_j / n_j in slots, exact: across servers (zeta_j = 0), and when the whole job is in the cloud (zeta_j = 1).
    """

    index: int
    chunk_size: Fraction
    ps_types: tuple[str, ...]
    chunk_time: Fraction
    chunk_time_in_cloud: Fraction

    def delay(self, server: Server) -> int | None:
        """Delta_js in slots; None where the server cannot serve the job."""
        if server.cloud:
            return self.upload_delay.get(server.name)
        return self.upload_delay.get(server.name, self.upload_delay.get(ANY))

    def slots(self, in_cloud: bool = False, speed: Fraction | int = 1) -> int:
        """Whole slots of one chunk under the reading ``ceil_chunk``; the speed divides before rounding."""
        time = self.chunk_time_in_cloud if in_cloud else self.chunk_time
        slots = -(-time.numerator * speed.denominator // (time.denominator * speed.numerator))
        if slots > LONGEST_CHUNK:
            raise InputError(f"{self.name}: at speed {speed} a chunk takes {slots} slots, more than {LONGEST_CHUNK}")
        return slots

    def opens(self, server: Server, ps_type: str) -> bool:
        """Whether this server's parameter servers of that type may serve the job (o_jsp)."""
        if self.delay(server) is None:
            return False
        return server.cloud or ps_type == ANY or not self.ps_types or ps_type in self.ps_types


@dataclass(frozen=True, eq=False, repr=False)
class Instance(AnyInstance):
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
        """Speed -> when all jobs can be done, run one by one after everything has landed; filled when needed."""
        return {}

    @cached_property
    def _all_landed(self) -> int:
        """When every job may use every edge server that it may use at all, its parameter servers among them."""
        delays = ((job, name, delay) for job in self.jobs for name, delay in job.upload_delay.items())
        return max((job.arrival + delay for job, name, delay in delays if name != self._cloud_name), default=0)
