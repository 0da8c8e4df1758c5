"""The preemptive family's Instance: frozen and exact."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Annotated, NamedTuple, Self

from schedproof.core.base.untyped import Network
from schedproof.core.data.reading import MOST, Count, Positive
from schedproof.core.data.records import some
from schedproof.core.errors import expect
from schedproof.core.simulation.breaks import Break, Calendar, require_breaks
from schedproof.core.simulation.instance import Instance as AnyInstance
from schedproof.instances.preemptive.entities import ANY, LONGEST_CHUNK, Job, Server, WorkerClass

MOST_WORKERS = 10**6  # of all servers
MOST_CHUNKS = 10**6  # of all jobs: with `LONGEST_CHUNK` their total slots stay within 63 bits


@dataclass(frozen=True, eq=False, repr=False)
class Instance(AnyInstance):
    """A validated preemptive instance.

    Attributes
    ----------
    horizon
        T in slots; every job completes by the end of slot T - 1.
    servers, jobs
        In file order.
    restart
        Slots without progress before an interrupted chunk resumes, on its worker; a first start has none. A chunk
        is interrupted if it does not run in some slot between its first and last slot; a move between two slots is no
        interruption. Not in the paper.
    breaks
        Breaks of edge servers, in which workers do not train but parameter servers keep running. Not in the paper.
    """

    horizon: Positive
    servers: Annotated[tuple[Server, ...], some(Server)]
    jobs: tuple[Job, ...]
    restart: Count = 0
    breaks: tuple[Break, ...] = ()

    family = "preemptive"
    sense = "minimize"

    def validate(self) -> None:
        """Refuse too large numbers, unknown names, and jobs that no server can serve."""
        workers, chunks = sum(sum(s.workers.values()) for s in self.servers), sum(job.chunks for job in self.jobs)
        expect(workers <= MOST_WORKERS, f"expected at most {MOST_WORKERS} workers on all servers", "servers")
        clouds = [server.index for server in self.servers if server.cloud]
        expect(len(clouds) < 2, "expected at most one cloud", f"servers[{min(clouds[1:], default=0)}].cloud", True)
        for i, server in enumerate(self.servers):
            other = f"'{ANY}' stands for every other server and cannot be a name"
            expect(server.name != ANY, other, f"servers[{i}].name", server.name)
            limited = server.cloud and server.storage is not None
            expect(not limited, "expected no such key: the cloud is unlimited", f"servers[{i}].storage")
        expect(chunks <= MOST_CHUNKS, f"expected at most {MOST_CHUNKS} chunks of all jobs together", "jobs")
        names = {ANY, *(server.name for server in self.servers)}
        require_breaks(self.breaks, [server.name for server in self.edges], self.horizon)
        for i, job in enumerate(self.jobs):
            _require_numbers(job, names, f"jobs[{i}]")
            self._require_room(job)
        alike: dict[object, _Reach] = {}
        for job in self.jobs:
            pattern = (job.worker_types, job.ps_types, *job.upload_delay.items())
            if pattern not in alike:
                alike[pattern] = _Reach.of(self, job)
            alike[pattern].require(self, job)

    def _require_room(self, job: Job) -> None:
        """Refuse a job whose chunk has too few slots outside the breaks of each server."""
        if not self.breaks or self.cloud_delay(job) is not None:
            return
        rooms = [
            self.calendar.room(q.server.index, job.arrival + delay, self.horizon) for q, delay in self.qualified(job)
        ]
        within = f"expected at least {job.slots()} slots outside the breaks of some server that can train {job.name}"
        expect(not rooms or max(rooms) >= job.slots(), within, "breaks", max(rooms, default=0))

    def with_restart(self, restart: int) -> Self:
        """Return the instance with another restart.

        The horizon grows by as many slots for each slot of work. A policy that interrupts restarts may need more.
        """
        more = restart * sum(job.chunks * job.slots() for job in self.jobs)
        return replace(self, restart=restart, horizon=min(MOST, self.horizon + more))

    def to_networkx(self) -> Network:
        """Return the bipartite graph of jobs and servers, with upload delays.

        A node has its name in the file, or (kind, name) if a job and a server share a name.

        Returns
        -------
        networkx.Graph
            A node of ``kind`` "job" has ``arrival`` (r_j, slots), ``chunks`` (D_j) and ``bandwidth`` (b_j, MB per
            slot). A node of ``kind`` "server" has ``cloud`` (a bool), ``capacity`` (W_q by worker type),
            ``parameter_servers`` (P_s by type) and ``storage`` (U_s, GB); None means unlimited. An edge joins a job
            and a server that it may use. It has ``delay`` (Delta_js of (2) and (4), slots) and ``chunk_time``
            (E_j B_j / n_j, slots).
        """
        from schedproof.core.simulation.networks import bipartite

        jobs = {
            job.name: {"arrival": job.arrival, "chunks": job.chunks, "bandwidth": job.bandwidth} for job in self.jobs
        }
        servers = {
            s.name: {
                "cloud": s.cloud,
                "capacity": None if s.cloud else s.workers,
                "parameter_servers": None if s.cloud else s.parameter_servers,
                "storage": s.storage,
            }
            for s in self.servers
        }
        edges = (
            (job.name, s.name, {"delay": delay, "chunk_time": job.chunk_time_in_cloud if s.cloud else job.chunk_time})
            for job in self.jobs
            for s in self.servers
            if (delay := job.delay(s)) is not None
        )
        return bipartite(("job", jobs), ("server", servers), edges, "delay", "upload delay (slots)")

    @cached_property
    def cloud(self) -> Server | None:
        """The cloud, or None."""
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
    def calendar(self) -> Calendar:
        """The breaks of each server, by position; the cloud has none."""
        names = [server.name for server in self.edges]
        every = dict(zip(names, Calendar.of(self.breaks, names).breaks, strict=True))
        return Calendar(tuple(every.get(server.name, ()) for server in self.servers))

    def workers_open(self, q: WorkerClass, slot: int) -> int:
        """Return the number W_q of workers, or 0 in a break."""
        return 0 if self.breaks and self.calendar.closed(q.server.index, slot) else q.count

    @cached_property
    def largest_chunk_count(self) -> int:
        """The largest number D_max of chunks of a job."""
        return max((job.chunks for job in self.jobs), default=1)

    @cached_property
    def kinds_of_jobs(self) -> tuple[list[int], list[Job]]:
        """The number of each job's types and delays, and an example by number."""
        numbers, kinds, examples = dict[tuple[object, ...], int](), list[int](), list[Job]()
        for job in self.jobs:
            key = job.worker_types, job.ps_types, *job.upload_delay.items()
            kinds.append(numbers.setdefault(key, len(examples)))
            if kinds[-1] == len(examples):
                examples.append(job)
        return kinds, examples

    def qualified(self, job: Job) -> list[tuple[WorkerClass, int]]:
        """Return the edge classes that may train a job (v_jsw), with upload delays."""
        key = (job.worker_types, job.upload_delay.get(ANY))
        if job.upload_delay.keys() <= {ANY, self._cloud_name} and key in self._alike:
            return self._alike[key]
        pairs = ((q, job.delay(q.server)) for q in self.classes if q.type in job.worker_types)
        result = [(q, delay) for q, delay in pairs if delay is not None]
        if job.upload_delay.keys() <= {ANY, self._cloud_name}:
            self._alike[key] = result
        return result

    @cached_property
    def _alike(self) -> dict[tuple[tuple[str, ...], int | None], list[tuple[WorkerClass, int]]]:
        """Shared classes and delays of all jobs that name no edge server."""
        return {}

    def workers_by_delay(self, job: Job) -> Counter[int]:
        """Return the number of edge workers that may train a job, by upload delay."""
        key = (job.worker_types, *job.upload_delay.items())
        if key not in self._landing:
            self._landing[key] = Counter()
            for q, delay in self.qualified(job):
                self._landing[key][delay] += q.count
        return self._landing[key]

    @cached_property
    def _landing(self) -> dict[tuple[object, ...], Counter[int]]:
        """The workers by upload delay, for each combination of worker types and delays."""
        return {}

    def qualified_classes(self, job: Job) -> tuple[int, ...]:
        """Return the indices of the classes in `qualified`, computed once for equal jobs."""
        key = (job.worker_types, *job.upload_delay)
        if key not in self._classes:
            self._classes[key] = tuple(q.index for q, _ in self.qualified(job))
        return self._classes[key]

    @cached_property
    def _classes(self) -> dict[tuple[object, ...], tuple[int, ...]]:
        """Indices of classes, for each combination of worker types and servers."""
        return {}

    @property
    def _cloud_name(self) -> str:
        return "" if self.cloud is None else self.cloud.name

    def cloud_delay(self, job: Job) -> int | None:
        """Return the delay to the cloud, Delta_jc; None if the job cannot use a cloud."""
        return None if self.cloud is None else job.delay(self.cloud)

    def last_slot(self, job: Job, mixed: bool = False, speed: Fraction | int = 1, stays: bool = False) -> int:
        """Return a slot by which some optimal solution has ended the job.

        Parameters
        ----------
        mixed
            Whether a chunk in the cloud may have the edge rate, as in (4), where each chunk has a separate rate.
        speed
            Divides every chunk time before rounding up.
        stays
            Whether a chunk stays on its server, as in (8). Then a chunk that starts early at the edge may end later
            than in the cloud.
        """
        delay = self.cloud_delay(job)
        if delay is not None and not stays:
            slots = job.slots(in_cloud=not mixed, speed=speed)  # the edge rate is never higher
            return min(self.horizon, job.arrival + delay + slots) - 1
        if speed not in self._enough:
            waiting = sum(row.end - row.start for row in self.breaks)
            self._enough[speed] = self._all_landed + waiting + sum(j.chunks * j.slots(speed=speed) for j in self.jobs)
        return min(self.horizon, self._enough[speed]) - 1

    @cached_property
    def _enough(self) -> dict[Fraction | int, int]:
        """The end, by speed, if jobs run one by one after all uploads and breaks."""
        return {}

    @cached_property
    def _all_landed(self) -> int:
        delays = ((job, name, delay) for job in self.jobs for name, delay in job.upload_delay.items())
        return max((job.arrival + delay for job, name, delay in delays if name != self._cloud_name), default=0)


