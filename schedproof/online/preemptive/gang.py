"""Common part of SRTF and Tiresias-L: job-level, all-or-nothing preemption.

The paper describes each policy in a sentence (section V-A). Readings of the open points, equal for both:

1. Edge only: "job-level preemptive schedulers (SRTF and Tiresias-L)" are in one category with A_online-E (V-C). A job
   that no edge worker can train is an error.
2. A chunk's data never move (III-A), so the workers of a job are fixed on its arrival. Its chunks go one by one to the
   qualified worker with the least pending work, in slots; ties by server, worker type, number. A server with full
   storage is skipped. If a job has more chunks than qualified workers, some workers have several chunks, which run in
   turn.
3. All or nothing, "suspends or resumes an entire job": a job runs in a slot iff it gets every worker with an unfinished
   chunk of the job, and the uploads of these chunks are over. So a job first runs when all of its chunks have
   landed; from then on its workers run and pause together. A worker that has finished its own chunks is released, even
   if the job continues on other workers.
   With ``chunks=floating``, instead of 2 and 3, a job runs on any workers: one for each chunk, or, with fewer qualified
   workers, all of these, in rounds. It runs in a slot iff enough of the workers to which its upload is over are free.
   `pool` selects the workers. Storage has no limit there.
4. On every change (a job lands, a worker is released, a job completes, a queue changes) the landed jobs are scanned in
   the policy's order, and each job whose workers are all free runs. A blocked job does not block later jobs. A running
   job keeps its workers while it is selected. Only jobs that the change can affect are examined (`Turns`).
5. If restarts take slots, a job that resumes within a round first holds its workers for these slots without progress;
   they count as remaining time and as service. The policies do not avoid interruptions.
6. A break of a server holds the server's workers, like a job that precedes all others: it interrupts running jobs.
7. A_ps assigns parameter servers, as in A_online. The rate is always p0, also when all chunks are on one edge server.

The loop jumps from event to event, because no decision changes between two events.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from heapq import heappop, heappush

import numpy as np

from schedproof.core.base.untyped import AnyFamily
from schedproof.core.data.options import pick
from schedproof.core.errors import NoSolution
from schedproof.core.simulation.breaks import Calendar
from schedproof.core.simulation.policy import FOREVER, Decisions
from schedproof.instances.preemptive.entities import Job
from schedproof.online.preemptive.edge_workers import Row
from schedproof.online.preemptive.parameter_servers import ParameterServers
from schedproof.online.preemptive.pool import Pool
from schedproof.online.preemptive.turns import Turns
from schedproof.online.preemptive.whole_jobs import NO_EVENT, Closed, Floating, FloatingGang, Pinned
from schedproof.online.preemptive.whole_jobs import Gang as Gang

LANDING = 0  # the event number of the end of an upload to more workers
SEATS = {"pinned": Pinned, "floating": Floating}


class GangPolicy:
    """An arrival policy that runs whole jobs in the order of a key."""

    supports_breaks = True
    falls = 0
    """The decrease of the order's first number in a slot in which the job runs."""

    def __init__(self, *, chunks: str = "pinned", ps_release: str = "printed", speed: Fraction = Fraction(1)) -> None:
        self.chunks, self.ps_release, self.speed = chunks, ps_release, speed

    def order(self, gang: Gang, now: int) -> tuple[int, ...]:
        """Return the job's key, smallest first.

        While a job waits its key is constant. While it runs its key only decreases, except at the times of
        `until_change`.
        """
        raise NotImplementedError

    def until_change(self, gang: Gang, now: int) -> int:
        """Return the running slots until the order jumps; `FOREVER` if never."""
        return FOREVER

    def turns(self, workers: int) -> Turns[Gang] | Pool[FloatingGang]:
        """Return an empty assignment of this number of workers to jobs."""
        if self.chunks == "pinned":
            return Turns(workers, self._present, self._rank, self.falls)
        return Pool(workers, self._present, self._rank, self.falls)

    def start(self, system: AnyFamily) -> None:
        self._parameter_servers = ParameterServers(system, self.ps_release)
        self._present: dict[int, AnyFamily] = {}  # Gang by job, dispatched and not completed
        self._seats = pick("chunks", self.chunks, SEATS)(system, self.turns)
        self._turns = self._seats.turns
        self._counted = 0  # number of rows already counted
        self._events: list[tuple[int, int, int]] = []  # heap of (time, number, job): a landing, or an event of a run
        self._numbers = 0
        self._due: int | None = None  # scan the jobs again at this time
        self._rows: list[Row] = []
        self._break(system.calendar)

    def _break(self, calendar: Calendar) -> None:
        """Expect the start and the end of each break of a server with workers."""
        for server, times in enumerate(calendar.breaks):
            workers = np.flatnonzero(self._seats.workers.places[:-1, 0] == server).tolist()
            for pair in times if workers else ():
                number = -1 - len(self._present)
                self._present[number] = Closed(number, workers, pair[1])
                for time in pair:
                    heappush(self._events, (time, LANDING, number))

    def arrive(self, time: int, jobs: Sequence[Job]) -> None:
        self._reach(time)  # completions at this time release their storage first
        self._count()
        self._parameter_servers.arrive(jobs)
        for job in jobs:
            try:
                gang = self._seats.admit(job, time, self.speed)
            except NoSolution as error:
                raise NoSolution(f"the policy trains on edge servers only: {error}") from None
            self._present[job.index] = gang
            self._expect(gang, gang.landed)
            for when in gang.landings:
                heappush(self._events, (when, LANDING, job.index))

    def advance(self, until: int) -> Decisions:
        self._run(until)
        return self._decisions(until)

    def replay(self, arrivals: Sequence[tuple[int, Sequence[Job]]]) -> Decisions:
        """Return the decisions before the last of several arrivals."""
        for time, jobs in arrivals:
            self._run(time)
            self.arrive(time, jobs)
        return self._decisions(arrivals[-1][0])

    def _run(self, until: int) -> None:
        while (now := self._next_time()) < until:
            self._reach(now)
            self._choose(now)

    def _decisions(self, until: int) -> Decisions:
        self._count()
        rows = np.array(self._rows, dtype=np.int64).reshape(-1, 5)
        self._rows, self._counted = [], 0
        return self._parameter_servers.complete(rows, self._seats.workers.places, until)

    def _next_time(self) -> int:
        while self._due is None and self._events and self._gang_of(self._events[0]) is None:
            heappop(self._events)
        return self._due if self._due is not None else self._events[0][0] if self._events else FOREVER

    def _gang_of(self, event: tuple[int, int, int]) -> AnyFamily:
        gang = self._present.get(event[2])
        return gang if gang is not None and (event[1] == LANDING or event[1] == gang.event) else None

    def _expect(self, gang: Gang, time: int) -> None:
        self._numbers += 1
        gang.event = self._numbers
        heappush(self._events, (time, self._numbers, gang.job.index))

    def _reach(self, now: int) -> None:
        while self._events and self._events[0][0] == now:
            event = heappop(self._events)
            if (gang := self._gang_of(event)) is None:
                continue
            self._due = now
            if isinstance(gang, Closed):
                if gang.running:
                    self._turns.give_up(gang)
                    del self._present[gang.number]
                else:
                    self._turns.change(gang)
                continue
            if event[1] == LANDING:
                self._seats.land(gang, now)
                continue
            gang.event = NO_EVENT
            if gang.running:
                self._turns.give_up(gang)
                if not gang.rest(now):
                    self._rows += gang.rows(now, starts=0)
                    gang.next_round()
                    if gang.round == len(gang.teams):
                        self._seats.leave(gang)
                        del self._present[gang.job.index]
                        continue
            self._turns.change(gang)

    def _choose(self, now: int) -> None:
        self._due = None
        taken, paused = self._turns.take(now)
        for gang in paused:
            gang.event = NO_EVENT
            if gang.open:
                self._rows += gang.rows(now, starts=0)
                self._seats.interrupt(gang)
        for gang in taken:
            if isinstance(gang, Closed):
                continue
            self._rows += gang.move(now) if gang.open else gang.rows(now, starts=1)
            self._expect(gang, now + min(gang.rest(now), self.until_change(gang, now)))

    def _rank(self, gang: Gang | Closed, now: int) -> tuple[int, ...]:
        if isinstance(gang, Closed):
            return -FOREVER, gang.number
        return *self.order(gang, now), gang.job.arrival, gang.job.index

    def _count(self) -> None:
        self._seats.count(self._rows[self._counted :])
        self._counted = len(self._rows)
