"""Gang scheduling by enumeration of started tasks, with concave programs.

The concave program is a CVXPY problem over arrays, with the started tasks as parameters; it shares no row with the
Pyomo groups.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import chain, combinations, product
from math import prod

import numpy as np

from schedproof.core.base.lazy import cvxpy
from schedproof.core.errors import ProgramError
from schedproof.core.runtime.context import USUAL, Context
from schedproof.core.solvers import cvx
from schedproof.core.solvers.status import Outcome
from schedproof.formulations.multiserver.allocation import sums
from schedproof.formulations.multiserver.gang_groups import Gangs, tasks
from schedproof.formulations.multiserver.reward import weighted_gain
from schedproof.instances.multiserver import Instance, Port

MOST_CHOICES = 5000


def by_brute_force(instance: Instance, *, slot: int, gain: str, context: Context = USUAL) -> Outcome:
    """Return the optimum of `multiserver.gang`, to the concave solver's tolerance.

    Raises
    ------
    ProgramError
        When the instance is not tiny.
    """
    jobs = list(Gangs(instance, slot).jobs.values())
    choices = [list(_choices(port)) for port in jobs]
    if prod(map(len, choices)) > MOST_CHOICES:
        raise ProgramError(f"the instance has more than {MOST_CHOICES} choices: brute force is for tiny instances")
    amounts = Amounts(instance, jobs, gain)
    best: float | None = None
    for choice in product(*choices):
        if context.over:
            return Outcome("time_limit") if best is None else Outcome("feasible", best)
        outcome = amounts.best(np.array([*chain.from_iterable(choice)], dtype=float))
        if outcome.has_point:
            best = max(outcome.objective or 0.0, 0.0 if best is None else best)
        elif outcome.status != "infeasible":
            return outcome
    return Outcome("optimal", best, best)


def _choices(port: Port) -> Iterator[tuple[bool, ...]]:
    count = len(tasks(port))
    for size in {0, *range(max(port.minimum_tasks, 1), count + 1)}:
        for chosen in combinations(range(count), size):
            yield tuple(q in chosen for q in range(count))


class Amounts:
    """The concave program of the amounts, for any choice of started tasks."""

    def __init__(self, instance: Instance, jobs: list[Port], gain: str) -> None:
        graph, names = instance.graph, instance.resources
        every = [(j, task) for j, port in enumerate(jobs) for task in tasks(port)]
        rows = [(j, i, r) for i, (j, _) in enumerate(every) for r in jobs[j].nodes]
        job, self.task, node = np.array(rows, dtype=int).reshape(-1, 3).T
        self.most = _table([task.demand for _, task in every], names)
        self.least = _table([task.minimum for _, task in every], names)
        y = cvxpy.Variable((len(rows), len(names)), nonneg=True)
        self.upper, self.lower = cvxpy.Parameter(y.shape), cvxpy.Parameter(self.least.shape)
        totals = sums(job, len(jobs)) @ y
        if gain == "node":
            place, channel = np.unique(np.stack([job, node], axis=1), axis=0, return_inverse=True)
            held = sums(channel, len(place)) @ y
            kind, alpha = graph.kind[place[:, 1]], graph.alpha[place[:, 1]]
        else:
            held = totals
            kind, alpha = (np.tile(row, (len(jobs), 1)) for row in (graph.total_kind, graph.total_alpha))
        value = weighted_gain(np.ones(len(kind)), held, kind, alpha)
        if rows:
            value -= cvxpy.sum(cvxpy.max(totals @ np.diag(graph.overhead), axis=1))
        minimum = sums(self.task, len(every)) @ y >= self.lower
        capacity = sums(node, len(instance.nodes)) @ y <= graph.capacity
        self.problem = cvxpy.Problem(cvxpy.Maximize(value), [y <= self.upper, minimum, capacity])

    def best(self, started: np.ndarray) -> Outcome:
        """Return the best amounts when exactly these tasks (0 or 1 for each) are started."""
        self.upper.value = (self.most * started[:, None])[self.task]
        self.lower.value = self.least * started[:, None]
        return cvx.solve(self.problem)


def _table(rows: list[Mapping[str, Fraction]], names: tuple[str, ...]) -> np.ndarray:
    return np.array([[float(row.get(name, 0)) for name in names] for row in rows]).reshape(-1, len(names))
