"""Lemma 1 (0 < G <= 1): claims lemma1_packing and lemma1_cover_any."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claim import Assumption, Case, Claim, Finding, Planted, Reading
from schedproof.proofs_checks.dmlrs import rounding_regimes as regimes
from schedproof.proofs_checks.dmlrs.enclosures import logarithm
from schedproof.proofs_checks.dmlrs.house import WITNESSES
from schedproof.proofs_checks.dmlrs.rounding_model import (
    Block,
    any_row,
    deviation,
    each_row,
    gain1,
    gain2,
    proven_gain,
    read,
)
from schedproof.proofs_checks.strategies import covering as draw
from schedproof.proofs_checks.writing import table


def share(block: Block) -> Fraction:
    """At most (1 - eps) G, the share of a demand that Lemma 1 speaks of."""
    spread = deviation(2, gain1(block), block.cover_width, block.rows[0], block.delta)
    return gain1(block)[0] - spread[1]


# --- packing ---------------------------------------------------------------------------------------------------------


def each_packing_row(case: Case) -> Finding | None:
    """Pr((B x^)_i > b_i) <= delta/(3 r) for each row (34)-(35)."""
    block = read(case)
    return None if block is None else each_row(block, gain1(block)[0], block.above(), "a room is exceeded")


def all_packing_rows(case: Case) -> Finding | None:
    """Pr(B x^ <= b fails) <= delta/3, bad event 3) of Appendix A."""
    block = read(case)
    return None if block is None else any_row(block, gain1(block)[0], block.above(), "a room is exceeded")


def at_least_half() -> None:
    """Where G >= 1/2, each packing row is exceeded with probability at most delta/(3 r).

    Proof
    -----
    X = (B x^)_i W_b/b_i is a sum of independent terms B_ij W_b/b_i times 0 or 1, each in [0, 1] by the choice of W_b
    (the whole part of x'_j counts as that many constant terms), and E X = G (B x)_i W_b/b_i <= G W_b. Chernoff's bound
    Pr(X > (1 + eps) mu) <= exp(-eps^2 mu/3) for mu >= E X is true for 0 < eps <= 1, and eps = 1/G - 1 <= 1 when G >=
    1/2; with mu = G W_b the right side is delta/(3 r) by the choice of G. The r rows together give delta/3. As (1 -
    G)^2/G falls in G, G >= 1/2 exactly when 3 ln(3 r/delta)/W_b <= 1/2.
    """


def _wide(case: Case) -> bool:
    block = read(case)
    return block is not None and block.packing_width >= 6 * logarithm(3 * block.rows[1] / block.delta)[1]


HALF = Assumption("G at least 1/2", "G >= 1/2, that is W_b >= 6 ln(3 r/delta)", _wide, at_least_half)


def _wrong_side(case: Case) -> Finding | None:
    block = read(case)
    return None if block is None else each_row(block, gain2(block)[0], block.above(), "a room is exceeded")


PACKING_REGIMES = (
    regimes.ITEM_FITS,
    regimes.TOO_LARGE,
    regimes.UNDER_HALF,
    regimes.OVER_HALF,
    regimes.BINDING,
    regimes.MANY_ROWS,
    regimes.WHOLE_PART,
)

PACKING = Claim(
    id="dmlrs.lemma1_packing",
    source="paper 001, Appendix A, (34)-(35)",
    statement="With G of Lemma 1, a packing row is exceeded with probability at most delta/(3 r).",
    readings=(
        Reading("each row", "For each i alone, as (34) is written.", each_packing_row),
        Reading("all rows", "Bad event 3): some row is exceeded with probability at most delta/3.", all_packing_rows),
    ),
    regimes=PACKING_REGIMES,
    strategy=draw.programs(),
    planted=(Planted("with G of Lemma 2", _wrong_side),),
    witnesses=WITNESSES,
    assumption=HALF,
    repaired_by="dmlrs.lemma1_packing_repaired",
)


def gain_repaired(block: Block) -> Fraction:
    """The largest G of four decimals with W_b (G - 1 - ln G) >= ln(3 r/delta)."""
    return proven_gain(block.packing_width, block.rows[1], block.delta)


def each_row_repaired(case: Case) -> Finding | None:
    """With W_b (G - 1 - ln G) >= ln(3 r/delta) each packing row is exceeded with probability at most delta/(3 r).

    Proof
    -----
    With X as in the proof for G >= 1/2 (independent terms in [0, 1], E X <= G W_b), e^(h X) is bounded for every h > 0
    by Pr(X > W_b) <= e^(-h W_b) E e^(h X) <= exp(G W_b (e^h - 1) - h W_b), as 1 + z <= e^z; h = -ln G > 0 gives
    exp(-W_b (G - 1 - ln G)) <= delta/(3 r). It holds for every W_b > 0 and delta; for G = 0 nothing is used.
    """
    block = read(case)
    return None if block is None else each_row(block, gain_repaired(block), block.above(), "a room is exceeded")


def all_rows_repaired(case: Case) -> Finding | None:
    """With the same G, some packing row is exceeded with probability at most delta/3.

    Proof
    -----
    The sum over the r rows of what each_row_repaired gives: Pr(some) <= r delta/(3 r) = delta/3, in whatever way the
    rows depend on each other.
    """
    block = read(case)
    return None if block is None else any_row(block, gain_repaired(block), block.above(), "a room is exceeded")


PACKING_REPAIRED = Claim(
    id="dmlrs.lemma1_packing_repaired",
    source="paper 001, Appendix A, (34)-(35), repaired",
    statement="With G < 1, W_b (G - 1 - ln G) >= ln(3 r/delta), a row is exceeded with probability <= delta/(3 r).",
    readings=(
        Reading("each row", "For each i alone.", each_row_repaired),
        Reading("all rows", "Some row is exceeded with probability at most delta/3.", all_rows_repaired),
    ),
    regimes=PACKING_REGIMES,
    strategy=draw.programs(),
    planted=(Planted("with G of Lemma 2", _wrong_side), Planted("with G as printed", each_packing_row)),
)

# --- the cover rows --------------------------------------------------------------------------------------------------


def each_cover_row(case: Case) -> Finding | None:
    """Pr((A x^)_i <= a_i (1 - eps) G) <= delta/(3 m) for each row, eps = sqrt(2 ln(3 m/delta)/(G W_a)).

    Proof
    -----
    X = (A x^)_i W_a/a_i is a sum of independent terms in [0, 1] by the choice of W_a, with E X >= G W_a. For eps < 1
    Chernoff's lower tail gives Pr(X <= (1 - eps) G W_a) <= exp(-eps^2 G W_a/2) = delta/(3 m); a mean above G W_a only
    lowers the left side's bound exp(-(mean - t)^2/(2 mean)) at t = (1 - eps) G W_a. For eps = 1 the same exponent
    bounds Pr(X = 0), and for eps > 1 the threshold is negative and the event impossible. x need not be optimal.
    """
    block = read(case)
    return None if block is None else each_row(block, gain1(block)[1], block.below(share(block)), "a share is missed")


def any_cover_row(case: Case) -> Finding | None:
    """Pr(exists i: (A x^)_i <= a_i (1 - eps) G) <= delta/(3 m), as the lemma is printed."""
    block = read(case)
    if block is None:
        return None
    return any_row(block, gain1(block)[1], block.below(share(block)), "a share is missed", block.rows[0])


def any_cover_row_repaired(case: Case) -> Finding | None:
    """Pr(exists i: (A x^)_i <= a_i (1 - eps) G) <= delta/3.

    Proof
    -----
    Each of the m rows has at most delta/(3 m) (see `each_cover_row`), and the probability of a union is at most the
    sum: m delta/(3 m) = delta/3. For independent rows it is nearly that sum, so that no factor 1/m can be kept.
    """
    block = read(case)
    return None if block is None else any_row(block, gain1(block)[1], block.below(share(block)), "a share is missed")


def _all_of_it(case: Case) -> Finding | None:
    block = read(case)
    return None if block is None else any_row(block, gain1(block)[1], block.below(gain1(block)[0]), "a mean is missed")


COVER_REGIMES = (
    regimes.MEANINGFUL,
    regimes.MANY_ROWS,
    regimes.WHOLE_PART,
    regimes.DELTA_ONE,
    regimes.SMALL_DELTA,
    regimes.UNDER_HALF,
    regimes.OVER_HALF,
)

COVER = Claim(
    id="dmlrs.lemma1_cover_any",
    source="paper 001, Lemma 1, second sentence",
    statement="Pr{(A x^)_i <= a_i (1 - sqrt(2 ln(3m/delta)/(G W_a))) G, exists i} <= delta/(3 m).",
    readings=(
        Reading("some row", "As printed: the probability that there is such a row.", any_cover_row),
        Reading("each row", "The same bound for each row alone.", each_cover_row),
    ),
    regimes=COVER_REGIMES,
    strategy=draw.programs_and_crowds(),
    planted=(Planted("without the factor 1 - eps", _all_of_it),),
    witnesses=WITNESSES,
    repaired_by="dmlrs.lemma1_cover_any_repaired",
    small_repair=True,
)

COVER_REPAIRED = Claim(
    id="dmlrs.lemma1_cover_any_repaired",
    source="paper 001, Lemma 1, second sentence, repaired",
    statement="Pr{(A x^)_i <= a_i (1 - sqrt(2 ln(3m/delta)/(G W_a))) G, exists i} <= delta/3.",
    readings=(Reading("some row", "The union over all m rows.", any_cover_row_repaired),),
    regimes=COVER_REGIMES,
    strategy=draw.programs_and_crowds(),
    planted=(Planted("without the factor 1 - eps", _all_of_it),),
)

CLAIMS = table(PACKING, PACKING_REPAIRED, COVER, COVER_REPAIRED)
