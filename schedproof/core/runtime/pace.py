"""Which of several ways to do the same work is the fastest here and now, by the clock.

Two threads take half as long as one on a machine of their own, and longer than one where another process has the second
core: each waits for the other at every step. Only the clock tells, and only for a while.
"""

from __future__ import annotations

from dataclasses import dataclass, field

TURN = 0.05  # seconds for which a way is kept, at least, before it is judged
RARELY = 20  # the others may take one part in so many of the time


@dataclass
class Pace:
    """Choose among ways by their last durations; a slower one is tried again after 20 times its duration.

    Work begins with way 0, and the others wait as long as if their turn had been of the usual length: what is done
    within a second is done in that way alone.

    Attributes
    ----------
    ways
        How many there are, numbered from 0.
    """

    ways: int
    _each: dict[int, float] = field(default_factory=dict)  # seconds for a unit of work, of the ways tried so far
    _waited: dict[int, float] = field(default_factory=dict)  # seconds since a way's turn
    _turn: dict[int, float] = field(default_factory=dict)  # seconds of a way's last turn
    _now: int = 0
    _seconds: float = 0.0
    _units: float = 0.0

    def way(self) -> int:
        """The way to use next."""
        return self._now

    def units(self, limit: int) -> int:
        """How many units of work to do before calling `took`: few for a way on trial, which may be very slow."""
        if not self._each or self._now == self._fastest():
            return limit
        return max(1, min(limit, int(TURN / RARELY / self._each[self._fastest()])))

    def took(self, seconds: float, units: float) -> None:
        """Record the duration of so many units of work."""
        self._seconds += seconds
        self._units += units
        if self._seconds < TURN:
            return
        now, each = self._now, self._seconds / self._units
        self._each[now] = (each + self._each.get(now, each)) / 2
        for way in range(self.ways):
            self._waited[way] = self._waited.get(way, 0.0) + self._seconds
        self._turn[now], self._waited[now] = self._seconds, 0.0
        self._now, self._seconds, self._units = self._next(), 0.0, 0.0

    def _next(self) -> int:
        fastest = self._fastest()
        late = (way for way in range(self.ways) if self._waited[way] >= RARELY * self._turn.get(way, TURN))
        return next((way for way in late if way != fastest), fastest)

    def _fastest(self) -> int:
        return min(self._each, key=self._each.__getitem__)
