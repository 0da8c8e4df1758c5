"""Optimus (section V-A): fitted speeds and the largest marginal gain.

========================================  ==============================================================================
section V-A says                          implemented
========================================  ==============================================================================
"curve-fitting performance models to      speed 1 / (a/w + b + c w/p + d w + e p), w the GPUs and p the CPU cores, as
estimate training speed"                  Optimus has it for workers and parameter servers: its inverse is fitted to the
                                          durations of all allocations of the task, which this policy sees, by
                                          non-negative least squares. An amount of 0 counts as 1
"fix the batch size ... to a constant"    the batch size is part of the coefficients
"allocates 1 parameter server and 1       the least of the task's allocations that fit the empty cluster, by the amount
worker for each task initially"           of the first resource, then of the second. The earliest ``window`` tasks of a
                                          cluster's queue get this allocation, in order of arrival, while it fits
"incrementally chooses the allocation     one unit of one resource for one task, if the result is an allocation and
decision with the largest marginal gain"  fits. This is the unit that saves most estimated remaining time per share of
                                          the cluster's resource; ties by the earliest task, then the first resource.
                                          Repeated until no unit saves time
one start a slot                          (2): of the waiting tasks the earliest that fits with its plan; (11) with
                                          score 1 settles conflicts
reallocation                              with ``preemption=allowed``. The running tasks of a cluster are planned again
                                          together with the waiting tasks, on the whole capacity. If no waiting task can
                                          start with its plan, one running task, the earliest, stops and restarts with
                                          its plan. If tasks wait, its plan must have less of some resource. Otherwise
                                          its plan must end sooner by more than the half slot that the restart loses
no resource ``gpu`` or ``cpu``            the last resource is w, the first is p
========================================  ==============================================================================

Versions of this algorithm: docs/architecture.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from schedproof.core.simulation.policy import Hidden
from schedproof.core.simulation.slot_game import fits
from schedproof.instances.placement.drive import Place, Running, Shown, Stop, View
from schedproof.instances.placement.entities import Amounts, Mode
from schedproof.instances.placement.schedule import SWITCH
from schedproof.online.placement.clusters import pending_set
from schedproof.online.placement.conflict import Contender, resolve, room

NOTHING = 1e-9  # slots; a smaller gain is a rounding error of the fit


class Plan(NamedTuple):
    """A cluster's plan: start a task, after stopping it if it runs."""

    task: Shown
    allocation: Amounts
    runs: bool


class Optimus:
    sees_durations = True

    def __init__(self, *, preemption: str = "none", window: int = 10) -> None:
        self.preemptive, self.window = preemption == "allowed", window

    def start(self, system: Hidden) -> None:
        self.clusters = system.clusters
        names = system.resources
        self._workers = names.index("gpu") if "gpu" in names else len(names) - 1
        self._servers = names.index("cpu") if "cpu" in names else 0
        self._estimates: dict[int, Mapping[Amounts, float]] = {}
        self._done: dict[int, float] = {}  # the share of a task done by its earlier runs

    def decide(self, view: View) -> list[Place | Stop]:
        plans = {n: plan for n in range(len(view.free)) if (plan := self._plan(view, n)) is not None}
        contender = {n: Contender(n, 1, max(1, room(view.free[n], plan.task.needs))) for n, plan in plans.items()}
        rows: list[Place | Stop] = []
        elapsed = {run.task.index: run for run in view.running}
        for n, j in resolve({n: plan.task.index for n, plan in plans.items()}, contender).items():
            if plans[n].runs:
                self._done[j] = 1 - self._remaining_work(elapsed[j])
                rows.append(Stop(j))
            rows.append(Place(j, n, plans[n].allocation))
        return rows

    def _plan(self, view: View, n: int) -> Plan | None:
        running = [run for run in view.running if run.cluster == n] if self.preemptive else []
        waiting = pending_set(view, n, self.window)
        space = tuple(map(sum, zip(view.free[n], *(run.allocation for run in running), strict=True)))
        rest = {run.task.index: self._remaining_work(run) for run in running}
        rest |= {task.index: 1 - self._done.get(task.index, 0.0) for task in waiting}
        tasks = sorted([*(run.task for run in running), *waiting], key=lambda task: (task.arrival, task.index))
        planned = self._share(tasks, rest, space, self.clusters[n].amounts)
        for task in waiting:
            if task.index in planned and fits(planned[task.index], view.free[n]):
                return Plan(task, planned[task.index], False)
        return self._next_change(view, running, planned, rest, bool(waiting))

    def _share(
        self, tasks: Sequence[Shown], rest: Mapping[int, float], space: Amounts, whole: Amounts
    ) -> dict[int, Amounts]:
        given: dict[int, Amounts] = {}
        for task in tasks:
            least = min((a for a in task.allocations if fits(a, whole)), default=None)
            if least is not None and fits(least, space):
                given[task.index] = least
                space = tuple(there - used for there, used in zip(space, least, strict=True))
        while True:
            best, highest = None, NOTHING
            for task in tasks:
                if task.index not in given:
                    continue
                time = self._estimate(task)
                now = given[task.index]
                for r, there in enumerate(whole):
                    more = (*now[:r], now[r] + 1, *now[r + 1 :])
                    if space[r] and more in time:
                        gain = rest[task.index] * (time[now] - time[more]) * there
                        if gain > highest:
                            best, highest = (task.index, r, more), gain
            if best is None:
                return given
            j, r, given[j] = best
            space = (*space[:r], space[r] - 1, *space[r + 1 :])

    def _next_change(
        self,
        view: View,
        running: Sequence[Running],
        planned: Mapping[int, Amounts],
        rest: Mapping[int, float],
        anybody_waits: bool,
    ) -> Plan | None:
        for run in sorted(running, key=lambda run: (run.task.arrival, run.task.index)):
            new = planned.get(run.task.index, run.allocation)
            free = tuple(map(sum, zip(view.free[run.cluster], run.allocation, strict=True)))
            if new == run.allocation or not fits(new, free):
                continue
            time = self._estimate(run.task)
            sooner = rest[run.task.index] * (time[run.allocation] - time[new]) > SWITCH
            if (anybody_waits and not fits(run.allocation, new)) or (not anybody_waits and sooner):
                return Plan(run.task, new, True)
        return None

    def _remaining_work(self, run: Running) -> float:
        done = self._done.get(run.task.index, 0.0)
        worked = run.elapsed - (float(SWITCH) if run.task.index in self._done else 0.0)
        return max(0.0, 1 - done - max(0.0, worked) / self._estimate(run.task)[run.allocation])

    def _estimate(self, task: Shown) -> Mapping[Amounts, float]:
        if task.index not in self._estimates:
            self._estimates[task.index] = fit_durations(task.modes, self._workers, self._servers)
        return self._estimates[task.index]


def fit_durations(modes: Sequence[Mode], workers: int, servers: int) -> dict[Amounts, float]:
    """Fit a/w + b + c w/p + d w + e p to the slots of all allocations.

    No coefficient is below 0. Returns the fitted slots of each allocation.
    """
    from scipy.optimize import nnls

    amounts = np.array([mode.allocation for mode in modes], dtype=float)
    w, p = np.maximum(1, amounts[:, workers]), np.maximum(1, amounts[:, servers])
    terms = np.column_stack([1 / w, np.ones_like(w), w / p, w, p])
    coefficients, _ = nnls(terms, np.array([mode.slots for mode in modes], dtype=float))
    return dict(zip((mode.allocation for mode in modes), (terms @ coefficients).tolist(), strict=True))
