"""Section IV-C, before Theorem 1: when a server's load is nearly normal.

The distance is the supremum over z of |Pr(D_j <= z) - Phi((z - mu)/sigma)|, and of the same difference with <. The
check bounds the distance from below: z is chosen in doubles, and the difference is computed from rationals and an
enclosure of Phi.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import erf, sqrt
from typing import Any

from hypothesis import strategies as st

from schedproof.core.claims.claim import Answer, Claim, Domain, Finding, Outside, Premise
from schedproof.families.jrp import WANG19
from schedproof.proofs_checks.jrp.shared import load_regimes as regimes
from schedproof.proofs_checks.jrp.shared.enclosures import HALF, above, below
from schedproof.proofs_checks.jrp.shared.premises import SPREAD, too_many
from schedproof.proofs_checks.strategies import jrp_loads as draw
from schedproof.proofs_checks.strategies.jrp_loads import ServerLoad
from schedproof.reference.jrp_load import ONE, ZERO, Load, load_distribution


@dataclass(frozen=True)
class ManyNodes:
    n: int


LIMIT = Claim(
    "jrp.normal_limit",
    WANG19.at("section IV-C, before Theorem 1"),
    "If n is large, the d_i are uniformly bounded and x_i in [eps, 1 - eps] for most data nodes, then the"
    " central limit theorem can hold (checked: from some n on the distance is at most 1/10).",
    Domain.of(
        ManyNodes,
        st.integers(1, 400).map(ManyNodes),
        {
            "ten data nodes": lambda case: case.n >= 10,
            "a hundred": lambda case: case.n >= 100,
            "few": lambda case: case.n < 10,
        },
    ),
    severity="false proof step",
)
REPAIRED = LIMIT.repair(
    "Where sigma_j > 0, the distribution of D_j is within 0.56 max d_i/sigma_j of the normal one; so "
    "within 0.56 (C/c)/sqrt(n eps (1 - eps)) for sizes in [c, C] with c > 0 and x in [eps, 1 - eps].",
    domain=Domain(
        ServerLoad,
        draw.any_loads(),
        (regimes.INSIDE, regimes.ONE_SIZE, regimes.SIZES, regimes.MANY, regimes.JOB, regimes.SURE),
    ),
    small=True,
)
WANTED = Fraction(1, 10)
CONSTANT = Fraction(56, 100)  # of the Berry-Esseen theorem for terms that are not alike (Shevtsova 2010)


@LIMIT.reading("n is large enough", "Some n is large enough for sizes of at most 1 GB and x = 1/2 for all.")
def large_enough(case: ManyNodes) -> Finding:
    """With enough data nodes of at most 1 GB, the distance is at most 1/10.

    x = 1/2 for each data node. z is the sum of all sizes but the first: D <= z exactly if the first data node is not
    drawn.
    """
    sizes = halves(case.n)
    rest = sum(sizes[1:], ZERO)
    chance = HALF if rest < 1 else ONE
    below_rest = cumulative(rest, sum(sizes, ZERO) / 2, sum((d**2 for d in sizes), ZERO) / 4)
    return Finding(max(ZERO, chance - below_rest[1]), WANTED, "at most", f"n = {case.n}, z = {float(rest):.4f} GB")


THIRD_MOMENTS = """
Let Y_i = d_i (phi(e_i = j) - x_i). The theorem of Berry and Esseen bounds the distance by 0.56 sum E |Y_i|^3/sigma^3.
Shevtsova (2010) proved the constant 0.56 for independent terms with different distributions. As |Y_i| <= d_i, E |Y_i|^3
<= d_i E Y_i^2 <= max d E Y_i^2. The sum of E Y_i^2 is sigma^2.
- *The constant is cited.* Yes. Any constant gives the same limit, and the ledger states the case that is closest to the
bound.
- *One data node, x = 1/2.* sigma = d/2: the bound is 1.12 and empty, as expected.
"""


@REPAIRED.reading("max d against sigma", "The bound holds for any x.", THIRD_MOMENTS, where=(SPREAD,))
@REPAIRED.false_variant("four tenths of the constant", share=Fraction(2, 5))
def berry_esseen(case: ServerLoad, share: Fraction = ONE) -> Answer:
    load = case.load
    if not SPREAD.met(case):
        return Outside(SPREAD)
    if limit := too_many(load):
        return limit
    claimed = above(lambda ball: ball(share * CONSTANT * load.largest) / ball(load.variance).sqrt())
    return Finding(distance(load), claimed, "at most", f"n = {len(load.nodes)}")


SPREAD_AT_LEAST = """
By the other reading, the distance is at most 0.56 max d/sigma. Here max d <= C, and sigma^2 = sum d_i^2 x_i (1 - x_i)
>=
n c^2 eps (1 - eps), as x (1 - x) is least at the ends of [eps, 1 - eps].
- *The paper has x in [eps, 1 - eps] for most data nodes, not for all.* The other nodes only increase sigma^2. With q n
nodes in the interval, replace n by q n.
- *How many such nodes does a vertex of LP_I have?* At most 3 m times the data nodes of a job, for every n:
`inside_at_vertex`. The condition is sound, but the solution of Algorithm 1 does not meet it.
"""


BOUNDED: Premise[ServerLoad] = Premise(
    "sizes in [c, C] with c > 0 and x in [eps, 1 - eps]",
    lambda case: all(d and 0 < x < 1 for d, x in case.load.nodes),
)


@REPAIRED.reading("bounded on both sides", "All sizes are in [c, C].", SPREAD_AT_LEAST, where=(BOUNDED,))
@REPAIRED.false_variant("without C/c", by_ratio=False)
def bounded_below(case: ServerLoad, by_ratio: bool = True) -> Answer:
    load = case.load
    if not BOUNDED.met(case):
        return Outside(BOUNDED)
    if limit := too_many(load):
        return limit
    ratio = load.largest / min(d for d, _ in load.nodes) if by_ratio else ONE
    return Finding(distance(load), rate(load, ratio), "at most", f"n = {len(load.nodes)}, C/c = {ratio}")


LIMIT.false_variant("at most 1/4")(
    lambda case: Finding(large_enough(case).measured, Fraction(1, 4), "at most", f"n = {case.n}")
)


def halves(n: int) -> list[Fraction]:
    """Sizes 1, 1/8, 1/16, ... GB: those after the first add up to at most 1/4 GB."""
    return [ONE, *(Fraction(1, 1 << (i + 1)) for i in range(2, n + 1))]


def cumulative(z: Fraction, mean: Fraction, variance: Fraction) -> tuple[Fraction, Fraction]:
    def normal(ball: Any) -> Any:
        return ball(HALF) * ((ball(mean - z) / ball(2 * variance).sqrt()).erfc())

    return below(normal), above(normal)


def distance(load: Load) -> Fraction:
    """A lower bound on the distance from the normal law of the same mean and variance."""
    spread = sqrt(2 * load.variance)

    def deviation(step: tuple[Fraction, Fraction]) -> float:
        return abs(float(step[1]) - (1 + erf(float(step[0] - load.mean) / spread)) / 2)

    z, chance = max(steps(load), key=deviation)
    low, high = cumulative(z, load.mean, load.variance)
    return max(ZERO, chance - high, low - chance)


def rate(load: Load, ratio: Fraction) -> Fraction:
    """0.56 ratio/sqrt(n eps (1 - eps)).

    eps is the largest number with every x in [eps, 1 - eps].
    """
    eps = min(min(x, 1 - x) for _, x in load.nodes)
    return above(lambda ball: ball(CONSTANT * ratio) / ball(len(load.nodes) * eps * (1 - eps)).sqrt())


def steps(load: Load) -> Iterator[tuple[Fraction, Fraction]]:
    total = ZERO
    for held, chance in sorted(load_distribution(load).items()):
        yield held, total
        total += chance
        yield held, total
