"""A stock kind of schedule: jobs on machines over time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar, NamedTuple

from schedproof.core.data.checking import Violation
from schedproof.core.data.options import Option
from schedproof.core.data.reading import Count
from schedproof.core.errors import expect
from schedproof.core.runtime.context import Context
from schedproof.core.simulation.breaks import Calendar, require_breaks
from schedproof.core.simulation.occupied import Occupied, draw_gantt
from schedproof.core.simulation.policy import DecidedBy, Rule
from schedproof.core.simulation.timeline import Timeline
from schedproof.instances.kinds import checkers, machine_game, orders
from schedproof.instances.kinds.rows import JOB, SPEED, TIME, calendar, machine_names, places, rows, speed_of
from schedproof.instances.kinds.stock import PLACES, Stock


class Stay(NamedTuple):
    """A stay of a job on a machine (both by position), from start to end."""

    job: JOB
    machine: Count
    start: TIME
    end: TIME


@dataclass(frozen=True, repr=False)
class Intervals(Stock):
    """The stays of jobs on machines; each machine runs one job at a time.

    ``sp.family(..., sp.Intervals, jobs="jobs", places="machines")`` names the fields with the jobs and the machines; a
    subclass can set ``jobs`` and ``places`` instead. The machines are a number or a list of entities. A job has
    ``times`` in whole slots, one per machine, and optionally an ``arrival`` before which it does not run. A machine has
    no further resources: use `Shares` for amounts of several resources.

    A policy is a function of a view (`schedproof.instances.kinds.machine_game.View`), or a class with the method
    ``assign(view)``. The policy is called at every arrival and returns all jobs of ``view.jobs`` in order of priority.
    Each free machine
    takes the first job of the order that may run. The view has ``time`` (int, the slot), ``machines`` (int), ``places``
    (sequence of entities, or of positions) and ``jobs`` (tuple of the arrived, unfinished entities). A job also has
    ``left`` (tuple of ints), its remaining time on each machine.

    The cost is the sum of completion times, weighted by the job's ``weight`` if it has one. A family overrides
    ``time(instance, machine, job)`` or ``cost(jobs, ends)`` for other times or costs.

    An instance with the field ``breaks: tuple[sp.Break, ...] = ()`` has breaks, in which a machine does no work. A
    preemptive job pauses in a break; a non-preemptive job starts only if it ends before the next break. `calendar`
    returns the breaks of each machine, for a program's rows.

    Attributes
    ----------
    stays
        The rows of the schedule, in any order.
    places
        Name of the instance's field with the machines.
    everywhere
        Whether a job needs its time on every machine, as in a shop. Otherwise it needs its time on one machine.
    at_once
        Whether a job may run on several machines at the same time.
    preemptive
        Whether a job may be interrupted.

    Examples
    --------
    Each job needs a GPU for training and a network link for its transfers, and may use both at the same time.

    >>> import schedproof as sp
    >>> class Machine(sp.Entity):
    ...     name: sp.Name
    >>> class Job(sp.Entity):
    ...     name: sp.Name
    ...     times: tuple[sp.Count, ...]
    ...     arrival: sp.Count
    >>> class Work(sp.Instance):
    ...     "Jobs that need a GPU and a link."
    ...     resources: tuple[Machine, ...]
    ...     jobs: tuple[Job, ...]
    >>> RANGES = {"resources": 2, "jobs": 4, "jobs[*].times": "resources"}
    >>> KIND = {"jobs": "jobs", "places": "resources", "at_once": True}
    >>> WORK = sp.family("gpu_and_link", Work, sp.Intervals, **KIND, presets={"tiny": RANGES})
    >>> @WORK.policy
    ... def least_left(view):
    ...     "Run the jobs in ascending order of their longer remaining time."
    ...     return sorted(view.jobs, key=lambda job: max(job.left))
    >>> sp.policy("gpu_and_link.least_left").run(sp.embedded("gpu_and_link")).feasible
    True
    """

    stays: tuple[Stay, ...]

    places: ClassVar[str] = "machines"
    everywhere: ClassVar[bool] = True
    at_once: ClassVar[bool] = False
    preemptive: ClassVar[bool] = False

    @staticmethod
    def time(instance: Any, machine: int, job: Any) -> int:
        """Return a job's time on a machine."""
        result: int = job.times[machine]
        return result

    @staticmethod
    def cost(jobs: Sequence[Any], ends: Sequence[int]) -> Fraction:
        """Return the cost of given completion times."""
        pairs = zip(jobs, ends, strict=True)
        return sum((Fraction(getattr(job, "weight", 1)) * end for job, end in pairs), Fraction(0))

    def objective(self, instance: Any, /, **rules: Any) -> Fraction:
        """Return the cost of the schedule's completion times."""
        return type(self).cost(rows(instance), self.ends(instance))

    @classmethod
    def drive(cls, policy: Any, instance: Any, decided_by: DecidedBy, context: Context) -> Intervals:
        """Call ``policy.assign(view)``, or a function of the view, at every arrival.

        At speed s each time is divided by s, exactly.
        """
        stays = machine_game.play(policy, instance, cls, context, speed_of(instance, decided_by.options))
        return cls.by(decided_by, instance, tuple(Stay(*row) for row in stays))

    @staticmethod
    def calendar(instance: Any) -> Calendar:
        """Return the breaks of the instance's machines."""
        return calendar(instance)

    @classmethod
    def needs(cls) -> dict[str, str]:
        return {cls.places: PLACES}

    @classmethod
    def require(cls, instance: Any) -> None:
        """Refuse a job without a whole time on each machine, and wrong breaks."""
        require_breaks(getattr(instance, "breaks", ()), machine_names(instance))
        for n, job in enumerate(rows(instance)):
            path = f"{instance.card.own.size[0]}[{n}]"
            for i in range(len(machine_names(instance))):
                try:
                    time = cls.time(instance, i, job)
                except LookupError:
                    time = None
                expect(
                    isinstance(time, int) and time >= 0, f"expected a whole time >= 0 on machine {i}", path, job.name
                )

    @classmethod
    def lengths(cls, jobs: str) -> dict[str, str]:
        """Give each job one time per machine."""
        return {f"{jobs}[*].times": cls.places}

    @classmethod
    def view(cls, instance: Any) -> machine_game.View:
        """Return a policy's view in which all jobs are present and no work is done."""
        machines = range(len(machine_names(instance)))
        jobs = (machine_game.Shown(job, [cls.time(instance, i, job) for i in machines]) for job in rows(instance))
        return machine_game.View(0, len(machines), tuple(jobs), places(instance), calendar(instance).breaks)

    @classmethod
    def in_order(cls, instance: Any, order: Iterable[int]) -> tuple[Stay, ...]:
        """Return list scheduling's stays: a free machine takes the first job that may run."""
        place = {j: n for n, j in enumerate(order)}
        rule = Rule(lambda view: sorted(view.jobs, key=lambda job: place[job.index]), {})
        return tuple(Stay(*row) for row in machine_game.play(rule, instance, cls))

    @classmethod
    def best_order(cls, instance: Any) -> Fraction:
        """Return the least cost without arrivals if all machines have the same order."""
        return orders.best_order(cls, instance)

    @classmethod
    def best(cls, instance: Any) -> Fraction:
        """Return the optimum by enumeration, for costs that grow with completions.

        The cost must not decrease when a job completes later. Jobs may have arrivals. Jobs that may both move between
        machines and be interrupted are refused.
        """
        return orders.best(cls, instance)

    def ends(self, instance: Any) -> list[int]:
        """Return each job's completion; for a job that never runs, its arrival or 0."""
        ends = [getattr(job, "arrival", 0) for job in rows(instance)]
        for stay in self.stays:
            ends[stay.job] = max(ends[stay.job], stay.end)
        return ends

    @classmethod
    def augmentation(cls) -> tuple[Option, ...]:
        """Return the option ``speed``."""
        return (SPEED,)

    def check(self, instance: Any, *, speed: Fraction = Fraction(1)) -> list[Violation]:
        """Return every broken constraint at a speed."""
        return checkers.intervals(self, instance, speed)

    def occupied(self, instance: Any) -> Iterator[Occupied]:
        """Yield the machine that each stay occupies."""
        for job, machine, start, end in self.stays:
            yield Occupied(job, machine, "machine", start, end, 1)

    def timeline(self, instance: Any) -> Timeline | None:
        """Return the machines' utilisation over time; None for times that are not whole."""
        ends, machines = self.ends(instance), len(machine_names(instance))
        if any(Fraction(end).denominator > 1 for stay in self.stays for end in (stay.start, stay.end)):
            return None
        last = max(ends, default=0)
        closed = [
            (start, min(end, last), -1) for row in calendar(instance).breaks for start, end in row if start < last
        ]
        return Timeline.of(
            (getattr(job, "arrival", 0) for job in rows(instance)),
            ends,
            ((stay.job, stay.start, stay.end) for stay in self.stays),
            use={"the machines": [(stay.start, stay.end, 1) for stay in self.stays]},
            room={"the machines": [(0, last, machines), *closed]},
        )

    def frame_of(self, instance: Any) -> Any:
        """Return one row per stay (pandas)."""
        import pandas as pd

        names, machines = [job.name for job in rows(instance)], machine_names(instance)
        held = [(names[stay.job], machines[stay.machine], stay.start, stay.end) for stay in self.stays]
        return pd.DataFrame(held, columns=[instance.extent[1], "machine", "start", "end"])

    def draw(self, instance: Any, ax: Any = None) -> Any:
        """Draw a Gantt chart."""
        jobs = rows(instance)
        arrivals = [getattr(job, "arrival", 0) for job in jobs]
        names = [job.name for job in jobs]
        in_floats = tuple(stay._replace(start=float(stay.start), end=float(stay.end)) for stay in self.stays)
        return draw_gantt(
            replace(self, stays=in_floats).occupied(instance), names, machine_names(instance), arrivals=arrivals, ax=ax
        )
