"""Lemma 2 (G > 1): cost, cover rows and packing rows of a rounded point."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claims.claim import Answer, Claim, Domain, Finding
from schedproof.families.dmlrs import YU22
from schedproof.proofs_checks.dmlrs.shared import lemmas as regimes
from schedproof.proofs_checks.dmlrs.shared.lemmas import ONE_BLOCK, all_at_once, cost_claim
from schedproof.proofs_checks.dmlrs.shared.rounding import above, below, deviation, each_row, gain2, neat, some_row
from schedproof.proofs_checks.strategies import covering as draw
from schedproof.proofs_checks.strategies.covering import Block
from schedproof.reference.dmlrs_enclosures import logarithm, plus, square_root, times

LEMMA2_COST = cost_claim(2, gain2)
LEMMA2_COVER = Claim(
    "dmlrs.lemma2_cover",
    YU22.at("Appendix B, (37)-(38)"),
    "With G of Lemma 2, a cover row fails with probability at most delta/(3 m).",
    Domain(
        Block,
        draw.programs(),
        (regimes.MANY_ROWS, regimes.WHOLE_PART, regimes.DELTA_ONE, regimes.SMALL_DELTA, regimes.TIGHT_COVER),
    ),
)

MISSED = "a demand is not exceeded"

EACH_COVER_ROW_PROOF = """
X = (A x^)_i W_a/a_i is a sum of independent terms in [0, 1] with mean at least G W_a. Let eps = 1 - 1/G, so that (1 -
eps) G = 1; eps is in (0, 1) for every G > 1. So Chernoff's lower tail applies to every delta and W_a: Pr(X <= W_a) <=
exp(-(1 - 1/G)^2 G W_a/2). The right side is delta/(3 m), as G of (38) is the root above 1 of (G - 1)^2 = 2 G ln(3
m/delta)/W_a.
- *Is '<= a_i' the bad event, or '< a_i'?* '<=' is the larger event, and the proof bounds it.
"""


@LEMMA2_COVER.reading("each row", "For each i separately, as (37) is written.", EACH_COVER_ROW_PROOF)
@LEMMA2_COVER.false_variant("with G = 1", unscaled=True)
def each_cover_row(block: Block, unscaled: bool = False) -> Finding:
    return each_row(block, Fraction(1) if unscaled else gain2(block)[1], below(block), MISSED)


ALL_COVER_ROWS_PROOF = """
Each of m events has probability at most delta/(3 m) by `each_cover_row`. So their union has probability at most
delta/3, for any dependence between the rows.
- *Rows that share columns?* A union bound needs no independence.
"""


@LEMMA2_COVER.reading("all rows", "Some row fails with probability at most delta/3.", ALL_COVER_ROWS_PROOF)
def all_cover_rows(block: Block) -> Finding:
    return some_row(block, gain2(block)[1], below(block), MISSED)


PACKED = Domain(Block, draw.programs(), (regimes.NEAR, regimes.FAR, *regimes.ROWS))

LEMMA2_PACKING = Claim(
    "dmlrs.lemma2_packing_any",
    YU22.at("Lemma 2, second sentence"),
    "Pr{(B x^)_i > b_i (1 + sqrt(3 ln(3r/delta)/(G W_b))) G, exists i} <= delta/(3 r).",
    PACKED,
    severity="false theorem",
)
REPAIRED = LEMMA2_PACKING.repair(
    "With eps = (q + sqrt(q^2 + 8q))/2, q = ln(3r/delta)/(G W_b): Pr{(B x^)_i > b_i (1 + eps) G, exists i} <= delta/3.",
    small=True,
)

EXCEEDED = "a share is exceeded"


@LEMMA2_PACKING.reading("some row", "As printed: the probability that there is such a row.")
def any_packing_row(block: Block) -> Finding:
    return some_row(block, gain2(block)[0], above(block, share(block)), EXCEEDED, block.rows[1])


@LEMMA2_PACKING.reading("each row", "The bound holds for each row separately.")
@LEMMA2_PACKING.false_variant("without the factor 1 + eps", bare=True, also=REPAIRED)
@REPAIRED.false_variant("with eps as printed")
def each_packing_row(block: Block, bare: bool = False) -> Finding:
    return each_row(block, gain2(block)[0], above(block, gain2(block)[1] if bare else share(block)), EXCEEDED)


ANY_ROW_REPAIRED_PROOF = """
Each of r events has probability at most delta/(3 r) by `each_row_repaired`. So their union has probability at most
delta/3, for any dependence between the rows.
- *Could 1/r be kept?* Not for independent rows: the probability of their union is about the sum.
"""


@REPAIRED.reading("some row", "The event that some of the r rows fails.", ANY_ROW_REPAIRED_PROOF)
def any_row_repaired(block: Block) -> Finding:
    return some_row(block, gain2(block)[0], above(block, share_repaired(block)), EXCEEDED)


EACH_ROW_REPAIRED_PROOF = """
X = (B x^)_i W_b/b_i is a sum of independent terms in [0, 1] with mean at most mu = G W_b. For every eps > 0 the
Chernoff bound is Pr(X > (1 + eps) mu) <= exp(-mu ((1 + eps) ln(1 + eps) - eps)) <= exp(-eps^2 mu/(2 + eps)), as ln(1 +
eps) >= 2 eps/(2 + eps). The printed exponent eps^2 mu/3 is smaller than this exponent only for eps <= 1. The eps above
is the root of eps^2/(2 + eps) = q, and q mu = ln(3 r/delta).
- *Where is ln(1 + eps) >= 2 eps/(2 + eps) from?* Both sides are 0 at 0. Their derivatives satisfy 1/(1 + eps) >= 4/(2 +
eps)^2, as (2 + eps)^2 >= 4 (1 + eps).
- *The check rounds eps.* It rounds up, which only shrinks the event.
"""


@REPAIRED.reading("each row", "Each row alone fails with probability at most delta/(3 r).", EACH_ROW_REPAIRED_PROOF)
def each_row_repaired(block: Block) -> Finding:
    return each_row(block, gain2(block)[0], above(block, share_repaired(block)), EXCEEDED)


def share(block: Block) -> Fraction:
    """A lower bound on (1 + eps) G, the share of a room that Lemma 2 allows."""
    return gain2(block)[1] + deviation(3, gain2(block), block.packing_width, block.rows[1], block.delta)[1]


def share_repaired(block: Block) -> Fraction:
    """A lower bound on (1 + eps) G with the repaired eps.

    eps = (q + sqrt(q^2 + 8 q))/2, q = ln(3 r/delta)/(G W_b).
    """
    factor, log = gain2(block), logarithm(3 * block.rows[1] / block.delta)
    q = log[0] / (factor[1] * block.packing_width), log[1] / (factor[0] * block.packing_width)
    spread = times(Fraction(1, 2), plus(q, square_root((q[0] ** 2 + 8 * q[0], q[1] ** 2 + 8 * q[1]))))
    return neat((Fraction(0), (1 + spread[1]) * factor[1]))[1]


LEMMA2_JOINT = Claim(
    "dmlrs.lemma2_joint",
    YU22.at("Lemma 2 and Appendix B, the three bad events with the lemma's share of the room"),
    "With probability > 1 - delta at once: cost <= 3 G/delta c x, A x^ >= a, B x^ <= (1 + eps) G b.",
    PACKED,
)
LEMMA2_JOINT.repair(
    domain=PACKED.but(regimes=tuple(r for r in PACKED.regimes if r not in (regimes.FAR, regimes.TOO_LARGE)))
)


@LEMMA2_JOINT.reading("at once", "One draw has all three properties.", where=(ONE_BLOCK,))
@LEMMA2_JOINT.false_variant("the whole room", whole=True)
def at_once(block: Block, whole: bool = False) -> Answer:
    return all_at_once(block, gain2(block), above(block, 1 if whole else share(block)), below(block))


THREE_THIRDS_PROOF = """
The probability of too high a cost is strictly less than delta/3 (`cost_kept`). The probability of a missed demand is at
most delta/3 (`all_cover_rows`). The condition is eps <= 1. Then Chernoff's bound Pr(X > (1 + eps) mu) <= exp(-eps^2
mu/3) with mu = G W_b is true. It gives each packing row at most delta/(3 r), and all of them at most delta/3. So the
probability of the union is less than delta.
- *Does the condition follow from W_b >= 1?* No: it needs G W_b >= 3 ln(3r/delta), which the witnesses of
lemma2_packing_any do not meet.
"""


@LEMMA2_JOINT.assume("eps at most 1", "eps <= 1, that is G W_b >= 3 ln(3 r/delta)", THREE_THIRDS_PROOF)
def moderate(block: Block) -> bool:
    return gain2(block)[0] * block.packing_width >= 3 * logarithm(3 * block.rows[1] / block.delta)[1]
