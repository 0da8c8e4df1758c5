"""Lemma 4: the sums of alpha and beta."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claims.claim import Claim, Domain, Finding
from schedproof.families.preemptive import WANG22
from schedproof.proofs_checks.preemptive.eq5_marginal import EQ5_MARGINAL
from schedproof.proofs_checks.preemptive.shared import regimes
from schedproof.proofs_checks.preemptive.shared.premises import IN_ORDER
from schedproof.proofs_checks.strategies import preemptive as draw
from schedproof.proofs_checks.strategies.preemptive import Online

LEMMA4 = Claim(
    "preemptive.lemma4",
    WANG22.at("Appendix D, Lemma 4"),
    "Sum alpha = sum beta = sum (c_jd - r_j)/D_j.",
    Domain(Online, draw.online(), (*regimes.RUNS, regimes.TRANSIT, regimes.MIXED)),
)
REPAIRED = LEMMA4.repair(domain=Domain(Online, draw.online(in_order=True), regimes.RUNS, (IN_ORDER,)))
LEMMA4.assumption = EQ5_MARGINAL.assumption


@LEMMA4.reading("transit counted", "(5) sums over every unfinished chunk.")
@LEMMA4.reading("landed only", "(5) sums over the landed chunks.", price="eq5_landed")
@LEMMA4.reading("fluid", "Chunk times are exact, and (5) sums over every unfinished chunk.", fluid=True)
def sums_agree(case: Online, price: str = "eq5", order: str = "static", fluid: bool = False) -> Finding:
    out = regimes.outcome(case, price=price, order=order, whole_slots=not fluid)
    return Finding(out.alpha_total, out.beta_total, "equal", "sum alpha and sum beta")


@LEMMA4.false_variant("without waiting and postponing")
def without_waiting(case: Online) -> Finding:
    out = regimes.outcome(case)
    alone = sum((c.weight * (c.landing + c.work - c.job.arrival) for c in out.chunks), Fraction(0))
    return Finding(alone, out.beta_total, "equal", "delay and processing only")
