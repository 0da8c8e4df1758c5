"""The best choice of one schedule per job by enumeration, exact.

A job's schedules are rows of their resource use, in the units of the grid. The depth-first search over jobs prunes a
branch if the best remaining schedule of each job, ignoring conflicts, cannot improve the incumbent.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from schedproof.core.errors import ProgramError
from schedproof.core.runtime.context import USUAL, Context
from schedproof.core.solvers.status import Outcome
from schedproof.formulations.dmlrs.schedules import Plan, Schedules, by_job
from schedproof.instances.dmlrs import Instance, Schedule

MOST_STATES = 200_000


def by_packing(
    instance: Instance, *, context: Context = USUAL, transformation: str = "hull", schedules: Schedules = "listed"
) -> Outcome:
    """Return the optimum of R-DMLRS and DMLRS; ``transformation`` has no effect.

    Raises
    ------
    ProgramError
        If the instance is not tiny.
    """
    search = _Search(instance, by_job(instance, schedules))
    search.extend(0, Fraction(0), search.free, [np.arange(len(rows)) for rows in search.plans], [])
    rows = (row for plan in search.chosen for row in plan.placements)
    value = float(search.best)
    return Outcome("optimal", value, value, exact=search.best, schedule=Schedule.of(rows, instance, "packing"))


class _Search:
    def __init__(self, instance: Instance, choices: list[list[Plan]]) -> None:
        grid = instance.grid
        self.free = np.stack([grid.at(t) for t in range(instance.horizon)])  # slot, machine, resource
        self.plans: list[list[Plan]] = []
        self.usage: list[np.ndarray] = []
        for job, mine in zip(instance.jobs, choices, strict=True):
            kept = sorted((plan for plan in mine if plan.utility > 0), key=lambda plan: -plan.utility)
            used = np.zeros((len(kept), *self.free.shape), dtype=np.int64)
            worker, ps = grid.worker(job), grid.ps(job)
            for n, plan in enumerate(kept):
                for p in plan.placements:
                    used[n, p.slot, p.machine] += p.workers * worker + p.ps * ps
            self.plans.append(kept)
            self.usage.append(used)
        self.best, self.chosen, self.left = Fraction(0), [], MOST_STATES  # type: Fraction, list[Plan], int

    def extend(self, j: int, value: Fraction, free: np.ndarray, fitting: list[np.ndarray], chosen: list[Plan]) -> None:
        """Enumerate the jobs from ``j`` on; ``fitting`` are the schedules that still fit."""
        self.left -= 1
        if self.left < 0:
            raise ProgramError(f"the instance has more than {MOST_STATES} states: enumeration is for tiny instances")
        if value > self.best:
            self.best, self.chosen = value, list(chosen)
        promise = value + sum((self.plans[i][fitting[i][0]].utility for i in self._later(j, fitting)), Fraction(0))
        if j == len(self.plans) or promise <= self.best:
            return
        later = promise - value - (self.plans[j][fitting[j][0]].utility if fitting[j].size else 0)
        for n in fitting[j]:
            plan, rest = self.plans[j][n], free - self.usage[j][n]
            if value + plan.utility + later <= self.best:
                break  # no later schedule earns more
            still = [k[(self.usage[i][k] <= rest).all(axis=(1, 2, 3))] if i > j else k for i, k in enumerate(fitting)]
            self.extend(j + 1, value + plan.utility, rest, still, [*chosen, plan])
        self.extend(j + 1, value, free, fitting, chosen)

    def _later(self, j: int, fitting: list[np.ndarray]) -> list[int]:
        return [i for i in range(j, len(fitting)) if fitting[i].size]
