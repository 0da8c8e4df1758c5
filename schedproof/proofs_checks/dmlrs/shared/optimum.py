"""The optimum of a tiny instance by two independent enumerations."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

from schedproof.core.errors import expect
from schedproof.instances.dmlrs import Instance, Placement, Schedule
from schedproof.reference.dmlrs_schedules import Plan, Spot, Use, add_use, free, placements, plans

ZERO = Fraction(0)


@lru_cache(maxsize=256)
def best_packing(instance: Instance, cap: Fraction = Fraction(1)) -> Fraction:
    """The optimum of R-DMLRS with every Pi_i enumerated."""
    return packing(instance, [[(plan.utility, plan) for plan in plans(instance, job, cap)] for job in instance.jobs])


def packing(instance: Instance, menus: Sequence[Sequence[tuple[Fraction, Plan]]]) -> Fraction:
    """The best choice of at most one schedule per menu (9) within (8).

    Branch and bound takes jobs of large utility first.
    """
    order = [sorted(menu, key=lambda one: -one[0]) for menu in menus if menu]
    order.sort(key=lambda menu: -menu[0][0])
    rest = [sum((menu[0][0] for menu in order[i:]), ZERO) for i in range(len(order) + 1)]
    best = ZERO

    def branch(i: int, value: Fraction, rho: Use) -> None:
        nonlocal best
        best = max(best, value)
        if i == len(order) or value + rest[i] <= best:
            return
        for utility, plan in order[i]:
            if value + utility + rest[i + 1] <= best:
                break
            if fits(instance, rho, plan.use):
                branch(i + 1, value + utility, add_use(rho, plan.use))
        branch(i + 1, value, rho)

    branch(0, ZERO, {})
    return best


FEW = 4  # jobs whose schedules are all tried together


def packing_value(instance: Instance) -> Fraction:
    """The optimum of R-DMLRS; for many jobs a greedy lower bound.

    The greedy choice takes the largest utility first.
    """
    if len(instance.jobs) <= FEW:
        return best_packing(instance)
    value, rho = ZERO, dict[Spot, Fraction]()
    menus = [menu for job in instance.jobs if (menu := plans(instance, job))]
    for menu in sorted(menus, key=lambda menu: -max(plan.utility for plan in menu)):
        for plan in sorted(menu, key=lambda plan: -plan.utility):
            if fits(instance, rho, plan.use):
                value, rho = value + plan.utility, add_use(rho, plan.use)
                break
    return value


def fits(instance: Instance, rho: Use, use: Use) -> bool:
    return all(rho.get(spot, ZERO) + amount <= free(instance, spot) for spot, amount in use.items())


@lru_cache(maxsize=256)
def best_by_slots(instance: Instance) -> Fraction:
    """The optimum of DMLRS by enumeration of all jobs' placements slot by slot.

    Each job's samples are counted along the way, (3)-(7).
    """
    states: dict[tuple[Fraction, ...], Fraction] = {(ZERO,) * len(instance.jobs): ZERO}
    for slot in range(instance.horizon):
        after: dict[tuple[Fraction, ...], Fraction] = {}
        for trained, earned in states.items():
            for now, more in _joint(instance, slot, trained):
                key = tuple(min(a + b, Fraction(j.work)) for a, b, j in zip(trained, now, instance.jobs, strict=True))
                after[key] = max(after.get(key, ZERO), earned + more)
        states = after
    return max(states.values())


def _joint(instance: Instance, slot: int, trained: tuple[Fraction, ...]) -> list[tuple[tuple[Fraction, ...], Fraction]]:
    result: list[tuple[tuple[Fraction, ...], Fraction, Use]] = [((), ZERO, {})]
    for job in instance.jobs:
        options = placements(instance, job, slot) if job.arrival <= slot and trained[job.index] < job.work else ()
        grown = [((*done, ZERO), value, rho) for done, value, rho in result]
        for done, value, rho in result:
            for part in options:
                if fits(instance, rho, part.use):
                    ends = trained[job.index] + part.samples(job) >= job.work
                    more = job.utility.lower(slot + 1 - job.arrival) if ends else ZERO
                    grown.append(((*done, part.samples(job)), value + more, add_use(rho, part.use)))
        result = grown
    return [(done, value) for done, value, _ in result]


def total_utility(instance: Instance, plan: Sequence[Sequence[int]]) -> Fraction:
    """The total utility of rows [job, slot, machine, workers, parameter servers].

    Raises
    ------
    InputError
        If the instance's checker rejects the placements.
    """
    schedule = Schedule.of((Placement(*row) for row in plan), instance, "comparison")
    wrong = list(map(str, schedule.violations(instance)))
    expect(not wrong, f"expected a feasible schedule: {wrong[:1]}", "plan")
    return schedule.objective(instance)


def at_most_optimum(instance: Instance, plan: Sequence[Sequence[int]] | None) -> Fraction:
    return best_packing(instance) if plan is None else total_utility(instance, plan)
