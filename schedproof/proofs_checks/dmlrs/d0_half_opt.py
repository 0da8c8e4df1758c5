"""Appendix C: what the dual is worth at the start."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claim import (
    Answer,
    Assumption,
    Claim,
    Domain,
    FalseVariant,
    Finding,
    Outside,
    Proof,
    Reading,
    Repair,
    with_settings,
)
from schedproof.families.dmlrs import YU22
from schedproof.proofs_checks.dmlrs.shared import regimes
from schedproof.proofs_checks.dmlrs.shared.competitive import lasting_utilities
from schedproof.proofs_checks.dmlrs.shared.optimum import best_packing
from schedproof.proofs_checks.strategies import dmlrs as draw
from schedproof.proofs_checks.strategies.dmlrs import OfInstance
from schedproof.reference.dmlrs import capacity, least_use, lowest


def half(case: OfInstance, every: bool = True, share: Fraction = Fraction(1, 2)) -> Answer:
    """D_0 <= OPT/2, if every job demands something (14) and the optimum accepts one (which Appendix C assumes)."""
    opt, low = best_packing(case.instance), lowest(case.instance, every)
    if low is None or not opt or not all(least_use(job) for job in case.instance.jobs):
        return Outside("TODO")
    return Finding(low * capacity(case.instance), share * opt, "at most", "D_0, OPT/2")


HALF_PROOF = Proof(
    """
    mu is at least T sum C/n_i for all i, where n_i = ceil(V_i c_e) sum_r (alpha + beta); so D_0 = T sum C times the
    least of u_i(T - a_i)/(2 mu n_i) is at most half the least u_i(T - a_i) over all i. OPT accepts some job j, which
    completes by T: it earns at least u_j(T - a_j), since u_j does not increase.
    """,
    answers={"TODO": "TODO"},
)


def half_of_those_that_last(case: OfInstance) -> Answer:
    """The same with L over the jobs with u_i(T - a_i) > 0 only."""
    return half(case, every=False)


def some_job_lasts(case: OfInstance) -> bool:
    """Some job that can finish by the horizon earns something even then."""
    return bool(lasting_utilities(case.instance))


SOME_JOB_LASTS_PROOF = Proof(
    """
    L leaves out the jobs with u_i(T - a_i) = 0, and D_0 is at most half the least u_i(T - a_i) of the others, as in the
    reading *all jobs*. By the assumption one of these, j, can be scheduled alone, so OPT >= u_j(T - a_j).
    """,
    answers={"TODO": "TODO"},
)


LASTS = Assumption(
    "some job lasts", "some job that can finish has u_i(T - a_i) > 0", some_job_lasts, SOME_JOB_LASTS_PROOF
)
THAT_LAST = Reading(
    "jobs that last", "(14) over the jobs with u_i(T - a_i) > 0, as (12) needs L > 0.", half_of_those_that_last
)

D0_HALF_OPT = Claim(
    id="dmlrs.d0_half_opt",
    source=YU22.at("Appendix C, proof of Theorems 5 and 6, with (14)"),
    statement="D_0 <= OPT/2.",
    readings=(
        Reading("all jobs", "(14) as printed; L = 0 where some u_i(T - a_i) = 0.", half, proof=HALF_PROOF),
        THAT_LAST,
    ),
    domain=Domain(
        OfInstance,
        draw.also_roomy(draw.cases, ("plain",), reserved=False),
        (*regimes.SHAPES, regimes.LATE, regimes.UNFINISHABLE, regimes.WORTHLESS_END),
    ),
    false_variants=(FalseVariant("a fiftieth of OPT", with_settings(half, share=Fraction(1, 50))),),
    assumption=LASTS,
    repair=Repair(readings=(LASTS.imposed(THAT_LAST),)),
)
