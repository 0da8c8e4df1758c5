"""The situations in which the claims about randomized rounding are tried."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claim import Regime
from schedproof.proofs_checks.dmlrs.shared.rounding import deviation, gain1, gain2
from schedproof.proofs_checks.strategies.covering import Block


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
