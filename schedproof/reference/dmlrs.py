"""PD-ORS in exact arithmetic for tiny instances.

Algorithms 1 and 2 with (12)-(14): for each arriving job all schedules that fit are enumerated. The schedule with the
highest payoff is taken if the payoff is positive, and the prices of its resources rise. So Theta is exact, while
Algorithms 3 and 4 approximate it. Prices are powers, enclosed in rationals. Two costs are compared only if their
enclosures are disjoint or equal.

Versions of this algorithm: docs/architecture.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Literal

from schedproof.core.base.numbers import ceil
from schedproof.instances.dmlrs import Instance, Job
from schedproof.reference.dmlrs_enclosures import Interval, exactly, minus, plus, power, times
from schedproof.reference.dmlrs_schedules import Plan, Spot, Use, add_use, free, plans

Bounds = Literal["printed", "denominators", "repaired"]
ZERO = Fraction(0)


class Undecided(ArithmeticError):
    """Two different costs whose enclosures overlap: the case is undecided."""


def demand(job: Job, resource: str) -> tuple[Fraction, Fraction]:
    """Return alpha and beta of a resource."""
    return job.worker.get(resource, ZERO), job.ps.get(resource, ZERO)


def demanded_resources(instance: Instance) -> tuple[str, ...]:
    """Return the resources that some job demands; the others have no price."""
    return tuple(r for r in instance.resources if any(sum(demand(job, r)) for job in instance.jobs))


def capacity(instance: Instance) -> Fraction:
    """Return T times the sum of C_h^r over machines and demanded resources."""
    names = demanded_resources(instance)
    return instance.horizon * sum((m.capacity.get(r, ZERO) for m in instance.machines for r in names), ZERO)


def least_use(job: Job) -> Fraction:
    """Return ceil(V c_e) sum_r (alpha + beta), in (14)."""
    return ceil(job.work * job.external_time) * sum((*job.worker.values(), *job.ps.values()), ZERO)


def fastest(job: Job) -> int:
    """Return ceil(V c_i / F), the slots of training with F co-located workers."""
    return ceil(job.work * job.internal_time / job.batch_size)


def lowest(instance: Instance, every: bool = False) -> Fraction | None:
    """Return L of (14) with the least allowed mu, T sum C / min `least_use`.

    Parameters
    ----------
    every
        Whether jobs with u_i(T - a_i) = 0 count; such a job makes L = 0.
    """
    total = capacity(instance)
    needs = [(job, need) for job in instance.jobs if (need := least_use(job))]
    if not total or not needs:
        return None
    mu = total / min(need for _, need in needs)
    last = [(job.utility.lower(instance.horizon - job.arrival), need) for job, need in needs]
    return min((u / (2 * mu * need) for u, need in last if u or every), default=None)


def highest_printed(job: Job, resource: str) -> Fraction:
    """Return a job's term of (13): u(ceil(V c_i/F) - a)/(alpha + beta).

    Arguments of u are training times, at least 1.
    """
    argument = max(0, fastest(job) - (job.arrival + 1)) + 1
    return job.utility.lower(argument) / sum(demand(job, resource))


def highest_repaired(job: Job, resource: str) -> Fraction:
    """Return a job's term of the repaired U: u(ceil(V c_i/F)) / min positive demand.

    The demands are alpha and beta.
    """
    return job.utility.lower(fastest(job)) / min(d for d in demand(job, resource) if d)


@dataclass(frozen=True)
class Tariff:
    """The price L (U^r/L)^(rho / (k C)) of every resource, k = ``full_share``.

    Attributes
    ----------
    full_share
        The share of a capacity at which the price reaches U: 1 as printed in (12), 1 - x or 1 - x + g as repaired.
    """

    lowest: Fraction
    highest: Mapping[str, Fraction]
    full_share: Fraction = Fraction(1)

    def price(self, resource: str, share: Fraction) -> Interval:
        """Return the price when this share of the capacity is in use."""
        return times(self.lowest, power(self.highest[resource] / self.lowest, share / self.full_share))


def tariff(instance: Instance, bounds: Bounds, cap: Fraction, slack: Fraction, grain: Fraction = ZERO) -> Tariff | None:
    """Return the prices of an instance, or ``None`` if undefined or decreasing in use.

    Parameters
    ----------
    bounds
        ``printed``: (12)-(14), without jobs with u_i(T - a_i) = 0 in L. ``denominators``: U^r as repaired.
        ``repaired``: also ``full_share``, 1 - x + g for jobs that hold at most a share x = ``cap`` of any capacity.
    slack
        The divisor of L.
    grain
        g, if the used share of every capacity is a multiple of g; 0 if unknown.
    """
    low = lowest(instance)
    high = {r: highest(instance, r, printed=bounds == "printed") for r in demanded_resources(instance)}
    if low is None or min(high.values()) < low:
        return None
    return Tariff(low / slack, high, 1 - cap + grain if bounds == "repaired" else Fraction(1))


def highest(instance: Instance, resource: str, printed: bool) -> Fraction:
    term = highest_printed if printed else highest_repaired
    return max(term(job, resource) for job in instance.jobs if sum(demand(job, resource)))


@dataclass(frozen=True)
class Step:
    """One job's decision in Algorithm 1.

    Attributes
    ----------
    payoff
        The payoff lambda_i.
    plan
        The job's schedule, ``None`` for a rejected job.
    before
        The use rho at the job's arrival.
    """

    job: Job
    payoff: Interval
    plan: Plan | None
    before: Use


@dataclass(frozen=True, eq=False)
class Outcome:
    """A run of Algorithm 1."""

    instance: Instance
    tariff: Tariff
    steps: tuple[Step, ...]
    rho: Use

    @property
    def primal(self) -> Fraction:
        """The total utility P_I."""
        return sum((step.plan.utility for step in self.steps if step.plan), ZERO)

    def price(self, spot: Spot, rho: Use | None = None) -> Interval:
        """Return p_h^r[t] at the use ``rho`` (default: the final use)."""
        _, h, resource = spot
        amount = (self.rho if rho is None else rho).get(spot, ZERO)
        return self.tariff.price(resource, amount / self.instance.machines[h].capacity[resource])

    def cost(self, use: Use, rho: Use | None = None) -> Interval:
        return plus(exactly(0), *(times(amount, self.price(spot, rho)) for spot, amount in use.items()))

    def capacity_value(self, rho: Use) -> Interval:
        """Return the sum of p C over slots, machines and resources, C the unreserved part."""
        return self.cost({spot: a for spot in spots(self.instance) if (a := free(self.instance, spot))}, rho)

    @property
    def start(self) -> Interval:
        """The initial value D_0 of the dual objective."""
        return self.capacity_value(initial_use(self.instance))

    @property
    def dual(self) -> Interval:
        """The final value D_I of the dual objective."""
        return plus(self.capacity_value(self.rho), *(step.payoff for step in self.steps))

    def growth(self, step: Step) -> Interval:
        """Return the growth D_i - D_(i-1) of the dual objective."""
        use = step.plan.use if step.plan else {}
        after = add_use(step.before, use)
        rises = ((s, minus(self.price(s, after), self.price(s, step.before))) for s in use)
        return plus(step.payoff, *(times(free(self.instance, spot), rise) for spot, rise in rises))


def spots(instance: Instance) -> list[Spot]:
    """Return every slot, machine and resource with a capacity and a price."""
    names = demanded_resources(instance)
    slots, machines = range(instance.horizon), instance.machines
    return [(t, m.index, r) for t in slots for m in machines for r in names if m.capacity.get(r, ZERO)]


def initial_use(instance: Instance) -> Use:
    return {spot: instance.reserved[spot] for spot in spots(instance) if instance.reserved.get(spot)}


def fits(instance: Instance, rho: Use, plan: Plan) -> bool:
    """Return whether a schedule fits the remaining capacity (15), (18)."""
    machines = instance.machines
    return all(rho.get(s, ZERO) + a <= machines[s[1]].capacity.get(s[2], ZERO) for s, a in plan.use.items())


@lru_cache(maxsize=128)
def run(
    instance: Instance,
    bounds: Bounds = "printed",
    cap: Fraction = Fraction(1),
    slack: Fraction = Fraction(1),
    grain: Fraction = ZERO,
) -> Outcome | None:
    """Run Algorithm 1, with jobs by arrival, then file order; ``None`` without prices.

    Parameters
    ----------
    bounds, grain
        As in `tariff`.
    cap
        The largest share of a capacity that a job may hold.
    slack
        For every completion, the most expensive schedule within this factor of the least cost is taken.

    Raises
    ------
    Undecided
        If the enclosures of two different costs overlap.
    """
    prices = tariff(instance, bounds, cap, slack, grain)
    if prices is None:
        return None
    rho, steps = initial_use(instance), []
    empty = Outcome(instance, prices, (), rho)
    for job in sorted(instance.jobs, key=lambda j: j.arrival):
        steps.append(_arrive(empty, job, rho, cap, slack))
        if (plan := steps[-1].plan) is not None:
            rho = add_use(rho, plan.use)
    return Outcome(instance, prices, tuple(steps), rho)


def _arrive(out: Outcome, job: Job, rho: Use, cap: Fraction, slack: Fraction) -> Step:
    costs: dict[int, Interval] = {}
    priced: dict[int, list[tuple[Interval, Plan]]] = {}
    for plan in plans(out.instance, job, cap):
        if fits(out.instance, rho, plan):
            for part in plan.parts:
                if id(part) not in costs:
                    costs[id(part)] = out.cost(part.use, rho)
            priced.setdefault(plan.time, []).append((plus(*(costs[id(part)] for part in plan.parts)), plan))
    best: tuple[Interval, Plan | None] = exactly(0), None
    for time in sorted(priced):
        cost, plan = _cheapest(priced[time], slack)
        payoff = minus(exactly(plan.utility), cost)
        if below(best[0], payoff):
            best = payoff, plan
    return Step(job, best[0], best[1], rho)


def _cheapest(priced: list[tuple[Interval, Plan]], slack: Fraction) -> tuple[Interval, Plan]:
    least = priced[0]
    for one in priced[1:]:
        least = one if below(one[0], least[0]) else least
    if slack == 1:
        return least
    dearest = least
    for one in priced:
        if one[0][1] <= slack * least[0][0] and below(dearest[0], one[0]):
            dearest = one
    return dearest


def below(one: Interval, other: Interval) -> bool:
    """Return whether a number is certainly less; equal enclosures mean equality."""
    if one[1] < other[0]:
        return True
    if one == other or one[0] >= other[1]:
        return False
    raise Undecided
