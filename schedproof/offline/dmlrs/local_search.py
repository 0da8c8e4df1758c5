"""The best schedule that a local search finds, all jobs known: nobody decides online.

The search ruins and recreates (Schrimpf et al. 2000): some jobs that arrive about the same time give up what they hold,
and with others that hold nothing they are planned anew in an order drawn, each done as soon as what is left allows
(`kernels`); now and then one begins later, or has fewer workers at a time. What earns more is kept, what earns ``x``
less with the chance exp(-x/T); T falls from a third of a job's mean utility to a hundredth of that. Utilities are added
up in rationals.
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
COOLS = 100.0  # the first temperature over the last
NEAR = 20  # jobs before one, and after it, in order of arrival, that are planned anew with it
FEWEST, MOST = 2, 10  # of these, so many at a time
VARIES = 0.1  # of the plans, those that begin later, and those with fewer workers
UNITS = 2**30  # of progress in an external worker-slot, at most
LARGEST = 2**60  # progress


class Plan(NamedTuple):
    """What a job holds, as rows of slot, machine, workers and parameter servers, (n, 4), and what that earns."""

    rows: np.ndarray
    utility: Fraction


Plans = dict[int, Plan]  # by the job's file position


class LocalSearch:
    def __init__(self, *, rounds: int = 200, start: Path | None = None, context: Context = USUAL) -> None:
        self._rounds, self._start, self._context = rounds, start, context

    def assign(self, instance: Instance) -> list[Placement]:
        """All placements.

        Raises
        ------
        Interrupted
            When the user has interrupted it, with those of the best schedule so far.
        """
        start = None if self._start is None else read_start(self._start, instance)
        search = Search(instance, start, self._rounds, self._context.seed)
        return answer_of(lambda: search.best_within(self._context), placements)


class Search(Annealing[Plans]):
    """The plans of all jobs while they are searched; what they cost is less than nothing, by what they earn."""

    PIECE = 1

    def __init__(self, instance: Instance, start: Schedule | None, rounds: int, seed: int) -> None:
        slots, machines, resources = instance.horizon, *instance.grid.capacity.shape
        needs = 8.0 * slots * machines * (resources + 4)
        memory.require_bytes("what is free, by slot and machine, would take", needs, "take fewer slots")
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
        """The plans of all jobs that have one."""
        return dict(self._present)

    def anneal(self, count: int, part: float) -> Fraction:
        """Make so many steps."""
        return sum((self._anew(self._hot * COOLS**-part) for _ in range(count)), Fraction(0))

    def _anew(self, temperature: float) -> Fraction:
        """Plan some jobs anew, unless they earn too much less; by how much what all cost changes."""
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
        """What a job would hold, done as soon as it can; None where it cannot be done while it earns something."""
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
    """The plans of the jobs that a schedule completes."""
    rows: dict[int, list[tuple[int, ...]]] = {j: [] for j in schedule.completions(instance)}
    for p in schedule.placements:
        if p.job in rows:
            rows[p.job].append((p.slot, p.machine, p.workers, p.ps))
    return {j: plan_of(instance.jobs[j], np.array(some, dtype=np.int64)) for j, some in rows.items()}


def plan_of(job: Job, rows: np.ndarray) -> Plan:
    """A job's rows, with what they earn."""
    return Plan(rows, job.utility.lower(int(rows[rows[:, 2] > 0, 0].max()) + 1 - job.arrival))


def demand(instance: Instance, job: Job) -> Demand:
    """What a job needs, in whole units; progress is exact where rho has a denominator of at most 2^30."""
    ratio = rate_ratio(job)
    units = min(ratio.denominator, UNITS)
    work = min(LARGEST, ceil(units * job.work * job.external_time))
    gains = np.array([min(work, floor(units * ratio)), units], dtype=np.int64)
    needed = np.array([job.ps_needed(n) for n in range(job.batch_size + 1)], dtype=np.int64)
    return Demand(instance.grid.worker(job), instance.grid.ps(job), needed, gains, work)


def placements(plans: Plans) -> list[Placement]:
    """The rows of all jobs."""
    rows: Iterable[tuple[int, ...]] = ((j, *row) for j, held in plans.items() for row in held.rows.tolist())
    return [Placement(*row) for row in rows]


def _last(job: Job, horizon: int) -> int:
    """The slot before which a job must be done to earn anything."""
    times = range(1, horizon - job.arrival + 1)
    return job.arrival + bisect(times, False, key=lambda time: not job.utility.lower(time))
