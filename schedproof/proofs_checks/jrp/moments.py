"""The variance of a server's load: claims variance26, normal_scale and their repaired versions."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from schedproof.core.claim import Case, Claim, Finding, Planted, Reading, worst
from schedproof.proofs_checks.jrp import load_regimes as regimes
from schedproof.proofs_checks.jrp.house import WITNESSES
from schedproof.proofs_checks.jrp.load import (
    ONE,
    ZERO,
    Load,
    candidates,
    drawn,
    exact,
    most_anywhere,
    most_here,
    read,
    row,
    server,
    whichever,
)
from schedproof.proofs_checks.strategies import jrp_loads as draw
from schedproof.proofs_checks.strategies.jrp_loads import st
from schedproof.proofs_checks.writing import at, table

Eta = Callable[[Load], int]
HALF = Fraction(1, 2)


def smallest(load: Load) -> Fraction:
    """min d_i."""
    return min(d for d, _ in load.nodes)


def full(case: Case) -> Load | None:
    """The load of a case with mu_j = r_j^s, as (26) assumes."""
    load = read(case)
    return load if load is not None and load.mean == load.storage else None


def chain(case: Case, eta: Eta, heaviest: Callable[[Load], Fraction] = lambda load: load.heaviest) -> Finding | None:
    """sigma^2 <= d_max mu and d_max mu <= mu^2/eta."""
    load = full(case)
    if load is None:
        return None
    middle = heaviest(load) * load.mean
    return worst(
        [
            Finding(load.variance, middle, "at most", "the variance, d_max mu"),
            Finding(middle, load.mean**2 / eta(load), "at most", "d_max mu, mu^2/eta"),
        ]
    )


def ends(case: Case, eta: Eta) -> Finding | None:
    """sigma^2 <= mu^2/eta, all that (27) uses of (26)."""
    load = full(case)
    return None if load is None else Finding(load.variance, load.mean**2 / eta(load), "at most", "the variance")


def chain_repaired(case: Case, share: Fraction = ONE, greatest: bool = True) -> Finding | None:
    """sigma^2 <= max d_i mu <= d_max mu, and max d_i mu = mu^2/eta with eta = mu/max d_i.

    Proof
    -----
    d_i^2 x_i (1 - x_i) <= d_i (d_i x_i) <= max d (d_i x_i), as sizes are not negative and 0 <= 1 - x_i <= 1; sum over
    i. A data node belongs to a job whose candidates have at least its size together: max d <= d_max. For mu > 0 the
    last equation is the definition of eta. It needs neither mu = r nor any limit; for jobs with one candidate each, all
    of one size d, floor(r/d) of them fit and floor(r/d) <= mu/d where mu = r.
    """
    load = read(case)
    if load is None:
        return None
    size = load.largest if greatest else smallest(load)
    return worst(
        [
            Finding(load.variance, share * size * load.mean, "at most", "the variance, max d mu"),
            Finding(share * size * load.mean, load.heaviest * load.mean, "at most", "max d mu, d_max mu"),
        ]
    )


ETAS = (
    ("most here", "eta: the most candidates that fit together on this server.", most_here),
    ("most anywhere", "eta: the most data nodes that fit together on any one server.", most_anywhere),
    ("all candidates", "eta = |B_j|, those that may be assigned to it.", candidates),
    ("whichever they are", "eta: the most of which any fit on this server, the least of all readings.", whichever),
)
REGIMES = (regimes.SURE, regimes.INSIDE, regimes.ONE_SIZE, regimes.SIZES, regimes.JOB, regimes.ELSEWHERE, regimes.MANY)

VARIANCE = Claim(
    id="jrp.variance26",
    source="paper 003, proof of Theorem 1, (26)",
    statement="sigma_j^2 = sum d_i^2 x_i (1 - x_i) <= d_max mu_j <= mu_j^2/eta, where mu_j = r_j^s.",
    readings=(
        *(Reading(name, sentence, at(chain, eta=eta)) for name, sentence, eta in ETAS),
        Reading(
            "the ends alone", "sigma_j^2 <= mu_j^2/eta, with the least eta of the others.", at(ends, eta=whichever)
        ),
    ),
    regimes=REGIMES,
    strategy=draw.any_loads(full=True),
    planted=(Planted("the smallest size", at(chain, eta=lambda _: 1, heaviest=smallest)),),
    witnesses=WITNESSES,
    repaired_by="jrp.variance26_repaired",
)

VARIANCE_REPAIRED = Claim(
    id="jrp.variance26_repaired",
    source="paper 003, proof of Theorem 1, (26), repaired",
    statement="sigma_j^2 <= max d_i mu_j = mu_j^2/eta with eta = mu_j/max d_i, and max d_i <= d_max.",
    readings=(Reading("max d_i", "The largest data node in place of the heaviest job.", chain_repaired),),
    regimes=REGIMES,
    strategy=draw.any_loads(),
    planted=(
        Planted("the smallest size", at(chain_repaired, greatest=False)),
        Planted("half of it", at(chain_repaired, share=HALF)),
    ),
)

# --- (D_j - mu_j)/sigma_j^2 ------------------------------------------------------------------------------------------


def second_moment(load: Load) -> Fraction:
    """E (D_j - mu_j)^2 of the distribution."""
    return sum(((held - load.mean) ** 2 * p for held, p in drawn(load).items()), ZERO)


def scaled(case: Case, power: int) -> Finding | None:
    """The variance of (D_j - mu_j)/sigma_j^power, which is 1 for a standard normal variable."""
    load = exact(case)
    if load is None or not load.variance:
        return None
    return Finding(second_moment(load) / load.variance**power, ONE, "equal", f"divided by sigma^{power}")


def scaled_repaired(case: Case) -> Finding | None:
    """(D_j - mu_j)/sigma_j has variance 1.

    Proof
    -----
    The terms d_i phi(e_i = j) are independent, with variances d_i^2 x_i (1 - x_i), so that their sum has the variance
    sigma_j^2 of (26); dividing by sigma_j > 0 divides it by sigma_j^2. (The mean is 0.) Dividing by sigma_j^2 leaves
    1/sigma_j^2, which tends to 0 wherever the central limit theorem is to be used.
    """
    return scaled(case, power=1)


LOADS = st.one_of(draw.any_loads(), st.just(server(2, row(HALF, (2, HALF)))))  # that one has the variance 1

SCALE = Claim(
    id="jrp.normal_scale",
    source="paper 003, section IV-C, before Theorem 1 and before (25)",
    statement="(D_j - mu_j)/sigma_j^2 ~ N(0, 1) (looked at: its variance, which should be 1).",
    readings=(Reading("as printed", "Divided by the variance.", at(scaled, power=2)),),
    regimes=(regimes.ONE_SIZE, regimes.SIZES, regimes.SURE, regimes.MANY, regimes.FULL, regimes.SLACK),
    strategy=LOADS,
    planted=(Planted("not divided", at(scaled, power=0)),),
    witnesses=WITNESSES,
    repaired_by="jrp.normal_scale_repaired",
    small_repair=True,
)

SCALE_REPAIRED = Claim(
    id="jrp.normal_scale_repaired",
    source="paper 003, section IV-C, before Theorem 1 and before (25), repaired",
    statement="(D_j - mu_j)/sigma_j has mean 0 and variance 1.",
    readings=(Reading("divided by sigma_j", "The standard deviation in place of the variance.", scaled_repaired),),
    regimes=SCALE.regimes,
    strategy=LOADS,
    planted=(Planted("divided by the variance", at(scaled, power=2)),),
)

CLAIMS = table(VARIANCE, VARIANCE_REPAIRED, SCALE, SCALE_REPAIRED)
