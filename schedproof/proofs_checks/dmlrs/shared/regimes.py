"""Runs of PD-ORS, and the regimes of the dmlrs claims as predicates of a case."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from schedproof.core.claims.claim import Domain, Open, Outside, Regime
from schedproof.instances.dmlrs import Instance
from schedproof.proofs_checks.dmlrs.shared.premises import ONE, PRICED, PRICED_REPAIRED, limits
from schedproof.proofs_checks.strategies import dmlrs as draw
from schedproof.proofs_checks.strategies.dmlrs import Capped, Grained, OfInstance, Priced
from schedproof.reference.dmlrs import Bounds, Outcome, Step, Undecided, fits, run
from schedproof.reference.dmlrs_enclosures import BITS, Interval, exactly, minus, times
from schedproof.reference.dmlrs_schedules import plans

TOO_CLOSE = Open("bits of two costs, which do not tell which is less", BITS, BITS)


def outcome(case: OfInstance, bounds: Bounds = "printed") -> Outcome | Outside | Open:
    """PD-ORS on a case with its cap and slack.

    The run requires that (12) gives prices and that the enclosures of costs are disjoint.
    """
    grain = case.grain if isinstance(case, Grained) else Fraction(0)
    try:
        out = run(case.instance, bounds, *limits(case), grain)
    except Undecided:
        return TOO_CLOSE
    return out or Outside(PRICED if bounds == "printed" else PRICED_REPAIRED)


def rows_of_11(out: Outcome, cap: Fraction = ONE, slack: Fraction = ONE) -> list[tuple[Interval, Interval, str]]:
    """Return the right-hand side of (11), lambda_i and the place, for every schedule.

    The right-hand side is at the final prices times ``slack``.
    """
    return [
        (minus(exactly(plan.utility), times(slack, out.cost(plan.use))), step.payoff, f"{step.job.name}, {plan.rows()}")
        for step in out.steps
        for plan in plans(out.instance, step.job, cap)
    ]


def of_instance(name: str, reached: Callable[[Instance], bool]) -> Regime[OfInstance]:
    return Regime(name, lambda case: reached(case.instance))


def of_run(bounds: Bounds) -> tuple[Regime[OfInstance], ...]:
    """Regimes of a run: a job admitted, one rejected, one with too little capacity."""

    def steps(case: OfInstance) -> tuple[Step, ...]:
        out = outcome(case, bounds)
        return out.steps if isinstance(out, Outcome) else ()

    def is_blocked(case: OfInstance) -> bool:
        instance, cap = case.instance, limits(case)[0]
        return any(not fits(instance, s.before, plan) for s in steps(case) for plan in plans(instance, s.job, cap))

    return (
        Regime("a job is admitted", lambda case: any(s.plan for s in steps(case))),
        Regime("a job is rejected", lambda case: any(not s.plan for s in steps(case))),
        Regime("too little is left for a job", is_blocked),
    )


SEVERAL_MACHINES = of_instance("several machines", lambda i: len(i.machines) > 1)
SEVERAL_SLOTS = of_instance("several slots", lambda i: i.horizon > 1)
SEVERAL_RESOURCES = of_instance("several resources", lambda i: len(i.resources) > 1)
SEVERAL_JOBS = of_instance("several jobs", lambda i: len(i.jobs) > 1)
LATE = of_instance("a later arrival", lambda i: any(job.arrival for job in i.jobs))
BROKEN_RATIO = of_instance("gamma not whole", lambda i: any(job.workers_per_ps.denominator > 1 for job in i.jobs))
LOCALITY = of_instance("links slower than machines", lambda i: any(j.internal_time < j.external_time for j in i.jobs))
BROKEN_RATE = of_instance(
    "a broken number of samples a slot", lambda i: any((1 / job.internal_time).denominator > 1 for job in i.jobs)
)
RESERVED = of_instance("reserved amounts", lambda i: bool(i.reserved))
NO_CAPACITY = of_instance("a capacity of 0", lambda i: any(not c for m in i.machines for c in m.capacity.values()))
UNFINISHABLE = of_instance("a job that cannot finish", lambda i: any(not plans(i, job) for job in i.jobs))
WORTHLESS_END = of_instance(
    "worth nothing at the horizon", lambda i: any(not j.utility.lower(i.horizon - j.arrival) for j in i.jobs)
)
FREE_OF_CHARGE: Regime[Priced] = Regime("a price of 0", lambda case: 0 in case.price)
FACTOR: Regime[Capped] = Regime("theta within a factor", lambda case: case.slack > 1)

SHAPES = (SEVERAL_MACHINES, SEVERAL_SLOTS, SEVERAL_RESOURCES, SEVERAL_JOBS)
DETAILS = (BROKEN_RATIO, LOCALITY, NO_CAPACITY)
REPAIRED_RUNS: tuple[Regime[Capped], ...] = (*of_run("repaired"), *SHAPES, RESERVED, FACTOR)
WITHOUT_RESERVED = draw.also_roomy(draw.cases, reserved=False)
PRINTED_RUNS = Domain(OfInstance, WITHOUT_RESERVED, (*of_run("printed"), *SHAPES))
