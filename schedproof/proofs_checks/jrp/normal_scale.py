"""Section IV-C: the divisor of D_j - mu_j that makes it standard normal."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

from schedproof.core.claims.claim import Answer, Claim, Domain, Finding
from schedproof.families.jrp import WANG19
from schedproof.proofs_checks.jrp.shared import load_regimes as regimes
from schedproof.proofs_checks.jrp.shared.premises import SPREAD, too_many
from schedproof.proofs_checks.strategies import jrp_loads as draw
from schedproof.proofs_checks.strategies.jrp_loads import ServerLoad
from schedproof.reference.jrp_load import ONE, ZERO, JobKind, Node, load_distribution

HALF = Fraction(1, 2)
OF_VARIANCE_1 = ServerLoad(Fraction(2), 0, (JobKind(HALF, 1, (Node(Fraction(2), HALF),)),))
SCALE = Claim(
    "jrp.normal_scale",
    WANG19.at("section IV-C, before Theorem 1 and before (25)"),
    "Where sigma_j > 0, (D_j - mu_j)/sigma_j^2 ~ N(0, 1) (checked: its variance, which should be 1).",
    Domain(
        ServerLoad,
        st.one_of(draw.any_loads(), st.just(OF_VARIANCE_1)),
        (regimes.ONE_SIZE, regimes.SIZES, regimes.SURE, regimes.MANY, regimes.FULL, regimes.SLACK),
        (SPREAD,),
    ),
    severity="slip",
)
REPAIRED = SCALE.repair("Where sigma_j > 0, (D_j - mu_j)/sigma_j has mean 0 and variance 1.", small=True)


@SCALE.reading("as printed", "D_j - mu_j is divided by the variance.", power=2)
@SCALE.false_variant("not divided", power=0)
@REPAIRED.false_variant("divided by the variance", power=2)
def variance(case: ServerLoad, power: int) -> Answer:
    load = case.load
    if limit := too_many(load):
        return limit
    second_moment = sum(((held - load.mean) ** 2 * p for held, p in load_distribution(load).items()), ZERO)
    return Finding(second_moment / load.variance**power, ONE, "equal", f"divided by sigma^{power}")


UNIT_VARIANCE = """
The terms d_i phi(e_i = j) are independent, with variances d_i^2 x_i (1 - x_i). So their sum has the variance sigma_j^2
of (26). Dividing the sum by sigma_j > 0 divides the variance by sigma_j^2. (The mean is 0.) Dividing the sum by
sigma_j^2 gives the variance 1/sigma_j^2, which tends to 0 if the central limit theorem applies.
Coq: vertex.v normal_scale. Objects: expected, load, spread. In words: the list has a server's candidates, drawn
independently.
- *Is it N(0, 1), then?* Not for a finite n: mean and variance are right; the shape is the subject of `normal_limit`.
"""


@REPAIRED.reading("divided by sigma_j", "D_j - mu_j is divided by the standard deviation.", UNIT_VARIANCE)
def scaled_repaired(case: ServerLoad) -> Answer:
    return variance(case, power=1)
