"""BatchSche: jobs in batches, each job at the place of least resource cost.

The paper: "first groups the uncompleted jobs into multiple batches, then schedules batches one by one to minimize the
overall resource cost" (V-A); not preemptive, "it reserves all resources that each job needs" (II); "due to the low
resource price of the cloud with unlimited capacities, BatchSche schedules jobs to the cloud with a very high
probability" (V-C). Readings of the open points:

1. A batch is the set of jobs that arrived since the last batch. It is scheduled at the next multiple of ``window``
   slots. The default 1 favours the policy most: no job waits for its batch, and the jobs of a slot are one batch.
2. Data are sent when the batch is scheduled, since their destination is unknown before. A chunk can start at this time
   plus the upload delay.
3. All of a job's chunks go to the cloud, or all to the edge. Its resource cost is its worker-slots times a price: 1 per
   edge worker-slot, ``cloud_price`` per cloud worker-slot. The default 1/2 makes the cloud cheaper, and the cloud is
   also faster. So each job that may use the cloud goes there. The cheaper place wins, the edge on a tie. A place that
   cannot take the job (not qualified, no storage left) has infinite cost.
4. Within a batch jobs are scheduled by non-decreasing cost of their cheapest place, then file order; batches in order
   of time. Reservations are final: no later job moves an earlier one, and gaps are not filled.
5. In the cloud every chunk runs on its own worker from its landing on, at rate p1, and the parameter server is there.
   On the edge the chunks go to the qualified workers with the least reserved time ahead (ties by server, worker type,
   number). Some workers get several chunks if there are more chunks than workers. The job's workers start together,
   when the last of them is free and the last chunk has landed, and run to the end.
6. As in the checker, a server stores a job's chunks from arrival to completion. A job of a batch may have
   arrived before other jobs completed, so it cannot use their storage.
7. With ``chunks=floating``, rules 4 and 5 change on the edge: a job needs as many workers as it has chunks, among those
   to which its upload is over. It begins at the first time from which on so many workers are unreserved until its end;
   the workers may differ between slots. So gaps are filled, and storage has no limit. A job with more chunks than
   qualified workers runs in rounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from heapq import heappop, heappush
from itertools import accumulate
from operator import or_

import numpy as np

from schedproof.core.base.untyped import AnyFamily
from schedproof.core.data.options import pick
from schedproof.core.errors import NoSolution
from schedproof.core.simulation.policy import Decisions
from schedproof.instances.preemptive.entities import Job
from schedproof.online.preemptive.edge_workers import IN_CLOUD, EdgeWorkers, Row
from schedproof.online.preemptive.parameter_servers import ParameterServers
from schedproof.online.preemptive.pool import bits
from schedproof.online.preemptive.reservations import Reservations


class BatchSche:
    def __init__(
        self,
        *,
        chunks: str = "pinned",
        ps_release: str = "printed",
        speed: Fraction = Fraction(1),
        window: int = 1,
        cloud_price: Fraction = Fraction(1, 2),
    ) -> None:
        self.chunks, self.ps_release, self.speed = chunks, ps_release, speed
        self.window, self.cloud_price = window, cloud_price

    def start(self, system: AnyFamily) -> None:
        self._system = system
        self._workers = EdgeWorkers(system)
        self._parameter_servers = ParameterServers(system, self.ps_release)
        self._on_edge = pick("chunks", self.chunks, {"pinned": self._on_named, "floating": self._on_any})
        self._reservations = Reservations(self._workers.total)
        self._free_from = np.zeros(self._workers.total, dtype=np.int64)  # the end of each worker's reservations
        self._stored: list[tuple[int, int, Job, dict[int, list[int]]]] = []  # heap by completion
        self._waiting: list[Job] = []
        self._rows: list[Row] = []  # heap

    def arrive(self, time: int, jobs: Sequence[Job]) -> None:
        self._waiting += jobs

    def advance(self, until: int) -> Decisions:
        if self._waiting and (due := -(-self._waiting[0].arrival // self.window) * self.window) < until:
            self._schedule(due)
        rows = []
        while self._rows and self._rows[0][0] < until:
            rows.append(heappop(self._rows))
        return self._parameter_servers.complete(rows, self._workers.places, until)

    def _schedule(self, now: int) -> None:
        batch, self._waiting = self._waiting, []
        oldest = min(job.arrival for job in batch)
        while self._stored and self._stored[0][0] <= oldest:
            _, _, job, placed = heappop(self._stored)
            self._workers.store(job, placed, sign=-1)
        offers = [(self._offers(job), job.index, job) for job in batch]
        for places, _, job in sorted(offers, key=lambda row: row[:2]):
            if not any(self._in_cloud(job, now) if cloud else self._on_edge(job, now) for _, cloud in places):
                raise NoSolution(f"job '{job.name}': no server has a worker and free storage for it")

    def _offers(self, job: Job) -> list[tuple[Fraction, bool]]:
        offers = []
        if self._workers.qualifies(job):
            offers.append((Fraction(job.chunks * job.slots(speed=self.speed)), False))
        if self._system.cloud_delay(job) is not None:
            slots = job.chunks * job.slots(in_cloud=True, speed=self.speed)
            offers.append((slots * self.cloud_price, True))
        return sorted(offers)

    def _in_cloud(self, job: Job, now: int) -> bool:
        start = now + self._system.cloud_delay(job)
        slots = job.slots(in_cloud=True, speed=self.speed)
        for chunk in range(job.chunks):
            self._run(job, chunk, IN_CLOUD, start, slots)
        self._parameter_servers.arrive([job], all_in_cloud={job.index})
        return True

    def _on_any(self, job: Job, now: int) -> bool:
        slots = job.slots(speed=self.speed)
        landings, masks = zip(*self._workers.by_delay(job), strict=True)
        ways = [(now + delay, workers) for delay, workers in zip(landings, accumulate(masks, or_), strict=True)]
        width = min(job.chunks, ways[-1][1].bit_count())
        rounds = [range(job.chunks)[first : first + width] for first in range(0, job.chunks, width)]
        self._reservations.forget_before(now)
        start = self._reservations.first_fit(ways, len(rounds) * slots, width)
        for chunks in rounds:
            on: dict[int, tuple[int, int]] = {}  # worker -> its chunk, and since when
            for begin, _, workers in self._reservations.reserve(ways, start, start + slots, len(chunks)):
                left = {w: on.pop(w) for w in list(on) if not workers >> w & 1}
                for w, (chunk, since) in left.items():
                    self._run(job, chunk, w, since, begin - since)
                untrained = iter([chunk for chunk, _ in left.values()] or chunks)
                on |= {w: (next(untrained), begin) for w in bits(workers) if w not in on}
            for w, (chunk, since) in on.items():
                self._run(job, chunk, w, since, start + slots - since)
            start += slots
        self._parameter_servers.arrive([job])
        return True

    def _on_named(self, job: Job, now: int) -> bool:
        slots = job.slots(speed=self.speed)
        dispatch = self._workers.dispatch(job, slots, np.maximum(self._free_from - now, 0))
        if dispatch is None:
            return False
        placed, delay = dispatch
        holders = list(placed)
        start = max(now + delay, int(self._free_from[holders].max()))
        for worker, chunks in placed.items():
            for number, chunk in enumerate(chunks):
                self._run(job, chunk, worker, start + number * slots, slots)
        self._free_from[holders] = [start + len(chunks) * slots for chunks in placed.values()]
        heappush(self._stored, (int(self._free_from[holders].max()), job.index, job, placed))
        self._parameter_servers.arrive([job])
        return True

    def _run(self, job: Job, chunk: int, worker: int, start: int, slots: int) -> None:
        heappush(self._rows, (start, 1, job.index, chunk, worker))
        heappush(self._rows, (start + slots, 0, job.index, chunk, worker))
