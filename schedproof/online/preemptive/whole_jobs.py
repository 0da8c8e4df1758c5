"""Whole jobs and their workers: fixed on arrival, or any free ones.

`Pinned` is rule 2 of `gang`; `Floating` replaces rule 2 for chunks that may move.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np

from schedproof.core.base.untyped import AnyFamily
from schedproof.core.errors import NoSolution
from schedproof.instances.preemptive.entities import Job
from schedproof.online.preemptive.edge_workers import EdgeWorkers, Row
from schedproof.online.preemptive.pool import Pool, bits
from schedproof.online.preemptive.turns import Turns

NO_EVENT = -1


class Gang:
    """A job whose workers run and pause together.

    Attributes
    ----------
    slots
        The slots of one chunk.
    length
        The slots of all rounds together, if the job is not interrupted.
    teams
        For each round, the chunks that run in it for ``slots`` slots, each on a separate worker.
    landed
        The first time at which the job can run.
    running
        Whether the last scan selected it.
    started
        Its first start; ``None`` before.
    restart
        Slots without progress after an interruption.
    """

    def __init__(self, job: Job, slots: int, teams: Sequence[Sequence[int]], landed: int, restart: int) -> None:
        self.job, self.slots, self.teams, self.landed, self.restart = job, slots, teams, landed, restart
        self.length = len(teams) * slots
        self.round = 0
        self.running = False
        self.started: int | None = None
        self.event = NO_EVENT  # the number of its next event; an event with another number is void
        self.on: list[int] = []  # the workers on which its chunks were last started
        self._open_since: int | None = None
        self._left = slots  # of this round's training at the last start or stop
        self._owed = 0  # slots without progress before them
        self._served = 0  # worker-slots at the last start or stop
        self.delayed = 0  # by how many slots its last interruption lengthens the round

    @property
    def workers(self) -> list[int]:
        """Return the workers of this round's chunks, in the order of the chunks."""
        raise NotImplementedError  # of either kind below

    @property
    def landings(self) -> list[int]:
        """Return the times at which further uploads end, each to more workers."""
        return []

    @property
    def width(self) -> int:
        """Return how many workers the job needs in this round."""
        return len(self.teams[self.round])

    def rest(self, now: int) -> int:
        """Return the slots left of this round, with those without progress."""
        if self._open_since is None:
            return self._left + self._owed
        ran = now - self._open_since
        if self.running:
            return self._left + self._owed - ran
        return self._left - max(0, ran - self._owed) + self.restart  # the last scan interrupted it

    def remaining(self, now: int) -> int:
        """Return the slots for which the job must still run, over all rounds."""
        return self.rest(now) + (len(self.teams) - self.round - 1) * self.slots

    def service(self, now: int) -> int:
        return self._served if self._open_since is None else self._served + self.width * (now - self._open_since)

    def next_round(self) -> None:
        self.round, self._left, self._owed = self.round + 1, self.slots, 0

    @property
    def open(self) -> bool:
        return self._open_since is not None

    def rows(self, now: int, starts: int) -> list[Row]:
        """Return starts or stops of the running chunks, and start or stop the job's clock."""
        if starts:
            self._open_since, self.on = now, self.workers
        elif self._open_since is not None:
            ran = now - self._open_since
            self._served, self._open_since = self._served + self.width * ran, None
            self.delayed = self.restart - max(0, self._owed - ran)
            self._left, self._owed = self._left - max(0, ran - self._owed), self.restart
        pairs = zip(self.teams[self.round], self.on, strict=True)
        return [(now, starts, self.job.index, chunk, worker) for chunk, worker in pairs]

    def move(self, now: int) -> list[Row]:
        """Return the stops and starts of the running chunks that changed workers."""
        workers = self.workers
        if workers == self.on:
            return []
        before, others = self.on, iter([w for w in workers if w not in self.on])
        self.on = [w if w in workers else next(others) for w in before]
        rows = zip(self.teams[self.round], before, self.on, strict=True)
        moved = [(chunk, places) for chunk, *places in rows if places[0] != places[1]]
        return [(now, n, self.job.index, chunk, places[n]) for chunk, places in moved for n in (0, 1)]


class Closed:
    """A break: it holds all workers of a server, like a job that precedes all others.

    Attributes
    ----------
    number
        The break's negative number among the jobs.
    end
        The first slot after the break.
    """

    def __init__(self, number: int, workers: list[int], end: int) -> None:
        self.number, self.workers, self.width, self.end = number, workers, len(workers), end
        self.open_to = self.held = sum(1 << w for w in workers)
        self.running = False
        self.started: int | None = None

    def remaining(self, now: int) -> int:
        """Return the slots left of the break."""
        return self.end - now


