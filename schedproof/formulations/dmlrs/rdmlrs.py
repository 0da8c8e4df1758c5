"""R-DMLRS (8)-(9): at most one schedule per job, listed (undominated) or given."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from schedproof.core.base.lazy import pyo
from schedproof.core.base.numbers import scalar
from schedproof.core.base.untyped import Model
from schedproof.core.errors import ProgramError
from schedproof.core.programs.group import group
from schedproof.core.programs.program import Program
from schedproof.core.programs.route import EXHAUSTIVE, Route
from schedproof.formulations.dmlrs.packing import by_packing
from schedproof.formulations.dmlrs.schedules import Plan, Schedules, by_job, parse_schedules
from schedproof.instances.dmlrs import Instance, Schedule

Column = tuple[str, int]  # job, number of its schedule
Place = tuple[int, str, str]  # slot, machine, resource


def columns(instance: Instance, schedules: Schedules) -> dict[Column, Plan]:
    """Number every job's schedules."""
    return {(plan.job.name, n): plan for mine in by_job(instance, schedules) for n, plan in enumerate(mine)}


def usage(instance: Instance, plan: Plan) -> Mapping[Place, Fraction]:
    """Map (slot, machine, resource) to a schedule's use, its entries in (8) and (11)."""
    return {(t, instance.machines[h].name, r): amount for (t, h, r), amount in plan.usage().items()}


def limits(instance: Instance) -> Iterator[tuple[Place, Fraction]]:
    """Yield (slot, machine, resource) and the free amount, the right side of (8)."""
    for t in range(instance.horizon):
        for machine in instance.machines:
            for r in instance.resources:
                yield (t, machine.name, r), instance.free(t, machine, r)


@group("variables", "(9)", r"x_{\pi_i} \in \mathbb{Z}_{\ge 0} \quad \forall \pi_i \in \Pi_i")
def schedule_choice(block: Model, instance: Instance, *, schedules: Schedules) -> None:
    """How often a schedule is chosen; one row per job limits the sum to 1."""
    block.plans = columns(instance, schedules)
    block.chosen = pyo.Var(list(block.plans), domain=pyo.NonNegativeIntegers)


@group(
    "objective",
    "R-DMLRS",
    r"\max \textstyle\sum_i \sum_{\pi_i \in \Pi_i} x_{\pi_i} u_i(\tilde t_{\pi_i} - a_i)",
)
def utility_of_schedules(block: Model, instance: Instance, schedule_choice: Model) -> Model:
    """The total utility of the chosen schedules."""
    chosen, plans = schedule_choice.chosen, schedule_choice.plans
    return pyo.quicksum(scalar(plan.utility) * chosen[k] for k, plan in plans.items())


@group(
    "constraints",
    "(8)",
    r"\textstyle\sum_i \sum_{\pi_i \in \Gamma(t,h)} (\alpha_i^r w_{ht}^{\pi_i} + \beta_i^r s_{ht}^{\pi_i}) x_{\pi_i}"
    r" \le \hat C_h^r[t]",
    multiplier=r"p_h^r[t]",
)
def schedules_fit(block: Model, instance: Instance, schedule_choice: Model) -> Model:
    """The chosen schedules fit each machine's free resources in each slot."""
    users: dict[Place, list[Model]] = {}
    for k, plan in schedule_choice.plans.items():
        for place, amount in usage(instance, plan).items():
            users.setdefault(place, []).append(scalar(amount) * schedule_choice.chosen[k])
    return {p: pyo.quicksum(users[p]) <= scalar(amount) for p, amount in limits(instance) if p in users}


@group(
    "constraints",
    "(9)",
    r"\textstyle\sum_{\pi_i \in \Pi_i} x_{\pi_i} \le 1",
    multiplier=r"\lambda_i",
)
def one_schedule_for_each_job(block: Model, instance: Instance, schedule_choice: Model) -> Model:
    """A job follows at most one schedule."""
    schedules: dict[str, list[Model]] = {}
    for (i, _), chosen in schedule_choice.chosen.items():
        schedules.setdefault(i, []).append(chosen)
    return {i: pyo.quicksum(mine) <= 1 for i, mine in schedules.items()}


def chosen_schedule(model: Model, instance: Instance) -> Schedule:
    choice = model.schedule_choice
    rows = (row for k, plan in choice.plans.items() if choice.chosen[k].value > 0.5 for row in plan.placements)
    return Schedule.of(rows, instance, model.local_name)


def to_point(schedule: Schedule, instance: Instance, *, schedules: Schedules) -> dict[str, dict[Column, int]]:
    """Map each finished job to a listed schedule that ends no later and uses no more."""
    ends, point, listed = schedule.completions(instance), dict[Column, int](), columns(instance, schedules)
    for job in (instance.jobs[j] for j in ends):
        own = Plan(job, ends[job.index], tuple(row for row in schedule.placements if row.job == job.index))
        if (choice := next((k for k, plan in listed.items() if plan.job is job and plan.replaces(own)), None)) is None:
            raise ProgramError(f"job '{job.name}': no listed schedule ends as early and uses no more of any resource")
        point[choice] = 1
    return {"schedule_choice.chosen": point}


def rdmlrs(*, schedules: Schedules = "listed") -> Program:
    return Program(
        id="dmlrs.rdmlrs",
        sense="maximize",
        groups=(utility_of_schedules, schedules_fit, one_schedule_for_each_job, schedule_choice),
        parameters={"schedules": parse_schedules(schedules)},
        routes={"packing": Route(by_packing, EXHAUSTIVE)},
        to_schedule=chosen_schedule,
        to_point=to_point,
    )
