"""Dorm: worker numbers of best utilisation with limits on fairness and overhead.

In addition to the rules of `slot_by_slot` and the program `dmlrs.dorm` (`formulations.dmlrs.dorm`):

========================================  ==============================================================================
section 5 says                            implemented
========================================  ==============================================================================
"the numbers of workers (parameter        the program is solved in each slot in which the set of jobs or the free
servers) are computed and placed by an    capacity changed; otherwise all jobs keep their workers. No job gets more than
MILP"                                     F workers, or more than finish it in a slot on any machines, unless it already
                                          has them
"fairness and adjustment overhead         ``theta1`` and ``theta2``; a new job does not count as adjusted, and may get
constraints"                              no workers; then the job waits
placement of the workers                  the program's numbers are totals over all machines. A job with an unchanged
                                          number keeps its places. The other jobs are placed in file order, first fit,
                                          a parameter server before the worker that needs it. Workers that fit on no
                                          machine are omitted: a job may get fewer than the program's number
reserved amounts that grow                in file order, a job whose places no longer fit loses them and counts as new
a job whose workers and parameter         the job gets as many as it can use; the program omits it
servers need no resource
no feasible numbers, or none within       all jobs keep their workers, and new jobs wait; ``kept`` counts these slots.
``time_limit`` seconds                    With a time limit, results may differ between machines
========================================  ==============================================================================
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from schedproof.core.errors import NoSolution
from schedproof.core.runtime.context import USUAL, Context
from schedproof.core.simulation.policy import Hidden
from schedproof.formulations.dmlrs.dorm import dorm
from schedproof.instances.dmlrs import Instance
from schedproof.online.dmlrs.filling import Filling
from schedproof.online.dmlrs.slot_by_slot import Rows, SlotBySlot


class Dorm(SlotBySlot):
    def __init__(
        self, *, theta1: Fraction = Fraction(1, 10), theta2: Fraction = Fraction(1, 10), context: Context = USUAL
    ) -> None:
        self.program, self.time_limit = dorm(theta1=theta1, theta2=theta2), context.with_default_limit(30).time_limit

    def start(self, system: Hidden) -> None:
        super().start(system)
        self._cluster: Instance = system.cluster
        self._rows: dict[int, Rows] = {}
        self._seen: object = None  # the input of the last solved program
        self.solved = self.kept = 0  # slots in which the program was solved, and those without a solution

    def allocate(self, slot: int) -> dict[int, Rows]:
        seen = (set(self.present), self.grid.at(slot).tobytes())
        if seen != self._seen:
            self._seen = seen
            self._rows = self._replan(slot)
        return dict(self._rows)

    def _replan(self, slot: int) -> dict[int, Rows]:
        machines = Filling(self.grid.at(slot))
        for j in sorted(self._rows.keys() & self.present.keys()):
            machines.keep(self.present[j], self._rows[j])
        held = {j: sum(workers for _, workers, _ in machines.placement(j)) for j in machines.rows}
        wanted = self._numbers(slot, held)
        adjusted = [j for j in sorted(wanted) if wanted[j] != held.get(j, 0)]
        for j in adjusted:
            machines.remove(self.present[j])
        for j in adjusted:
            machines.several(self.present[j], wanted[j])
        return {j: machines.placement(j) for j in machines.rows}

    def _numbers(self, slot: int, held: dict[int, int]) -> dict[int, int]:
        free = {j: t.enough for j, t in self.present.items() if not np.any(t.worker) and not np.any(t.ps)}
        jobs = {j: training for j, training in self.present.items() if j not in free}
        if not jobs:
            return free
        name = {j: training.job.name for j, training in jobs.items()}
        cluster, job_list = self._cluster, tuple(jobs[j].job for j in sorted(jobs))
        instance = Instance(cluster.horizon, cluster.resources, cluster.machines, job_list, cluster.reserved)
        moment = self.program.where(
            slot=slot,
            held={name[j]: workers for j, workers in held.items() if j in jobs},
            most={name[j]: training.enough for j, training in jobs.items()},
        )
        solution = moment.solve(instance, time_limit=self.time_limit)
        self.solved += 1
        if solution.ended in ("infeasible", "time_limit"):
            self.kept += 1
            return free
        if solution.objective is None:
            raise NoSolution(
                f"{self.program.id}: the solver ended in slot {slot} with '{solution.ended}' {solution.message}"
            )
        workers = solution.values["allocation.workers"]
        return free | {j: round(workers.get(name[j], 0)) for j in jobs}
