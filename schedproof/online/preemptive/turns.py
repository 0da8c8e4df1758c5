"""Whole jobs in order of rank, each running if its workers are free.

Only jobs that a change can affect are examined again. A waiting job watches one of its workers, whose holder precedes
the job: until this worker is released, the job cannot run. When a job takes workers from a later job, the later job
releases all its workers. One pass in the order over these few jobs has the same result as a pass over all jobs, if
ranks change as assumed: between two passes a waiting job keeps its rank, and a running job's rank falls evenly.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Mapping
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
        self._holder: list[Rank | None] = [None] * workers  # the rank of the worker's job, as of time 0
        self._watching: list[list[Rank]] = [[] for _ in range(workers)]  # by worker, in order
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
        line += self._next(self._free)
        self._changed, self._free = [], []
        holder, watching, fallen = self._holder, self._watching, self._falls * now
        heapify(line)
        while line:
            rank, worker = heappop(line)
            if worker != NO_WORKER and holder[worker] is not None:
                continue  # an earlier job has taken the worker
            member = self._members[rank[-1]]
            workers, as_of_0 = member.workers, (rank[0] + fallen, *rank[1:])
            rivals: dict[int, int] = {}  # later jobs that hold some of its workers, in the order of the workers
            for w in workers:
                if (other := holder[w]) is not None:
                    if other < as_of_0:
                        break
                    rivals[other[-1]] = w
            else:
                w = NO_WORKER
            if worker != NO_WORKER:
                del watching[worker][bisect_left(watching[worker], rank)]
            if w != NO_WORKER:
                if worker == NO_WORKER:
                    paused += [member] if member.running else []
                    self._wait(member, w, now)
                else:
                    insort(watching[w], rank)
                    for entry in self._next([worker]):
                        heappush(line, entry)
                continue
            freed: list[int] = []
            for number, w in rivals.items():
                rival = self._members[number]
                freed += rival.workers
                self._hold(rival.workers, None)
                self._wait(rival, w, now)
                paused.append(rival)
            member.running = True
            if member.started is None:
                member.started = now
            first, *more = self._rank(member, now)
            self._hold(workers, (first + fallen, *more))
            taken.append(member)
            for entry in self._next([w for w in freed if holder[w] is None]):
                heappush(line, entry)
        return taken, paused

    def _hold(self, workers: Iterable[int], rank: Rank | None) -> None:
        for w in workers:
            self._holder[w] = rank

    def _next(self, workers: Iterable[int]) -> list[tuple[Rank, int]]:
        return [(self._watching[w][0], w) for w in workers if self._watching[w]]

    def _wait(self, member: Member, worker: int, now: int) -> None:
        member.running = False
        insort(self._watching[worker], self._rank(member, now))
