"""FIFO, EASY and SJF: the non-preemptive policies of cluster managers, whole jobs.

They are not from the paper. They follow the rules of ``gang`` except its rule 4, and these:

1. A job joins the queue when it has landed. A job that has started runs to its end, over all of its rounds; only a
   break interrupts it.
2. FIFO and EASY order the queue by landing, SJF by running time, then by landing. Ties go to the earlier
   arrival, then file order.
3. FIFO and SJF: a waiting job keeps later jobs off all workers that it may use. With pinned chunks these are its own
   workers, with floating chunks all workers to which its upload is over. So on workers open to all jobs, only the first
   job of the queue can start.
4. EASY (Lifka 1995; Mu'alem and Feitelson 2001): FIFO, but only the first waiting job has a reservation, which begins
   when the ends of running jobs leave the job enough workers. A later job starts if the workers are free and it does
   not delay the reservation: it ends before the reservation, or leaves the first job enough workers. In the latter case
   it takes workers that the first job does not need before other workers.
5. Running times are exact. In a reservation a job holds its workers to its end, even if its last round needs fewer.
6. A break of a server interrupts the jobs on its workers, as in rule 6 of ``gang``. An interrupted job is the first of
   the queue until it resumes; floating chunks may resume on other workers at once. A break counts in a reservation
   from its start on.

Versions of this algorithm: docs/architecture.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from heapq import heappop, heappush

from schedproof.core.base.untyped import AnyFamily
from schedproof.online.preemptive.gang import Gang, GangPolicy
from schedproof.online.preemptive.pool import Pool, lowest, preferred
from schedproof.online.preemptive.turns import Rank, Turns
from schedproof.online.preemptive.whole_jobs import Closed, FloatingGang

RankOf = Callable[[Gang, int], Rank]


class WatchAll(Turns[Gang]):
    """A waiting job watches all of its workers."""

    def _watched(self, member: Gang, worker: int) -> Sequence[int]:
        return member.workers


class PinnedQueue(WatchAll):
    """Rule 3 for pinned chunks: one queue per worker.

    A job starts when it is the first in the queues of all its workers.
    """

    def _rivals(self, member: Gang, rank: Rank, now: int) -> list[Gang] | int:
        for w in member.workers:
            if (waiting := self._waiting[w]) and waiting[0] < rank:
                return w
        return super()._rivals(member, rank, now)

    def _next(self, workers: Iterable[int], after: Rank) -> list[tuple[Rank, int]]:
        return [] if after else super()._next(workers, after)


class FloatingQueue(Pool[FloatingGang]):
    """Rule 3 for floating chunks."""

    def take(self, now: int) -> tuple[list[FloatingGang], list[FloatingGang]]:
        self._claimed = 0
        return super().take(now)

    def _finds_workers(self, member: FloatingGang, rank: Rank, now: int, changed: dict[Rank, FloatingGang]) -> bool:
        if isinstance(member, Closed):
            return super()._finds_workers(member, rank, now, changed)
        free = self._idle & member.open_to & ~self._claimed
        if free.bit_count() < member.width:
            self._claimed |= member.open_to
            return False
        member.held = preferred(member, free)
        return True


class PinnedBackfill(WatchAll):
    """Rule 4 for pinned chunks."""

    def __init__(self, workers: int, members: Mapping[int, Gang], rank: RankOf) -> None:
        super().__init__(workers, members, rank)
        self._line: list[Rank] = []  # heap of the jobs that have waited

    def _wait(self, member: Gang, worker: int, now: int) -> None:
        super()._wait(member, worker, now)
        heappush(self._line, self._rank(member, now))

    def _first(self) -> Gang | None:
        while self._line:
            first = self._members.get(self._line[0][-1])
            if first is not None and not first.running:
                return first
            heappop(self._line)
        return None

    def _rivals(self, member: Gang, rank: Rank, now: int) -> list[Gang] | int:
        rivals, first = super()._rivals(member, rank, now), self._first()
        if (
            isinstance(rivals, int)
            or first is None
            or rank <= self._line[0]
            or not {*first.workers} & {*member.workers}
        ):
            return rivals
        holders = [holder for w in first.workers if (holder := self._holder[w])]
        begin = max((holder.remaining(now) for holder in holders), default=0)
        return rivals if member.length <= begin else member.workers[0]


class FloatingBackfill(Pool[FloatingGang]):
    """Rule 4 for floating chunks.

    A job that would delay the reservation now would also delay it at any later time, because the reservation moves to a
    later time only at a break. So each waiting job is examined once for each first job.
    """

    def __init__(self, workers: int, members: Mapping[int, FloatingGang], rank: RankOf) -> None:
        super().__init__(workers, members, rank)
        self._reserves: FloatingGang | None = None  # the first job, which has the reservation
        self._too_long: dict[tuple[int, int], int] = {}  # (width, open workers) -> how many first jobs are too long

    def take(self, now: int) -> tuple[list[FloatingGang], list[FloatingGang]]:
        changed, self._changed = self._changed, []
        interrupted = self._close([member for member in changed if isinstance(member, Closed)], now)
        taken: list[FloatingGang] = []
        for member in changed:
            if isinstance(member, Closed):
                continue
            if member.running and (self._idle & member.open_to).bit_count() >= member.width:  # the next round
                self._start(member, self._idle & member.open_to, now)
                taken.append(member)
            else:
                interrupted += [member] if member.running else []
                self._wait(member, now)
        while rank := min(self._heads(()), default=None):
            first = self._members[rank[-1]]
            free = self._idle & first.open_to
            if free.bit_count() < first.width:
                taken += self._backfill(first, now)
                break
            self.stop_waiting(first, now)
            self._start(first, free, now)
            taken.append(first)
        return taken, [member for member in interrupted if not member.running]

    def _close(self, breaks: Sequence[AnyFamily], now: int) -> list[FloatingGang]:
        """Begin breaks, and return the interrupted jobs."""
        interrupted = []
        for closed in breaks:
            for n in reversed(range(len(self._line))):
                if self._holds[n] & closed.held:
                    interrupted.append(self._members[self._line[n][-1]])
                    self._leave(n)
            self._run(closed, now)
            self._reserves = None  # the reservation may move to a later time
        for member in interrupted:
            self._wait(member, now)
        return interrupted

    def stop_waiting(self, member: FloatingGang, now: int) -> None:
        alike = member.width, member.open_to
        passed = self._too_long.get(alike, 0)
        if passed and self._rank(member, now) <= self._waiting[alike][passed - 1]:
            self._too_long[alike] = passed - 1
        super().stop_waiting(member, now)

    def _wait(self, member: FloatingGang, now: int) -> None:
        super()._wait(member, now)
        alike = member.width, member.open_to
        if self._waiting[alike][-1][-1] != member.job.index:
            self._too_long.pop(alike, None)

    def _start(self, member: FloatingGang, free: int, now: int) -> None:
        member.held = preferred(member, free)
        self._run(member, now)

    def _backfill(self, first: FloatingGang, now: int) -> list[FloatingGang]:
        if first is not self._reserves:
            self._reserves, self._too_long = first, {}
        taken: list[FloatingGang] = []
        if not any((self._idle & open_to).bit_count() >= width for width, open_to in self._waiting):
            return taken
        begin, kept = self._reservation(first, now)
        while rank := min(self._candidates(first, begin, kept), default=None):
            member = self._members[rank[-1]]
            free = self._idle & member.open_to
            if member.length > begin:
                free = lowest(free & ~kept, member.width) | lowest(free & kept, _taken_from(kept, free, member.width))
            self.stop_waiting(member, now)
            self._start(member, free, now)
            if member.length > begin:
                kept &= ~member.held
            taken.append(member)
        return taken

    def _reservation(self, first: FloatingGang, now: int) -> tuple[int, int]:
        """Return the slots until the first job can start, and its workers free by then."""
        members = (self._members[rank[-1]] for rank in self._line)
        begin, free = 0, self._idle & first.open_to
        for left, held in sorted((member.remaining(now), member.held) for member in members):
            if left > begin and free.bit_count() >= first.width:
                break
            begin, free = left, free | held & first.open_to
        return begin, free

    def _candidates(self, first: FloatingGang, begin: int, kept: int) -> Iterator[Rank]:
        for (width, open_to), ranks in self._waiting.items():
            free = self._idle & open_to
            if free.bit_count() < width:
                continue
            if _taken_from(kept, free, width) <= kept.bit_count() - first.width:
                yield ranks[0]
                continue
            n = self._too_long.get((width, open_to), 0)
            while n < len(ranks) and self._members[ranks[n][-1]].length > begin:
                n += 1
            self._too_long[width, open_to] = n
            yield from ranks[n : n + 1]


def _taken_from(kept: int, free: int, width: int) -> int:
    """Return how many reserved workers a job needs if it takes other workers first."""
    return max(0, width - (free & ~kept).bit_count())


class QueuePolicy(GangPolicy):
    """A policy that never interrupts a job, in the order of `key`."""

    queues: tuple[Callable[..., Turns[Gang]], Callable[..., Pool[FloatingGang]]] = PinnedQueue, FloatingQueue

    def turns(self, workers: int) -> Turns[Gang] | Pool[FloatingGang]:
        pinned, floating = self.queues
        return (pinned if self.chunks == "pinned" else floating)(workers, self._present, self._rank)

    def order(self, gang: Gang, now: int) -> tuple[int, ...]:
        """Return the place in the queue; jobs that have started come first."""
        return gang.started is None, *self.key(gang)

    def key(self, gang: Gang) -> tuple[int, ...]:
        return (gang.landed,)


class FirstInFirstOut(QueuePolicy):
    """FIFO."""


class Easy(QueuePolicy):
    """FIFO with EASY backfill."""

    queues = PinnedBackfill, FloatingBackfill


class ShortestJobFirst(QueuePolicy):
    """SJF without preemption."""

    def key(self, gang: Gang) -> tuple[int, ...]:
        return gang.length, gang.landed
