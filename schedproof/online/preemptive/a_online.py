"""A_online (Alg. 1-5): a chunk goes to the worker with the least cost increase.

The cost is the average completion time, and a chunk never moves. The policy is event driven: it decides on arrivals
only, and between arrivals the workers' lists run. Readings of the open points: jobs of one slot are dispatched in file
order; ties in Q go to the first server in file order, then the first worker type, then the lowest number, the cloud
last; of chunks with equal rates, the one placed first runs first, also in (5). A restart adds to an interrupted chunk's
slots in (5), but not to the slots in its rate; prices do not foresee interruptions.

Versions of this algorithm: docs/architecture.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from heapq import heappop, heappush

import numpy as np

from schedproof.core.base.untyped import AnyFamily
from schedproof.core.certificates.bound import Guarantee
from schedproof.core.data.options import pick
from schedproof.core.errors import NoSolution
from schedproof.core.simulation.policy import Decisions
from schedproof.instances.preemptive.entities import Job
from schedproof.instances.preemptive.instance import Instance
from schedproof.online.preemptive.edge_workers import IN_CLOUD, EdgeWorkers
from schedproof.online.preemptive.guarantee import a_online_guarantee
from schedproof.online.preemptive.kernels import dispatch
from schedproof.online.preemptive.parameter_servers import ParameterServers
from schedproof.online.preemptive.worker_lists import Chunk, WorkerLists, cheapest


class AOnline:
    use_cloud = True

    def __init__(
        self,
        *,
        order: str = "static",
        price: str = "eq5",
        ps_release: str = "printed",
        speed: Fraction = Fraction(1),
    ) -> None:
        self._residual = pick("order", order, {"static": False, "residual": True})
        self._exact_growth = pick("price", price, {"eq5": False, "marginal": True})
        self._ps_release, self._speed = ps_release, speed
        self._least: list[tuple[np.ndarray, np.ndarray, int]] = []  # (job, chunk), least Q in units, units per slot

    @property
    def values(self) -> dict[tuple[int, int], Fraction]:
        """Return alpha_jd by (job, chunk): the least Q at dispatch, in slots per chunk."""
        return {
            (j, d): Fraction(value, scale)
            for owner, units, scale in self._least
            for (j, d), value in zip(owner.tolist(), units.tolist(), strict=True)
        }

    def start(self, system: AnyFamily) -> None:
        self._system = system
        self._edge = EdgeWorkers(system)
        self._servers = ParameterServers(system, self._ps_release)
        counts = np.array([q.count for q in system.classes], dtype=np.int64)
        self._lists = WorkerLists(counts, self._residual, self._exact_growth, system.restart)
        self._owner = np.empty((64, 2), dtype=np.int64)  # chunk number in the lists -> (job, chunk)
        self._owned = 0
        self._rows = [np.empty((0, 5), dtype=np.int64)]  # starts and stops that were not returned yet
        self._in_cloud: list[tuple[int, int]] = []  # heap of ends of chunks with their jobs
        self._stored: dict[int, tuple[Job, dict[int, list[int]], int]] = {}  # job -> chunks by worker, how many left

    def advance(self, until: int) -> Decisions:
        self._run(until)
        return self._decisions(until)

    def arrive(self, time: int, jobs: Sequence[Job]) -> None:
        """Dispatch every chunk of every arriving job, in file order."""
        self._receive([(time, jobs)])

    def replay(self, arrivals: Sequence[tuple[int, Sequence[Job]]]) -> Decisions:
        """Return the decisions before the last of several arrivals."""
        self._receive(arrivals)
        return self._decisions(arrivals[-1][0])

    def _receive(self, arrivals: Sequence[tuple[int, Sequence[Job]]]) -> None:
        if not self._edge.limited and self._dispatch_all([job for _, jobs in arrivals for job in jobs]):
            return
        for time, jobs in arrivals:
            self._run(time)
            for job in jobs:
                placed = self._dispatch(time, job)
                self._servers.arrive([job], {job.index} if set(placed) == {IN_CLOUD} else ())
                if self._edge.limited:
                    self._stored[job.index] = (job, placed, job.chunks)

    def _run(self, until: int) -> None:
        events = self._lists.advance(until)
        self._note(events)
        if self._edge.limited:
            stopped = {chunk for _, chunk, _, starts in events.tolist() if not starts}
            done = [int(self._owner[chunk, 0]) for chunk in stopped if self._lists.done(chunk)]
            while self._in_cloud and self._in_cloud[0][0] <= until:
                done.append(heappop(self._in_cloud)[1])
            for j in done:
                self._complete(j)

    def _note(self, events: np.ndarray) -> None:
        """Keep starts and stops, rows of `kernels.advance`, until they are returned."""
        time, chunk, worker, starts = events.T
        self._rows.append(np.stack([time, starts, *self._owner[chunk].T, worker], axis=1))

    def _decisions(self, until: int) -> Decisions:
        rows = np.concatenate(self._rows)
        rows = rows[np.lexsort((rows[:, 1], rows[:, 0]))]
        ready = int(np.count_nonzero((rows[:, 0] < until) | (rows[:, 0] == until) & (rows[:, 1] == 0)))
        self._rows = [rows[ready:]]
        return self._servers.complete(rows[:ready], self._edge.places, until)

    def guarantee(self, instance: Instance) -> Guarantee:
        """Return the proven ratio of this run's total JCT, with its premises."""
        residual = self._residual and not self._exact_growth
        return a_online_guarantee(instance, self._speed, residual, self.use_cloud, self._servers.always_served)

    def _dispatch_all(self, jobs: Sequence[Job]) -> bool:
        """Run Alg. 2, compiled, for jobs in order of arrival without storage limits.

        Return whether the compiled kernel could run.
        """
        patterns: dict[int, int] = {}
        delays, rows = list[np.ndarray](), list[tuple[int, ...]]()
        for job in jobs:
            delay = self._edge.upload_delays(job)
            row = patterns.setdefault(id(delay), len(patterns))
            if row == len(delays):
                delays.append(delay)
            cloud = self._system.cloud_delay(job) if self.use_cloud else None
            away = (-1, 0) if cloud is None else (cloud, job.slots(in_cloud=True, speed=self._speed))
            rows.append((job.arrival, job.chunks, row, *away))
        chunks = [self._chunk(job) for job in jobs]
        answer = self._call_kernel(chunks, rows, np.array(delays))
        if answer is None:
            return False
        (worker, units), events = answer[0].T, answer[1]
        counts = np.array([job.chunks for job in jobs])
        first = np.cumsum(counts) - counts
        owner = np.stack([np.repeat([job.index for job in jobs], counts), np.arange(counts.sum())], axis=1)
        owner[:, 1] -= np.repeat(first, counts)
        if len(worker) < len(owner):
            job = jobs[int(np.searchsorted(first, len(worker), side="right")) - 1]
            raise no_worker(job, int(owner[len(worker), 1]))
        self._own(owner[worker != IN_CLOUD])
        self._note(events)
        self._least.append((owner, units, self._lists.scale))
        whole = worker[first] == IN_CLOUD
        for n in np.flatnonzero(worker == IN_CLOUD).tolist():
            at = int(np.searchsorted(first, n, side="right")) - 1
            time, _, _, cloud, takes = rows[at]
            self._send(time + cloud, takes if whole[at] else chunks[at].slots, *owner[n].tolist())
        self._servers.arrive(jobs, {jobs[at].index for at in np.flatnonzero(whole).tolist()})
        return True

    def _call_kernel(
        self, chunks: Sequence[Chunk], rows: Sequence[tuple[int, ...]], delays: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray] | None:
        return self._lists.dispatch(dispatch, chunks, rows, delays)

    def _own(self, chunks: np.ndarray) -> None:
        """Note the (job, chunk) of the next chunks of the lists."""
        end = self._owned + len(chunks)
        if end > len(self._owner):
            self._owner = np.concatenate([self._owner, np.empty((end, 2), dtype=np.int64)])
        self._owner[self._owned : end] = chunks
        self._owned = end

    def _send(self, time: int, takes: int, job: int, chunk: int) -> None:
        rows = [(time, 1, job, chunk, IN_CLOUD), (time + takes, 0, job, chunk, IN_CLOUD)]
        self._rows.append(np.array(rows, dtype=np.int64))
        if self._edge.limited:
            heappush(self._in_cloud, (time + takes, job))

    def _chunk(self, job: Job) -> Chunk:
        return Chunk(job.slots(speed=self._speed), job.chunks, _weight(job.chunks))

    def _dispatch(self, time: int, job: Job) -> dict[int, list[int]]:
        delay = self._edge.delays(job)
        mine = self._chunk(job)
        placed, least = dict[int, list[int]](), list[int]()
        enough = 0 if self._edge.limited else job.chunks  # all workers are priced if a server may be full
        cost = self._lists.price(mine, delay, enough=enough, count=job.chunks)
        scale = self._lists.scale
        counts = int(scale * mine.weight)
        cloud = self._system.cloud_delay(job) if self.use_cloud else None
        for chunk in range(job.chunks):
            worker = cheapest(cost)
            takes = job.slots(in_cloud=chunk == 0, speed=self._speed)  # zeta_j = 1 until an edge worker is used
            if cloud is not None and (worker is None or counts * (cloud + takes) < int(cost[worker])):
                together = range(chunk, job.chunks) if chunk == 0 else [chunk]
                for d in together:
                    least.append(counts * (cloud + takes))
                    self._send(time + cloud, takes, job.index, d)
                    placed.setdefault(IN_CLOUD, []).append(d)
                if chunk == 0:
                    break
                continue
            if worker is None:
                raise no_worker(job, chunk)
            least.append(int(cost[worker]))
            self._own(np.array([[job.index, chunk]]))
            self._lists.place_chunk(worker, mine, int(delay[self._lists.place[worker]]))
            placed.setdefault(worker, []).append(chunk)
            if self._edge.limited:
                self._edge.store(job, {worker: [chunk]})
                self._edge.close_full_servers(job, delay)
                cost[delay[self._lists.place] < 0] = -1
            if chunk < job.chunks - 1:
                self._lists.price(mine, delay, worker, cost)
        every = np.stack([np.full(job.chunks, job.index), np.arange(job.chunks)], axis=1)
        self._least.append((every, np.array(least, dtype=object), scale))
        return placed

    def _complete(self, j: int) -> None:
        job, placed, rest = self._stored[j]
        if rest > 1:
            self._stored[j] = (job, placed, rest - 1)
        else:
            self._edge.store(job, {w: chunks for w, chunks in placed.items() if w != IN_CLOUD}, -1)
            del self._stored[j]


@lru_cache(maxsize=1024)
def _weight(chunks: int) -> Fraction:
    return Fraction(1, chunks)


def no_worker(job: Job, chunk: int) -> NoSolution:
    """Return the error for a job that neither an edge worker nor the cloud can take."""
    return NoSolution(f"job '{job.name}': no edge worker can take chunk {chunk}, and the job may not use the cloud")


class AOnlineEdge(AOnline):
    """Without a free edge parameter server, a job may still use one in the cloud."""

    use_cloud = False
