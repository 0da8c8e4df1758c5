"""Job-level preemption with all-or-nothing allocation: what SRTF and Tiresias-L share.

The paper describes both in a sentence each (section V-A); what it leaves open is settled here, the same for both:

1. Edge only: "job-level preemptive schedulers (SRTF and Tiresias-L)" stand in one category with A_online-E (V-C).
   A job that no edge worker can train is refused with an error.
2. A chunk's data never move (III-A), so the workers of a job are fixed on its arrival: its chunks go one after another
   to the qualified worker with the least pending work, in slots; ties by server, worker type, number. A server whose
   storage is full is passed over. If a job has more chunks than qualified workers, some have several, run in turn.
3. All-or-nothing, "suspends or resumes an entire job": a job runs in a slot iff every worker that still holds an
   unfinished chunk of it is given to it, and none of them waits for its upload. So a job first runs when all of its
   chunks have landed; from then on its workers run and pause together. A worker is given up when it has finished its
   own chunks, even if the job runs on elsewhere: holding it would only waste it.
   With ``chunks=floating``, where a chunk may move, a job runs on any workers in place of 2 and 3: on as many at once
   as it has chunks, or as there are workers that may train it; if these are fewer, its chunks run in rounds. It runs in
   a slot iff as many of those to which its upload is over are untaken. Which ones: `pool`. Storage has no limit there.
4. Whenever something changes (a job has landed, a worker is given up, a job completes, its queue changes) the jobs
   that have landed are gone through in the policy's order, and each one whose workers are all still untaken is run.
   A job that is blocked does not hold up those behind it. A job that runs stays where it is as long as it is chosen.
   Only those that such a change can reach are looked at (`Turns`).
5. Parameter servers are left to A_ps, as in A_online. Rate p0 always, also when all chunks are on one edge server.

Between two such events nothing happens, so the time axis is crossed from event to event.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from heapq import heappop, heappush

from schedproof.core.base.untyped import AnyFamily
from schedproof.core.data.options import pick
from schedproof.core.errors import NoSolution
from schedproof.core.simulation.policy import FOREVER, Decisions
from schedproof.instances.preemptive.entities import Job
from schedproof.online.preemptive.edge_workers import Row
from schedproof.online.preemptive.parameter_servers import ParameterServers
from schedproof.online.preemptive.whole_jobs import NO_EVENT, Floating, Pinned
from schedproof.online.preemptive.whole_jobs import Gang as Gang

LANDING = 0  # in place of an event's number: an upload to more workers is over
SEATS = {"pinned": Pinned, "floating": Floating}


class GangPolicy:
    """An arrival policy that runs whole jobs in the order of a key; see the module's rules."""

    falls = 0
    """By how much the first number of the order falls in a slot in which the job runs."""

    def __init__(self, *, chunks: str = "pinned", ps_release: str = "printed", speed: Fraction = Fraction(1)) -> None:
        self.chunks, self.ps_release, self.speed = chunks, ps_release, speed

    def order(self, gang: Gang, now: int) -> tuple[int, ...]:
        """The job's place in line, smallest first.

        While a job waits it keeps its place, and while it runs it only moves forward, but for what `until_change`
        announces.
        """
        raise NotImplementedError

    def until_change(self, gang: Gang, now: int) -> int:
        """After how many slots of running the order changes other than continuously; `FOREVER` for never."""
        return FOREVER

    def start(self, system: AnyFamily) -> None:
        """Prepare for a system whose jobs are not known yet."""
        self._parameter_servers = ParameterServers(system, self.ps_release)
        self._present: dict[int, Gang] = {}  # by job, dispatched and not completed
        self._seats = pick("chunks", self.chunks, SEATS)(system, self._present, self._rank, self.falls)
        self._turns = self._seats.turns
        self._counted = 0  # of the rows, those that the seats know of
        self._events: list[tuple[int, int, int]] = []  # heap of (time, number, job): a landing, or what a run reaches
        self._numbers = 0
        self._due: int | None = None  # go through the jobs again at this time
        self._rows: list[Row] = []

    def arrive(self, time: int, jobs: Sequence[Job]) -> None:
        """Dispatch the chunks of the jobs that arrive at the start of slot ``time``."""
        self._reach(time)  # completions at this very time give their storage back first
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
        """Commit every decision before ``until``."""
        while (now := self._next_time()) < until:
            self._reach(now)
            self._choose(now)
        self._count()
        rows, self._rows, self._counted = self._rows, [], 0
        return self._parameter_servers.complete(rows, self._seats.workers.places, until)

    def _next_time(self) -> int:
        """When something changes next: now, or at the first event that is not void; `FOREVER` for never."""
        while self._due is None and self._events and self._gang_of(self._events[0]) is None:
            heappop(self._events)
        return self._due if self._due is not None else self._events[0][0] if self._events else FOREVER

    def _gang_of(self, event: tuple[int, int, int]) -> Gang | None:
        """Whose event it is; None when it is void."""
        gang = self._present.get(event[2])
        return gang if gang is not None and event[1] in (LANDING, gang.event) else None

    def _expect(self, gang: Gang, time: int) -> None:
        """Announce the gang's next event; the one announced before is void."""
        self._numbers += 1
        gang.event = self._numbers
        heappush(self._events, (time, self._numbers, gang.job.index))

    def _reach(self, now: int) -> None:
        """Landings, ends of rounds and completions at ``now``."""
        while self._events and self._events[0][0] == now:
            event = heappop(self._events)
            if (gang := self._gang_of(event)) is None:
                continue
            self._due = now
            if event[1] == LANDING:
                self._seats.land(gang, now)
                continue
            gang.event = NO_EVENT
            if gang.running:
                self._turns.give_up(gang)
                if gang.ran(now) == (gang.round + 1) * gang.slots:
                    self._rows += gang.rows(now, starts=0)
                    gang.round += 1
                    if gang.round == len(gang.teams):
                        self._seats.leave(gang)
                        del self._present[gang.job.index]
                        continue
            self._turns.change(gang)

    def _choose(self, now: int) -> None:
        """Let each landed job in order run if its workers are all untaken."""
        self._due = None
        taken, paused = self._turns.take(now)
        for gang in paused:
            gang.event = NO_EVENT
            if gang.open:
                self._rows += gang.rows(now, starts=0)
        for gang in taken:
            if gang.started is None:
                gang.started = now
            self._rows += gang.move(now) if gang.open else gang.rows(now, starts=1)
            rest = (gang.round + 1) * gang.slots - gang.ran(now)
            self._expect(gang, now + min(rest, self.until_change(gang, now)))

    def _rank(self, gang: Gang, now: int) -> tuple[int, ...]:
        """Its place in the order, among equals by arrival, then as in the file."""
        return *self.order(gang, now), gang.job.arrival, gang.job.index

    def _count(self) -> None:
        """Let the seats know of the latest starts and stops."""
        self._seats.count(self._rows[self._counted :])
        self._counted = len(self._rows)
