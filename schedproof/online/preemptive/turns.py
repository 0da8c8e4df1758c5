"""Whole jobs in order of rank, each running if its workers are free.

After a change, only the jobs that it can affect are examined. When a job releases a worker, only jobs that wait for
this worker can run instead. When a job takes workers from a later job, the later job releases all its workers. One pass
in the order over these few jobs has the same result as a pass over all jobs, if ranks change as assumed: between two
passes a waiting job keeps its rank, and a running job's rank only decreases.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Iterable, Mapping
from heapq import heapify, heappop, heappush
from typing import Generic, Protocol, TypeVar

Rank = tuple[int, ...]
NO_WORKER = -1  # the job is examined because it changed, not because a worker was released


class Whole(Protocol):
    """A job that runs on all of its workers or on none of them."""

    running: bool

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
    """

    def __init__(self, workers: int, members: Mapping[int, Member], rank: Callable[[Member, int], Rank]) -> None:
        self._members, self._rank = members, rank
        self._holder: list[Member | None] = [None] * workers
        self._waiting: list[list[Rank]] = [[] for _ in range(workers)]  # by worker, in order
        self._changed: list[Member] = []
        self._free: list[int] = []

    def change(self, member: Member) -> None:
        """Examine a job at the next pass, because it is new or released its workers."""
        self._changed.append(member)

    def give_up(self, member: Member) -> None:
        """Release a running job's workers before its needs or its rank change."""
        self._free += member.workers
        self._hold(member.workers, None)

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
            member = self._members[rank[-1]]
            if worker != NO_WORKER and self._holder[worker] is not None:
                continue  # an earlier job has taken the worker
            rivals = self._rivals(member, rank, now)
            if rivals is None:
                if worker == NO_WORKER:
                    paused += [member] if member.running else []
                    self._wait(member, now)
                else:
                    for entry in self._next([worker], rank):
                        heappush(line, entry)
                continue
            for rival in rivals:
                self._hold(rival.workers, None)
                self._wait(rival, now)
            paused += rivals
            if worker != NO_WORKER:
                self._stop_waiting(member, rank)
            self._hold(member.workers, member)
            member.running = True
            taken.append(member)
            for rival in rivals:
                for entry in self._next([w for w in rival.workers if self._holder[w] is None], rank):
                    heappush(line, entry)
        return taken, paused

    def _rivals(self, member: Member, rank: Rank, now: int) -> list[Member] | None:
        """Return the holders of a job's workers, or ``None`` if a holder precedes the job."""
        rivals: dict[Member, None] = {}
        for w in member.workers:
            rival = self._holder[w]
            if rival is not None and rival not in rivals:
                if self._rank(rival, now) < rank:
                    return None
                rivals[rival] = None
        return [*rivals]

    def _hold(self, workers: Iterable[int], member: Member | None) -> None:
        for w in workers:
            self._holder[w] = member

    def _next(self, workers: Iterable[int], after: Rank) -> list[tuple[Rank, int]]:
        result = []
        for w in workers:
            waiting = self._waiting[w]
            place = bisect_right(waiting, after)
            if place < len(waiting):
                result.append((waiting[place], w))
        return result

    def _wait(self, member: Member, now: int) -> None:
        member.running = False
        rank = self._rank(member, now)
        for w in member.workers:
            insort(self._waiting[w], rank)

    def _stop_waiting(self, member: Member, rank: Rank) -> None:
        for w in member.workers:
            waiting = self._waiting[w]
            del waiting[bisect_left(waiting, rank)]
