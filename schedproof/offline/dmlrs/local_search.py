"""Local search for offline schedules: ruin and recreate (Schrimpf et al. 2000).

A step removes the plans of some jobs that arrive at about the same time. These and other unplanned jobs are planned
in random order, each to complete as early as possible (`kernels`). Some plans begin later, or have fewer workers at
a time. A better result is accepted; a result with ``x`` less utility is accepted with probability exp(-x/T). T falls
from a third of a job's mean utility to a hundredth of the initial T. Utilities are added in rationals.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable
from fractions import Fraction
from math import exp, floor
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np

from schedproof.core.base.numbers import ceil
from schedproof.core.runtime import memory
from schedproof.core.runtime.context import USUAL, Context
from schedproof.core.runtime.deadline import answer_of
from schedproof.instances.dmlrs import Instance, Job, Placement, Schedule
from schedproof.offline.annealing import GOES_ON, Annealing, read_start
from schedproof.offline.dmlrs.kernels import Demand, hold, plan
from schedproof.relaxations.dmlrs.progress import rate_ratio

HOT = 0.3  # the first temperature, in mean utilities of a job
COOLS = 100.0  # ratio of the first to the last temperature
NEAR = 20  # jobs before and after a job, by arrival, that may be planned with it
FEWEST, MOST = 2, 10  # numbers of jobs planned in a step
VARIES = 0.1  # share of plans that begin later, and share of plans with fewer workers
UNITS = 2**30  # largest number of progress units in an external worker-slot
LARGEST = 2**60  # progress


class Plan(NamedTuple):
    """A job's rows of slot, machine, workers and servers, (n, 4), and their utility."""

    rows: np.ndarray
    utility: Fraction


Plans = dict[int, Plan]  # by the job's file position


class LocalSearch:
    def __init__(self, *, rounds: int = 200, start: Path | None = None, context: Context = USUAL) -> None:
        self._rounds, self._start, self._context = rounds, start, context

    def assign(self, instance: Instance) -> list[Placement]:
        """Return all placements.

        Raises
        ------
        Interrupted
            On the user's interrupt, with the placements of the best schedule so far.
        """
        start = None if self._start is None else read_start(self._start, instance)
        search = Search(instance, start, self._rounds, self._context.seed)
        return answer_of(lambda: search.best_within(self._context), placements)


class Search(Annealing[Plans]):
    """The plans of all jobs during the search; the cost is minus the utility."""

    PIECE = 1

    def __init__(self, instance: Instance, start: Schedule | None, rounds: int, seed: int) -> None:
        slots, machines, resources = instance.horizon, *instance.grid.capacity.shape
        needs = 8.0 * slots * machines * (resources + 4)
        memory.require_bytes("the table of free amounts by slot and machine would take", needs, "take fewer slots")
        self._jobs, self._random = instance.jobs, Random(seed)
        self._free = np.stack([instance.grid.at(t) for t in range(slots)])
        self._space = np.empty_like(self._free[0]), np.empty((machines, 2), dtype=np.int64)
        self._rows = np.empty((slots * machines, 4), dtype=np.int64)
        never = {job.index for job in instance.unservable_jobs}
        self._last = {job.index: _last(job, slots) for job in instance.jobs if job.index not in never}
        can = [self._jobs[j] for j, last in self._last.items() if last > self._jobs[j].arrival]
        self._order = [job.index for job in sorted(can, key=lambda job: job.arrival)]
        begins = {} if start is None else plans_of(start, instance)
        self._demand = {j: demand(instance, self._jobs[j]) for j in {*self._order, *begins}}
        self._present = Plans()
        for j, held in begins.items():
            self._put(j, held)
        highest = float(sum(job.utility.lower(1) for job in can))
        self._hot = HOT * highest / max(1, len(can)) / (1 if start is None else GOES_ON)
        super().__init__(rounds * len(can), -sum((held.utility for held in begins.values()), Fraction(0)))

    def __str__(self) -> str:
        return f"total utility {-float(self._least):.6g}"

    def present(self) -> Plans:
        return dict(self._present)

    def anneal(self, count: int, part: float) -> Fraction:
        return sum((self._anew(self._hot * COOLS**-part) for _ in range(count)), Fraction(0))

    def _anew(self, temperature: float) -> Fraction:
        """Plan some jobs again; undo a rejected step; return the cost change."""
        at = self._random.randrange(len(self._order))
        near = self._order[max(0, at - NEAR) : at + NEAR + 1]
        some = self._random.sample(near, min(len(near), self._random.randint(FEWEST, MOST)))
        old = {j: self._out(j) for j in some if j in self._present}
        new = {}
        for j in some:
            if held := self._plan(j):
                new[j] = held
                self._put(j, held)
        less = sum((held.utility for held in old.values()), Fraction(0)) - sum(held.utility for held in new.values())
        if less > 0 and self._random.random() >= exp(-float(less) / temperature):
            for j in new:
                self._out(j)
            for j, held in old.items():
                self._put(j, held)
            return Fraction(0)
        return less

    def _plan(self, j: int) -> Plan | None:
        job, draw = self._jobs[j], self._random
        first, last = job.arrival, self._last[j]
        if draw.random() < VARIES:
            first = draw.randrange(first, last)
        most = draw.randint(1, job.batch_size) if draw.random() < VARIES else job.batch_size
        count = plan(self._free, self._demand[j], first, last, most, *self._space, self._rows)
        return plan_of(job, self._rows[:count].copy()) if count else None

    def _put(self, j: int, held: Plan) -> None:
        hold(self._free, self._demand[j], held.rows, 1)
        self._present[j] = held

    def _out(self, j: int) -> Plan:
        held = self._present.pop(j)
        hold(self._free, self._demand[j], held.rows, -1)
        return held


def plans_of(schedule: Schedule, instance: Instance) -> Plans:
    rows: dict[int, list[tuple[int, ...]]] = {j: [] for j in schedule.completions(instance)}
    for p in schedule.placements:
        if p.job in rows:
            rows[p.job].append((p.slot, p.machine, p.workers, p.ps))
    return {j: plan_of(instance.jobs[j], np.array(some, dtype=np.int64)) for j, some in rows.items()}


def plan_of(job: Job, rows: np.ndarray) -> Plan:
    return Plan(rows, job.utility.lower(int(rows[rows[:, 2] > 0, 0].max()) + 1 - job.arrival))


def demand(instance: Instance, job: Job) -> Demand:
    """Return a job's demand in integers, exact for c_e/c_i of denominator <= 2^30."""
    ratio = rate_ratio(job)
    units = min(ratio.denominator, UNITS)
    work = min(LARGEST, ceil(units * job.work * job.external_time))
    gains = np.array([min(work, floor(units * ratio)), units], dtype=np.int64)
    needed = np.array([job.ps_needed(n) for n in range(job.batch_size + 1)], dtype=np.int64)
    return Demand(instance.grid.worker(job), instance.grid.ps(job), needed, gains, work)


def placements(plans: Plans) -> list[Placement]:
    """Return the rows of all jobs."""
    rows: Iterable[tuple[int, ...]] = ((j, *row) for j, held in plans.items() for row in held.rows.tolist())
    return [Placement(*row) for row in rows]


def _last(job: Job, horizon: int) -> int:
    times = range(1, horizon - job.arrival + 1)
    return job.arrival + bisect(times, False, key=lambda time: not job.utility.lower(time))
