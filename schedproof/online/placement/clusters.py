"""Policies whose clusters decide separately, with pending sets and rule (11).

============================================  ==========================================================================
the paper says                                implemented
============================================  ==========================================================================
a pending set of "the earliest arrival        the first ``window`` tasks of a cluster's queue by arrival, ties in
times" (IV-B)                                 file order, including tasks that do not fit now
"an empty set"                                only a task that fits now can be chosen; else the cluster passes
conflicts: (11)                               `conflict.resolve`; a cluster that loses starts no task in the slot
============================================  ==========================================================================
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

from schedproof.core.simulation.policy import Hidden
from schedproof.instances.placement.drive import Place, Shown, View
from schedproof.instances.placement.entities import Amounts
from schedproof.online.placement.conflict import Contender, Score, resolve, room


class Choice(NamedTuple):
    """A cluster's choice: the task, its score in (11), and the allocation if it wins."""

    task: Shown
    score: Score
    allocation: Amounts


def pending_set(view: View, n: int, window: int) -> list[Shown]:
    """Return P_{n,t}: the earliest tasks in the queue of a cluster."""
    tasks = []
    for task in view.pending:
        if n in task.clusters:
            tasks.append(task)
            if len(tasks) == window:
                break
    return tasks


class ByCluster(ABC):
    """A slot policy whose clusters choose separately."""

    def __init__(self, *, window: int) -> None:
        self.window = window

    def start(self, system: Hidden) -> None:
        self.clusters, self.resources = system.clusters, system.resources

    def decide(self, view: View) -> list[Place]:
        choices: dict[int, Choice] = {}
        for n in range(len(view.free)):
            if candidates := self.candidates(view, n):
                choices[n] = self.choose(view, n, candidates)
        contender = {n: Contender(n, c.score, room(view.free[n], c.task.needs)) for n, c in choices.items()}
        granted = resolve({n: c.task.index for n, c in choices.items()}, contender)
        return [Place(j, n, choices[n].allocation) for n, j in granted.items()]

    def candidates(self, view: View, n: int) -> list[Shown]:
        """Return the tasks of a cluster's pending set that it would start now."""
        return [task for task in pending_set(view, n, self.window) if self.would_start(view, task, n)]

    def would_start(self, view: View, task: Shown, n: int) -> bool:
        """Return whether the policy would start a task on a cluster now."""
        return view.can_start(task, n)

    @abstractmethod
    def choose(self, view: View, n: int, candidates: Sequence[Shown]) -> Choice:
        """Return a cluster's choice among one or more ``candidates``, in pending order."""
