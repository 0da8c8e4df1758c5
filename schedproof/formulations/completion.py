"""Groups for any program on when jobs are complete: completion times, and their sum by weights."""

from __future__ import annotations

from typing import Any

from schedproof.core.base.lazy import pyo
from schedproof.core.programs.exact.point import Values
from schedproof.core.programs.group import group
from schedproof.instances.kinds.rows import rows


@group("variables", "(completion times)", r"C_j \ge 0 \quad \forall j")
def completion(block: Any, instance: Any) -> None:
    """A job is complete at 0 or later."""
    block.C = pyo.Var(range(len(rows(instance))), domain=pyo.NonNegativeReals)


@group("objective", "(weighted completion times)", r"\min \textstyle\sum_j w_j C_j")
def cost(block: Any, instance: Any, completion: Any) -> Any:
    """The sum of completion times, each times the job's weight; jobs without one have the weight 1."""
    return pyo.quicksum(getattr(job, "weight", 1) * completion.C[job.index] for job in rows(instance))


def to_point(schedule: Any, instance: Any) -> Values:
    """When the jobs of a schedule are complete."""
    return {"completion.C": dict(enumerate(schedule.ends(instance)))}
