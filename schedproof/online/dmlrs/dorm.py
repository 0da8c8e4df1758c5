"""Dorm: numbers of workers that use the cluster best, within a bound on unfairness and on adjustments.

Beside the rules of `slot_by_slot` and the program `dmlrs.dorm` (`formulations.dmlrs.dorm`):

========================================  ==============================================================================
section 5 says                            done here
========================================  ==============================================================================
"the numbers of workers (parameter        the program is solved in each slot whose jobs (one arrived, completed or was
servers) are computed and placed by an    let go) or free capacity differ from the last one's; otherwise everyone keeps
MILP"                                     what it holds. No job gets more than F, nor more than finish it in one slot
                                          wherever they are, unless it holds them
"fairness and adjustment overhead         ``theta1`` and ``theta2``; a new job does not count as adjusted, and may get
constraints"                              nothing, which means that it waits
where they are placed                     the program's numbers are for all machines together. A job whose number stays
                                          keeps its places; the others give theirs up and are placed in file order,
                                          first fit, a parameter server before the worker that needs it. What fits on
                                          no machine is left out: a job may get fewer workers than the program says
reserved amounts that grow                in file order, a job whose places no longer fit loses them, and counts as new
a job whose workers and parameter         it gets all that it has use for; the program, to which it makes no difference,
servers need nothing                      does not see it
no feasible numbers, or none within       everyone keeps what it holds, and new jobs wait: ``kept`` counts these slots.
``time_limit`` seconds                    A solver cut off by the clock may answer differently on another machine
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
        """Prepare for a cluster whose jobs are not known yet."""
        super().start(system)
        self._cluster: Instance = system.cluster
        self._rows: dict[int, Rows] = {}
        self._seen: object = None  # what the last slot's numbers were for
        self.solved = self.kept = 0  # slots in which the program was solved, and those without a solution

    def allocate(self, slot: int) -> dict[int, Rows]:
        """What everyone holds, after the program where something changed."""
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
        """Job's file index -> its workers, for the jobs that the program or the rules speak of."""
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
            raise NoSolution(f"{self.program.id}: slot {slot} ended as '{solution.ended}' {solution.message}")
        workers = solution.values["allocation.workers"]
        return free | {j: round(workers.get(name[j], 0)) for j in jobs}
