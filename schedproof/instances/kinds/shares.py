"""A stock kind of schedule: amounts of machines for jobs in each slot."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, ClassVar, NamedTuple

from schedproof.core.base.numbers import as_fraction
from schedproof.core.data.checking import Violation
from schedproof.core.data.options import Option
from schedproof.core.data.reading import Count
from schedproof.core.data.records import Entity
from schedproof.core.errors import PolicyError, expect, short
from schedproof.core.runtime.context import Context
from schedproof.core.simulation.occupied import Occupied, draw_gantt
from schedproof.core.simulation.policy import DecidedBy, arguments_of
from schedproof.instances.kinds import checkers
from schedproof.instances.kinds.rows import (
    AMOUNT,
    JOB,
    SPEED,
    amounts,
    capacity_of,
    machine_names,
    places,
    rows,
    speed_of,
)
from schedproof.instances.kinds.stock import PLACES, Stock


class Share(NamedTuple):
    """A job's amount on a machine in a slot.

    Attributes
    ----------
    job, machine, slot
        Positions of the job and the place, and the slot.
    amount
        A rational > 0.
    part
        Position of the amount among the job's amounts on the machine, usually the resource.
    """

    job: JOB
    machine: Count
    slot: Count
    amount: AMOUNT
    part: Count = 0


@dataclass(frozen=True)
class View:
    """A policy's view in a slot.

    An amount or a capacity is a number, or with several resources a tuple with one number for each.

    Attributes
    ----------
    slot, horizon : int
        The current slot, and the number of slots.
    jobs : tuple of entities
        The jobs that have arrived, in file order, with the fields of the instance file.
    places : sequence of entities or int
        The places, as in the instance; their positions if the instance states only their number.
    capacity : tuple of numbers or tuples
        Each place's capacity in a slot.
    given : dict from int to tuple of Fractions or tuples
        Job's position -> total amounts so far, one entry for each place.
    speed : Fraction
        The speed of the places; a job receives its amount times the speed.
    used : dict from (slot, place's position) to sequence of Fractions
        The use of each resource by the jobs that are planned so far; empty for a policy that decides in each slot.
    """

    slot: int
    horizon: int
    jobs: tuple[Any, ...]
    places: Sequence[Any]
    capacity: tuple[Any, ...]
    given: Mapping[int, tuple[Any, ...]]
    speed: Fraction = Fraction(1)
    used: Mapping[tuple[int, int], Sequence[Fraction]] = field(default_factory=dict, repr=False)

    def free(self, slot: int) -> tuple[Any, ...]:
        """Return each place's capacity in a slot minus the planned jobs' use."""
        given = [amounts(each) for each in self.capacity]
        used = [self.used.get((slot, n), (0,) * len(each)) for n, each in enumerate(given)]
        return tuple(_as_one([c - u for c, u in zip(*pair, strict=True)]) for pair in zip(given, used, strict=True))


@dataclass(frozen=True, repr=False)
class Shares(Stock):
    """Amounts of jobs on places in each slot; the family defines the objective.

    The instance has a ``horizon`` (the number of slots), jobs, places, and capacities. ``sp.family(..., sp.Shares,
    jobs="jobs", places="servers")`` names the fields; a subclass can set ``jobs`` and ``places`` instead. The places
    are a number or a list of entities. A place's ``capacity`` is a field of the place, or else of the instance: a
    number, or a tuple with one number for each resource. A job with an ``arrival`` has no amount before that slot.

    A policy is a function of a `View`, or a class with the method ``assign(view)``. In each slot it returns
    ``{(job, n): amount}`` for jobs of ``view.jobs`` and positions n of places. With several resources an amount is a
    tuple. Jobs without an entry receive nothing in the slot. A policy with a second argument plans: it is called with
    each job when the job arrives, and returns the job's amounts in all slots, ``{(slot, n): amount}``; an empty dict
    rejects the job. The view has:

    - ``slot``, ``horizon`` (int): the current slot and the number of slots.
    - ``jobs`` (tuple of entities): the jobs that have arrived.
    - ``places`` (sequence of entities, or of positions), ``capacity`` (tuple with a number or tuple for each place).
    - ``given`` (dict): a job's position -> tuple with its total amount on each place so far.
    - ``speed`` (Fraction): the jobs receive the returned amounts times the speed.
    - ``used`` (dict): (slot, place's position) -> use of each resource by the jobs that a policy has planned.
    - ``free(slot)``: like ``capacity``, minus this use.

    A family overrides ``objective``, and optionally ``capacity``, ``uses`` and ``most``.

    Attributes
    ----------
    shares
        The rows of the schedule, in any order.
    places
        Name of the instance's field with the places.
    parts
        Number of a job's amounts on a place; default: one for each resource.

    Examples
    --------
    Servers have GPUs and memory; jobs share them in equal parts.

    >>> from fractions import Fraction
    >>> import schedproof as sp
    >>> class Server(sp.Entity):
    ...     name: sp.Name
    ...     capacity: tuple[sp.Count, ...]
    >>> class Job(sp.Entity):
    ...     name: sp.Name
    ...     demand: tuple[sp.Count, ...]
    ...     arrival: sp.Count
    >>> class Cluster(sp.Instance):
    ...     "Jobs that need GPUs and memory."
    ...     horizon: sp.Positive
    ...     servers: tuple[Server, ...]
    ...     jobs: tuple[Job, ...]
    >>> class Plan(sp.Shares):
    ...     jobs, places = "jobs", "servers"
    ...     def most(cluster, n, job):
    ...         return job.demand
    ...     def objective(self, cluster):
    ...         return sum(share.amount for share in self.shares)
    >>> RANGES = {"horizon": 4, "servers": 2, "servers[*].capacity": 2, "jobs": 3, "jobs[*].demand": 2}
    >>> CLUSTER = sp.family("equal_parts", Cluster, Plan, sense="maximize", presets={"tiny": RANGES})
    >>> @CLUSTER.policy
    ... def equal(view):
    ...     "Give each job an equal part of each resource of each server, at most its demand."
    ...     def part(job, n):
    ...         return tuple(min(Fraction(c, len(view.jobs)), d) for c, d in zip(view.capacity[n], job.demand))
    ...     return {(job, n): part(job, n) for job in view.jobs for n in range(len(view.places))}
    >>> sp.policy("equal_parts.equal").run(sp.embedded("equal_parts")).feasible
    True
    """

    shares: tuple[Share, ...]

    places: ClassVar[str] = "machines"
    parts: ClassVar[int] = 0

    @classmethod
    def needs(cls) -> dict[str, str]:
        return {cls.places: PLACES, "horizon": "add horizon: sp.Positive, the number of slots"}

    @classmethod
    def capacity(cls, instance: Any, machine: int) -> Any:
        """Return a place's capacity in a slot: a number, or one for each resource."""
        return capacity_of(instance, places(instance)[machine])

    @staticmethod
    def uses(instance: Any, machine: int, job: Any, amounts: tuple[Fraction, ...]) -> Sequence[Any]:
        """Return a job's use of each resource of a place; default: its amounts."""
        return amounts

    @staticmethod
    def most(instance: Any, machine: int, job: Any) -> Any:
        """Return a job's largest amounts on a place in a slot; None for no limit."""
        return None

    @classmethod
    def require(cls, instance: Any) -> None:
        """Refuse capacities and ``uses`` with different numbers of resources."""
        counts = [len(amounts(cls.capacity(instance, i))) for i in range(len(places(instance)))]
        none = (Fraction(0),) * cls.count(instance)
        for i, count in enumerate(counts):
            where = f"{cls.places}[{i}]"
            expect(count == counts[0], f"expected capacities of {counts[0]} resources, as of the first place", where)
            for job in rows(instance)[:1]:
                used = len(cls.uses(instance, i, job, none))
                expect(used == count, f"expected uses of {count} resources, one for each capacity", where, used)

    @classmethod
    def count(cls, instance: Any) -> int:
        """Return the number of a job's amounts on a place."""
        return cls.parts or (len(amounts(cls.capacity(instance, 0))) if len(places(instance)) else 1)

    @classmethod
    def drive(cls, policy: Any, instance: Any, decided_by: DecidedBy, context: Context) -> Shares:
        """Call ``policy.assign`` in every slot, or for every job at its arrival.

        At speed s the jobs get s times these amounts; the checker divides amounts by s before the comparison with
        capacities.
        """
        speed = speed_of(instance, decided_by.options)
        those, jobs, count = places(instance), rows(instance), cls.count(instance)
        capacity = tuple(cls.capacity(instance, i) for i in range(len(those)))
        decide = _Plans(policy, cls, instance).assign if arguments_of(policy) == 2 else policy.assign
        total = {job.index: [[Fraction(0)] * count for _ in those] for job in jobs}
        result = []
        for slot in range(instance.horizon):
            here = tuple(job for job in jobs if getattr(job, "arrival", 0) <= slot)
            given = {j: tuple(map(_as_one, each)) for j, each in total.items()}
            answer = decide(View(slot, instance.horizon, here, those, capacity, given, speed))
            if not isinstance(answer, Mapping):
                raise PolicyError(
                    f"the policy returned {short(answer)} in slot {slot}, expected a dict like {_example(here, count)}"
                )
            for key, amount in answer.items():
                job, i = _key(key, slot, here, those, count)
                for part, one in enumerate(_parts(amount, count, f"{job.name} on place {i} in slot {slot}")):
                    total[job.index][i][part] += one * speed
                    result += [Share(job.index, i, slot, one * speed, part)] * bool(one)
            context.progress(f"slot {slot}", (slot + 1) / instance.horizon)
        return cls.by(decided_by, instance, tuple(result))

    def placed(self) -> dict[tuple[int, int, int], list[Fraction]]:
        """Return amounts by (job, slot, place), one number for each part."""
        count = self.parts or 1 + max((share.part for share in self.shares), default=0)
        result: dict[tuple[int, int, int], list[Fraction]] = {}
        for job, place, slot, amount, part in self.shares:
            result.setdefault((job, slot, place), [Fraction(0)] * count)[part] += amount
        return result

    def totals(self) -> dict[tuple[int, int], list[Fraction]]:
        """Return amounts by (job, slot), summed over the places."""
        result: dict[tuple[int, int], list[Fraction]] = {}
        for (job, slot, _), each in self.placed().items():
            before = result.get((job, slot), [Fraction(0)] * len(each))
            result[job, slot] = [a + b for a, b in zip(before, each, strict=True)]
        return result

    def ends(self) -> dict[int, int]:
        """Return the last slot of each job with an amount."""
        result: dict[int, int] = {}
        for share in self.shares:
            result[share.job] = max(share.slot, result.get(share.job, 0))
        return result

    @classmethod
    def augmentation(cls) -> tuple[Option, ...]:
        """Return the option ``speed``."""
        return (SPEED,)

    def check(self, instance: Any, *, speed: Fraction = Fraction(1)) -> list[Violation]:
        """Return every broken constraint at a speed."""
        return checkers.shares(self, instance, speed)

    def occupied(self, instance: Any) -> Iterator[Occupied]:
        """Yield each share in its slot."""
        for job, machine, slot, amount, part in self.shares:
            yield Occupied(job, machine, f"part {part}" if part else "share", slot, slot + 1, amount)

    def frame_of(self, instance: Any) -> Any:
        """Return one row per share (pandas)."""
        import pandas as pd

        names, machines = [job.name for job in rows(instance)], machine_names(instance)
        held = [(names[s.job], machines[s.machine], s.slot, float(s.amount), s.part) for s in self.shares]
        return pd.DataFrame(held, columns=[instance.extent[1], "machine", "slot", "amount", "part"])

    def draw(self, instance: Any, ax: Any = None) -> Any:
        """Draw a Gantt chart with the amounts in its bars."""
        return draw_gantt(self.occupied(instance), [job.name for job in rows(instance)], machine_names(instance), ax=ax)


class _Plans:
    """A policy that returns a job's amounts in all slots when the job arrives."""

    def __init__(self, policy: Any, kind: type[Shares], instance: Any) -> None:
        self._policy, self._kind, self._instance = policy, kind, instance
        self._seen: set[int] = set()
        self._plans: dict[int, dict[tuple[Any, int], Any]] = {}
        self._used: dict[tuple[int, int], Sequence[Fraction]] = {}

    def assign(self, view: View) -> Mapping[tuple[Any, int], Any]:
        """Plan the new jobs, and return the amounts of all planned jobs in the slot."""
        for job in view.jobs:
            if job.index not in self._seen:
                self._seen.add(job.index)
                self._add(job, view, self._policy.assign(replace(view, used=self._used), job))
        return self._plans.get(view.slot, {})

    def _add(self, job: Any, view: View, answer: Any) -> None:
        count = self._kind.count(self._instance)
        example = f"{{({view.slot}, 0): {'1' if count == 1 else (1,) * count}}}"
        if not isinstance(answer, Mapping):
            raise PolicyError(f"the policy planned {short(answer)} for {job.name}, expected a dict like {example}")
        for key, amount in answer.items():
            slot, n = key if isinstance(key, tuple) and len(key) == 2 else (key, None)
            if type(slot) is not int or type(n) is not int:
                slot = n = -1
            if not (view.slot <= slot < view.horizon and 0 <= n < len(view.places)):
                raise PolicyError(
                    f"the policy used the key {short(key)} in the plan for {job.name}, expected a slot from "
                    f"{view.slot} to {view.horizon - 1} and the position of a place from 0 to {len(view.places) - 1}, "
                    f"as in {example}"
                )
            parts = _parts(amount, count, f"{job.name} on place {n} in slot {slot}")
            uses = [as_fraction(use) for use in self._kind.uses(self._instance, n, job, tuple(parts))]
            before = self._used.get((slot, n), (Fraction(0),) * len(uses))
            self._used[slot, n] = [a + b for a, b in zip(before, uses, strict=True)]
            self._plans.setdefault(slot, {})[job, n] = amount


def _as_one(amounts: Sequence[Fraction]) -> Any:
    return amounts[0] if len(amounts) == 1 else tuple(amounts)


def _example(here: Sequence[Any], count: int) -> str:
    job = f"view.jobs[0], 0): {'1' if count == 1 else (1,) * count}"
    return f"{{({job}}}" + (f", where view.jobs[0] is {here[0].name}" if here else "")


def _key(key: Any, slot: int, here: Sequence[Any], those: Sequence[Any], count: int) -> tuple[Any, int]:
    """Return the job and the place's position of a policy's key."""
    wrong = f"the policy used the key {short(key)} in slot {slot}"
    job: Any
    place: Any
    job, place = key if isinstance(key, tuple) and len(key) == 2 else (key, None)
    place = getattr(place, "index", place)
    if not isinstance(job, Entity) or type(place) is not int or not 0 <= place < len(those):
        what = f"expected a job and the position of a place from 0 to {len(those) - 1}, as in {_example(here, count)}"
        raise PolicyError(f"{wrong}, {what}")
    if job not in here:
        raise PolicyError(f"{wrong}, but this job has not arrived: expected a job of view.jobs")
    return job, place


def _parts(amount: Any, count: int, where: str) -> list[Fraction]:
    """Return a policy's amount as nonnegative rationals, one for each part."""
    given = amounts(amount)
    numbers = [_rational(one) for one in given]
    if len(given) != count or any(one is None or one < 0 for one in numbers):
        what = "a number" if count == 1 else f"a tuple of {count} numbers, one for each part,"
        raise PolicyError(f"the policy gave {short(amount)} to {where}, expected {what} >= 0")
    return [one for one in numbers if one is not None]


def _rational(value: Any) -> Fraction | None:
    try:
        return as_fraction(value)
    except (TypeError, ValueError, OverflowError, ZeroDivisionError):  # for example NaN
        return None
