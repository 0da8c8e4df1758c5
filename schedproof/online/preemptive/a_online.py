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
from heapq import heappop, heappush

import numpy as np

from schedproof.core.base.untyped import AnyFamily
from schedproof.core.certificates.bound import Guarantee
from schedproof.core.data.options import pick
from schedproof.core.errors import NoSolution
from schedproof.core.simulation.policy import Decisions
from schedproof.instances.preemptive.entities import Job
from schedproof.instances.preemptive.instance import Instance
from schedproof.online.preemptive.edge_workers import IN_CLOUD, EdgeWorkers, Row
from schedproof.online.preemptive.guarantee import a_online_guarantee
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
        self._least: list[tuple[int, int, int, int]] = []  # job, chunk, least Q in units, and units per slot

    @property
    def values(self) -> dict[tuple[int, int], Fraction]:
        """Return alpha_jd by (job, chunk): the least Q at dispatch, in slots per chunk."""
        return {(j, d): Fraction(units, scale) for j, d, units, scale in self._least}

    def start(self, system: AnyFamily) -> None:
        self._system = system
        self._edge = EdgeWorkers(system)
        self._servers = ParameterServers(system, self._ps_release)
        counts = np.array([q.count for q in system.classes], dtype=np.int64)
        self._lists = WorkerLists(counts, self._residual, self._exact_growth, system.restart)
        self._owner: list[tuple[int, int]] = []  # chunk number in the lists -> (job, chunk)
        self._pending_in_cloud: list[Row] = []
        self._stored: dict[int, tuple[Job, dict[int, list[int]], int]] = {}  # job -> chunks by worker, how many left

    def advance(self, until: int) -> Decisions:
        events = self._lists.advance(until).tolist()
        rows: list[Row] = [(t, starts, *self._owner[chunk], w) for t, chunk, w, starts in events]
        while self._pending_in_cloud and self._pending_in_cloud[0][:2] < (until, 1):  # stops at until, starts before it
            rows.append(heappop(self._pending_in_cloud))
        rows.sort(key=lambda row: row[:2])
        if self._edge.limited:
            stopped = {chunk for _, chunk, _, starts in events if not starts}
            done = [self._owner[chunk][0] for chunk in stopped if self._lists.done(chunk)]
            for j in done + [j for _, starts, j, _, w in rows if w == IN_CLOUD and not starts]:
                self._complete(j)
        return self._servers.complete(rows, self._edge.places, until)

    def arrive(self, time: int, jobs: Sequence[Job]) -> None:
        """Dispatch every chunk of every arriving job, in file order."""
        if not self._edge.limited and self._dispatch_all(time, jobs):
            return
        for job in jobs:
            placed = self._dispatch(time, job)
            self._servers.arrive([job], {job.index} if set(placed) == {IN_CLOUD} else ())
            if self._edge.limited:
                self._stored[job.index] = (job, placed, job.chunks)

    def guarantee(self, instance: Instance) -> Guarantee:
        """Return the proven ratio of this run's total JCT, with its premises."""
        residual = self._residual and not self._exact_growth
        return a_online_guarantee(instance, self._speed, residual, self.use_cloud, self._servers.always_served)

    def _dispatch_all(self, time: int, jobs: Sequence[Job]) -> bool:
        """Run Alg. 2, compiled, for the jobs of one arrival without storage limits.

        Return whether the compiled kernel could run.
        """
        patterns: dict[int, int] = {}
        delays, rows = list[np.ndarray](), list[tuple[int, int, int, int]]()
        for job in jobs:
            delay = self._edge.upload_delays(job)
            row = patterns.setdefault(id(delay), len(patterns))
            if row == len(delays):
                delays.append(delay)
            cloud = self._system.cloud_delay(job) if self.use_cloud else None
            away = (-1, 0) if cloud is None else (cloud, job.slots(in_cloud=True, speed=self._speed))
            rows.append((job.chunks, row, *away))
        chunks = [self._chunk(job) for job in jobs]
        placed = self._lists.dispatch(chunks, rows, np.array(delays))
        if placed is None:
            return False
        found, all_in_cloud, scale = placed.tolist(), set[int](), self._lists.scale
        first = 0
        for job, (slots, _, _), (count, _, cloud, takes) in zip(jobs, chunks, rows, strict=True):
            j, mine = job.index, found[first : first + count]
            if len(mine) < count:
                raise no_worker(job, len(mine))
            first += count
            self._least += [(j, chunk, units, scale) for chunk, (_, units) in enumerate(mine)]
            self._owner += [(j, chunk) for chunk, (worker, _) in enumerate(mine) if worker != IN_CLOUD]
            if mine[0][0] == IN_CLOUD:
                all_in_cloud.add(j)
            for chunk, (worker, _) in enumerate(mine) if cloud >= 0 else ():
                if worker == IN_CLOUD:
                    self._send(time + cloud, takes if mine[0][0] == IN_CLOUD else slots, j, chunk)
        self._servers.arrive(jobs, all_in_cloud)
        return True

    def _send(self, time: int, takes: int, job: int, chunk: int) -> None:
        heappush(self._pending_in_cloud, (time, 1, job, chunk, IN_CLOUD))
        heappush(self._pending_in_cloud, (time + takes, 0, job, chunk, IN_CLOUD))

    def _chunk(self, job: Job) -> Chunk:
        return Chunk(job.slots(speed=self._speed), job.chunks, Fraction(1, job.chunks))

    def _dispatch(self, time: int, job: Job) -> dict[int, list[int]]:
        delay = self._edge.delays(job)
        mine = self._chunk(job)
        placed: dict[int, list[int]] = {}
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
                    self._least.append((job.index, d, counts * (cloud + takes), scale))
                    self._send(time + cloud, takes, job.index, d)
                    placed.setdefault(IN_CLOUD, []).append(d)
                if chunk == 0:
                    break
                continue
            if worker is None:
                raise no_worker(job, chunk)
            self._least.append((job.index, chunk, int(cost[worker]), scale))
            self._owner.append((job.index, chunk))
            self._lists.place_chunk(worker, mine, int(delay[self._lists.place[worker]]))
            placed.setdefault(worker, []).append(chunk)
            if self._edge.limited:
                self._edge.store(job, {worker: [chunk]})
                self._edge.close_full_servers(job, delay)
                cost[delay[self._lists.place] < 0] = -1
            if chunk < job.chunks - 1:
                self._lists.price(mine, delay, worker, cost)
        return placed

    def _complete(self, j: int) -> None:
        job, placed, rest = self._stored[j]
        if rest > 1:
            self._stored[j] = (job, placed, rest - 1)
        else:
            self._edge.store(job, {w: chunks for w, chunks in placed.items() if w != IN_CLOUD}, -1)
            del self._stored[j]


def no_worker(job: Job, chunk: int) -> NoSolution:
    """Return the error for a job that neither an edge worker nor the cloud can take."""
    return NoSolution(f"job '{job.name}': no edge worker can take chunk {chunk}, and the job may not use the cloud")


class AOnlineEdge(AOnline):
    """Without a free edge parameter server, a job may still use one in the cloud."""

    use_cloud = False
