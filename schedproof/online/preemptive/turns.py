"""Whole jobs in order of rank, each running if its workers are free.

Only jobs that a change can affect are examined again. A waiting job watches one of its workers, whose holder precedes
the job: until this worker is released, the job cannot run. When a job takes workers from a later job, the later job
releases all its workers. One pass in the order over these few jobs has the same result as a pass over all jobs, if
ranks change as assumed: between two passes a waiting job keeps its rank, and a running job's rank falls evenly.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Iterable, Mapping, Sequence
from heapq import heapify, heappop, heappush
from typing import Generic, Protocol, TypeVar

Rank = tuple[int, ...]
NO_WORKER = -1  # the job is examined because it changed, not because a worker was released


class Whole(Protocol):
    """A job that runs on all of its workers or on none of them."""

    running: bool
    started: int | None

    @property
    def workers(self) -> list[int]:
        """Return the workers that the job needs now."""


Member = TypeVar("Member", bound=Whole)


class Turns(Generic[Member]):
    """The holder of each worker, and the jobs that wait for it.

    Parameters
    ----------
    workers
        The number of workers.
    members
        The jobs by number; the caller updates them.
    rank
        A job's rank at a time, the smallest first. The last entry is the job's number.
    falls
        The decrease of the first entry in a slot in which the job runs; other changes happen between `Turns.give_up`
        and `Turns.change` only.
    """

    def __init__(
        self, workers: int, members: Mapping[int, Member], rank: Callable[[Member, int], Rank], falls: int = 0
    ) -> None:
        self._members, self._rank, self._falls = members, rank, falls
        self._holder: list[Member | None] = [None] * workers
        self._rank_of: list[Rank | None] = [None] * workers  # of the worker's holder, as of time 0
        self._waiting: list[list[Rank]] = [[] for _ in range(workers)]  # by watched worker, in order
        self._changed: list[Member] = []
        self._free: list[int] = []

    def change(self, member: Member) -> None:
        """Examine a job at the next pass, because it is new or released its workers."""
        self._changed.append(member)

    def give_up(self, member: Member) -> None:
        """Release a running job's workers before its needs or its rank change."""
        self._free += member.workers
        self._hold(member.workers, None, None)

    def take(self, now: int) -> tuple[list[Member], list[Member]]:
        """Return the jobs that took workers and those preempted; update ``running``."""
        taken: list[Member] = []
        paused: list[Member] = []
        line = [(self._rank(member, now), NO_WORKER) for member in self._changed]
        line += self._next(self._free, ())
        self._changed, self._free = [], []
        heapify(line)
        while line:
            rank, worker = heappop(line)
            if worker != NO_WORKER and self._holder[worker] is not None:
                continue  # an earlier job has taken the worker
            member = self._members[rank[-1]]
            rivals = self._rivals(member, rank, now)
            if worker != NO_WORKER:
                for w in self._watched(member, worker):
                    del self._waiting[w][bisect_left(self._waiting[w], rank)]
            if isinstance(rivals, int):
                if worker == NO_WORKER and member.running:
                    paused.append(member)
                self._wait(member, rivals, now)
                if worker != NO_WORKER:
                    for entry in self._next([worker], rank):
                        heappush(line, entry)
                continue
            for rival in rivals:
                self._hold(rival.workers, None, None)
                self._wait(rival, next(w for w in rival.workers if w in member.workers), now)
            paused += rivals
            member.running = True
            if member.started is None:
                member.started = now
            self._hold(member.workers, member, self._as_of_0(self._rank(member, now), now))
            taken.append(member)
            for rival in rivals:
                for entry in self._next([w for w in rival.workers if self._holder[w] is None], rank):
                    heappush(line, entry)
        return taken, paused

    def _rivals(self, member: Member, rank: Rank, now: int) -> list[Member] | int:
        """Return the holders of a job's workers, or a worker whose holder precedes it."""
        rivals: dict[Member, None] = {}
        as_of_0 = self._as_of_0(rank, now)
        for w in member.workers:
            if (rival := self._holder[w]) is not None:
                if self._rank_of[w] < as_of_0:  # type: ignore[operator]  # it has a holder
                    return w
                rivals[rival] = None
        return [*rivals]

    def _watched(self, member: Member, worker: int) -> Sequence[int]:
        """Return the workers that a job watches if it cannot take a worker."""
        return (worker,)

    def _hold(self, workers: Iterable[int], member: Member | None, rank: Rank | None) -> None:
        for w in workers:
            self._holder[w], self._rank_of[w] = member, rank

    def _next(self, workers: Iterable[int], after: Rank) -> list[tuple[Rank, int]]:
        result = []
        for w in workers:
            waiting = self._waiting[w]
            place = bisect_right(waiting, after)
            if place < len(waiting):
                result.append((waiting[place], w))
        return result

    def _wait(self, member: Member, worker: int, now: int) -> None:
        member.running = False
        rank = self._rank(member, now)
        for w in self._watched(member, worker):
            insort(self._waiting[w], rank)

    def _as_of_0(self, rank: Rank, now: int) -> Rank:
        """Return the rank of a job that would have run since time 0."""
        return rank[0] + self._falls * now, *rank[1:]
