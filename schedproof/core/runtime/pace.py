"""Choice of the fastest of several implementations by measured time.

For example, two threads take half the time of one on an idle machine, but more if another process uses the second core.
So the durations are measured, and measured again later.
"""

from __future__ import annotations

from dataclasses import dataclass, field

TURN = 0.05  # least seconds for which a way is used before it is measured
RARELY = 20  # other ways are tried at most 1/RARELY of the time


@dataclass
class Pace:
    """Choose among ways by their last durations; retry slower ways rarely.

    A slower way is tried again after 20 times its duration. Work starts with way 0; the other ways wait as if each had
    just had a turn. So work of less than a second uses only way 0.

    Attributes
    ----------
    ways
        Number of ways, numbered from 0.
    """

    ways: int
    _each: dict[int, float] = field(default_factory=dict)  # seconds per unit of work of each tried way
    _waited: dict[int, float] = field(default_factory=dict)  # seconds since a way's turn
    _turn: dict[int, float] = field(default_factory=dict)  # seconds of a way's last turn
    _now: int = 0
    _seconds: float = 0.0
    _units: float = 0.0

    def way(self) -> int:
        """Return the next way to use."""
        return self._now

    def units(self, limit: int) -> int:
        """Return the units of work before the next `took`; few for a way on trial."""
        if not self._each or self._now == self._fastest():
            return limit
        return max(1, min(limit, int(TURN / RARELY / self._each[self._fastest()])))

    def took(self, seconds: float, units: float) -> None:
        """Record the duration of some units of work."""
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
