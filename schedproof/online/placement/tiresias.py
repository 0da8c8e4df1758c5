"""Tiresias (section V-A): two queues by attained GPU time, minimum allocations.

============================================  ==========================================================================
section V-A says                              implemented
============================================  ==========================================================================
"2-level feedback queue ... the median GPU    a task is in the first queue until its GPU time, GPUs times slots over all
time as the threshold"                        its runs, reaches ``threshold``. The default is the median of the tasks
                                              completed so far, infinite before the first. The paper does not specify
                                              the set of tasks; the median of all tasks is unknown online
"First-in First-out order of their start      started tasks first, by first start, then other tasks by arrival; ties in
times"                                        file order
"only schedules tasks given the minimum       the least of a task's allocations that fit the empty cluster, by the first
resource requirements" (V-B)                  resource, then the second: the task's minimum if this has a duration
preemptive                                    with ``preemption=allowed``. Each cluster takes the first waiting task of
                                              its queue that fits after stopping running tasks of the lower queue, the
                                              last of them first, as few as needed. No task is stopped for a task of its
                                              own queue, or if none can start. With ``preemption=none`` no task is
                                              stopped, and the order is first in first out
one start a slot, conflicts                   (2); (11) with score 1 for every choice, and room after the stops. A
                                              cluster that loses stops no task
no resource ``gpu``                           the last resource counts
============================================  ==========================================================================

Versions of this algorithm: docs/architecture.md.
"""

from __future__ import annotations

from bisect import insort
from math import inf
from statistics import median
from typing import NamedTuple

from schedproof.core.simulation.policy import Hidden
from schedproof.core.simulation.slot_game import fits
from schedproof.instances.placement.drive import Place, Running, Shown, Stop, View
from schedproof.instances.placement.entities import Amounts
from schedproof.online.placement.conflict import Contender, resolve, room


class Move(NamedTuple):
    """A cluster's move: start a task with an allocation after stopping other tasks."""

    task: Shown
    allocation: Amounts
    stopped: tuple[Running, ...]
    free: Amounts


class Tiresias:
    def __init__(self, *, preemption: str = "none", threshold: int | None = None) -> None:
        self.preemptive, self.threshold = preemption == "allowed", threshold

    def start(self, system: Hidden) -> None:
        self.clusters = system.clusters
        names = system.resources
        self._gpu = names.index("gpu") if "gpu" in names else len(names) - 1
        self._attained: dict[int, int] = {}  # task -> GPU time of its finished runs
        self._started: dict[int, int] = {}  # first start
        self._completed: list[int] = []  # GPU times, sorted

    def decide(self, view: View) -> list[Place | Stop]:
        for done in view.completed:
            insort(self._completed, self._attained.get(done.task.index, 0) + done.slots * done.allocation[self._gpu])
        order = {task.index: self._order(task) for task in view.pending} | {
            run.task.index: self._order(run.task, run) for run in view.running
        }
        waiting = sorted(view.pending, key=lambda task: order[task.index])
        moves = {n: move for n in range(len(view.free)) if (move := self._move(view, n, waiting, order)) is not None}
        contender = {n: Contender(n, 1, room(move.free, move.task.needs)) for n, move in moves.items()}
        rows: list[Place | Stop] = []
        for n, j in resolve({n: move.task.index for n, move in moves.items()}, contender).items():
            for run in moves[n].stopped:
                service = run.elapsed * run.allocation[self._gpu]
                self._attained[run.task.index] = self._attained.get(run.task.index, 0) + service
                rows.append(Stop(run.task.index))
            self._started.setdefault(j, view.slot)
            rows.append(Place(j, n, moves[n].allocation))
        return rows

    def _order(self, task: Shown, run: Running | None = None) -> tuple[int, float, int, int]:
        attained = self._attained.get(task.index, 0) + (run.elapsed * run.allocation[self._gpu] if run else 0)
        bound = self.threshold or (median(self._completed) if self._completed else inf)
        return int(attained >= bound), self._started.get(task.index, inf), task.arrival, task.index

    def _move(
        self, view: View, n: int, waiting: list[Shown], order: dict[int, tuple[int, float, int, int]]
    ) -> Move | None:
        whole, last = self.clusters[n].amounts, []
        if self.preemptive:
            here = (run for run in view.running if run.cluster == n)
            last = sorted(here, key=lambda run: order[run.task.index], reverse=True)
        for task in waiting:
            allocation = min((a for a in task.allocations if fits(a, whole)), default=None)
            if n not in task.clusters or allocation is None:
                continue
            free, stopped = view.free[n], []
            lower = [run for run in last if order[run.task.index][0] > order[task.index][0]]
            while not fits(allocation, free) and lower:
                stopped.append(lower.pop(0))
                free = tuple(map(sum, zip(free, stopped[-1].allocation, strict=True)))
            if fits(allocation, free):
                return Move(task, allocation, tuple(stopped), free)
        return None
