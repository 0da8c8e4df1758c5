"""A stock kind of schedule: amounts of machines for jobs in each slot."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from schedproof.core.data.checking import Violation
from schedproof.core.data.options import Option
from schedproof.core.data.reading import Count
from schedproof.core.errors import PolicyError, short
from schedproof.core.runtime.context import Context
from schedproof.core.simulation.instance import Schedule
from schedproof.core.simulation.occupied import Occupied, draw_gantt
from schedproof.core.simulation.policy import DecidedBy
from schedproof.instances.kinds import checkers
from schedproof.instances.kinds.rows import AMOUNT, JOB, SPEED, machine_names, rows, speed_of


class Share(NamedTuple):
    """A job's share of a machine in a slot; job and machine by position."""

    job: JOB
    machine: Count
    slot: Count
    amount: AMOUNT


@dataclass(frozen=True)
class View:
    """A policy's view in a slot.

    Attributes
    ----------
    slot
        The current slot.
    jobs
        The jobs that have arrived, in file order.
    given
        Each job's total share of each machine so far, by position.
    speed
        The speed of the machines.
    """

    slot: int
    jobs: tuple[Any, ...]
    given: Mapping[int, tuple[Fraction, ...]]
    speed: Fraction = Fraction(1)


@dataclass(frozen=True, repr=False)
class Shares(Schedule):
    """The jobs' shares of machines in each slot; the family defines the objective.

    The instance has ``machines``, a number or a list of named rows, a ``horizon``, and the ``capacity`` of each machine
    in a slot. A job with an ``arrival`` has no share before that slot. A family overrides ``capacity`` and ``most``
    for other limits.

    Attributes
    ----------
    shares
        The rows of the schedule, in any order.
    """

    shares: tuple[Share, ...]

    @staticmethod
    def capacity(instance: Any, machine: int) -> Any:
        """Return a machine's capacity in a slot."""
        return instance.capacity

    @classmethod
    def most(cls, instance: Any, machine: int, job: Any) -> Any:
        """Return the largest share of a machine that a job can use in a slot."""
        return cls.capacity(instance, machine)

    @classmethod
    def drive(cls, policy: Any, instance: Any, decided_by: DecidedBy, context: Context) -> Shares:
        """Run ``rule(view)`` in every slot; it returns ``{(job, machine): amount}``.

        At speed s the jobs get s times these amounts, and the checker allows s times ``capacity`` and ``most``.
        """
        speed = speed_of(instance, decided_by.options)
        machines, jobs = len(machine_names(instance)), rows(instance)
        given: dict[int, tuple[Fraction, ...]] = {job.index: (Fraction(0),) * machines for job in jobs}
        result = []
        for slot in range(instance.horizon):
            here = tuple(job for job in jobs if getattr(job, "arrival", 0) <= slot)
            amounts = policy.assign(View(slot, here, dict(given), speed))
            if not isinstance(amounts, Mapping):
                raise PolicyError(f"the policy returned {short(amounts)}, expected amounts by (job, machine)")
            for (job, machine), amount in amounts.items():
                if job not in here or machine not in range(machines):
                    raise PolicyError(f"the policy gave {short(amount)} to an unknown job or machine in slot {slot}")
                if amount:
                    share = Share(job.index, machine, slot, Fraction(amount) * speed)
                    result.append(share)
                    before = given[share.job]
                    given[share.job] = tuple(g + share.amount * (i == machine) for i, g in enumerate(before))
            context.progress(f"slot {slot}", (slot + 1) / instance.horizon)
        return cls.by(decided_by, instance, tuple(result))

    @classmethod
    def augmentation(cls) -> tuple[Option, ...]:
        """Return the option ``speed``."""
        return (SPEED,)

    def check(self, instance: Any, *, speed: Fraction = Fraction(1)) -> list[Violation]:
        """Return every broken constraint at a speed."""
        return checkers.shares(self, instance, speed)

    def occupied(self, instance: Any) -> Iterator[Occupied]:
        """Yield each share in its slot."""
        for job, machine, slot, amount in self.shares:
            yield Occupied(job, machine, "share", slot, slot + 1, amount)

    def frame_of(self, instance: Any) -> Any:
        """Return one row per share (pandas)."""
        import pandas as pd

        names, machines = [job.name for job in rows(instance)], machine_names(instance)
        held = [(names[s.job], machines[s.machine], s.slot, float(s.amount)) for s in self.shares]
        return pd.DataFrame(held, columns=[instance.extent[1], "machine", "slot", "amount"])

    def draw(self, instance: Any, ax: Any = None) -> Any:
        """Draw a Gantt chart with the amounts in its bars."""
        return draw_gantt(self.occupied(instance), [job.name for job in rows(instance)], machine_names(instance), ax=ax)
