"""Section 4.2, after (14): the lowest price admits every job."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claim import (
    Answer,
    Claim,
    Domain,
    FalseVariant,
    Finding,
    Outside,
    Proof,
    Reading,
    with_settings,
    worst,
)
from schedproof.families.dmlrs import YU22
from schedproof.proofs_checks.dmlrs.shared import regimes
from schedproof.proofs_checks.strategies import dmlrs as draw
from schedproof.proofs_checks.strategies.dmlrs import OfInstance
from schedproof.reference.dmlrs import lowest
from schedproof.reference.dmlrs_schedules import plans


def admitted(case: OfInstance, raised: int = 1) -> Answer:
    """At p = L the payoff of every job that can finish is at least u_i(T - a_i)/2 > 0.

    Premise: u_i(T - a_i) > 0 for all jobs (L would be 0 otherwise).
    """
    instance, low = case.instance, lowest(case.instance)
    last = {job.index: job.utility.lower(instance.horizon - job.arrival) for job in instance.jobs}
    if low is None or not all(last.values()):
        return Outside("TODO")
    found = []
    for job in instance.jobs:
        for plan in plans(instance, job):
            payoff = plan.utility - raised * low * sum(plan.use.values(), Fraction(0))
            found.append(Finding(payoff, last[job.index] / 2, "at least", f"{job.name}, payoff at L"))
    return worst(found)


ADMITTED_PROOF = Proof(
    """
    A schedule that fits uses at most T sum C in all, over the resources in use, which is at most mu n_i. L <= u_i(T -
    a_i)/(2 mu n_i), so it costs at most u_i(T - a_i)/2 at p = L, and it earns at least u_i(T - a_i).
    """,
    answers={"TODO": "TODO"},
)


ANY_JOB_ADMITTED = Claim(
    id="dmlrs.any_job_admitted",
    source=YU22.at("section 4.2, after (14)"),
    statement="At rho = 0 the price L is so low that any job (that can finish) can be admitted.",
    readings=(
        Reading("all jobs last", "u_i(T - a_i) > 0 for all jobs, so that L > 0.", admitted, proof=ADMITTED_PROOF),
    ),
    domain=Domain(
        OfInstance,
        draw.also_roomy(draw.cases, ("plain",), reserved=False, lasting=True),
        (*regimes.SHAPES, regimes.LATE, regimes.UNFINISHABLE),
    ),
    false_variants=(FalseVariant("at twenty times L", with_settings(admitted, raised=20)),),
)
