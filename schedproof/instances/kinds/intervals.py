"""Who runs on which machine from when to when."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from schedproof.core.checking import Violation
from schedproof.core.context import Context
from schedproof.core.instance import Schedule
from schedproof.core.occupied import Occupied, draw_gantt
from schedproof.core.policy import DecidedBy
from schedproof.core.reading import Count
from schedproof.instances.kinds import checkers, machine_game
from schedproof.instances.kinds.rows import JOB, machine_names, rows


class Stay(NamedTuple):
    """A job runs on a machine, by position, from start to end."""

    job: JOB
    machine: Count
    start: Count
    end: Count


@dataclass(frozen=True, repr=False)
class Intervals(Schedule):
    """The stays of jobs on machines, one at a time on each.

    The instance has ``machines``, a number or a list of what has names, and says in whole slots how long a job takes
    on each, ``time(machine, job)``. Jobs with an ``arrival`` do not run before it.

    Attributes
    ----------
    stays
        In any order.
    everywhere
        Whether a job needs its time on every machine, as in a shop; otherwise all of it on one.
    at_once
        Whether a job may run on several machines at the same time.
    preemptive
        Whether a job may be interrupted.
    """

    stays: tuple[Stay, ...]

    everywhere: ClassVar[bool] = True
    at_once: ClassVar[bool] = False
    preemptive: ClassVar[bool] = False

    @classmethod
    def drive(cls, policy: Any, instance: Any, decided_by: DecidedBy, context: Context) -> Intervals:
        """At every arrival ``rule(view)`` returns the jobs in order; a free machine takes the first that may run.

        The view has the ``time``, ``machines``, and ``jobs`` that have arrived and are not done: each as in the
        instance, with what is ``left`` of it on each machine.
        """
        stays = machine_game.play(policy, instance, cls, context)
        return cls.by(decided_by, instance, tuple(Stay(*row) for row in stays))

    def ends(self, instance: Any) -> list[int]:
        """When each job is done; its arrival, or 0, for one that never runs."""
        ends = [getattr(job, "arrival", 0) for job in rows(instance)]
        for stay in self.stays:
            ends[stay.job] = max(ends[stay.job], stay.end)
        return ends

    def check(self, instance: Any) -> list[Violation]:
        """Every broken constraint."""
        return checkers.intervals(self, instance)

    def occupied(self, instance: Any) -> Iterator[Occupied]:
        """A machine for each stay."""
        for job, machine, start, end in self.stays:
            yield Occupied(job, machine, "machine", start, end, 1)

    def to_frame(self, instance: Any) -> Any:
        """A row for each stay (pandas)."""
        import pandas as pd

        names, machines = [job.name for job in rows(instance)], machine_names(instance)
        held = [(names[stay.job], machines[stay.machine], stay.start, stay.end) for stay in self.stays]
        return pd.DataFrame(held, columns=[instance.extent[1], "machine", "start", "end"])

    def draw(self, instance: Any, ax: Any = None) -> Any:
        """A Gantt chart."""
        jobs = rows(instance)
        arrivals = [getattr(job, "arrival", 0) for job in jobs]
        names = [job.name for job in jobs]
        return draw_gantt(self.occupied(instance), names, machine_names(instance), arrivals=arrivals, ax=ax)
