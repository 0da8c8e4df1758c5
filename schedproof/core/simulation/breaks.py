"""Breaks: times in which a machine does no work, such as maintenance or nights."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from schedproof.core.data.reading import Count, Row
from schedproof.core.errors import expect
from schedproof.core.simulation.policy import FOREVER

EVERY = "*"
Time = int | Fraction  # in slots
Times = tuple[tuple[int, int], ...]  # start and end of each break, in order


class Break(Row, frozen=True):
    """A break from ``start`` to before ``end``; ``"*"`` means every machine."""

    machine: str
    start: Count
    end: Count


@dataclass(frozen=True)
class Calendar:
    """The breaks of each machine, by position.

    Attributes
    ----------
    breaks
        For each machine, start and end of each break, in order.
    """

    breaks: tuple[Times, ...]

    @classmethod
    def of(cls, breaks: Iterable[Break], machines: Sequence[str]) -> Calendar:
        """Return the calendar of named machines."""
        rows = sorted((row.start, row.end, row.machine) for row in breaks)
        return cls(tuple(tuple((a, b) for a, b, name in rows if name in (EVERY, one)) for one in machines))

    def __bool__(self) -> bool:
        return any(self.breaks)

    def closed(self, machine: int, slot: Time) -> bool:
        """Return whether a machine is in a break in a slot."""
        return any(start <= slot < end for start, end in self.breaks[machine])

    def open(self, machine: int, start: Time, end: Time) -> bool:
        """Return whether no break overlaps the slots from start to before end."""
        return all(end <= first or last <= start for first, last in self.breaks[machine])

    def next_change(self, slot: Time) -> int:
        """Return the next slot in which a break starts or has ended, or `FOREVER`."""
        return min((time for row in self.breaks for pair in row for time in pair if time > slot), default=FOREVER)

    def finish(self, machine: int, start: int, slots: int, *, pauses: bool) -> int:
        """Return the earliest end of work that starts at or after a slot.

        Parameters
        ----------
        pauses
            Whether the work pauses in a break and resumes after it. Otherwise it runs without interruption.
        """
        for first, last in self.breaks[machine]:
            if start + slots <= first:
                break
            if start < last:
                slots -= max(0, first - start) if pauses else 0
                start = last
        return start + slots

    def room(self, machine: int, start: int, end: int) -> int:
        """Return the number of slots from start to before end outside a machine's breaks."""
        taken = sum(max(0, min(end, last) - max(start, first)) for first, last in self.breaks[machine])
        return max(0, end - start) - taken


def require_breaks(breaks: Sequence[Break], machines: Sequence[str], horizon: int | None = None) -> None:
    """Refuse unknown machines, and empty, overlapping or too late breaks."""
    for n, row in enumerate(breaks):
        path = f"breaks[{n}]"
        expect(
            row.machine in (EVERY, *machines),
            f"expected one of {', '.join(machines)}, or '*'",
            f"{path}.machine",
            row.machine,
        )
        expect(row.start < row.end, f"expected an end after the start, slot {row.start}", f"{path}.end", row.end)
        within = horizon is None or row.end <= horizon
        expect(within, f"expected an end of at most the horizon, {horizon}", f"{path}.end", row.end)
    for machine, times in zip(machines, Calendar.of(breaks, machines).breaks, strict=True):
        for (_, end), (start, _) in pairwise(times):
            apart = (
                f"expected breaks of {machine} that do not overlap: one ends in slot {end}, the next starts in {start}"
            )
            expect(end <= start, apart, "breaks")
