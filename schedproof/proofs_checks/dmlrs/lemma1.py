"""Lemma 1 (0 < G <= 1): cost, packing rows and cover rows of a rounded point."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from schedproof.core.claims.claim import Answer, Claim, Domain, Finding
from schedproof.families.dmlrs import YU22
from schedproof.proofs_checks.dmlrs.shared import lemmas as regimes
from schedproof.proofs_checks.dmlrs.shared.lemmas import ONE_BLOCK, all_at_once, cost_claim
from schedproof.proofs_checks.dmlrs.shared.rounding import (
    above,
    below,
    deviation,
    each_row,
    gain1,
    gain2,
    proven_gain,
    some_row,
)
from schedproof.proofs_checks.strategies import covering as draw
from schedproof.proofs_checks.strategies.covering import Block
from schedproof.reference.dmlrs_enclosures import Interval, logarithm

LEMMA1_COST = cost_claim(1, gain1)
PACKED = Domain(Block, draw.programs(), (*regimes.ROWS, regimes.UNDER_HALF, regimes.OVER_HALF))

LEMMA1_PACKING = Claim(
    "dmlrs.lemma1_packing",
    YU22.at("Appendix A, (34)-(35)"),
    "With G of Lemma 1, a packing row is exceeded with probability at most delta/(3 r).",
    PACKED,
)
LEMMA1_PACKING_REPAIRED = LEMMA1_PACKING.repair(
    "With G < 1, W_b (G - 1 - ln G) >= ln(3 r/delta), a row is exceeded with probability <= delta/(3 r)."
)

VIOLATED = "a packing row is violated"


@LEMMA1_PACKING.reading("each row", "For each i separately, as (34) is written.")
@LEMMA1_PACKING.false_variant("with G of Lemma 2", gain=gain2, also=LEMMA1_PACKING_REPAIRED)
@LEMMA1_PACKING_REPAIRED.false_variant("with G as printed")
def each_packing_row(block: Block, gain: Callable[[Block], Interval] = gain1) -> Finding:
    return each_row(block, gain(block)[0], above(block), VIOLATED)


@LEMMA1_PACKING.reading("all rows", "Bad event 3): some row is exceeded with probability at most delta/3.")
def all_packing_rows(block: Block) -> Finding:
    return some_row(block, gain1(block)[0], above(block), VIOLATED)


EACH_ROW_REPAIRED_PROOF = """
Let X be as in the proof for G >= 1/2: a sum of independent terms in [0, 1] with E X <= G W_b. As 1 + z <= e^z, for
every h > 0: Pr(X > W_b) <= e^(-h W_b) E e^(h X) <= exp(G W_b (e^h - 1) - h W_b). h = -ln G > 0 gives exp(-W_b (G - 1 -
ln G)) <= delta/(3 r). This holds for every W_b > 0 and delta. For G = 0 the rounded point uses no capacity.
- *Is 1 + z <= e^z enough for terms in [0, 1]?* Yes. E e^(h Y) <= 1 + E Y (e^h - 1) by convexity of e^(h y) on [0, 1].
This is at most exp(E Y (e^h - 1)).
- *The check takes G of four decimals.* The condition is monotone in G: a smaller G meets it too.
"""


@LEMMA1_PACKING_REPAIRED.reading("each row", "The bound holds for each i separately.", EACH_ROW_REPAIRED_PROOF)
def each_row_repaired(block: Block) -> Finding:
    return each_row(block, gain_repaired(block), above(block), VIOLATED)


ALL_ROWS_REPAIRED_PROOF = """
Sum the bound of each_row_repaired over the r rows: Pr(some) <= r delta/(3 r) = delta/3, for any dependence between the
rows.
- *Copies of a block?* They are independent, and their rows are among the r rows that are summed.
"""


@LEMMA1_PACKING_REPAIRED.reading(
    "all rows", "Some row is exceeded with probability at most delta/3.", ALL_ROWS_REPAIRED_PROOF
)
def all_rows_repaired(block: Block) -> Finding:
    return some_row(block, gain_repaired(block), above(block), VIOLATED)


AT_LEAST_HALF_PROOF = """
X = (B x^)_i W_b/b_i is a sum of independent terms B_ij W_b/b_i times 0 or 1. Each term is in [0, 1] by the choice of
W_b; the integer part of x'_j counts as that many constant terms. The mean is E X = G (B x)_i W_b/b_i <= G W_b.
Chernoff's bound Pr(X > (1 + eps) mu) <= exp(-eps^2 mu/3) for mu >= E X is true for 0 < eps <= 1. If G >= 1/2, eps =
1/G - 1 <= 1. With mu = G W_b the right side is delta/(3 r) by the choice of G. The r rows together give delta/3. As
(1 - G)^2/G falls in G, G >= 1/2 exactly when 3 ln(3 r/delta)/W_b <= 1/2.
- *The mean of X may be less than G W_b.* The bound is used with mu = G W_b >= E X. It is true for such mu, because
exp(E X (e^h - 1)) rises with E X.
- *Are rounded coordinates independent?* Yes: (27)-(28) round each coordinate separately. The rows are not independent;
the proof uses only the sum of their probabilities.
"""
HALF = "G at least 1/2", "G >= 1/2, that is W_b >= 6 ln(3 r/delta)"


@LEMMA1_PACKING.assume(*HALF, AT_LEAST_HALF_PROOF)
def at_least_half(block: Block) -> bool:
    return block.packing_width >= 6 * logarithm(3 * block.rows[1] / block.delta)[1]


def gain_repaired(block: Block) -> Fraction:
    """The largest G of four decimals with W_b (G - 1 - ln G) >= ln(3 r/delta)."""
    return proven_gain(block.packing_width, block.rows[1], block.delta)


LEMMA1_COVER = Claim(
    "dmlrs.lemma1_cover_any",
    YU22.at("Lemma 1, second sentence"),
    "Pr{(A x^)_i <= a_i (1 - sqrt(2 ln(3m/delta)/(G W_a))) G, exists i} <= delta/(3 m).",
    Domain(
        Block,
        draw.programs_and_crowds(),
        (
            regimes.MEANINGFUL,
            regimes.MANY_ROWS,
            regimes.WHOLE_PART,
            regimes.DELTA_ONE,
            regimes.SMALL_DELTA,
            regimes.UNDER_HALF,
            regimes.OVER_HALF,
        ),
    ),
    severity="slip",
)
LEMMA1_COVER_REPAIRED = LEMMA1_COVER.repair(
    "Pr{(A x^)_i <= a_i (1 - sqrt(2 ln(3m/delta)/(G W_a))) G, exists i} <= delta/3.", small=True
)


@LEMMA1_COVER.reading("some row", "As printed: the probability that there is such a row.")
def any_cover_row(block: Block) -> Finding:
    return some_row(block, gain1(block)[1], below(block, share(block)), "a share is missed", block.rows[0])


EACH_COVER_ROW_PROOF = """
X = (A x^)_i W_a/a_i is a sum of independent terms in [0, 1] by the choice of W_a, with E X >= G W_a. For eps < 1
Chernoff's lower tail gives Pr(X <= (1 - eps) G W_a) <= exp(-eps^2 G W_a/2) = delta/(3 m). A mean above G W_a only
lowers the bound exp(-(mean - t)^2/(2 mean)) at t = (1 - eps) G W_a. For eps = 1 the same exponent bounds Pr(X = 0). For
eps > 1 the threshold is negative and the event is impossible. x need not be optimal.
- *The check only encloses G of Lemma 1.* It takes the end that makes a violation least likely. The proof needs no
value of G.
- *Does a larger mean help?* (mean - t)^2/mean rises for mean > t, so the bound falls.
"""


@LEMMA1_COVER.reading("each row", "The bound holds for each row separately.", EACH_COVER_ROW_PROOF)
def each_cover_row(block: Block) -> Finding:
    return each_row(block, gain1(block)[1], below(block, share(block)), "a share is missed")


ANY_COVER_ROW_REPAIRED_PROOF = """
Each of the m rows has at most delta/(3 m) (see `each_cover_row`), and the probability of a union is at most the sum: m
delta/(3 m) = delta/3. For independent rows the probability is nearly that sum, so no factor 1/m can be kept.
- *Could the rows fail together, so that 1/m stays?* In some programs they do. The witness has independent rows, which
do not.
"""


@LEMMA1_COVER_REPAIRED.reading("some row", "The event that some of the m rows fails.", ANY_COVER_ROW_REPAIRED_PROOF)
@LEMMA1_COVER.false_variant("without the factor 1 - eps", whole=True)
def any_cover_row_repaired(block: Block, whole: bool = False) -> Finding:
    """Pr(exists i: (A x^)_i <= a_i (1 - eps) G) <= delta/3.

    With ``whole`` the bound is G, without eps.
    """
    missed = below(block, gain1(block)[0] if whole else share(block))
    return some_row(block, gain1(block)[1], missed, "a share is missed")


def share(block: Block) -> Fraction:
    """An upper bound on (1 - eps) G, the share of a demand in Lemma 1."""
    spread = deviation(2, gain1(block), block.cover_width, block.rows[0], block.delta)
    return gain1(block)[0] - spread[1]


LEMMA1_JOINT = Claim(
    "dmlrs.lemma1_joint",
    YU22.at("Lemma 1 and Appendix A, the bad events 1) to 3) with the lemma's share of the demand"),
    "With probability > 1 - delta at once: cost <= 3 G/delta c x, B x^ <= b, A x^ > (1 - eps) G a.",
    PACKED.but(regimes=(*PACKED.regimes, regimes.MEANINGFUL)),
)
LEMMA1_JOINT.repair(
    domain=Domain(
        Block,
        draw.programs(wide=True),
        (regimes.OVER_HALF, regimes.ITEM_FITS, regimes.MEANINGFUL, regimes.MANY_ROWS, regimes.WHOLE_PART),
    )
)


@LEMMA1_JOINT.reading("at once", "One draw has all three properties.", where=(ONE_BLOCK,))
@LEMMA1_JOINT.false_variant("the whole demand", whole=True)
def at_once(block: Block, whole: bool = False) -> Answer:
    """One draw meets all conditions with probability > 1 - delta.

    The conditions: cost at most 3 G/delta, all packing rows, and more than (1 - eps) G of each demand.
    """
    return all_at_once(block, gain1(block), above(block), below(block, 1 if whole else share(block)))


THREE_THIRDS_PROOF = """
The probability of too high a cost is strictly less than delta/3 (`cost_kept`). The probability that some packing row
fails is at most delta/3 (`at_least_half`), and so is that of some cover row (`any_cover_row_repaired`). So the
probability of the union is less than the sum, delta.
- *Why strictly less than delta?* The cost's part is strictly below delta/3.
"""
LEMMA1_JOINT.assume(*HALF, THREE_THIRDS_PROOF)(at_least_half)
