"""Section IV-C, before Theorem 1: when a server's load is nearly normal.

The distance is the largest of |Pr(D_j <= z) - Phi((z - mu)/sigma)| over z, and the same with <. It is measured from
below: doubles choose z, rationals and an enclosure of Phi give the number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from math import erf, sqrt
from typing import Any

from schedproof.core.claim import (
    Answer,
    Claim,
    Domain,
    FalseVariant,
    Finding,
    Outside,
    Proof,
    Reading,
    Repair,
    with_settings,
)
from schedproof.families.jrp import WANG19
from schedproof.proofs_checks.jrp.shared import load_regimes as regimes
from schedproof.proofs_checks.jrp.shared.enclosures import above, below
from schedproof.proofs_checks.strategies import jrp_loads as draw
from schedproof.proofs_checks.strategies.jrp_loads import ServerLoad
from schedproof.reference.jrp_load import ONE, ZERO, Load, drawn

CONSTANT = Fraction(56, 100)  # of the Berry-Esseen theorem for terms that are not alike (Shevtsova 2010)
HALF = Fraction(1, 2)


def bounded_above(case: ServerLoad) -> Answer:
    """The distance falls with n, for sizes of at most some bound, as fast as it does for equal sizes."""
    load = case.load
    if not inside(load):
        return Outside("TODO")
    return Finding(distance(load), rate(load, ONE), "at most", f"n = {len(load.nodes)}")


def bounded_below(case: ServerLoad) -> Answer:
    """The distance is at most 0.56 (C/c)/sqrt(n eps (1 - eps)) for sizes in [c, C], c > 0, and x in [eps, 1 - eps]."""
    load = case.load
    if not inside(load) or not all(d for d, _ in load.nodes):
        return Outside("TODO")
    ratio = load.largest / min(d for d, _ in load.nodes)
    return Finding(distance(load), rate(load, ratio), "at most", f"n = {len(load.nodes)}, C/c = {ratio}")


BOUNDED_BELOW_PROOF = Proof(
    """
    By `berry_esseen` it is at most 0.56 max d/sigma. Here max d <= C, and sigma^2 = sum d_i^2 x_i (1 - x_i) >= n c^2
    eps (1 - eps), as x (1 - x) is least at the ends of [eps, 1 - eps].
    """,
    answers={"TODO": "TODO"},
)


def berry_esseen(case: ServerLoad, share: Fraction = ONE) -> Answer:
    """The distance is at most 0.56 max d_i/sigma_j."""
    load = case.load
    if not load.enumerable or not load.variance:
        return Outside("TODO")
    claimed = above(lambda ball: ball(share * CONSTANT * load.largest) / ball(load.variance).sqrt())
    return Finding(distance(load), claimed, "at most", f"n = {len(load.nodes)}")


BERRY_ESSEEN_PROOF = Proof(
    """
    The theorem of Berry and Esseen, with the constant 0.56 that Shevtsova (2010) proved for independent terms that need
    not be alike, bounds the distance by 0.56 sum E|Y_i|^3/sigma^3, where Y_i = d_i (phi(e_i = j) - x_i). As |Y_i| <=
    d_i, E|Y_i|^3 <= d_i E Y_i^2 <= max d E Y_i^2, and the sum of E Y_i^2 is sigma^2.
    """,
    answers={"TODO": "TODO"},
)


def inside(load: Load) -> bool:
    """Whether 0 < x < 1 for all, and there is some data."""
    return bool(load.enumerable and load.variance and all(0 < x < 1 for _, x in load.nodes))


def steps(load: Load) -> Iterator[tuple[Fraction, Fraction]]:
    """Each value z of D_j with Pr(D_j < z), and with Pr(D_j <= z)."""
    total = ZERO
    for held, chance in sorted(drawn(load).items()):
        yield held, total
        total += chance
        yield held, total


def distance(load: Load) -> Fraction:
    """A lower bound of the distance from the normal distribution with the same mean and variance."""
    spread = sqrt(2 * load.variance)

    def about(step: tuple[Fraction, Fraction]) -> float:
        return abs(float(step[1]) - (1 + erf(float(step[0] - load.mean) / spread)) / 2)

    z, chance = max(steps(load), key=about)

    def normal(ball: Callable[[Fraction], Any]) -> Any:
        return ball(HALF) * ((ball(load.mean - z) / ball(2 * load.variance).sqrt()).erfc())

    return max(ZERO, chance - above(normal), below(normal) - chance)


def rate(load: Load, ratio: Fraction) -> Fraction:
    """0.56 ratio/sqrt(n eps (1 - eps)), with the largest eps such that every x is in [eps, 1 - eps]."""
    eps = min(min(x, 1 - x) for _, x in load.nodes)
    return above(lambda ball: ball(CONSTANT * ratio) / ball(len(load.nodes) * eps * (1 - eps)).sqrt())


LOADS = Domain(
    ServerLoad, draw.any_loads(), (regimes.INSIDE, regimes.ONE_SIZE, regimes.SIZES, regimes.MANY, regimes.JOB)
)

LIMIT = Claim(
    id="jrp.normal_limit",
    source=WANG19.at("section IV-C, before Theorem 1"),
    statement="If n is large, the d_i are uniformly bounded and x_i in [eps, 1 - eps] for most data nodes, then the "
    "central limit theorem can hold (looked at: all of them, and the rate that equal sizes have).",
    readings=(
        Reading("bounded above", "Sizes of at most some C, however small.", bounded_above),
        Reading(
            "and below",
            "Sizes in [c, C] with c > 0; the rate may depend on C/c.",
            bounded_below,
            proof=BOUNDED_BELOW_PROOF,
        ),
    ),
    domain=LOADS,
    false_variants=(FalseVariant("a fifth of the rate", with_settings(berry_esseen, share=Fraction(1, 5))),),
    repair=Repair(
        statement="The distribution of D_j is within 0.56 max d_i/sigma_j of the normal one; so within 0.56 "
        "(C/c)/sqrt(n eps (1 - eps)) for sizes in [c, C] and x in [eps, 1 - eps].",
        readings=(
            Reading("max d against sigma", "Whatever x.", berry_esseen, proof=BERRY_ESSEEN_PROOF),
            Reading("bounded on both sides", "Sizes in [c, C].", bounded_below, proof=BOUNDED_BELOW_PROOF),
        ),
        domain=LOADS.but(regimes=(*LOADS.regimes, regimes.SURE)),
        false_variants=(
            FalseVariant("a fifth of it", with_settings(berry_esseen, share=Fraction(1, 5))),
            FalseVariant("without C/c", bounded_above),
        ),
    ),
)
