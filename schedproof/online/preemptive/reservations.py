"""Reservations; a job may change workers when other reservations end."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from schedproof.core.simulation.policy import FOREVER
from schedproof.online.preemptive.pool import lowest

Ways = Sequence[tuple[int, int]]  # (time, all workers that a job may use from then on), in order


class Reservations:
    """The unreserved workers over time, as bit sets in Python integers."""

    def __init__(self, workers: int) -> None:
        self._from, self._free = [0], [(1 << workers) - 1]

    def forget_before(self, now: int) -> None:
        past = bisect_right(self._from, now) - 1
        del self._from[:past], self._free[:past]

    def first_fit(self, ways: Ways, slots: int, width: int) -> int:
        """Return the first start of ``slots`` slots with ``width`` free usable workers."""
        for time, _ in ways:
            self._split(time)
        begin = start = bisect_left(self._from, ways[0][0])
        way = 0
        for n in range(begin, len(self._from)):
            while way + 1 < len(ways) and ways[way + 1][0] <= self._from[n]:
                way += 1
            if (self._free[n] & ways[way][1]).bit_count() < width:
                start = n + 1
            elif self._end(n) - self._from[start] >= slots:
                break
        return self._from[start]

    def reserve(self, ways: Ways, start: int, end: int, width: int) -> list[tuple[int, int, int]]:
        """Reserve ``width`` workers with few changes; return (start, end, workers)."""
        self._split(start)
        self._split(end)
        result: list[tuple[int, int, int]] = []
        last = 0
        for n in range(bisect_left(self._from, start), bisect_left(self._from, end)):
            time = self._from[n]
            free = self._free[n] & [workers for since, workers in ways if since <= time][-1]
            stay = last & free
            last = stay | lowest(free & ~stay, width - stay.bit_count())
            self._free[n] &= ~last
            result.append((time, self._end(n), last))
        return result

    def _end(self, n: int) -> int:
        return self._from[n + 1] if n + 1 < len(self._from) else FOREVER

    def _split(self, time: int) -> None:
        n = bisect_right(self._from, time) - 1
        if self._from[n] != time:
            self._from.insert(n + 1, time)
            self._free.insert(n + 1, self._free[n])
