"""Lemma 2 (G > 1): claims lemma2_cover and lemma2_packing_any."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claim import Case, Claim, Finding, Planted, Reading
from schedproof.proofs_checks.dmlrs import rounding_regimes as regimes
from schedproof.proofs_checks.dmlrs.enclosures import logarithm, plus, square_root, times
from schedproof.proofs_checks.dmlrs.house import WITNESSES
from schedproof.proofs_checks.dmlrs.rounding_model import (
    Block,
    any_row,
    deviation,
    each_row,
    gain2,
    neat,
    read,
)
from schedproof.proofs_checks.strategies import covering as draw
from schedproof.proofs_checks.writing import table


def share(block: Block) -> Fraction:
    """At least (1 + eps) G, the share of a room that Lemma 2 allows."""
    return gain2(block)[1] + deviation(3, gain2(block), block.packing_width, block.rows[1], block.delta)[1]


# --- the cover rows --------------------------------------------------------------------------------------------------


def each_cover_row(case: Case) -> Finding | None:
    """Pr((A x^)_i <= a_i) <= delta/(3 m) for each row (37)-(38).

    Proof
    -----
    X = (A x^)_i W_a/a_i is a sum of independent terms in [0, 1] with mean at least G W_a, and (1 - eps) G = 1 for eps =
    1 - 1/G, which lies in (0, 1) for every G > 1. So Chernoff's lower tail applies to every delta and W_a: Pr(X <= W_a)
    <= exp(-(1 - 1/G)^2 G W_a/2), which is delta/(3 m), as G of (38) is the root above 1 of (G - 1)^2 = 2 G ln(3
    m/delta)/W_a.
    """
    block = read(case)
    return None if block is None else each_row(block, gain2(block)[1], block.below(), "a demand is not exceeded")


def all_cover_rows(case: Case) -> Finding | None:
    """Some cover row fails with probability at most delta/3.

    Proof
    -----
    The union of m events, each of probability at most delta/(3 m) by `each_cover_row`, has at most delta/3, in whatever
    way the rows depend on each other.
    """
    block = read(case)
    return None if block is None else any_row(block, gain2(block)[1], block.below(), "a demand is not exceeded")


def _unscaled(case: Case) -> Finding | None:
    block = read(case)
    return None if block is None else each_row(block, Fraction(1), block.below(), "a demand is not exceeded")


COVER = Claim(
    id="dmlrs.lemma2_cover",
    source="paper 001, Appendix B, (37)-(38)",
    statement="With G of Lemma 2, a cover row fails with probability at most delta/(3 m).",
    readings=(
        Reading("each row", "For each i alone, as (37) is written.", each_cover_row),
        Reading("all rows", "Some row fails with probability at most delta/3.", all_cover_rows),
    ),
    regimes=(
        regimes.MANY_ROWS,
        regimes.WHOLE_PART,
        regimes.DELTA_ONE,
        regimes.SMALL_DELTA,
        regimes.TIGHT_COVER,
    ),
    strategy=draw.programs(),
    planted=(Planted("with G = 1", _unscaled),),
)

# --- packing ---------------------------------------------------------------------------------------------------------


def any_packing_row(case: Case) -> Finding | None:
    """Pr(exists i: (B x^)_i > b_i (1 + eps) G) <= delta/(3 r), eps = sqrt(3 ln(3 r/delta)/(G W_b)), as printed."""
    block = read(case)
    if block is None:
        return None
    return any_row(block, gain2(block)[0], block.above(share(block)), "a share is exceeded", block.rows[1])


def each_packing_row(case: Case) -> Finding | None:
    """The same bound for each row alone."""
    block = read(case)
    return None if block is None else each_row(block, gain2(block)[0], block.above(share(block)), "a share is exceeded")


def _no_spread(case: Case) -> Finding | None:
    block = read(case)
    return (
        None if block is None else each_row(block, gain2(block)[0], block.above(gain2(block)[1]), "a mean is exceeded")
    )


PACKING_REGIMES = (
    regimes.NEAR,
    regimes.FAR,
    regimes.ITEM_FITS,
    regimes.TOO_LARGE,
    regimes.BINDING,
    regimes.MANY_ROWS,
    regimes.WHOLE_PART,
)

PACKING = Claim(
    id="dmlrs.lemma2_packing_any",
    source="paper 001, Lemma 2, second sentence",
    statement="Pr{(B x^)_i > b_i (1 + sqrt(3 ln(3r/delta)/(G W_b))) G, exists i} <= delta/(3 r).",
    readings=(
        Reading("some row", "As printed: the probability that there is such a row.", any_packing_row),
        Reading("each row", "The same bound for each row alone.", each_packing_row),
    ),
    regimes=PACKING_REGIMES,
    strategy=draw.programs(),
    planted=(Planted("without the factor 1 + eps", _no_spread),),
    witnesses=WITNESSES,
    repaired_by="dmlrs.lemma2_packing_any_repaired",
    small_repair=True,
)


def share_repaired(block: Block) -> Fraction:
    """At least (1 + eps) G with eps = (q + sqrt(q^2 + 8 q))/2, q = ln(3 r/delta)/(G W_b)."""
    factor, log = gain2(block), logarithm(3 * block.rows[1] / block.delta)
    q = log[0] / (factor[1] * block.packing_width), log[1] / (factor[0] * block.packing_width)
    spread = times(Fraction(1, 2), plus(q, square_root((q[0] ** 2 + 8 * q[0], q[1] ** 2 + 8 * q[1]))))
    return neat((Fraction(0), (1 + spread[1]) * factor[1]))[1]


def each_row_repaired(case: Case) -> Finding | None:
    """Pr((B x^)_i > b_i (1 + eps) G) <= delta/(3 r) for each row, with the repaired eps.

    It is (q + sqrt(q^2 + 8 q))/2 with q = ln(3 r/delta)/(G W_b).

    Proof
    -----
    X = (B x^)_i W_b/b_i is a sum of independent terms in [0, 1] with mean at most mu = G W_b. For every eps > 0 the
    Chernoff bound is Pr(X > (1 + eps) mu) <= exp(-mu ((1 + eps) ln(1 + eps) - eps)) <= exp(-eps^2 mu/(2 + eps)), as
    ln(1 + eps) >= 2 eps/(2 + eps). The printed exponent eps^2 mu/3 is smaller than this one for eps <= 1 only. The eps
    above is the root of eps^2/(2 + eps) = q, and q mu = ln(3 r/delta).
    """
    block = read(case)
    if block is None:
        return None
    return each_row(block, gain2(block)[0], block.above(share_repaired(block)), "a share is exceeded")


def any_row_repaired(case: Case) -> Finding | None:
    """Pr(exists i: (B x^)_i > b_i (1 + eps) G) <= delta/3 with the same eps.

    Proof
    -----
    The union of r events, each of probability at most delta/(3 r) by `each_row_repaired`, has at most delta/3, in
    whatever way the rows depend on each other.
    """
    block = read(case)
    if block is None:
        return None
    return any_row(block, gain2(block)[0], block.above(share_repaired(block)), "a share is exceeded")


PACKING_REPAIRED = Claim(
    id="dmlrs.lemma2_packing_any_repaired",
    source="paper 001, Lemma 2, second sentence, repaired",
    statement="With eps = (q + sqrt(q^2 + 8q))/2, q = ln(3r/delta)/(G W_b): Pr{(B x^)_i > b_i (1 + eps) G, exists i} "
    "<= delta/3.",
    readings=(
        Reading("some row", "The union over all r rows.", any_row_repaired),
        Reading("each row", "At most delta/(3 r) for each row alone.", each_row_repaired),
    ),
    regimes=PACKING_REGIMES,
    strategy=draw.programs(),
    planted=(Planted("without the factor 1 + eps", _no_spread), Planted("with eps as printed", each_packing_row)),
)

CLAIMS = table(COVER, PACKING, PACKING_REPAIRED)
