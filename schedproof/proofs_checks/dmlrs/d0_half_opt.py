"""Appendix C: the dual objective at the start."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claims.claim import Answer, Claim, Domain, Finding, Outside, Premise
from schedproof.families.dmlrs import YU22
from schedproof.proofs_checks.dmlrs.shared import regimes
from schedproof.proofs_checks.dmlrs.shared.competitive import lasting_utilities
from schedproof.proofs_checks.dmlrs.shared.optimum import best_packing
from schedproof.proofs_checks.strategies import dmlrs as draw
from schedproof.proofs_checks.strategies.dmlrs import OfInstance
from schedproof.reference.dmlrs import capacity, least_use, lowest


def is_defined(case: OfInstance, every: bool) -> bool:
    """Whether (14) is defined, over all jobs or over those that last.

    (14) is undefined if it divides by a job's demand of 0.
    """
    return lowest(case.instance, every) is not None and all(least_use(job) for job in case.instance.jobs)


DEFINED: Premise[OfInstance] = Premise("(14) is defined", lambda case: is_defined(case, True))
DEFINED_LASTING: Premise[OfInstance] = Premise(
    "(14) is defined over the jobs with u_i(T - a_i) > 0", lambda case: is_defined(case, False)
)

D0_HALF_OPT = Claim(
    "dmlrs.d0_half_opt",
    YU22.at("Appendix C, proof of Theorems 5 and 6, with (14)"),
    "Where (14) is defined, D_0 <= OPT/2.",
    Domain(
        OfInstance,
        draw.also_roomy(draw.cases, ("plain",), reserved=False),
        (*regimes.SHAPES, regimes.LATE, regimes.UNFINISHABLE, regimes.WORTHLESS_END),
    ),
)
D0_HALF_OPT.repair()


@D0_HALF_OPT.reading("all jobs", "(14) as printed; L = 0 where some u_i(T - a_i) = 0.", where=(DEFINED,))
@D0_HALF_OPT.reading(
    "jobs that last",
    "(14) over the jobs with u_i(T - a_i) > 0, as (12) needs L > 0.",
    every=False,
    where=(DEFINED_LASTING,),
)
@D0_HALF_OPT.false_variant("a fiftieth of OPT", share=Fraction(1, 50))
def half(case: OfInstance, every: bool = True, share: Fraction = Fraction(1, 2)) -> Answer:
    """D_0 <= OPT/2, where the logarithm of (12) takes the least L of (14).

    (14) divides by each job's demand, so each job defines its own L.
    """
    low = lowest(case.instance, every)
    if low is None:
        return Outside(DEFINED_LASTING)
    optimum = best_packing(case.instance)
    return Finding(low * capacity(case.instance), share * optimum, "at most", "D_0, OPT/2", optimum=optimum)


SOME_JOB_LASTS_PROOF = """
mu is at least T sum C/n_i for every i, where n_i = ceil(V_i c_e) sum_r (alpha + beta). D_0 is T sum C times the least
u_i(T - a_i)/(2 mu n_i). So D_0 is at most half the least u_i(T - a_i), over all jobs or over the jobs for which it is
positive. By the assumption one of the latter jobs, j, can be scheduled by itself and completes by T. As u_j does not
increase, OPT >= u_j(T - a_j), which is at least that least value.
Coq, core: admission.v d0_half_opt. Outside: D_0, mu, the prices and OPT as sums over schedules. D_0 is L times the sum
of the capacities over all slots, and this sum is at most mu n_i by the definition of mu. The job of the assumption
earns at least u_i(T - a_i) by itself.
- *mu may be larger than T sum C over the least n_i.* Then L and D_0 are smaller still.
- *If no job can finish, OPT = 0 = D_0?* No: L uses u_i(T - a_i) whether or not job i can finish by T.
d0_half_opt-hopeless has D_0 = 1/2 and OPT = 0.
"""


@D0_HALF_OPT.assume("some job lasts", "some job that can finish has u_i(T - a_i) > 0", SOME_JOB_LASTS_PROOF)
def some_job_lasts(case: OfInstance) -> bool:
    return bool(lasting_utilities(case.instance))
