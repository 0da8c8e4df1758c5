"""Shared by Lemmas 1 and 2: the cost of a rounded point, and the regimes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from schedproof.core.claims.claim import Answer, Claim, Domain, Finding, Outside, Premise, Regime
from schedproof.families.dmlrs import YU22
from schedproof.proofs_checks.dmlrs.shared.rounding import Event, chance, dear, deviation, gain1, gain2, some
from schedproof.proofs_checks.strategies import covering as draw
from schedproof.proofs_checks.strategies.covering import Block
from schedproof.reference.dmlrs_enclosures import Interval

ONE_BLOCK: Premise[Block] = Premise(
    "one block, whose draw has few enough outcomes to enumerate", lambda block: block.copies == 1
)

COST_KEPT_PROOF = """
Rounding is unbiased, so the mean cost is G c x. If c x > 0, Markov's inequality gives Pr(cost > t) < delta/3 for t =
(3/delta) G c x. The inequality is strict: the mean is at least E[cost; cost > t], which exceeds t Pr(cost > t) unless
that is 0. If c x = 0, every column with x_j > 0 has c_j = 0. The other columns stay 0 when rounded, so each draw costs
0. The proof does not use the rows, the formula of G or the optimality of x.
- *G is irrational and the check rounds it.* The cost of a draw grows with G. The draws use the lower end of the
enclosure, the bound uses the upper end.
- *c x = 0?* Then every draw costs 0 and the event is empty.
"""


def all_at_once(block: Block, gain: Interval, packing: Sequence[Event], cover: Sequence[Event]) -> Answer:
    """A draw is too expensive or some row fails, with probability at most delta.

    Cost and packing rows fail more often for a larger G, cover rows for a smaller G. The measured value is the larger
    probability of these two unions.
    """
    if block.copies > 1:
        return Outside(ONE_BLOCK)
    growing = chance(block, gain[0], some([*packing, dear(block, gain, 3 / block.delta)]))
    falling = chance(block, gain[1], some(cover))
    return Finding(
        max(growing, falling), block.delta, "at most", "Pr(too dear, or a packing row fails); Pr(a cover row fails)"
    )


def _under_half(block: Block) -> bool:
    return gain1(block)[1] < Fraction(1, 2)


def _meaningful(block: Block) -> bool:
    gain = gain1(block)
    return deviation(2, gain, block.cover_width, block.rows[0], block.delta)[1] < gain[0]


def _far(block: Block) -> bool:
    gain = gain2(block)
    return deviation(3, gain, block.packing_width, block.rows[1], block.delta)[0] > gain[1]


DELTA_ONE: Regime[Block] = Regime("delta = 1", lambda b: b.delta == 1)
SMALL_DELTA: Regime[Block] = Regime("delta at most 1/100", lambda b: b.delta <= Fraction(1, 100))
MANY_ROWS: Regime[Block] = Regime("several rows", lambda b: max(b.rows) > 1)
WHOLE_PART: Regime[Block] = Regime("a coordinate above 1", lambda b: max(b.point) > 1)
BINDING: Regime[Block] = Regime("a binding capacity", lambda b: max(b.packing_prices) > 0)
TIGHT_COVER: Regime[Block] = Regime("a tight demand", lambda b: max(b.cover_prices) > 0)
FREE_POINT: Regime[Block] = Regime("a point that costs nothing", lambda b: b.cost == 0)
ITEM_FITS: Regime[Block] = Regime("every column fits alone, W_b >= 1", lambda b: b.packing_width >= 1)
TOO_LARGE: Regime[Block] = Regime("a column that does not fit alone, W_b < 1", lambda b: b.packing_width < 1)
UNDER_HALF: Regime[Block] = Regime("Lemma 1's G below 1/2", _under_half)
OVER_HALF: Regime[Block] = Regime("Lemma 1's G at least 1/2", lambda b: not _under_half(b))
MEANINGFUL: Regime[Block] = Regime("a positive share of the demand in Lemma 1", _meaningful)
NEAR: Regime[Block] = Regime("eps at most 1 in Lemma 2", lambda b: not _far(b))
FAR: Regime[Block] = Regime("eps above 1 in Lemma 2", _far)
ROWS = (ITEM_FITS, TOO_LARGE, BINDING, MANY_ROWS, WHOLE_PART)


def cost_claim(number: int, gain: Callable[[Block], Interval]) -> Claim[Block]:
    claim = Claim(
        f"dmlrs.lemma{number}_cost",
        YU22.at(f"Lemma {number}, first sentence, and Appendix A, (31)"),
        "With probability greater than 1 - delta, the rounded point costs at most 3 G/delta times c x.",
        Domain(Block, draw.programs(), (DELTA_ONE, SMALL_DELTA, FREE_POINT, WHOLE_PART, MANY_ROWS)),
    )

    @claim.reading(
        "cost alone", "The cost is bounded whatever the draw does to the rows.", COST_KEPT_PROOF, where=(ONE_BLOCK,)
    )
    @claim.false_variant("at most G/delta times the point", ratio=1)
    def cost_kept(block: Block, ratio: int = 3) -> Answer:
        if block.copies > 1:
            return Outside(ONE_BLOCK)
        measured = chance(block, gain(block)[0], dear(block, gain(block), ratio / block.delta))
        return Finding(measured, block.delta / 3, "at most", f"Pr(cost > {ratio} G/delta times that of the point)")

    return claim
