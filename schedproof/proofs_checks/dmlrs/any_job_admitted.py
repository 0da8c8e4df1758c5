"""Section 4.2, after (14): the lowest price admits every job."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claims.claim import Answer, Claim, Domain, Finding, Outside, Premise, worst
from schedproof.families.dmlrs import YU22
from schedproof.proofs_checks.dmlrs.shared import regimes
from schedproof.proofs_checks.dmlrs.shared.premises import CAN_FINISH
from schedproof.proofs_checks.strategies import dmlrs as draw
from schedproof.proofs_checks.strategies.dmlrs import OfInstance
from schedproof.reference.dmlrs import lowest
from schedproof.reference.dmlrs_schedules import plans

POSITIVE_L: Premise[OfInstance] = Premise("L > 0", lambda case: lowest(case.instance) is not None)

ANY_JOB_ADMITTED = Claim(
    "dmlrs.any_job_admitted",
    YU22.at("section 4.2, after (14)"),
    "At rho = 0 the price L is so low that any job (that can finish) can be admitted.",
    Domain(
        OfInstance,
        draw.also_roomy(draw.cases, ("plain",), reserved=False, lasting=True) | draw.cases(reserved=False),
        (*regimes.SHAPES, regimes.LATE, regimes.UNFINISHABLE, regimes.WORTHLESS_END),
    ),
)
ANY_JOB_ADMITTED.repair(
    domain=Domain(
        OfInstance,
        draw.also_roomy(draw.cases, ("plain",), reserved=False, lasting=True),
        (*regimes.SHAPES, regimes.LATE, regimes.UNFINISHABLE),
    )
)


@ANY_JOB_ADMITTED.reading(
    "jobs that last",
    "(14) over the jobs with u_i(T - a_i) > 0, as (12) needs L > 0.",
    where=(POSITIVE_L, CAN_FINISH),
)
@ANY_JOB_ADMITTED.false_variant("at twenty times L", raised=20)
def payoff(case: OfInstance, raised: int = 1) -> Answer:
    """At p = L, a job that can finish has a payoff of at least half its utility.

    Some schedule of each such job has this payoff.
    """
    instance, low = case.instance, lowest(case.instance)
    if low is None:
        return Outside(POSITIVE_L)
    result = []
    for job in instance.jobs:
        if menu := plans(instance, job):
            halves = [p.utility / 2 - raised * low * sum(p.use.values(), Fraction(0)) for p in menu]
            result.append(Finding(max(halves), Fraction(0), "at least", f"{job.name}, payoff at L beside u/2"))
    return worst(result)


ALL_LAST_PROOF = """
Under the assumption (14) is the least value over all jobs. So L <= u_i(T - a_i)/(2 mu n_i) for each i. A schedule that
fits uses at most T sum C in total, summed over the resources in use. This is at most mu n_i. So at p = L the schedule
costs at most u_i(T - a_i)/2, which is at most half of its utility, as u_i does not increase. So each payoff is at least
half the utility, and positive.
Coq, core: admission.v any_job_admitted. Outside: prices, schedules, mu and the admission rule of Algorithm 1. At p = L
a schedule pays L for each unit that it uses. The use of the schedule is at most T sum C, and T sum C <= mu n_i by the
definition of mu. The schedule earns at least u_i(T - a_i).
- *A payoff of half the utility is more than the text claims.* Yes: the text needs only a positive payoff. The witness
has a negative payoff, so no weaker reading holds.
- *Do the prices of resources that no job demands matter?* No: no job pays these prices, and sum C, mu and the cost all
exclude these resources.
"""


@ANY_JOB_ADMITTED.assume("all last", "u_i(T - a_i) > 0 for all jobs", ALL_LAST_PROOF)
def all_last(case: OfInstance) -> bool:
    return all(job.utility.lower(case.instance.horizon - job.arrival) for job in case.instance.jobs)
