"""The proof of Theorem 1: a server loses at most the data of one job."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claims.claim import Answer, Claim, Finding, Outside
from schedproof.families.jrp import WANG19
from schedproof.proofs_checks.jrp.shared.load_regimes import OF_DRAWS
from schedproof.proofs_checks.jrp.shared.premises import EXCEEDED, too_many
from schedproof.proofs_checks.strategies.jrp_loads import ServerLoad
from schedproof.reference.jrp_load import kept_prefix

HEAVIEST = Claim(
    "jrp.kept_dmax",
    WANG19.at("proof of Theorem 1, its second sentence"),
    "When D_j > r_j^s, D'_j >= mu_j - d_max with d_max = max_k sum_(i in B_j^k) d_i.",
    OF_DRAWS,
)
WITHIN_HEAVIEST_PROOF = """
By (7), mu <= r. As in `kept24`, D' > r - d for the size d of one data node, and d <= d_max, as d_max is the most data
that all candidates of some job have. So D' > r - d_max >= mu - d_max.
Coq, core: jrp.v kept_dmax. Outside: mu <= r by (7), and d <= d_max for each data node. A server keeps the longest
prefix, in order of priority, that fits.
- *The only data node of a job: is d at most d_max?* Yes: each data node is a candidate of its job here, and d_max is
at least the data of that job here.
"""


@HEAVIEST.reading(
    "each draw", "The statement is for every draw of more than r.", WITHIN_HEAVIEST_PROOF, where=(EXCEEDED,)
)
@HEAVIEST.false_variant("half of d_max", less=Fraction(1, 2))
def within_heaviest(case: ServerLoad, less: Fraction = Fraction(1)) -> Answer:
    load = case.load
    if limit := too_many(load):
        return limit
    least = kept_prefix(load).least
    if least is None:
        return Outside(EXCEEDED)
    return Finding(least, load.mean - less * load.heaviest, "at least", "the least D' with D > r")
