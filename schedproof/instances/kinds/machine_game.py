"""Simulation of list scheduling: a policy orders the jobs at every arrival."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from schedproof.core.errors import PolicyError, short
from schedproof.core.runtime.context import USUAL, Context
from schedproof.core.simulation.breaks import Calendar, Times
from schedproof.core.simulation.policy import FOREVER
from schedproof.instances.arriving import arrivals
from schedproof.instances.kinds.rows import calendar, machine_names, places, positions, rows

Time = int | Fraction  # an int if whole
Row = tuple[int, int, Time, Time]  # job, machine, start, end


@dataclass(frozen=True)
class View:
    """A policy's view when jobs arrive.

    Attributes
    ----------
    time : int
        The slot.
    machines : int
        The number of machines.
    jobs : tuple of entities
        Arrived, unfinished jobs in file order, with the fields of the instance file. ``left``, a tuple of ints, is the
        remaining time on each machine.
    places : sequence of entities or int
        The machines, as in the instance; their positions if the instance states only their number.
    breaks : tuple
        Start and end of each break of each machine, including later breaks.
    """

    time: int
    machines: int
    jobs: tuple[Any, ...]
    places: Sequence[Any]
    breaks: tuple[Times, ...] = ()


class Shown:
    """A job as in the instance, with ``left``, its remaining time on each machine."""

    def __init__(self, job: Any, left: Sequence[Time]) -> None:
        self._job, self.left = job, tuple(left)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["_job"], name)

    def __reduce__(self) -> tuple[Any, ...]:  # pickle would ask for attributes before there are any
        return Shown, (self._job, self.left)


def play(policy: Any, instance: Any, kind: Any, context: Context = USUAL, speed: Fraction = Fraction(1)) -> list[Row]:
    """Return the stays that result from a policy's orders at a speed."""
    jobs, machines = rows(instance), len(machine_names(instance))
    left = [[whole(kind.time(instance, i, job) / speed) for i in range(machines)] for job in jobs]
    groups = arrivals(jobs) if jobs and hasattr(jobs[0], "arrival") else [(0, jobs)]
    open_hours = calendar(instance)
    floor = _Floor(left, open_hours, kind)
    known: list[int] = []
    for n, (now, arrived) in enumerate(groups):
        known = [j for j in known if any(left[j])] + [job.index for job in arrived]
        view = View(
            now, machines, tuple(Shown(jobs[j], left[j]) for j in sorted(known)), places(instance), open_hours.breaks
        )
        order = positions(policy.assign(view), "a list of jobs")
        if sorted(order) != sorted(known):
            names = short(", ".join(jobs[j].name for j in sorted(known)))
            raise PolicyError(
                f"the policy ordered {len(order)} jobs in slot {now}, expected each of view.jobs once: {names}"
            )
        until = groups[n + 1][0] if n + 1 < len(groups) else None
        floor.run(order, now, until)
        context.progress(f"slot {now}, {len(known)} jobs at work", (n + 1) / len(groups))
    return floor.stays


def whole(time: Fraction) -> Time:
    """Return a whole time as an int."""
    return time.numerator if time.denominator == 1 else time


class _Floor:
    """The machines, and each job's remaining time on each machine."""

    def __init__(self, left: list[list[Time]], open_hours: Calendar, kind: Any) -> None:
        self.left, self.stays = left, list[Row]()
        self._kind, self._calendar, self._machines = kind, open_hours, range(len(open_hours.breaks))
        self._apart = kind.at_once and kind.everywhere  # machines are independent of each other
        self._busy: dict[int, int] = {}  # machine -> its job that may not be interrupted
        self._home: dict[int, int] = {}  # job -> its only machine, once started

    def run(self, order: Sequence[int], now: Time, until: int | None) -> None:
        """Run all machines by an order of jobs up to a slot, or to the end."""
        for group in [[i] for i in self._machines] if self._apart else [self._machines]:
            self._run(order, group, now, until)

    def _run(self, order: Sequence[int], machines: Sequence[int], now: Time, until: int | None) -> None:
        order = [j for j in order if any(self.left[j][i] for i in machines)]
        while until is None or now < until:
            running = self._chosen(order, machines, now)
            change = self._calendar.next_change(now)
            if not running and (not order or change == FOREVER):
                return
            then = min([change, *(now + self.left[j][i] for i, j in running.items())])
            then = then if until is None else min(then, until)
            for i, j in running.items():
                self._work(j, i, now, then)
            for j in set(running.values()):
                if not any(self.left[j][i] for i in machines):
                    order.remove(j)
            now = then

    def _chosen(self, order: Sequence[int], machines: Sequence[int], now: Time) -> dict[int, int]:
        running = {i: j for i, j in self._busy.items() if i in machines}
        machines = [i for i in machines if not self._calendar.closed(i, now)]
        taken = set(running.values())
        for j in order:
            if len(running) == len(machines):
                break
            for i in machines:
                if i not in running and self.left[j][i] and (self._apart or j not in taken) and self._may(j, i, now):
                    running[i] = j
                    taken.add(j)
        return running

    def _may(self, j: int, i: int, now: Time) -> bool:
        fits = self._kind.preemptive or self._calendar.open(i, now, now + self.left[j][i])
        return fits and (self._kind.everywhere or self._home.get(j, i) == i)

    def _work(self, j: int, i: int, start: Time, end: Time) -> None:
        self.left[j][i] -= end - start
        if not self._kind.everywhere:
            self._home[j] = i
            self.left[j] = [rest if k == i else 0 for k, rest in enumerate(self.left[j])]
        if not self._kind.preemptive and self.left[j][i]:
            self._busy[i] = j
        else:
            self._busy.pop(i, None)
        last = self.stays[-1] if self.stays else None
        if last is not None and last[:2] == (j, i) and last[3] == start:
            self.stays[-1] = (j, i, last[2], end)
        else:
            self.stays.append((j, i, start, end))
