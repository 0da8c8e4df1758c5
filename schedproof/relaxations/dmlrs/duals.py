"""R-DMLRS as a linear program over schedules, and its printed dual (10)-(11).

A row (11) belongs to a column of the primal, a schedule; a price belongs to a row (8). A resource that no
schedule uses in a slot has no row and no price; the price would be 0.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from schedproof.core.base.lazy import pyo
from schedproof.core.base.numbers import scalar
from schedproof.core.programs.group import group
from schedproof.core.programs.program import Program
from schedproof.formulations.dmlrs.rdmlrs import columns, limits, rdmlrs, usage
from schedproof.formulations.dmlrs.schedules import Schedules, parse_schedules
from schedproof.instances.dmlrs import Instance


def rdmlrs_lp(*, schedules: Schedules = "listed") -> Program:
    return replace(rdmlrs(schedules=schedules).relaxed(), id="dmlrs.rdmlrs_lp", changes=())


@group("variables", "(11)", r"\lambda_i \ge 0")
def job_payoff(block: Any, instance: Instance) -> None:
    """The payoff of admitting a job."""
    block.payoff = pyo.Var([job.name for job in instance.jobs], domain=pyo.NonNegativeReals)


@group(
    "variables",
    "(11)",
    r"p_h^r[t] \ge 0 \quad"
    r" \forall \textstyle\sum_{i,\pi_i} (\alpha_i^r w_{ht}^{\pi_i} + \beta_i^r s_{ht}^{\pi_i}) > 0",
)
def resource_price(block: Any, instance: Instance, *, schedules: Schedules) -> None:
    """The price of a unit of a machine's resource in a slot."""
    block.plans = columns(instance, schedules)
    block.usage = {k: usage(instance, plan) for k, plan in block.plans.items()}
    used = {place for row in block.usage.values() for place in row}
    block.limits = {place: limit for place, limit in limits(instance) if place in used}
    block.price = pyo.Var(list(block.limits), domain=pyo.NonNegativeReals)


@group("objective", "(10)", r"\min \textstyle\sum_i \lambda_i")
def payoff_of_jobs(block: Any, instance: Instance, job_payoff: Any) -> Any:
    """The total payoff of the jobs."""
    return pyo.quicksum(job_payoff.payoff.values())


@group("objective", "(10)", r"+ \textstyle\sum_{t,h,r} p_h^r[t]\, \hat C_h^r[t]")
def value_of_resources(block: Any, instance: Instance, resource_price: Any) -> Any:
    """Plus the value of the unreserved resources at their prices."""
    price, limits = resource_price.price, resource_price.limits
    return pyo.quicksum(scalar(limit) * price[place] for place, limit in limits.items())


@group(
    "constraints",
    "(11)",
    r"\lambda_i \ge u_i(\tilde t_{\pi_i} - a_i) - \textstyle\sum_{t,h,r}"
    r" (\alpha_i^r w_{ht}^{\pi_i} + \beta_i^r s_{ht}^{\pi_i})\, p_h^r[t]",
)
def dual_rows(block: Any, instance: Instance, job_payoff: Any, resource_price: Any) -> Any:
    """A job's payoff is at least the utility minus the cost of each of its schedules."""
    price, usage = resource_price.price, resource_price.usage
    return {
        (i, n): job_payoff.payoff[i] + pyo.quicksum(scalar(amount) * price[p] for p, amount in usage[i, n].items())
        >= scalar(plan.utility)
        for (i, n), plan in resource_price.plans.items()
    }


def dual(*, schedules: Schedules = "listed") -> Program:
    return Program(
        id="dmlrs.dual",
        sense="minimize",
        groups=(payoff_of_jobs, value_of_resources, dual_rows, job_payoff, resource_price),
        integer=False,
        parameters={"schedules": parse_schedules(schedules)},
    )
