"""The undominated schedules of a job, for tiny instances.

R-DMLRS needs no other schedules of its set Pi_i. A schedule places workers and parameter servers in each slot, finishes
the job and fits the free capacity by itself. A schedule is undominated if no other schedule completes as early and uses
no more of any resource and less of some resource. In each slot no other placement may train as much with no more
resources, and no placement that uses less may suffice to finish the job. No optimum is lost: finitely many such
replacements lead from any other schedule to an undominated one.
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

MOST_STEPS = 300_000  # limit of placements and partial schedules examined for one job

Row = tuple[int, int, int]  # machine, workers, parameter servers


@dataclass(frozen=True, slots=True)
class Plan:
    """A schedule of one job; ``completion`` is its last slot + 1."""

    job: Job
    completion: int
    placements: tuple[Placement, ...]

    @property
    def utility(self) -> Fraction:
        """The plan's utility; an irrational utility is rounded down."""
        return self.job.utility.lower(self.completion - self.job.arrival)

    def usage(self) -> Mapping[tuple[int, int, str], Fraction]:
        """The positive amounts of (8) in use, by slot, machine index and resource."""
        used: dict[tuple[int, int, str], Fraction] = {}
        for p in self.placements:
            for demand, count in ((self.job.worker, p.workers), (self.job.ps, p.ps)):
                for resource, amount in demand.items():
                    if more := amount * count:
                        key = (p.slot, p.machine, resource)
                        used[key] = used[key] + more if key in used else more
        return used

    def replaces(self, other: Plan) -> bool:
        """Return whether another plan ends no earlier and uses no less of any resource."""
        if self.completion > other.completion:
            return False
        used = other.usage()
        return all(x <= used.get(at, 0) for at, x in self.usage().items())


Schedules = str | Sequence[Plan]  # ``listed``: all undominated ones


@dataclass(frozen=True, slots=True)
class Choice:
    """A possible placement of one slot.

    Attributes
    ----------
    trained
        The samples that it trains, in units of `_Rates`.
    less
        The most samples of any placement that uses less; negative if no placement uses less.
    """

    rows: tuple[Row, ...]
    trained: int
    less: int


@dataclass(frozen=True, slots=True)
class _Rates:
    """Samples in a unit that makes both rates of one worker whole numbers."""

    internal: int
    external: int
    work: int


def _rates(job: Job) -> _Rates:
    unit = lcm(job.internal_time.numerator, job.external_time.numerator)
    return _Rates(int(unit / job.internal_time), int(unit / job.external_time), unit * job.work)


def by_job(instance: Instance, schedules: Schedules) -> list[list[Plan]]:
    """List each job's possible schedules: the given ones, or all undominated ones."""
    if isinstance(schedules, str):
        return [plans(instance, job) for job in instance.jobs]
    return [[plan for plan in schedules if plan.job == job] for job in instance.jobs]


def parse_schedules(schedules: Schedules) -> Schedules:
    """Return the option ``schedules``; raise on an unknown word."""
    if isinstance(schedules, list | tuple) and all(isinstance(plan, Plan) for plan in schedules):
        return tuple(schedules)
    if not isinstance(schedules, str):
        raise InputError(f"schedules={short(schedules)}: expected 'listed' or a list of plans")
    return str(pick("set of schedules", schedules, {"listed": "listed"}))


class _Budget:
    def __init__(self, job: Job) -> None:
        self.job, self.left = job, MOST_STEPS

    def spend(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise ProgramError(
                f"job '{self.job.name}' has more than {MOST_STEPS} candidates: "
                "listing every schedule is for tiny instances"
            )


def plans(instance: Instance, job: Job) -> list[Plan]:
    """List the job's undominated schedules, by completion.

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
