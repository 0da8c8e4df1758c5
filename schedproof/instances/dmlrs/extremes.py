"""The extremes U^r, L and mu of (13) and (14), which PD-ORS knows in advance.

The argument x of u_i is the training time, completion - arrival; the longest training time is T - arrival. Unused
resources are skipped.

================  ===================================================================================================
``printed``       U^r = max_i u_i(max(0, ceil(V c_i / F) - (arrival + 1)) + 1) / (alpha + beta), alpha + beta > 0
``repaired``      U^r = max_i u_i(ceil(V c_i / F)) / (the smallest positive one of alpha, beta)
both              L = min_i u_i(T - arrival) / (2 mu ceil(V c_e) sum_r (alpha + beta)), jobs with u_i(T - arrival) > 0
                  mu = max_i T sum_hr C / (ceil(V c_e) sum_r (alpha + beta))
================  ===================================================================================================

The printed argument of u_i subtracts the arrival from a duration; ``repaired`` does not.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf, log

from schedproof.core.base.numbers import ceil
from schedproof.core.data.options import pick
from schedproof.instances.dmlrs.instance import Instance
from schedproof.instances.dmlrs.job import NOTHING, Job


@dataclass(frozen=True)
class Extremes:
    """Natural logarithms of the extremes, since U^r / L spans hundreds of powers of e.

    Attributes
    ----------
    log_highest
        Resource -> ln U^r, for resources used by a job of positive utility.
    log_lowest
        ln L; None if no job has positive utility, so that there are no prices.
    left_out
        Jobs of utility 0 at the horizon, which do not affect L.
    """

    log_highest: dict[str, float]
    log_lowest: float | None
    left_out: tuple[str, ...]

    def spanning(self, span: float) -> Extremes:
        """Return extremes with another L: ln(U^r / L) is ``span`` for the largest U^r."""
        return replace(self, log_lowest=max(self.log_highest.values(), default=0.0) - span)


def extremes(instance: Instance, variant: str) -> Extremes:
    """Return the extremes of an instance; ``variant`` is ``printed`` or ``repaired``."""
    highest = pick("bounds", variant, {"printed": _highest_printed, "repaired": _highest_repaired})
    jobs = [job for job in instance.jobs if instance.horizon > job.arrival]
    using = {r: [j for j in jobs if j.worker.get(r, NOTHING) + j.ps.get(r, NOTHING) > 0] for r in instance.resources}
    used = [r for r, users in using.items() if users]
    capacity = instance.horizon * sum((m.capacity.get(r, NOTHING) for m in instance.machines for r in used), NOTHING)
    hungry = [(job, needed) for job in jobs if (needed := _least_use(job)) > 0]
    mu = max((capacity / needed for _, needed in hungry), default=NOTHING)
    lasting = [(job, needed, job.utility.log(instance.horizon - job.arrival)) for job, needed in hungry]
    values = [level - log(2 * mu * needed) for _, needed, level in lasting if level > -inf and mu > 0]
    tops = {r: max(highest(job, r) for job in users) for r, users in using.items() if users}
    return Extremes(
        {r: top for r, top in tops.items() if top > -inf},
        min(values, default=None),
        tuple(job.name for job, _, level in lasting if level == -inf),
    )


def _least_use(job: Job) -> Fraction:
    """Return ceil(V c_e) sum_r (alpha + beta): the paper's least use of a job."""
    return ceil(job.work * job.external_time) * sum((*job.worker.values(), *job.ps.values()), NOTHING)


def _fastest(job: Job) -> int:
    """Return ceil(V c_i / F): the slots with F co-located workers."""
    return ceil(job.work * job.internal_time / job.batch_size)


def _highest_printed(job: Job, resource: str) -> float:
    demand = job.worker.get(resource, NOTHING) + job.ps.get(resource, NOTHING)
    return job.utility.log(max(0, _fastest(job) - (job.arrival + 1)) + 1) - log(demand)


def _highest_repaired(job: Job, resource: str) -> float:
    positive = [d for d in (job.worker.get(resource, NOTHING), job.ps.get(resource, NOTHING)) if d > 0]
    return job.utility.log(_fastest(job)) - log(min(positive))