def _require_numbers(job: Job, names: Collection[str], path: str) -> None:
    for key, types in (("worker_types", job.worker_types), ("ps_types", job.ps_types)):
        if types is not None and not 0 < len(types) == len(set(types)):
            expect(
                False, "expected a list of at least one type, without repetitions", f"{path}.{key}", str(list(types))
            )
    for name in job.upload_delay:
        if name not in names:
            expect(False, "expected the name of a server, or '*'", f"{path}.upload_delay.{name}", name)
    takes = bool(job.minibatch_time or job.update_time)
    expect(takes, "expected minibatch_time + update_time > 0", f"{path}.minibatch_time", 0.0)
    within = job.chunk_time.numerator <= LONGEST_CHUNK * job.chunk_time.denominator
    expect(within, f"expected a chunk time E B (m + G + 2 q/b) of at most {LONGEST_CHUNK} slots", path, job.name)


class _Reach(NamedTuple):
    """The edge resources for all jobs with the same types and delays."""

    delays: tuple[int, ...]
    storages: tuple[Fraction | None, ...]
    served: bool
    cloud: int | None

    @classmethod
    def of(cls, instance: Instance, job: Job) -> _Reach:
        """Return the distinct (delay, storage) pairs of classes that may train such a job."""
        edge = instance.qualified(job)
        served = any(n and job.opens(s, kind) for s in instance.edges for kind, n in s.parameter_servers.items())
        delays, storages = {delay for _, delay in edge}, {q.server.storage for q, _ in edge}
        return cls(tuple(delays), tuple(storages), served, instance.cloud_delay(job))

    def require(self, instance: Instance, job: Job) -> None:
        """Refuse a job that no server can serve."""
        path = f"jobs[{job.index}]"
        if self.cloud is None:
            workers = "expected a server in upload_delay with workers of the job's worker_types"
            expect(bool(self.delays), workers, path, job.name)
            if not any(room is None or job.chunk_size <= room for room in self.storages):
                size = "expected a chunk size within the storage of some server that can train the job"
                expect(False, size, f"{path}.chunk_size", float(job.chunk_size))
            expect(
                self.served,
                "expected a server in upload_delay with a parameter server that may serve the job",
                path,
                job.name,
            )
        slots = job.slots()
        if self.delays and job.arrival + min(self.delays) + slots <= instance.horizon:
            return
        in_cloud = [] if self.cloud is None else [self.cloud + job.slots(in_cloud=True)]
        earliest = job.arrival + min([*(delay + slots for delay in self.delays), *in_cloud])
        horizon = f"expected a horizon of at least {earliest}: {path} ({job.name}) cannot complete earlier"
        expect(earliest <= instance.horizon, horizon, "horizon", instance.horizon)
