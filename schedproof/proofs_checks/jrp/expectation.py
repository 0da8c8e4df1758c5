"""How much a server keeps on average: claims expectation27 and expectation27_repaired."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from schedproof.core.claim import Case, Claim, Finding, Planted, Reading
from schedproof.proofs_checks.jrp import load_regimes as regimes
from schedproof.proofs_checks.jrp.enclosures import above, below, normal_loss, printed_factor, two_pi
from schedproof.proofs_checks.jrp.house import WITNESSES
from schedproof.proofs_checks.jrp.load import ONE, Load, exact, kept, whichever
from schedproof.proofs_checks.jrp.moments import ETAS, full
from schedproof.proofs_checks.strategies import jrp_loads as draw
from schedproof.proofs_checks.writing import at, table

HALF = Fraction(1, 2)


def finite(case: Case, eta: Callable[[Load], int]) -> Finding | None:
    """E(D'_j) >= (1 - 1/(2 eta) - 1/sqrt(2 pi eta)) mu_j, with the distribution of D_j as it is."""
    load = exact(case)
    if load is None:
        return None
    return Finding(kept(load).mean, printed_factor(eta(load)) * load.mean, "at least", f"E(D'), eta = {eta(load)}")


def _all_of(case: Case) -> Finding | None:
    load = exact(case)
    return None if load is None else Finding(kept(load).mean, load.mean, "at least", "E(D'), mu")


def normal(case: Case, eta: Callable[[Load], int] = whichever) -> Finding | None:
    """The same, with D_j exactly normal, of mean mu = r and the variance of (26), and nothing lost but what exceeds r.

    Measured is an upper bound of E max(0, min(D, r)) = mu - sigma/sqrt(2 pi) + E max(0, -D), where E max(0, -D) = sigma
    phi(t) - mu Pr(N > t) with t = mu/sigma. No rule that keeps at most r can have more.
    """
    load = full(case)
    if load is None or not load.variance:
        return None
    mean, square = load.mean, load.variance

    def most(ball: Any) -> Any:
        spread, t = ball(square).sqrt(), ball(mean) / ball(square).sqrt()
        half_density = spread / two_pi(ball).sqrt()
        negative = half_density * (-t * t * ball(HALF)).exp() - ball(mean * HALF) * (t * ball(HALF).sqrt()).erfc()
        return ball(mean) - half_density + negative

    return Finding(above(most), printed_factor(eta(load)) * mean, "at least", f"E(D'), normal, eta = {eta(load)}")


def root_repaired(case: Case, share: Fraction = HALF) -> Finding | None:
    """E(D'_j) >= (1 - 1/eta - 1/(2 sqrt(eta))) mu_j with eta = mu_j/max d_i.

    Proof
    -----
    Let d = max d_i > 0. Where D <= r, D' = D; where D > r, D' > r - d (see `kept24_repaired`). As mu <= r by (7), D' >=
    min(D, mu) - d always. E min(D, mu) = mu - E(D - mu)^+, and E(D - mu)^+ = E|D - mu|/2 <= sigma/2, as D - mu has the
    mean 0; sigma^2 <= d mu by `variance26_repaired`. So E(D') >= mu - d - sqrt(d mu)/2, and d = mu/eta. No limit
    theorem is used. With d = 0 or mu = 0 there is nothing to lose.
    """
    load = exact(case)
    if load is None or not load.mean:
        return None
    eta = load.mean / load.largest
    claimed = below(lambda ball: ball(load.mean) * (ball(1 - 1 / eta) - ball(share) / ball(eta).sqrt()))
    return Finding(kept(load).mean, claimed, "at least", f"E(D'), eta = {eta}")


def poisson_repaired(case: Case, whole: bool = True, lost: Fraction = ONE) -> Finding | None:
    """E(D'_j) >= (1 - 1/eta - 1/sqrt(2 pi eta)) mu_j with eta = floor(mu_j/max d_i) >= 1.

    Proof
    -----
    Let d = mu/eta >= max d_i, so that mu/d = eta is whole. As before, D' >= min(D, mu) - d. In units of d, D is the sum
    of independent a_i X_i, a_i <= 1, Pr(X_i = 1) = x_i, with mean eta. h(z) = min(z, eta) is concave, so that h(c + a)
    >= (1 - a) h(c) + a h(c + 1), and E h does not grow when a_i X_i is replaced by one that is 1 with a_i x_i, else 0.
    Nor does it when that is replaced by a Poisson variable of the same mean q: h(c + n) <= h(c) + n (h(c + 1) - h(c))
    for n = 0, 1, 2, .... One after the other, that makes E min(D/d, eta) >= E min(N, eta) with N Poisson of mean eta.
    Finally E(N - eta)^+ = sum_(k > eta) (eta p_(k-1) - eta p_k) = eta p_eta with p_k = e^(-eta) eta^k/k!, and p_eta <=
    1/sqrt(2 pi eta) by Stirling's eta! >= sqrt(2 pi eta) (eta/e)^eta. So E(D') >= mu - d - d sqrt(eta/(2 pi)).
    """
    load = exact(case)
    if load is None or load.mean < load.largest or not load.mean:
        return None
    eta = load.mean // load.largest if whole else whichever(load)
    claimed = below(lambda ball: ball(load.mean) * (ball(1 - lost / eta) - normal_loss(ball, eta)))
    return Finding(kept(load).mean, claimed, "at least", f"E(D'), eta = {eta}")


REGIMES = (
    regimes.FULL,
    regimes.SLACK,
    regimes.OVERFULL,
    regimes.ONE_SIZE,
    regimes.SIZES,
    regimes.SURE,
    regimes.INSIDE,
    regimes.JOB,
    regimes.MANY,
)

EXPECTATION = Claim(
    id="jrp.expectation27",
    source="paper 003, proof of Theorem 1, (25)-(27)",
    statement="E(D'_j) >= (1 - 1/(2 eta) - 1/sqrt(2 pi eta)) mu_j.",
    readings=(
        *(Reading(name, f"The exact distribution; {sentence}", at(finite, eta=eta)) for name, sentence, eta in ETAS),
        Reading(
            "exactly normal",
            "The central limit theorem holds so well that D_j is normal, mu_j = r_j^s; the least eta of the others.",
            normal,
        ),
    ),
    regimes=(*REGIMES, regimes.ELSEWHERE),
    strategy=draw.any_loads(),
    planted=(
        Planted("nothing is lost", _all_of),
        Planted("nothing is lost, normal", at(normal, eta=lambda load: 10**12)),
    ),
    witnesses=WITNESSES,
    repaired_by="jrp.expectation27_repaired",
)


REPAIRED = Claim(
    id="jrp.expectation27_repaired",
    source="paper 003, proof of Theorem 1, (25)-(27), repaired",
    statement="With eta = floor(mu_j/max d_i) >= 1, E(D'_j) >= (1 - 1/eta - 1/sqrt(2 pi eta)) mu_j; with eta = "
    "mu_j/max d_i, E(D'_j) >= (1 - 1/eta - 1/(2 sqrt(eta))) mu_j. No limit theorem is needed.",
    readings=(
        Reading("whole eta", "The paper's own rate.", poisson_repaired),
        Reading("any eta", "From the variance alone.", root_repaired),
    ),
    regimes=REGIMES,
    strategy=draw.any_loads(),
    planted=(
        Planted("nothing is lost", _all_of),
        Planted("the printed eta", at(poisson_repaired, whole=False)),
    ),
)

CLAIMS = table(EXPECTATION, REPAIRED)
