"""Whole jobs in order, each running if its workers are untaken: only jobs that a change can reach are examined again.

When a job gives up a worker, only those that wait for this worker can run in its stead; when a job takes workers from
one behind it in the order, that one gives up its others in turn. One pass in the order over these few comes to the
same jobs as going through all, where nothing else has changed that matters: between two passes a job that waits keeps
its place in the order, and one that runs only moves forward.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Iterable, Mapping
from heapq import heapify, heappop, heappush
from typing import Generic, Protocol, TypeVar

Rank = tuple[int, ...]
NO_WORKER = -1  # in place of one that was given up: the job is looked at because it changed itself


class Whole(Protocol):
    """A job that runs on all of its workers or on none of them."""

    running: bool

    @property
    def workers(self) -> list[int]:
        """Those that it needs now."""


Member = TypeVar("Member", bound=Whole)


class Turns(Generic[Member]):
    """Who holds each worker, and who waits for it.

    Parameters
    ----------
    workers
        How many there are.
    members
        The jobs by number, kept by the caller.
    rank
        A job's place in the order at a time, the smallest first. The last entry is the job's number.
    """

    def __init__(self, workers: int, members: Mapping[int, Member], rank: Callable[[Member, int], Rank]) -> None:
        self._members, self._rank = members, rank
        self._holder: list[Member | None] = [None] * workers
        self._waiting: list[list[Rank]] = [[] for _ in range(workers)]  # by worker, in order
        self._changed: list[Member] = []
        self._free: list[int] = []

    def change(self, member: Member) -> None:
        """Look at a job that wants to run next time: a new one, or one that has given up its workers."""
        self._changed.append(member)

    def give_up(self, member: Member) -> None:
        """Take a running job's workers from it, before it needs others or has another place in the order."""
        self._free += member.workers
        self._hold(member.workers, None)

    def take(self, now: int) -> tuple[list[Member], list[Member]]:
        """The jobs that have taken workers, and those that ran and run no longer; ``running`` says so too."""
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
                continue  # one before it in the order has taken the worker
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
        """Who holds workers that a job needs, all behind it in the order; None when one of them is before it."""
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
        """The first job behind a place in the order that waits for each of the workers, where there is one."""
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
