"""Appendix C: the least total amount of resources that a job consumes."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.base.numbers import ceil
from schedproof.core.claims.claim import Answer, Claim, Domain, Finding, worst
from schedproof.families.dmlrs import YU22
from schedproof.proofs_checks.dmlrs.shared import regimes
from schedproof.proofs_checks.dmlrs.shared.premises import CAN_FINISH
from schedproof.proofs_checks.strategies.dmlrs import OfInstance
from schedproof.reference.dmlrs import least_use
from schedproof.reference.dmlrs_schedules import plans

MINIMUM_CONSUMPTION = Claim(
    "dmlrs.minimum_consumption",
    YU22.at("Appendix C, proof of Theorems 5 and 6"),
    "The minimum overall resource consumption of a job that can finish is ceil(V c_e) sum_r (alpha + beta).",
    Domain(
        OfInstance,
        regimes.WITHOUT_RESERVED,
        (*regimes.SHAPES, regimes.LOCALITY, regimes.BROKEN_RATIO, regimes.UNFINISHABLE),
        (CAN_FINISH,),
    ),
    severity="false proof step",
)
REPAIRED = MINIMUM_CONSUMPTION.repair(
    "Every schedule of a job that can finish consumes at least n sum_r alpha + ceil(n/gamma) sum_r "
    "beta, n = ceil(V c_i).",
    small=True,
)


@MINIMUM_CONSUMPTION.reading("all resources", "The consumption is summed over slots, machines and resources.")
def minimum_use(case: OfInstance) -> Answer:
    result = [
        Finding(min(sum(p.use.values(), Fraction(0)) for p in menu), least_use(job), "equal", job.name)
        for job in case.instance.jobs
        if (menu := plans(case.instance, job))
    ]
    return worst(result)


AT_LEAST_PROOF = """
n_t workers in slot t train at most n_t/c_i samples. So sum n_t >= V c_i, hence sum n_t >= ceil(V c_i) = n. They need at
least ceil(n_t/gamma) PSs. The sum of these is at least ceil(n/gamma), as ceil(a) + ceil(b) >= ceil(a + b).
Coq, core: admission.v minimum_consumption. Outside: the rows of a schedule that give these sums. By (2) a parameter
server has at most gamma workers. The sums of alpha and beta are over resources.
- *Is it attained?* Not always: n workers may not fit on one machine or in one slot, or may not divide into multiples of
gamma.
- *What does Appendix C lose?* It loses no step: it needs only 1/mu <= n_i/(T sum C), which defines mu. The false part
is that n_i is a minimum.
"""


@REPAIRED.reading("all resources", "The consumption is summed over slots, machines and resources.", AT_LEAST_PROOF)
@MINIMUM_CONSUMPTION.false_variant("one worker more", more=1)
def at_least(case: OfInstance, more: int = 0) -> Answer:
    result = []
    for job in case.instance.jobs:
        n = ceil(job.work * job.internal_time) + more
        bound = n * sum(job.worker.values(), Fraction(0)) + job.ps_needed(n) * sum(job.ps.values(), Fraction(0))
        uses = [sum(p.use.values(), Fraction(0)) for p in plans(case.instance, job)]
        result += [Finding(use, bound, "at least", job.name) for use in uses]
    return worst(result)
