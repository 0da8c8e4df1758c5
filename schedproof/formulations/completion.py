"""Groups for programs with completion times: the times and their weighted sum."""

from __future__ import annotations

from typing import Any

from schedproof.core.base.lazy import pyo
from schedproof.core.programs.exact.point import Values
from schedproof.core.programs.group import group
from schedproof.instances.kinds.rows import rows


@group("variables", "(completion times)", r"C_j \ge 0 \quad \forall j")
def completion(block: Any, instance: Any) -> None:
    """A job's completion time is at least 0."""
    block.C = pyo.Var(range(len(rows(instance))), domain=pyo.NonNegativeReals)


@group("objective", "(weighted completion times)", r"\min \textstyle\sum_j w_j C_j")
def cost(block: Any, instance: Any, completion: Any) -> Any:
    """The weighted sum of completion times; the default weight is 1."""
    return pyo.quicksum(getattr(job, "weight", 1) * completion.C[job.index] for job in rows(instance))


def to_point(schedule: Any, instance: Any) -> Values:
    """Return the completion times of a schedule."""
    return {"completion.C": dict(enumerate(schedule.ends(instance)))}
