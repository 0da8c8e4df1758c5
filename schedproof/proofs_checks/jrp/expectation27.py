"""The proof of Theorem 1, (25)-(27): the expected data that a server keeps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from schedproof.core.claims.claim import Answer, Claim, Domain, Finding, Outside, Premise
from schedproof.families.jrp import WANG19
from schedproof.proofs_checks.jrp.shared import load_regimes as regimes
from schedproof.proofs_checks.jrp.shared.enclosures import (
    HALF,
    above,
    below,
    negative_part,
    normal_loss,
    printed_factor,
    right_side24,
    two_pi,
)
from schedproof.proofs_checks.jrp.shared.premises import FULL, SPREAD, too_many
from schedproof.proofs_checks.strategies import jrp_loads as draw
from schedproof.proofs_checks.strategies.jrp_loads import ServerLoad
from schedproof.reference.jrp_load import ETAS, ONE, Load, kept_prefix, of_largest, worst_order_limit

LOADS = Domain(ServerLoad, draw.any_loads(), regimes.LOADS)
EXPECTATION = Claim(
    "jrp.expectation27",
    WANG19.at("proof of Theorem 1, (25)-(27)"),
    "E(D'_j) >= (1 - 1/(2 eta) - 1/sqrt(2 pi eta)) mu_j.",
    LOADS.but(regimes=(*LOADS.regimes, regimes.ELSEWHERE)),
    severity="false proof step",
)
REPAIRED = EXPECTATION.repair(
    "With eta = floor(mu_j/max d_i) >= 1, E(D'_j) >= (1 - 1/eta - 1/sqrt(2 pi eta)) mu_j; for mu_j > 0 "
    "and eta = mu_j/max d_i, E(D'_j) >= (1 - 1/eta - 1/(2 sqrt(eta))) mu_j. No limit theorem is needed.",
    domain=LOADS,
)
Eta = Callable[[Load], int]
ALL_AS_LARGE = ("all as large as the largest", "eta = floor(r_j^s/max d_i).", of_largest)


def finite(case: ServerLoad, eta: Eta) -> Answer:
    load = case.load
    if limit := too_many(load):
        return limit
    return Finding(
        kept_prefix(load).mean, printed_factor(eta(load)) * load.mean, "at least", f"E(D'), eta = {eta(load)}"
    )


for name, sentence, number in reversed((*ETAS, ALL_AS_LARGE)):
    EXPECTATION.reading(name, f"The exact distribution; {sentence}", eta=number)(finite)


@EXPECTATION.false_variant("nothing is lost", also=REPAIRED)
def _all_of(case: ServerLoad) -> Answer:
    load = case.load
    return too_many(load) or Finding(kept_prefix(load).mean, load.mean, "at least", "E(D'), mu")


@EXPECTATION.reading(
    "exactly normal",
    "D_j is exactly normal, as in the central limit theorem, and mu_j = r_j^s; eta: the largest number "
    "such that any choice of candidates fits.",
    where=(FULL, SPREAD),
)
@EXPECTATION.false_variant("nothing is lost, normal", eta=lambda load: 10**12)
def normal(case: ServerLoad, eta: Eta = worst_order_limit) -> Answer:
    """The expectation (27) for a normal D_j of mean mu = r and the variance of (26).

    Only the excess over r is lost. The measured value is the upper bound E max(0, min(D, r)) = mu - sigma/sqrt(2 pi) +
    E max(0, -D), where E max(0, -D) = sigma phi(t) - mu Pr(N > t) with t = mu/sigma. No rule that keeps at most r
    keeps more on average.
    """
    for premise in (FULL, SPREAD):
        if not premise.met(case):
            return Outside(premise)
    load = case.load
    mean, square = load.mean, load.variance

    def upper_end(ball: Any) -> Any:
        return ball(mean) - ball(square).sqrt() / two_pi(ball).sqrt() + negative_part(ball, mean, square)

    return Finding(above(upper_end), printed_factor(eta(load)) * mean, "at least", f"E(D'), normal, eta = {eta(load)}")


NORMAL_STEPS = """
By `normal25` the right side of (24) is at least (1 - 1/(2 eta)) mu - sigma/sqrt(2 pi), for any eta >= 1. By
`variance26`, sigma^2 <= max d mu <= mu^2/eta for eta = floor(r/max d), as mu = r. So the mean is at least (1 - 1/(2
eta) - 1/sqrt(2 pi eta)) mu, which is (27). By `kept24`, (24) itself is true with this eta.
- *No D_j is exactly normal.* The reading grants the paper's assumption. Without it (27) fails with this eta too: jobs
of 1 and 20 GB on a server of 20 GB.
- *Is (27) then a bound for the throughput?* No: data kept by servers are not accepted jobs; see `theorem1`.
"""


@EXPECTATION.reading(
    "normal, all as large",
    "D_j is normal, mu_j = r_j^s and (24) gives the kept data; eta = floor(r_j^s/max d_i).",
    NORMAL_STEPS,
    where=(FULL, SPREAD),
)
def by24(case: ServerLoad) -> Finding:
    """For exactly normal D_j, the right side of (24) is at least the bound of (27).

    eta = floor(r/max d).
    """
    load = case.load
    eta = of_largest(load)
    limit = above(lambda ball: right_side24(ball, load.mean, load.variance, eta))
    return Finding(limit, printed_factor(eta) * load.mean, "at least", f"the right side of (24), eta = {eta}")


def whole_eta(load: Load) -> int:
    return load.mean // load.largest


TO_POISSON = """
Let d = mu/eta >= max d_i, so that mu/d = eta is an integer. As before, D' >= min(D, mu) - d. In units of d, D is a sum
of independent terms a_i X_i with a_i <= 1 and Pr(X_i = 1) = x_i; its mean is eta. h(z) = min(z, eta) is concave, so
h(c + a) >= (1 - a) h(c) + a h(c + 1). Replace a_i X_i by a variable that is 1 with probability a_i x_i, else 0: E h
does not grow. Replace that variable by a Poisson variable of the same mean q. Again E h does not grow, as h(c + n) <=
h(c) + n (h(c + 1) - h(c)) for n = 0, 1, 2, .... After all replacements E min(D/d, eta) >= E min(N, eta) with N Poisson
of mean eta. Finally E(N - eta)^+ = sum_(k > eta) (eta p_(k-1) - eta p_k) = eta p_eta with p_k = e^(-eta) eta^k/k!, and
p_eta <= 1/sqrt(2 pi eta) by Stirling's eta! >= sqrt(2 pi eta) (eta/e)^eta. So E(D') >= mu - d - d sqrt(eta/(2 pi)).
- *d = mu/eta is not the size of a data node.* It need not be: d is at least each size. So a_i <= 1, and D' > r - max d
>= r - d.
- *The draws are not Poisson variables.* They bound E min(D/d, eta) from below, one replacement at a time with the
others fixed; the proof makes no statement on D' with them.
"""


ETA_ONE: Premise[ServerLoad] = Premise(
    "eta = floor(mu_j/max d_i) >= 1", lambda case: case.load.mean >= case.load.largest > 0
)
LOADED: Premise[ServerLoad] = Premise("mu_j > 0", lambda case: case.load.mean > 0)


@REPAIRED.reading("whole eta", "The rate is the paper's.", TO_POISSON, where=(ETA_ONE,))
@REPAIRED.false_variant("the printed eta", eta=worst_order_limit)
def poisson_repaired(case: ServerLoad, eta: Eta = whole_eta) -> Answer:
    load = case.load
    if not ETA_ONE.met(case):
        return Outside(ETA_ONE)
    if limit := too_many(load):
        return limit
    number = eta(load)
    claimed = below(lambda ball: ball(load.mean) * (ball(1 - ONE / number) - normal_loss(ball, number)))
    return Finding(kept_prefix(load).mean, claimed, "at least", f"E(D'), eta = {number}")


FROM_THE_VARIANCE = """
Let d = max d_i > 0. If D <= r, then D' = D; if D > r, then D' > r - d (see `kept24_repaired`). As mu <= r by (7), D' >=
min(D, mu) - d always. E min(D, mu) = mu - E(D - mu)^+. As D - mu has mean 0, E(D - mu)^+ = E |D - mu|/2 <= sigma/2. By
`variance26_repaired`, sigma^2 <= d mu. So E(D') >= mu - d - sqrt(d mu)/2, and d = mu/eta. The proof uses no limit
theorem. With d = 0 or mu = 0 no data are lost.
- *Is mu <= r?* Yes, (7): the LP puts no more than r on the server.
- *E |D - mu| <= sigma.* Jensen: the square of the mean is at most the mean of the square.
"""


@REPAIRED.reading("any eta", "The bound uses only the variance.", FROM_THE_VARIANCE, where=(LOADED,))
def root_repaired(case: ServerLoad) -> Answer:
    load = case.load
    if limit := too_many(load):
        return limit
    eta = load.mean / load.largest
    claimed = below(lambda ball: ball(load.mean) * (ball(1 - 1 / eta) - ball(HALF) / ball(eta).sqrt()))
    return Finding(kept_prefix(load).mean, claimed, "at least", f"E(D'), eta = {eta}")
