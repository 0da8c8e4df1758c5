"""Whole jobs in order of rank, each on free workers to which its upload is over.

The result equals one pass over all jobs in the order of rank, as a test confirms. Two shortcuts save time:

- a running job is examined again only when an earlier job takes a worker from it,
- of waiting jobs with equal width and equal open workers, the first represents all: if too few workers are left for the
  first job, there are too few for the others.

A set of workers is a Python integer, one bit for each.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Container, Iterator, Mapping
from itertools import accumulate
from operator import or_
from typing import Generic, Protocol, TypeVar

from schedproof.online.preemptive.turns import Rank


class Whole(Protocol):
    """A job that runs on ``width`` workers of the set ``open_to``, or does not run."""

    running: bool
    started: int | None
    held: int
    open_to: int

    @property
    def width(self) -> int:
        """Return how many workers the job needs now."""


Member = TypeVar("Member", bound=Whole)


class Pool(Generic[Member]):
    """The assignment of workers to jobs that may move, and the waiting jobs.

    It corresponds to `turns.Turns`. A job takes its last workers if idle, then the idle workers of least number. If
    there are too few, jobs that hold workers open to this job are preempted, one by one from the end of the order.

    Parameters
    ----------
    workers
        The number of workers.
    members
        The jobs by number; the caller updates them.
    rank
        A job's rank at a time, the smallest first. The last entry is the job's number.
    falls
        The decrease of the first entry in a slot in which the job runs; other changes happen between `Pool.give_up`
        and `Pool.change` only.
    """

    def __init__(
        self, workers: int, members: Mapping[int, Member], rank: Callable[[Member, int], Rank], falls: int = 0
    ) -> None:
        self._members, self._rank, self._falls = members, rank, falls
        self._all = self._idle = (1 << workers) - 1
        self._line: list[Rank] = []  # ranks of the running jobs, in order, as of time 0
        self._holds: list[int] = []  # their workers
        self._before: list[int] | None = (
            None  # by position in the line, the workers of all earlier jobs; None: out of date
        )
        self._waiting: dict[tuple[int, int], list[Rank]] = {}  # (width, open to) -> waiting jobs, in order
        self._changed: list[Member] = []

    def change(self, member: Member) -> None:
        """Examine a job at the next pass, because it is new or released its workers."""
        self._changed.append(member)

    def give_up(self, member: Member) -> None:
        """Release a running job's workers before its needs or its rank change."""
        self._leave(self._holds.index(member.held))

    def stop_waiting(self, member: Member, now: int) -> None:
        """Remove a waiting job before a further upload opens more workers to it."""
        alike = member.width, member.open_to
        waiting = self._waiting[alike]
        del waiting[bisect_left(waiting, self._rank(member, now))]
        if not waiting:
            del self._waiting[alike]

    def take(self, now: int) -> tuple[list[Member], list[Member]]:
        """Return the jobs that took workers and those preempted; update ``running``."""
        taken: list[Member] = []
        paused: list[Member] = []
        changed = {self._rank(member, now): member for member in self._changed}
        self._changed = []
        closed: set[tuple[int, int]] = set()  # classes with too few workers
        while (rank := min([*changed, *self._heads(closed)], default=None)) is not None:
            member = self._members[rank[-1]]
            found = (member.width, member.open_to) not in closed and self._finds_workers(member, rank, now, changed)
            new = changed.pop(rank, None) is not None
            if found:
                if not new:
                    self.stop_waiting(member, now)
                self._run(member, now)
                taken.append(member)
                continue
            closed.add((member.width, member.open_to))
            if new:
                paused += [member] if member.running else []
                self._wait(member, now)
        return taken, paused

    def _heads(self, closed: Container[tuple[int, int]]) -> Iterator[Rank]:
        return (waiting[0] for alike, waiting in self._waiting.items() if alike not in closed)

    def _finds_workers(self, member: Member, rank: Rank, now: int, changed: dict[Rank, Member]) -> bool:
        free = self._idle & member.open_to
        if (few := free.bit_count()) < member.width:
            place = bisect_left(self._line, self._as_of_0(rank, now))
            if self._before is None:
                self._before = [*accumulate(self._holds, or_, initial=0)]
            behind = self._all & ~self._idle & ~self._before[place]
            if few + (behind & member.open_to).bit_count() < member.width:
                return False
            last = len(self._line)
            while free.bit_count() < member.width:
                last -= 1
                if more := self._holds[last] & member.open_to:
                    free |= more
                    rival = self._members[self._line[last][-1]]
                    changed[self._rank(rival, now)] = rival
                    self._leave(last)
        member.held = preferred(member, free)
        return True

    def _run(self, member: Member, now: int) -> None:
        member.running = True
        if member.started is None:
            member.started = now
        place = self._as_of_0(self._rank(member, now), now)
        n = bisect_left(self._line, place)
        self._line.insert(n, place)
        self._holds.insert(n, member.held)
        self._idle &= ~member.held
        self._before = None

    def _leave(self, n: int) -> None:
        self._idle |= self._holds[n]
        del self._line[n], self._holds[n]
        self._before = None

    def _wait(self, member: Member, now: int) -> None:
        member.running = False
        insort(self._waiting.setdefault((member.width, member.open_to), []), self._rank(member, now))

    def _as_of_0(self, rank: Rank, now: int) -> Rank:
        """Return the rank of a job that would have run since time 0."""
        return rank[0] + self._falls * now, *rank[1:]


def preferred(member: Whole, free: int) -> int:
    """Return free workers for a job: first those it had last, then by number."""
    again = lowest(member.held & free, member.width)
    return again | lowest(free & ~again, member.width - again.bit_count())


def bits(mask: int) -> list[int]:
    """Return the members of a bit set, in ascending order."""
    result = []
    while mask:
        result.append((mask & -mask).bit_length() - 1)
        mask &= mask - 1
    return result


def lowest(mask: int, count: int) -> int:
    """Return the ``count`` least members of a bit set, or all if fewer."""
    if mask.bit_count() <= count:
        return mask
    rest = mask
    for _ in range(count):
        rest &= rest - 1
    return mask ^ rest