class PinnedGang(Gang):
    """A job whose chunks stay: in round r a worker trains its r-th chunk of the job."""

    def __init__(self, job: Job, slots: int, placed: dict[int, list[int]], landed: int, restart: int) -> None:
        self.placed = placed
        rounds = range(max(len(chunks) for chunks in placed.values()))
        order = sorted(placed)
        self._workers = [[w for w in order if len(placed[w]) > r] for r in rounds]
        super().__init__(job, slots, [[placed[w][r] for w in self._workers[r]] for r in rounds], landed, restart)

    @property
    def workers(self) -> list[int]:
        return self._workers[self.round]


class FloatingGang(Gang):
    """A job that runs on any workers.

    Attributes
    ----------
    open_to
        The workers to which its upload is over, as a bit set.
    later
        Times of later landings with the workers of each, the last landing first.
    held
        Its current or last workers, as a bit set.
    """

    def __init__(self, job: Job, slots: int, width: int, ways: Sequence[tuple[int, int]], restart: int) -> None:
        self.held = self.open_to = 0
        self.later = sorted(((job.arrival + delay, mask) for delay, mask in ways), reverse=True)
        landed = job.arrival
        while self.open_to.bit_count() < width:
            landed = self.land()
        chunks = range(job.chunks)
        super().__init__(job, slots, [chunks[first : first + width] for first in chunks[::width]], landed, restart)

    def land(self) -> int:
        time, mask = self.later.pop()
        self.open_to |= mask
        return time

    @property
    def landings(self) -> list[int]:
        return [time for time, _ in self.later]

    @property
    def workers(self) -> list[int]:
        return bits(self.held)


class Pinned:
    """Chunks go one by one to the least loaded qualified worker, and stay there."""

    def __init__(self, system: AnyFamily, turns: Callable[[int], Turns[Gang]]) -> None:
        self.workers, self._restart = EdgeWorkers(system), system.restart
        self.turns = turns(self.workers.total)
        # slots of work left on each worker: _work minus the time since a running worker's start
        self._work, self._busy = (np.zeros(self.workers.total, dtype=np.int64) for _ in range(2))

    def count(self, rows: Sequence[Row]) -> None:
        """Update the remaining work from new starts and stops."""
        time, starts, _, _, worker = np.array(rows, dtype=np.int64).reshape(-1, 5).T
        sign = 2 * starts - 1
        np.add.at(self._work, worker, sign * time)
        np.add.at(self._busy, worker, sign)

    def interrupt(self, gang: PinnedGang) -> None:
        """Add an interrupted job's restart to its workers' work."""
        if gang.delayed:
            self._work[gang.on] += gang.delayed

    def admit(self, job: Job, time: int, speed: Fraction) -> PinnedGang:
        """Dispatch the chunks of an arriving job.

        Raises
        ------
        NoSolution
            If no edge worker is qualified, or no storage is left.
        """
        slots = job.slots(speed=speed)
        dispatch = self.workers.dispatch(job, slots, self._work - self._busy * time)
        if dispatch is None:
            why = f"job '{job.name}': no edge worker can serve it"
            if self.workers.qualifies(job):
                served = f"job '{job.name}': the edge servers that can serve it"
                why = f"{served} have no storage left for all its {job.chunks} chunks"
            raise NoSolution(why)
        placed, delay = dispatch
        for w, chunks in placed.items():
            self._work[w] += slots * len(chunks)
        return PinnedGang(job, slots, placed, time + delay, self._restart)

    def land(self, gang: PinnedGang, now: int) -> None:
        """Ignore a landing: the workers are fixed."""

    def leave(self, gang: PinnedGang) -> None:
        self.workers.store(gang.job, gang.placed, sign=-1)


class Floating:
    """A job runs on any workers, one for each chunk or as many as are qualified."""

    def __init__(self, system: AnyFamily, turns: Callable[[int], Pool[FloatingGang]]) -> None:
        self.workers, self._restart = EdgeWorkers(system), system.restart
        self.turns = turns(self.workers.total)

    def count(self, rows: Sequence[Row]) -> None:
        """Ignore starts and stops."""

    def interrupt(self, gang: FloatingGang) -> None:
        """Ignore an interruption: no work is counted."""

    def admit(self, job: Job, time: int, speed: Fraction) -> FloatingGang:
        """Add an arriving job.

        Raises
        ------
        NoSolution
            If no edge worker is qualified.
        """
        ways = self.workers.by_delay(job)
        able = sum(mask.bit_count() for _, mask in ways)
        if not able:
            raise NoSolution(f"job '{job.name}': no edge worker can serve it")
        return FloatingGang(job, job.slots(speed=speed), min(job.chunks, able), ways, self._restart)

    def land(self, gang: FloatingGang, now: int) -> None:
        """Open the workers to a job whose upload is over."""
        if waits := not gang.running:
            self.turns.stop_waiting(gang, now)
        gang.land()
        if waits:
            self.turns.change(gang)

    def leave(self, gang: FloatingGang) -> None:
        """Ignore a completion: no storage is counted."""
