"""The slot game of any family: jobs arrive, wait, run at places, end or stop.

A mode is the amount of each resource that a run holds at its place. A job has a duration in slots for each of its
modes. A family's driver shows the policy the waiting and running jobs and the free resources, and passes on its
decisions. The family's subclass sets names and restrictions.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Mapping, Sequence
from fractions import Fraction
from heapq import heappop, heappush
from typing import ClassVar, NamedTuple

from schedproof.core.base.numbers import ceil
from schedproof.core.errors import PolicyError

Amounts = tuple[int, ...]  # an amount of each resource
WHOLE, NONE = Fraction(1), Fraction(0)


class Run(NamedTuple):
    """A run of a job at a place, from a slot to its stop, or None if the job ends.

    Job and place are positions.
    """

    job: int
    place: int
    mode: Amounts
    slot: int
    until: int | None = None


class Running(NamedTuple):
    """A running job: its row and run, its planned end, and its slots without progress."""

    row: int
    run: Run
    end: int
    switch: Fraction


class SlotGame:
    """The state of a run, slot by slot, in integers and rationals.

    Parameters
    ----------
    arrivals, slots
        For each job its arrival, and its duration in each mode.
    free
        Capacity of each place.
    horizon
        The slot in which the game ends.
    may_stop
        Whether jobs may be stopped. A stopped job keeps its progress and waits again.
    switch
        Slots without progress at the start of each run of a job, except the job's first run.

    Attributes
    ----------
    slot
        The current slot.
    rows
        All runs so far.
    waiting
        Waiting jobs, including stopped ones, by arrival, then position.
    running, free
        The running jobs by start, and free resources of each place.
    unit
        Noun for a job.
    """

    unit: ClassVar[str] = "job"

    def __init__(
        self,
        arrivals: Sequence[int],
        slots: Sequence[Mapping[Amounts, int]],
        free: Sequence[Amounts],
        horizon: int,
        *,
        may_stop: bool = False,
        switch: Fraction = NONE,
    ) -> None:
        self.slot, self.rows, self.waiting = -1, list[Run](), list[int]()
        self.running, self.free = dict[int, Running](), list(free)
        self._arrivals, self._slots, self._horizon = arrivals, slots, horizon
        self._may_stop, self._switch = may_stop, switch
        self._order = sorted(range(len(arrivals)), key=lambda j: (arrivals[j], j))
        self._rank = {j: rank for rank, j in enumerate(self._order)}
        self._arrived = 0  # number of arrived jobs in the order
        self._ends: list[tuple[int, int]] = []  # a heap of (end, job); some jobs have been stopped since
        self._left: dict[int, Fraction] = {}  # remaining fraction of each stopped job
        self._completed: list[Run] = []

    def name(self, j: int) -> str:
        """Return the name of a job."""
        return f"{self.unit} {j}"

    def can_start(self, j: int) -> bool:
        """Whether a job could start at any place now."""
        return any(fits(mode, free) for mode in self._slots[j] for free in self.free)

    def objection(self, j: int, n: int) -> str:
        """Return why the family forbids a start of a job at a place now, or empty.

        The text follows the job's name.
        """
        return ""

    def open(self, j: int, n: int, mode: Amounts) -> bool:
        """Return whether a job that starts at a place now would end before the next break."""
        return True

    def place_name(self, n: int) -> str:
        """Return the name of a place."""
        return f"place {n}"

    def goes_on(self) -> bool:
        """Advance to the next slot with a possible decision; return whether one exists.

        A decision is possible if a waiting job could start, or if jobs are present and may be stopped.
        """
        slot = self.slot
        while slot < self._horizon:
            slot = slot + 1 if self._can_decide() else self._next_event()
            self._advance(slot)
            if self._can_decide():
                return slot < self._horizon
        return False

    def completed(self) -> list[Run]:
        """Return the runs that have ended since the last call, each with its end."""
        completed, self._completed = self._completed, []
        return completed

    def stop(self, j: int) -> None:
        """Stop a running job; its progress is kept."""
        name = self._name(j)
        if not self._may_stop:
            raise PolicyError(f"the policy stopped {name}, which requires the option preemption=allowed")
        if j not in self.running:
            raise PolicyError(f"the policy stopped {name}, which does not run in slot {self.slot}")
        row, run, _, switch = self._leave(j)
        worked = max(NONE, self.slot - run.slot - switch)
        self._left[j] = self._left.get(j, WHOLE) - worked / self._slots[j][run.mode]
        self.rows[row] = run._replace(until=self.slot)
        self._wait(j)

    def start(self, j: int, n: int, mode: Amounts) -> None:
        """Start a waiting job."""
        self._require_possible(j, n, mode)
        switch = self._switch if j in self._left else NONE
        end = self.slot + self._length(j, mode)
        run = Run(j, n, mode, self.slot)
        self.running[j] = Running(len(self.rows), run, end, switch)
        self.rows.append(run)
        heappush(self._ends, (end, j))
        self.waiting.remove(j)
        self.free[n] = tuple(free - used for free, used in zip(self.free[n], mode, strict=True))

    def _length(self, j: int, mode: Amounts) -> int:
        """Return the slots of a job's next run, if it is not stopped."""
        switch = self._switch if j in self._left else NONE
        return ceil(switch + self._left.get(j, WHOLE) * self._slots[j][mode])

    def _can_decide(self) -> bool:
        if self._may_stop:
            return bool(self.waiting or self.running)
        return any(map(self.can_start, self.waiting))

    def _next_event(self) -> int:
        arrivals = [self._arrivals[j] for j in self._order[self._arrived : self._arrived + 1]]
        return min([*arrivals, *(end for end, _ in self._ends[:1]), self._horizon])

    def _advance(self, slot: int) -> None:
        self.slot = slot
        while self._ends and self._ends[0][0] <= slot:
            end, j = heappop(self._ends)
            if j in self.running and self.running[j].end == end:
                self._completed.append(self._leave(j).run._replace(until=end))
        while self._arrived < len(self._order):
            j = self._order[self._arrived]
            if self._arrivals[j] > slot:
                break
            self._wait(j)
            self._arrived += 1

    def _require_possible(self, j: int, n: int, mode: Amounts) -> None:
        what, now = f"the policy started {self._name(j)}", f"in slot {self.slot}"
        if j not in self.waiting:
            raise PolicyError(f"{what}, which {'runs already' if j in self.running else 'is complete'} {now}")
        if words := self.objection(j, n):
            raise PolicyError(f"{what}{words}")
        what = f"{what} on {self.place_name(n)} with {mode}"
        if mode not in self._slots[j]:
            raise PolicyError(f"{what}, but the {self.unit} has no duration for this allocation")
        if not self.open(j, n, mode):
            raise PolicyError(
                f"{what} {now}, but the {self.unit} would run in a break: use `view.fitting` or `view.can_start`"
            )
        if not fits(mode, self.free[n]):
            raise PolicyError(f"{what} {now}, but only {self.free[n]} is free there")

    def _name(self, j: int) -> str:
        if self._rank.get(j, self._arrived) >= self._arrived:
            raise PolicyError(
                f"the policy decided on {self.unit} number {j}, which it has not seen by slot {self.slot}"
            )
        return self.name(j)

    def _wait(self, j: int) -> None:
        insort(self.waiting, j, key=self._rank.__getitem__)

    def _leave(self, j: int) -> Running:
        running = self.running.pop(j)
        n, mode = running.run.place, running.run.mode
        self.free[n] = tuple(free + used for free, used in zip(self.free[n], mode, strict=True))
        return running


def fits(mode: Amounts, room: Amounts) -> bool:
    """Whether a mode's amounts are available."""
    return all(used <= there for used, there in zip(mode, room, strict=True))
