"""Schedules from solved programs: placements, and grants that meet deadlines."""

from __future__ import annotations

from collections.abc import Iterable

from schedproof.core.base.untyped import Model
from schedproof.core.errors import InexactPoint
from schedproof.core.simulation.policy import DecidedBy
from schedproof.core.solvers.status import Outcome, Status
from schedproof.instances.jrp import Assignment, Instance, Placement, Schedule
from schedproof.instances.jrp.shares import RULES, data, grants


def placements(model: Model, instance: Instance) -> list[Placement]:
    """List the placements of the data nodes in a solved model."""
    job = {j.name: j.index for j in instance.jobs}
    node = {(j.name, n.name): n.index for j in instance.jobs for n in j.nodes}
    server = {s.name: s.index for s in instance.servers}
    on = (key for key, x in model.assign.placed.items() if x.value and x.value > 0.5)
    return [Placement(job[k], node[k, i], server[j]) for k, i, j in on]


def placed_schedule(model: Model, instance: Instance, *, rule: str) -> Schedule:
    """Return the schedule of a solved model.

    Raises
    ------
    InexactPoint
        When the point is feasible only within the solver's tolerance.
    """
    return schedule(placements(model, instance), instance, rule, model.local_name)


def schedule(placed: Iterable[Placement], instance: Instance, rule: str, decided_by: str) -> Schedule:
    """Return a feasible schedule with these placements, granted by ``rule``.

    Raises
    ------
    InexactPoint
        When no such schedule exists.
    """
    placed = list(placed)
    try:
        given = grants(data(placed, instance), instance, RULES[rule](instance))
    except ValueError as error:
        raise _inexact(decided_by, str(error)) from None
    plan = Schedule.of(Assignment(placed, given), instance, DecidedBy(decided_by, {}, 0))
    for broken in plan.violations(instance):
        raise _inexact(decided_by, f"{broken.constraint} is violated at {broken.where}")
    return plan


def _inexact(program: str, why: str) -> InexactPoint:
    return InexactPoint(f"{program}: the solver's point is feasible within its tolerance only; exactly, {why}")


def outcome(
    status: Status, placed: Iterable[Placement], instance: Instance, rule: str, decided_by: str, bound: int | None
) -> Outcome:
    """The outcome of a route that decides the placements; by default bound = value."""
    plan = schedule(placed, instance, rule, decided_by)
    value = plan.objective(instance)
    return Outcome(
        status,
        float(value),
        float(value if bound is None else bound),
        _values(plan, instance),
        exact=value if status == "optimal" else None,
        schedule=plan,
    )


def _values(plan: Schedule, instance: Instance) -> dict[str, dict[Model, float]]:
    jobs, servers = instance.jobs, instance.servers
    values: dict[str, dict[Model, float]] = {
        "admit.accepted": {jobs[k].name: 1.0 for k in plan.accepted_jobs(instance)},
        "assign.placed": {(jobs[k].name, jobs[k].nodes[i].name, servers[j].name): 1.0 for k, i, j in plan.placements},
        "allocate.compute": {},
        "allocate.bandwidth": {},
    }
    for k, j, *amounts in plan.grants:
        for name, amount in zip(("allocate.compute", "allocate.bandwidth"), amounts, strict=True):
            if amount:
                values[name][jobs[k].name, servers[j].name] = float(amount)
    return values
