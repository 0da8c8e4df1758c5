"""The proof of Theorem 1, its second sentence: a server loses at most the data of one job."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claim import Answer, Claim, FalseVariant, Finding, Open, Outside, Proof, Reading, with_settings
from schedproof.families.jrp import WANG19
from schedproof.proofs_checks.jrp.shared.load_regimes import OF_DRAWS
from schedproof.proofs_checks.strategies.jrp_loads import ServerLoad
from schedproof.reference.jrp_load import kept


def within_heaviest(case: ServerLoad, less: Fraction = Fraction(1)) -> Answer:
    """D' >= mu_j - d_max in each draw with D > r."""
    load = case.load
    if not load.enumerable:
        return Open("too many data nodes for the distribution")
    least = kept(load).least
    if least is None:
        return Outside("D_j > r_j^s")
    return Finding(least, load.mean - less * load.heaviest, "at least", "the least D' with D > r")


WITHIN_HEAVIEST_PROOF = Proof(
    """
    By (7), mu <= r. As in `kept24`, D' > r - d for the size d of one data node, and d <= d_max, as d_max is
    the most data that all candidates of some job have. So D' > r - d_max >= mu - d_max.
    """,
    answers={
        "A data node of no job with others: is d at most d_max?": "Each data node is a candidate of its job here, "
        "and d_max is at least what that job has here.",
    },
)


HEAVIEST = Claim(
    id="jrp.kept_dmax",
    source=WANG19.at("proof of Theorem 1, its second sentence"),
    statement="When D_j > r_j^s, D'_j >= mu_j - d_max with d_max = max_k sum_(i in B_j^k) d_i.",
    readings=(
        Reading("each draw", "Whatever is drawn, if it is more than r.", within_heaviest, proof=WITHIN_HEAVIEST_PROOF),
    ),
    domain=OF_DRAWS,
    false_variants=(FalseVariant("half of d_max", with_settings(within_heaviest, less=Fraction(1, 2))),),
)
