"""Every schedule of a job that is worth having (what is needed of the set Pi_i of R-DMLRS), for tiny instances.

A schedule says what is placed where in each slot; it finishes the job, and by itself it fits what is free. It is worth
having when no other one completes as early and uses no more of anything, less of something. Both are questions slot by
slot: what is placed in a slot must be unbeaten there (nothing that uses no more trains as much), and must not be
replaceable by something that uses less while the job still finishes. No optimum is lost: finitely many such
replacements lead from any other schedule to one of these.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np

from schedproof.core.data.options import pick
from schedproof.core.errors import InputError, ProgramError, short
from schedproof.instances.dmlrs import Instance, Job, Placement

MOST_STEPS = 300_000  # placements and partial schedules looked at for one job

Row = tuple[int, int, int]  # machine, workers, parameter servers


@dataclass(frozen=True, slots=True)
class Plan:
    """A schedule of one job.

    Attributes
    ----------
    completion
        Its last slot + 1.
    """

    job: Job
    completion: int
    placements: tuple[Placement, ...]

    @property
    def utility(self) -> Fraction:
        """What it earns; where a utility is irrational, its enclosure's lower end."""
        return self.job.utility.lower(self.completion - self.job.arrival)

    def usage(self) -> Mapping[tuple[int, int, str], Fraction]:
        """(slot, machine index, resource) -> the amount that it uses there, where that is not 0 (8)."""
        used: dict[tuple[int, int, str], Fraction] = {}
        for p in self.placements:
            for demand, count in ((self.job.worker, p.workers), (self.job.ps, p.ps)):
                for resource, amount in demand.items():
                    if amount * count:
                        key = (p.slot, p.machine, resource)
                        used[key] = used.get(key, Fraction(0)) + amount * count
        return used

    def replaces(self, other: Plan) -> bool:
        """Whether it ends no later than another one of its job and uses no more of anything."""
        used = other.usage()
        return self.completion <= other.completion and all(x <= used.get(at, 0) for at, x in self.usage().items())


Schedules = str | Sequence[Plan]  # ``listed``: all that are worth having


@dataclass(frozen=True, slots=True)
class Choice:
    """What may be placed in one slot.

    Attributes
    ----------
    trained
        The samples that it trains, in units of `_Rates`.
    less
        The most that anything trains which uses less; negative where nothing uses less.
    """

    rows: tuple[Row, ...]
    trained: int
    less: int


@dataclass(frozen=True, slots=True)
class _Rates:
    """Samples in a unit in which one worker trains a whole number of them at either rate."""

    internal: int
    external: int
    work: int


def _rates(job: Job) -> _Rates:
    unit = lcm(job.internal_time.numerator, job.external_time.numerator)
    return _Rates(int(unit / job.internal_time), int(unit / job.external_time), unit * job.work)


def by_job(instance: Instance, schedules: Schedules) -> list[list[Plan]]:
    """For each job what it may choose from: the schedules given, or all that are worth having."""
    if isinstance(schedules, str):
        return [plans(instance, job) for job in instance.jobs]
    return [[plan for plan in schedules if plan.job == job] for job in instance.jobs]


def parse_schedules(schedules: Schedules) -> Schedules:
    """The option ``schedules``, refused where it is a word that says nothing."""
    if isinstance(schedules, list | tuple) and all(isinstance(plan, Plan) for plan in schedules):
        return tuple(schedules)
    if not isinstance(schedules, str):
        raise InputError(f"schedules={short(schedules)}: expected listed, or a list of plans")
    return str(pick("set of schedules", schedules, {"listed": "listed"}))


class _Budget:
    """Counts what is looked at for one job."""

    def __init__(self, job: Job) -> None:
        self.job, self.left = job, MOST_STEPS

    def spend(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise ProgramError(
                f"listing every schedule is for tiny instances: '{self.job.name}' has more than {MOST_STEPS} to look at"
            )


def plans(instance: Instance, job: Job) -> list[Plan]:
    """The job's schedules that are worth having, by completion.

    Raises
    ------
    ProgramError
        When the instance is not tiny.
    """
    budget, rates = _Budget(job), _rates(job)
    known: dict[bytes, list[Choice]] = {}
    choices = []
    for t in range(job.arrival, instance.horizon):
        free = instance.grid.at(t)
        if free.tobytes() not in known:
            known[free.tobytes()] = _unbeaten(instance, job, free, rates, budget)
        choices.append(known[free.tobytes()])
    result = [
        Plan(
            job, job.arrival + n, tuple(Placement(job.index, job.arrival + k, *row) for k, c in taken for row in c.rows)
        )
        for n, taken in _combinations(choices, rates, budget)
    ]
    return sorted(result, key=lambda plan: (plan.completion, plan.placements))


def _combinations(
    choices: list[list[Choice]], rates: _Rates, budget: _Budget
) -> Iterator[tuple[int, list[tuple[int, Choice]]]]:
    """(slots from arrival to completion, choices with their slot after arrival) of each schedule worth having."""
    best = [max((c.trained for c in row), default=0) for row in choices]
    reach = [sum(best[n:]) for n in range(len(best) + 1)]
    taken: list[tuple[int, Choice]] = []

    def extend(n: int, trained: int) -> Iterator[tuple[int, list[tuple[int, Choice]]]]:
        budget.spend()
        if trained >= rates.work:
            if all(c.less < 0 or trained - c.trained + c.less < rates.work for _, c in taken):
                yield n, list(taken)
            return
        if trained + reach[n] < rates.work:
            return
        yield from extend(n + 1, trained)
        for choice in choices[n]:
            taken.append((n, choice))
            yield from extend(n + 1, trained + choice.trained)
            taken.pop()

    return extend(0, 0)


def _unbeaten(instance: Instance, job: Job, free: np.ndarray, rates: _Rates, budget: _Budget) -> list[Choice]:
    """What fits a slot and is beaten by nothing that uses no more: at most one choice for each usage."""
    worker, ps = instance.grid.worker(job), instance.grid.ps(job)
    best: dict[tuple[int, ...], tuple[int, tuple[Row, ...]]] = {(0,) * free.size: (0, ())}
    for n in range(1, job.batch_size + 1):
        for rows in _spread(free, worker, ps, n, job.ps_needed(n), 0, budget):
            used = np.zeros_like(free)
            for h, w, s in rows:
                used[h] = w * worker + s * ps
            trained = n * (rates.internal if len(rows) == 1 else rates.external)
            key = tuple(used.ravel().tolist())
            if key not in best or trained > best[key][0]:
                best[key] = trained, rows
    usage = np.array(list(best), dtype=np.int64)
    values = [value for value, _ in best.values()]
    choices = []
    for n, (value, rows) in enumerate(best.values()):
        smaller = (usage <= usage[n]).all(axis=1)
        smaller[n] = False
        less = max((values[k] for k in np.flatnonzero(smaller)), default=-1)
        if rows and less < value:
            choices.append(Choice(rows, value, less))
    return choices


def _spread(
    free: np.ndarray, worker: np.ndarray, ps: np.ndarray, workers: int, servers: int, first: int, budget: _Budget
) -> Iterator[tuple[Row, ...]]:
    """Every way of putting so many workers and parameter servers on the machines from ``first`` on."""
    budget.spend()
    if not workers and not servers:
        yield ()
        return
    if first == len(free):
        return
    for w in range(workers + 1):
        for s in range(servers + 1):
            if (w * worker + s * ps > free[first]).any():
                break
            here = ((first, w, s),) if w or s else ()
            for rest in _spread(free, worker, ps, workers - w, servers - s, first + 1, budget):
                yield (*here, *rest)
