"""The situations that the dmlrs claims must be tried in, each a predicate of a case."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from schedproof.core.claim import Case, Finding, Regime
from schedproof.instances.dmlrs import Instance
from schedproof.proofs_checks.dmlrs.literal import Bounds, Outcome, Undecided, left, run
from schedproof.proofs_checks.dmlrs.schedules import plans


def outcome(case: Case, bounds: Bounds = "printed") -> Outcome | None:
    """PD-ORS on a case with its cap and slack; None where no prices can be formed or two costs cannot be told apart."""
    try:
        return run(case.instance, bounds, Fraction(case.data.get("cap", 1)), Fraction(case.data.get("slack", 1)))
    except Undecided:
        return None


def _blocked(case: Case, bounds: Bounds) -> bool:
    """Whether some job finds a schedule that would fit the cluster, but not what is left of it."""
    out, cap = outcome(case, bounds), Fraction(case.data.get("cap", 1))
    steps = out.steps if out else ()
    return any(not left(case.instance, s.before, plan) for s in steps for plan in plans(case.instance, s.job, cap))


def of_instance(name: str, reached: Callable[[Instance], bool]) -> Regime:
    """A regime of the instance alone."""
    return Regime(name, lambda case: case.instance is not None and reached(case.instance))


def of_run(bounds: Bounds) -> tuple[Regime, ...]:
    """The situations of a run: a job admitted, one rejected, one that finds too little left."""
    return (
        Regime("a job is admitted", lambda c: any(s.plan for s in getattr(outcome(c, bounds), "steps", ()))),
        Regime("a job is rejected", lambda c: any(not s.plan for s in getattr(outcome(c, bounds), "steps", ()))),
        Regime("too little is left for a job", lambda c: _blocked(c, bounds)),
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
HOPELESS = of_instance("a job that cannot finish", lambda i: any(not plans(i, job) for job in i.jobs))
WORTHLESS_END = of_instance(
    "worth nothing at the horizon", lambda i: any(not j.utility.lower(i.horizon - j.arrival) for j in i.jobs)
)

SHAPES = (SEVERAL_MACHINES, SEVERAL_SLOTS, SEVERAL_RESOURCES, SEVERAL_JOBS)
DETAILS = (BROKEN_RATIO, LOCALITY, NO_CAPACITY)


def speaks(
    check: Callable[[Outcome, Case], Finding | None], bounds: Bounds = "printed"
) -> Callable[[Case], Finding | None]:
    """A check of a run as a check of a case; it keeps the docstring, and so the proof."""

    def fixed(case: Case) -> Finding | None:
        out = outcome(case, bounds)
        return None if out is None else check(out, case)

    fixed.__doc__ = check.__doc__
    return fixed
