"""Lemma 4: what alpha and beta add up to."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claim import Claim, Domain, FalseVariant, Finding, Reading, Repair, with_settings
from schedproof.families.preemptive import WANG22
from schedproof.proofs_checks.preemptive.eq5_marginal import LANDING_ORDER
from schedproof.proofs_checks.preemptive.shared import regimes
from schedproof.proofs_checks.preemptive.shared.regimes import outcome
from schedproof.proofs_checks.strategies import preemptive as draw
from schedproof.proofs_checks.strategies.preemptive import Online


def sums_agree(case: Online, price: str = "eq5", order: str = "static", fluid: bool = False) -> Finding:
    """Sum alpha equals sum beta, which is sum (c_jd - r_j)/D_j by the definition of beta in section IV-C."""
    out = outcome(case, price=price, order=order, whole_slots=not fluid)
    return Finding(out.alpha_total, out.beta_total, "equal", "sum alpha and sum beta")


def without_waiting(case: Online) -> Finding:
    """A false variant: each chunk counts its delay and its processing only."""
    out = outcome(case)
    alone = sum((c.weight * (c.landing + c.work - c.job.arrival) for c in out.chunks), Fraction(0))
    return Finding(alone, out.beta_total, "equal", "delay and processing only")


LEMMA4 = Claim(
    id="preemptive.lemma4",
    source=WANG22.at("Appendix D, Lemma 4"),
    statement="Sum alpha = sum beta = sum (c_jd - r_j)/D_j.",
    readings=(
        Reading("transit counted", "(5) over every unfinished chunk.", sums_agree),
        Reading("landed only", "(5) over the landed chunks.", with_settings(sums_agree, price="eq5_landed")),
        Reading("fluid", "Chunk times as they are, every unfinished chunk.", with_settings(sums_agree, fluid=True)),
    ),
    domain=Domain(Online, draw.online(), (*regimes.RUNS, regimes.TRANSIT, regimes.MIXED)),
    false_variants=(FalseVariant("without waiting and postponing", without_waiting),),
    assumption=LANDING_ORDER,
    old_repair=Repair(domain=Domain(Online, draw.online(in_order=True), regimes.RUNS)),
)
