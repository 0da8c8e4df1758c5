"""The variance (26) of a server's load."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from schedproof.core.claims.claim import Answer, Claim, Domain, Finding, worst
from schedproof.families.jrp import WANG19
from schedproof.proofs_checks.jrp.shared import load_regimes as regimes
from schedproof.proofs_checks.jrp.shared.premises import FULL
from schedproof.proofs_checks.strategies import jrp_loads as draw
from schedproof.proofs_checks.strategies.jrp_loads import ServerLoad
from schedproof.reference.jrp_load import ETAS, ONE, Load, of_largest, worst_order_limit

REGIMES = (regimes.SURE, regimes.INSIDE, regimes.ONE_SIZE, regimes.SIZES, regimes.JOB, regimes.ELSEWHERE, regimes.MANY)
VARIANCE = Claim(
    "jrp.variance26",
    WANG19.at("proof of Theorem 1, (26)"),
    "sigma_j^2 = sum d_i^2 x_i (1 - x_i) <= d_max mu_j <= mu_j^2/eta, where mu_j = r_j^s.",
    Domain(ServerLoad, draw.any_loads(full=True), REGIMES, (FULL,)),
    severity="false proof step",
)
REPAIRED = VARIANCE.repair(
    "sigma_j^2 <= max d_i mu_j = mu_j^2/eta with eta = mu_j/max d_i, and max d_i <= d_max.",
    domain=Domain(ServerLoad, draw.any_loads(), REGIMES),
)
Eta = Callable[[Load], int]


def smallest(load: Load) -> Fraction:
    return min(d for d, _ in load.nodes)


@VARIANCE.false_variant("the smallest size", eta=lambda _: 1, heaviest=smallest)
def chain(case: ServerLoad, eta: Eta, heaviest: Callable[[Load], Fraction] = lambda load: load.heaviest) -> Answer:
    load = case.load
    middle = heaviest(load) * load.mean
    return worst(
        [
            Finding(load.variance, middle, "at most", "the variance, d_max mu"),
            Finding(middle, load.mean**2 / eta(load), "at most", "d_max mu, mu^2/eta"),
        ]
    )


for name, sentence, eta in reversed(
    (*ETAS, ("all as large as the largest", "eta = floor(r_j^s/max d_i).", of_largest))
):
    VARIANCE.reading(name, sentence, eta=eta)(chain)
LARGEST_TIMES_MEAN = """
d_i^2 x_i (1 - x_i) <= d_i (d_i x_i) <= max d (d_i x_i), as sizes are nonnegative and 0 <= 1 - x_i <= 1. Summed over i,
sigma^2 <= max d mu. A data node belongs to a job whose candidates have together at least its size, so max d <= d_max.
For mu > 0, max d mu = mu^2/eta with eta = mu/max d. If mu = r, floor(r/max d) <= mu/max d, so max d mu <=
mu^2/floor(r/max d).
Coq, core: jrp.v variance26. Outside: that the variance of independent draws is (26). A data node is among the
candidates of its job, so max d <= d_max.
- *All sizes may be 0.* Then sigma^2 = mu = 0, and each side is 0.
- *Then (26) is right after all?* Its ends are right with this eta. Its middle is not: d_max counts all data nodes of a
job there, eta counts single data nodes.
"""


@VARIANCE.reading(
    "the ends alone",
    "sigma_j^2 <= mu_j^2/eta, eta: the largest number such that any choice of candidates fits.",
    eta=worst_order_limit,
)
@VARIANCE.reading(
    "the ends, all as large", "sigma_j^2 <= mu_j^2/eta, eta = floor(r_j^s/max d_i).", LARGEST_TIMES_MEAN, eta=of_largest
)
def ends(case: ServerLoad, eta: Eta) -> Finding:
    load = case.load
    return Finding(load.variance, load.mean**2 / eta(load), "at most", "the variance")


@REPAIRED.reading("max d_i", "The largest data node takes the place of the heaviest job.", LARGEST_TIMES_MEAN)
@REPAIRED.false_variant("the smallest size", greatest=False)
@REPAIRED.false_variant("nine tenths of it", share=Fraction(9, 10))
def chain_repaired(case: ServerLoad, share: Fraction = ONE, greatest: bool = True) -> Answer:
    load = case.load
    size = load.largest if greatest else smallest(load)
    return worst(
        [
            Finding(load.variance, share * size * load.mean, "at most", "the variance, max d mu"),
            Finding(share * size * load.mean, load.heaviest * load.mean, "at most", "max d mu, d_max mu"),
        ]
    )
