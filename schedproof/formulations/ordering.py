"""A group for programs that order jobs: precedence without cycles."""

from __future__ import annotations

from itertools import combinations, permutations
from typing import Any

from schedproof.core.base.lazy import pyo
from schedproof.core.programs.group import group
from schedproof.instances.kinds.rows import rows

BEFORE = r"\delta_{jk} \in \{0,1\},\; \delta_{jj} = 1,\; "
NO_CIRCLE = BEFORE + r"\delta_{jk} + \delta_{kj} = 1,\; \delta_{jk} + \delta_{kl} + \delta_{lj} \le 2"


@group("variables", "(linear ordering)", NO_CIRCLE)
def order(block: Any, instance: Any) -> Any:
    """Every two jobs have an order, and the order has no cycles.

    ``before[j, k]`` are the variables. ``until[j, k]`` is 1 for the jobs j that are done when k is done, including k.
    """
    jobs = block.jobs = range(len(rows(instance)))
    before = block.before = pyo.Var([*permutations(jobs, 2)], domain=pyo.Binary)
    block.until = {(j, k): 1 if j == k else before[j, k] for j in jobs for k in jobs}
    pairs = [before[j, k] + before[k, j] == 1 for j, k in combinations(jobs, 2)]
    circles = (jobs for jobs in permutations(jobs, 3) if jobs[0] == min(jobs))
    return pairs + [before[a, b] + before[b, c] + before[c, a] <= 2 for a, b, c in circles]


def sequence(model: Any) -> list[int]:
    """List the jobs of a solved model in order, by position."""
    before, jobs = model.order.before, model.order.jobs
    return sorted(jobs, key=lambda k: sum(before[j, k].value for j in jobs if j != k))


def to_schedule(model: Any, instance: Any) -> Any:
    """Return the schedule in which all machines follow a solved model's order."""
    kind = instance.card.load("schedule")
    return kind.in_order(instance, sequence(model))
