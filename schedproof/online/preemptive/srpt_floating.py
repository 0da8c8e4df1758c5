"""SRPT for chunks that may move: the least remaining work gets the most workers.

The paper pins chunks and has no such rule, which is the benchmark of the policies whose chunks may move:

1. In every slot the jobs that have landed somewhere are scanned by remaining work, in worker-slots; ties go to jobs
   with workers, then by arrival, then in file order. Each job takes min(D_j, work) of its open free workers, or all of
   them if fewer.
2. The job takes first its current workers, then idle workers, then others, each in file order.
3. As in `gang`, jobs use edge servers only, A_ps assigns parameter servers, and the rate is p0.
4. In a break of a server, its workers are not open; a chunk waits if no other worker can take it.
5. A chunk's work continues on the next worker without a gap if possible. If restarts take slots, a chunk that resumes
   after a gap first holds its worker for these slots. The policy does not avoid interruptions.

A row's chunk is one of D_j places in which the job's work continues; only the number of workers matters.

Suppose that all workers are equal and open to a job at the same time, and that no job has fewer chunks than there are
workers. Then no schedule without a cloud has a smaller total JCT: W units of work are done in every slot, first the
units of the job with least remaining work. This minimises the number of unfinished jobs at all times (Schrage 1968, for
units of 1/W slots).

Versions of this algorithm: docs/architecture.md.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterator, Sequence
from fractions import Fraction
from heapq import heapify, heappop, heappush, merge

from schedproof.core.base.untyped import AnyFamily
from schedproof.core.errors import NoSolution
from schedproof.core.simulation.policy import FOREVER, Decisions
from schedproof.instances.preemptive.entities import Job
from schedproof.online.preemptive.edge_workers import EdgeWorkers, Row
from schedproof.online.preemptive.parameter_servers import ParameterServers
from schedproof.online.preemptive.pool import bits, lowest

Rank = tuple[int, int, int, int]  # work, whether it waits, arrival, index


class Member:
    """A job that is present.

    Attributes
    ----------
    work
        Its remaining worker-slots at the last scan.
    open_to, held
        The workers to which its upload is over, and its current workers, as bit sets.
    since
        The time of ``work``, if it has workers.
    """

    def __init__(self, job: Job, work: int, restart: int) -> None:
        self.job, self.work, self.open_to, self.held, self.since = job, work, 0, 0, 0
        self._chunk_on: dict[int, int] = {}  # worker -> chunk
        self._free = list(range(job.chunks))  # chunks without a worker
        self._restart = restart
        self._stopped: set[int] = set()  # chunks that have been interrupted
        self._trains_from: dict[int, int] = {}  # chunk that restarts -> when it has restarted

    @property
    def rank(self) -> Rank:
        return self.work, not self.held, self.job.arrival, self.job.index

    @property
    def usable(self) -> int:
        return min(self.job.chunks, self.work)

    def hold(self, workers: int, now: int) -> list[Row]:
        """Move to these workers; return the stops and starts of its chunks."""
        rows: list[Row] = []
        moving: list[int] = []
        for w in bits(self.held & ~workers):
            moving.append(chunk := self._chunk_on.pop(w))
            rows.append((now, 0, self.job.index, chunk, w))
        for w in bits(workers & ~self.held):
            self._chunk_on[w] = chunk = moving.pop(0) if moving else self._resume(now)
            rows.append((now, 1, self.job.index, chunk, w))
        for chunk in moving:
            insort(self._free, chunk)
            self._trains_from.pop(chunk, None)
        self._stopped.update(moving)
        self.held, self.since = workers, now
        return rows

    def _resume(self, now: int) -> int:
        chunk = self._free.pop(0)
        if self._restart and chunk in self._stopped:
            self._trains_from[chunk] = now + self._restart
        return chunk

    @property
    def rate(self) -> int:
        """Return the worker-slots of work that it does in the next slot."""
        return self.held.bit_count() - len(self._trains_from)

    def train(self, now: int) -> None:
        """Do the work of the slots until now, in which no restart ends."""
        self.work -= self.rate * (now - self.since)
        self.since = now
        self._trains_from = {chunk: time for chunk, time in self._trains_from.items() if time > now}

    @property
    def restarted(self) -> int:
        """Return when the first of its restarts ends; `FOREVER` without one."""
        return min(self._trains_from.values(), default=FOREVER)


class ShortestRemainingWorkFirst:
    supports_breaks = True

    def __init__(self, *, chunks: str = "floating", ps_release: str = "printed", speed: Fraction = Fraction(1)) -> None:
        self.chunks, self.ps_release, self.speed = chunks, ps_release, speed

    def start(self, system: AnyFamily) -> None:
        self._workers, self._restart, self._calendar = EdgeWorkers(system), system.restart, system.calendar
        self._parameter_servers = ParameterServers(system, self.ps_release)
        self._all = (1 << self._workers.total) - 1
        self._present: dict[int, Member] = {}
        self._running: list[Member] = []  # in order
        self._waiting: list[Rank] = []  # landed jobs without a worker, in order
        self._landings: list[tuple[int, int, int]] = []  # heap of (time, job, workers)
        self._next = FOREVER  # time of the next scan
        self._calm = False  # whether every landed job has all workers that it can use
        self._due: list[tuple[int, int]] = []  # while calm: heap of (time, job), when a job ends or uses fewer workers
        self._idle = self._all  # while calm: the free workers
        self._rows: list[Row] = []

    def arrive(self, time: int, jobs: Sequence[Job]) -> None:
        self._parameter_servers.arrive(jobs)
        for job in jobs:
            if not (ways := self._workers.by_delay(job)):
                raise NoSolution(f"the policy trains on edge servers only: job '{job.name}' fits no edge worker")
            self._present[job.index] = Member(job, job.chunks * job.slots(speed=self.speed), self._restart)
            for delay, workers in ways:
                heappush(self._landings, (time + delay, job.index, workers))

    def advance(self, until: int) -> Decisions:
        while (now := min(self._next, self._landings[0][0] if self._landings else FOREVER)) < until:
            self._look(now)
        rows, self._rows = self._rows, []
        return self._parameter_servers.complete(rows, self._workers.places, until)

    def _look(self, now: int) -> None:
        trained = [*self._take_due(now)] if self._calm else self._running
        for member in trained:
            member.train(now)
            if not member.work:
                self._idle |= member.held
                self._rows += member.hold(0, now)
                del self._present[member.job.index]
        self._land(now)
        if not (self._calm and self._serve(trained, now)):
            self._scan(now)

    def _take_due(self, now: int) -> Iterator[Member]:
        while self._due and self._due[0][0] == now:
            yield self._present[heappop(self._due)[1]]

    def _serve(self, trained: Sequence[Member], now: int) -> bool:
        """Give all landed jobs all workers they can use; return False if too few are idle.

        Jobs with workers keep them, so only the jobs that wait and those in ``trained`` change.
        """
        idle, changed = self._idle, [m for m in trained if m.held.bit_count() > m.usable]
        chosen = [(m.rank, lowest(m.held, m.usable)) for m in changed]
        for rank in self._waiting:
            member = self._present[rank[-1]]
            mine = lowest(idle & member.open_to, member.usable)
            if mine.bit_count() < member.usable:
                return False
            idle &= ~mine
            chosen.append((rank, mine))
        self._waiting = []
        for rank, mine in sorted(chosen):
            member = self._present[rank[-1]]
            idle |= member.held & ~mine
            self._rows += member.hold(mine, now)
            heappush(self._due, (now + member.work // mine.bit_count(), rank[-1]))
        self._idle = idle
        self._next = self._due[0][0] if self._due else FOREVER
        return True

    def _scan(self, now: int) -> None:
        if self._calm:
            self._running = [member for member in self._present.values() if member.held]
            for member in self._running:
                member.train(now)
        before = sorted((member for member in self._running if member.work), key=lambda member: member.rank)
        idle = left = self._all & ~self._workers.closed(self._calendar, now)
        for member in before:
            idle &= ~member.held
        chosen: dict[int, int] = {}  # job -> its workers
        for rank in merge([member.rank for member in before], self._waiting):
            if not left:
                break
            member = self._present[rank[-1]]
            mine = 0
            for part in (member.held, idle, self._all):
                mine |= lowest(part & member.open_to & left & ~mine, member.usable - mine.bit_count())
            if mine:
                chosen[rank[-1]] = mine
                left &= ~mine
        self._running = [self._present[j] for j in chosen]
        for member in before:
            if member.job.index not in chosen:
                self._rows += member.hold(0, now)
                insort(self._waiting, member.rank)
        for member in self._running:
            if not member.held:
                del self._waiting[bisect_left(self._waiting, member.rank)]
            if member.held != chosen[member.job.index]:
                self._rows += member.hold(chosen[member.job.index], now)
        alike = all(member.rate == member.usable for member in self._running)
        self._calm = not self._calendar and not self._waiting and alike
        if self._calm:
            self._idle = left
            self._due = [(now + member.work // member.rate, member.job.index) for member in self._running]
            heapify(self._due)
        again = [member.restarted for member in self._running]
        self._next = min([now + self._slots_alike(), self._calendar.next_change(now), *again])

    def _land(self, now: int) -> None:
        while self._landings and self._landings[0][0] <= now:
            _, j, workers = heappop(self._landings)
            if (member := self._present.get(j)) is not None:
                if not member.held and not member.open_to:
                    insort(self._waiting, member.rank)
                member.open_to |= workers

    def _slots_alike(self) -> int:
        slots = FOREVER
        for n, member in enumerate(self._running):
            has = member.held.bit_count()
            slots = min(slots, member.work // has)  # then the job is done, or cannot use all of its workers
            if has < member.usable:  # it may overtake a job with workers that it could use
                for other in self._running[:n]:
                    if (more := member.rate - other.rate) > 0:
                        slots = min(slots, max(1, (member.work - other.work) // more))
        return slots
