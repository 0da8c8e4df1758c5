"""A_online (Alg. 1-5): every chunk goes where it adds least to the average completion time, and never moves.

Event driven: between arrivals nothing is decided, and the workers' lists run on. Where the paper is silent: jobs of one
slot are dispatched in file order; Q ties go to the first server in file order, then the first worker type, then the
lowest number, the cloud last; equal rates count as >= in (5), and the chunk placed earlier runs first.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from heapq import heappop, heappush
from typing import Any

import numpy as np

from schedproof.core.bound import Guarantee
from schedproof.core.errors import NoSolution
from schedproof.core.policy import Decisions
from schedproof.instances.preemptive.instance import ANY, Instance, Job
from schedproof.online.preemptive.edge_workers import IN_CLOUD, EdgeWorkers, Row
from schedproof.online.preemptive.guarantee import a_online_guarantee
from schedproof.online.preemptive.parameter_servers import ParameterServers
from schedproof.online.preemptive.worker_lists import WorkerLists, exact_price


class AOnline:
    """A_online (Algorithms 1-5): every chunk goes where it adds least to the average completion time.

    Attributes
    ----------
    values
        alpha_jd, the least Q when each chunk was dispatched, by (job, chunk): rationals, in slots per chunk of the job.
    """

    use_cloud = True

    def __init__(self, *, order: str = "static", price: str = "eq5", speed: Fraction = Fraction(1)) -> None:
        self._residual, self._exact_growth, self._speed = order == "residual", price == "marginal", speed
        self.values: dict[tuple[int, int], Fraction] = {}

    def start(self, system: Any) -> None:
        """Empty lists for a system whose jobs are not known yet."""
        self._system = system
        self._edge = EdgeWorkers(system)
        self._servers = ParameterServers(system)
        counts = np.array([q.count for q in system.classes], dtype=np.int64)
        self._lists = WorkerLists(counts, self._residual, self._exact_growth)
        self._owner: list[tuple[int, int]] = []  # chunk number in the lists -> (job, chunk)
        self._pending_in_cloud: list[Row] = []
        self._masks: dict[tuple[str, ...], np.ndarray] = {}
        self._limited = any(room is not None for room in self._edge.room)
        self._stored: dict[
            int, tuple[Job, dict[int, list[int]], int]
        ] = {}  # job -> its chunks by worker, how many left

    def advance(self, until: int) -> Decisions:
        """All starts and stops of chunks and parameter servers before ``until``."""
        events = self._lists.advance(until)
        rows: list[Row] = [(t, starts, *self._owner[chunk], w) for t, chunk, w, starts in events.tolist()]
        while self._pending_in_cloud and self._pending_in_cloud[0][:2] < (until, 1):  # stops at until, starts before it
            rows.append(heappop(self._pending_in_cloud))
        rows.sort(key=lambda row: row[:2])
        if self._limited:
            stopped = {chunk for _, chunk, _, starts in events.tolist() if not starts}
            done = [self._owner[chunk][0] for chunk in stopped if self._lists.done(chunk)]
            for j in done + [j for _, starts, j, _, w in rows if w == IN_CLOUD and not starts]:
                self._complete(j)
        return self._servers.complete(self._edge.decisions(rows), until)

    def arrive(self, time: int, jobs: Sequence[Job]) -> None:
        """Dispatch every chunk of every job that arrives, in file order."""
        for job in jobs:
            placed = self._dispatch(time, job)
            self._servers.arrive([job], {job.index} if set(placed) == {IN_CLOUD} else ())
            if self._limited:
                self._stored[job.index] = (job, placed, job.chunks)

    def guarantee(self, instance: Instance) -> Guarantee:
        """What is proven of A_online's total JCT, with its premises on this instance."""
        return a_online_guarantee(instance, self._speed, self._residual and not self._exact_growth, self.use_cloud)

    def _dispatch(self, time: int, job: Job) -> dict[int, list[int]]:
        """Alg. 2 for one job: worker -> its chunks (`IN_CLOUD` for the cloud)."""
        delay = self._delays(job)
        slots = job.slots(speed=self._speed)
        placed: dict[int, list[int]] = {}
        cost = self._lists.price(slots, job.chunks, delay)
        cloud = self._system.cloud_delay(job) if self.use_cloud else None
        for chunk in range(job.chunks):
            worker = _cheapest(cost)
            cloud_slots = job.slots(in_cloud=chunk == 0, speed=self._speed)  # zeta_j = 1 until an edge worker is used
            if worker is None and cloud is None:
                raise NoSolution(f"{job.name}: no edge worker can take chunk {chunk}, and it may not use the cloud")
            if worker is None or (
                cloud is not None and self._lists.scale(1) * (cloud + cloud_slots) < int(cost[worker])
            ):
                assert cloud is not None
                price = Fraction(cloud + cloud_slots, job.chunks)
                together = range(chunk, job.chunks) if chunk == 0 else range(chunk, chunk + 1)
                for d in together:
                    self._send_to_cloud(time + cloud, cloud_slots, job, d, price)
                    placed.setdefault(IN_CLOUD, []).append(d)
                if chunk == 0:
                    break
                continue
            self.values[job.index, chunk] = exact_price(cost[worker], self._lists.scale(job.chunks))
            self._owner.append((job.index, chunk))
            self._lists.place_chunk(worker, slots, job.chunks, int(delay[self._lists.place[worker]]))
            placed.setdefault(worker, []).append(chunk)
            if self._limited:
                self._store_one(job, worker, delay, cost)
            if delay[self._lists.place[worker]] >= 0:
                self._lists.price(slots, job.chunks, delay, worker, cost)
        return placed

    def _send_to_cloud(self, lands: int, slots: int, job: Job, chunk: int, price: Fraction) -> None:
        self.values[job.index, chunk] = price
        heappush(self._pending_in_cloud, (lands, 1, job.index, chunk, IN_CLOUD))
        heappush(self._pending_in_cloud, (lands + slots, 0, job.index, chunk, IN_CLOUD))

    def _delays(self, job: Job) -> np.ndarray:
        """Upload delay by class; -1 where the class does not qualify, or its server has no room for a chunk."""
        classes = self._system.classes
        if job.worker_types not in self._masks:
            self._masks[job.worker_types] = np.array([q.type in job.worker_types for q in classes], dtype=bool)
        mask = self._masks[job.worker_types]
        if job.upload_delay.keys() <= {ANY, self._cloud_name}:
            delay = np.where(mask, job.upload_delay.get(ANY, -1), -1)
        else:
            delay = np.full(len(classes), -1, dtype=np.int64)
            for q, slots in self._system.qualified(job):
                delay[q.index] = slots
        if self._limited:
            room = self._edge.room
            for q in classes:
                space = room[q.server.index]
                if space is not None and space < job.chunk_size:
                    delay[q.index] = -1
        return delay

    @property
    def _cloud_name(self) -> str:
        return "" if self._system.cloud is None else self._system.cloud.name

    def _store_one(self, job: Job, worker: int, delay: np.ndarray, cost: np.ndarray) -> None:
        """Take the room of one chunk; a server that has none left for another is closed to the rest of the job."""
        self._edge.store(job, {worker: [0]})
        server = self._edge.server_of[worker]
        space = self._edge.room[server]
        if space is not None and space < job.chunk_size:
            for q in self._system.classes:
                if q.server.index == server:
                    delay[q.index] = -1
                    cost[self._lists.place == q.index] = -1

    def _complete(self, j: int) -> None:
        """One chunk of a job is done; with its last one the job completes and gives its storage back."""
        job, placed, left = self._stored[j]
        if left > 1:
            self._stored[j] = (job, placed, left - 1)
        else:
            self._edge.store(job, {w: chunks for w, chunks in placed.items() if w != IN_CLOUD}, -1)
            del self._stored[j]


class AOnlineEdge(AOnline):
    """A_online-E of section V: A_online without the cloud's workers.

    A parameter server may still be the cloud's, where no edge server has a free one.
    """

    use_cloud = False


def _cheapest(cost: np.ndarray) -> int | None:
    """The first worker of least price, or None."""
    able = np.flatnonzero(cost >= 0)
    return int(able[np.argmin(cost[able])]) if able.size else None
