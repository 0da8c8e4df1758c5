"""JRP by enumeration of all assignments, with the exact server test only."""

from __future__ import annotations

from math import prod

from schedproof.core.errors import ProgramError
from schedproof.core.runtime.context import USUAL, Context
from schedproof.core.solvers.status import Outcome
from schedproof.formulations.jrp.to_schedule import outcome
from schedproof.instances.jrp import Instance, Placement
from schedproof.instances.jrp.shares import RULES, serves

MOST_CHOICES = 10**7


def by_brute_force(instance: Instance, *, rule: str, program: str, context: Context = USUAL) -> Outcome:
    """Return a program's exact optimum; ``rule`` grants resources that meet deadlines.

    Raises
    ------
    ProgramError
        When the instance is not tiny.
    """
    if prod(1 + prod(len(node.servers) for node in job.nodes) for job in instance.jobs) > MOST_CHOICES:
        raise ProgramError(f"the instance has more than {MOST_CHOICES} assignments: brute force is for tiny instances")
    search = Search(instance, rule, context)
    search.jobs(0)
    if search.over:
        return outcome("feasible", search.best, instance, rule, program, len(instance.jobs))
    return outcome("optimal", search.best, instance, rule, program, None)


class Search:
    """Depth first, job by job and data node by data node.

    The search prunes extensions of an overloaded server, because more data never helps, and rejections after which the
    incumbent cannot be improved.
    """

    def __init__(self, instance: Instance, rule: str, context: Context) -> None:
        self._instance, self._rule, self._context = instance, RULES[rule](instance), context
        self._here: list[Placement] = []
        self._on: list[list[Placement]] = [[] for _ in instance.servers]
        self._accepted, self._most = 0, -1
        self.best: list[Placement] = []
        self.over = False

    def jobs(self, k: int) -> None:
        self.over = self.over or self._context.over
        if self.over or self._accepted + len(self._instance.jobs) - k <= self._most:
            return
        if k == len(self._instance.jobs):
            self._most, self.best = self._accepted, list(self._here)
            return
        self._nodes(k, 0)
        self.jobs(k + 1)

    def _nodes(self, k: int, i: int) -> None:
        job = self._instance.jobs[k]
        if i == len(job.nodes):
            self._accepted += 1
            self.jobs(k + 1)
            self._accepted -= 1
            return
        for j in job.nodes[i].servers:
            row = Placement(k, i, j)
            self._here.append(row)
            self._on[j].append(row)
            if serves(self._instance, j, self._on[j], self._rule):
                self._nodes(k, i + 1)
            self._on[j].pop()
            self._here.pop()
