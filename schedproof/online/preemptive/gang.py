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
from itertools import accumulate

import numpy as np

from schedproof.core.errors import NoSolution
from schedproof.core.policy import FOREVER, Decisions
from schedproof.core.untyped import OfFamily
from schedproof.instances.preemptive.entities import Job
from schedproof.online.preemptive.edge_workers import EdgeWorkers, Row
from schedproof.online.preemptive.parameter_servers import ParameterServers
from schedproof.online.preemptive.turns import Turns

NO_EVENT = -1


class Gang:
    """A job and the workers that hold its chunks.

    Attributes
    ----------
    slots
        Of one chunk.
    teams
        By round: worker -> the chunk that it trains in it. In round r each worker with more than r chunks trains its
        chunk number r, for ``slots`` slots; as all of them run and pause together, rounds begin and end together.
    landed
        When the last of its chunks is there.
    running
        Whether it was chosen when the jobs were last gone through.
    started
        When it first ran; None before.
    """

    def __init__(self, job: Job, slots: int, placed: dict[int, list[int]], landed: int) -> None:
        self.job, self.slots, self.placed, self.landed = job, slots, placed, landed
        rounds = max(len(chunks) for chunks in placed.values())
        self.teams: list[dict[int, int]] = [{} for _ in range(rounds)]
        for worker, chunks in sorted(placed.items()):
            for number, chunk in enumerate(chunks):
                self.teams[number][worker] = chunk
        self._workers = [[*team] for team in self.teams]
        self._work_before = [0, *accumulate(slots * len(team) for team in self.teams)]
        self._whole = rounds * slots
        self.round = 0
        self.running = False
        self.started: int | None = None
        self.event = NO_EVENT  # the number of its next event; an event with another number is void
        self._open_since: int | None = None
        self._ran = 0

    def ran(self, now: int) -> int:
        """For how many slots the job has run."""
        return self._ran if self._open_since is None else self._ran + now - self._open_since

    def remaining(self, now: int) -> int:
        """For how many slots the job must still run: those of its worker with the most chunks."""
        ran = self._ran if self._open_since is None else self._ran + now - self._open_since
        return self._whole - ran

    def service(self, now: int) -> int:
        """Worker-slots received: the number of its workers times the time for which they were occupied."""
        return self._work_before[self.round] + len(self.teams[self.round]) * (self.ran(now) - self.round * self.slots)

    @property
    def workers(self) -> list[int]:
        """Those that hold an unfinished chunk."""
        return self._workers[self.round]

    @property
    def open(self) -> bool:
        """Whether its chunks run at this moment."""
        return self._open_since is not None

    def rows(self, now: int, starts: int) -> list[Row]:
        """Its running chunks' starts or stops, with the job's clock set going or stopped."""
        self._ran, self._open_since = self.ran(now), now if starts else None
        return [(now, starts, self.job.index, chunk, worker) for worker, chunk in self.teams[self.round].items()]


class GangPolicy:
    """An arrival policy that runs whole jobs in the order of a key; see the module's rules."""

    name = ""

    def __init__(self, *, ps_release: str = "printed", speed: Fraction = Fraction(1)) -> None:
        self.ps_release, self.speed = ps_release, speed

    def order(self, gang: Gang, now: int) -> tuple[int, ...]:
        """The job's place in line, smallest first.

        While a job waits it keeps its place, and while it runs it only moves forward, but for what `until_change`
        announces.
        """
        raise NotImplementedError

    def until_change(self, gang: Gang, now: int) -> int:
        """After how many slots of running the order changes other than continuously; `FOREVER` for never."""
        return FOREVER

    def start(self, system: OfFamily) -> None:
        """Prepare for a system whose jobs are not known yet."""
        self._workers = EdgeWorkers(system)
        self._parameter_servers = ParameterServers(system, self.ps_release)
        # slots of work left on each worker: _work, less the time on those that run
        self._work, self._busy = (np.zeros(self._workers.total, dtype=np.int64) for _ in range(2))
        self._counted = 0  # of the rows, those that these two know of
        self._present: dict[int, Gang] = {}  # by job, dispatched and not completed
        self._turns = Turns(self._workers.total, self._present, self._rank)
        self._events: list[tuple[int, int, int]] = []  # heap of (time, number, job): a landing, or what a run reaches
        self._numbers = 0
        self._due: int | None = None  # go through the jobs again at this time
        self._rows: list[Row] = []

    def arrive(self, time: int, jobs: Sequence[Job]) -> None:
        """Dispatch the chunks of the jobs that arrive at the start of slot ``time``."""
        self._reach(time)  # completions at this very time give their storage back first
        self._count()
        self._parameter_servers.arrive(jobs)
        load = self._work - self._busy * time
        for job in jobs:
            slots = job.slots(speed=self.speed)
            dispatch = self._workers.dispatch(job, slots, load)
            if dispatch is None:
                why = f"no edge worker can serve job '{job.name}'"
                if self._workers.qualifies(job):
                    served = f"the edge servers that can serve job '{job.name}'"
                    why = f"{served} have no storage left for its {job.chunks} chunks"
                raise NoSolution(f"{self.name} trains on edge servers only: {why}")
            placed, delay = dispatch
            self._present[job.index] = gang = Gang(job, slots, placed, time + delay)
            for w, chunks in placed.items():
                self._work[w] += slots * len(chunks)
                load[w] += slots * len(chunks)
            self._expect(gang, gang.landed)

    def advance(self, until: int) -> Decisions:
        """Commit every decision before ``until``."""
        while (now := self._next_time()) < until:
            self._reach(now)
            self._choose(now)
        self._count()
        rows, self._rows, self._counted = self._rows, [], 0
        return self._parameter_servers.complete(rows, self._workers.places, until)

    def _next_time(self) -> int:
        """When something changes next: now, or at the first event that is not void; `FOREVER` for never."""
        while self._due is None and self._events and self._gang_of(self._events[0]) is None:
            heappop(self._events)
        return self._due if self._due is not None else self._events[0][0] if self._events else FOREVER

    def _gang_of(self, event: tuple[int, int, int]) -> Gang | None:
        """Whose event it is; None when it is void."""
        gang = self._present.get(event[2])
        return gang if gang is not None and gang.event == event[1] else None

    def _expect(self, gang: Gang, time: int) -> None:
        """Announce the gang's next event; the one announced before is void."""
        self._numbers += 1
        gang.event = self._numbers
        heappush(self._events, (time, self._numbers, gang.job.index))

    def _reach(self, now: int) -> None:
        """Landings, ends of rounds and completions at ``now``."""
        while self._events and self._events[0][0] == now:
            if (gang := self._gang_of(heappop(self._events))) is None:
                continue
            gang.event = NO_EVENT
            self._due = now
            if gang.running:
                self._turns.give_up(gang)
                if gang.ran(now) == (gang.round + 1) * gang.slots:
                    self._rows += gang.rows(now, starts=0)
                    gang.round += 1
                    if gang.round == len(gang.teams):
                        self._workers.store(gang.job, gang.placed, sign=-1)
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
            if not gang.open:
                self._rows += gang.rows(now, starts=1)
            rest = (gang.round + 1) * gang.slots - gang.ran(now)
            self._expect(gang, now + min(rest, self.until_change(gang, now)))

    def _rank(self, gang: Gang, now: int) -> tuple[int, ...]:
        """Its place in the order, among equals by arrival, then as in the file."""
        return *self.order(gang, now), gang.job.arrival, gang.job.index

    def _count(self) -> None:
        """Bring the work that is left up to the latest starts and stops."""
        rows = np.array(self._rows[self._counted :], dtype=np.int64).reshape(-1, 5)
        change = 2 * rows[:, 1] - 1
        np.add.at(self._work, rows[:, 4], change * rows[:, 0])
        np.add.at(self._busy, rows[:, 4], change)
        self._counted = len(self._rows)
