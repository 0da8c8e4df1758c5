"""The situations in which the claims about randomized rounding are tried."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from schedproof.core.claim import Case, Regime
from schedproof.proofs_checks.dmlrs.rounding_model import Block, deviation, gain_above, gain_below, read
from schedproof.proofs_checks.writing import of_data


def _of_block(name: str, reached: Callable[[Block], bool]) -> Regime:
    def look(case: Case) -> bool:
        block = read(case)
        return block is not None and reached(block)

    return Regime(name, look)


def _under_half(block: Block) -> bool:
    return gain_below(block.packing_width, block.rows[1], block.delta)[1] < Fraction(1, 2)


def _meaningful(block: Block) -> bool:
    gain = gain_below(block.packing_width, block.rows[1], block.delta)
    return deviation(2, gain, block.cover_width, block.rows[0], block.delta)[1] < gain[0]


def _far(block: Block) -> bool:
    gain = gain_above(block.cover_width, block.rows[0], block.delta)
    return deviation(3, gain, block.packing_width, block.rows[1], block.delta)[0] > gain[1]


DELTA_ONE = of_data("delta = 1", lambda d: d["delta"] == 1)
SMALL_DELTA = of_data("delta at most 1/100", lambda d: d["delta"] <= Fraction(1, 100))
MANY_ROWS = of_data("several rows", lambda d: d["copies"] * max(len(d["cover"]), len(d["packing"])) > 1)
WHOLE_PART = of_data("a coordinate above 1", lambda d: max(d["point"]) > 1)
BINDING = of_data("a binding capacity", lambda d: max(d["packing_prices"]) > 0)
FREE_POINT = _of_block("a point that costs nothing", lambda block: block.cost == 0)
ITEM_FITS = _of_block("every column fits alone, W_b >= 1", lambda block: block.packing_width >= 1)
TOO_LARGE = _of_block("a column that does not fit alone, W_b < 1", lambda block: block.packing_width < 1)
UNDER_HALF = _of_block("Lemma 1's G below 1/2", _under_half)
OVER_HALF = _of_block("Lemma 1's G at least 1/2", lambda block: not _under_half(block))
MEANINGFUL = _of_block("a positive share of the demand in Lemma 1", _meaningful)
NEAR = _of_block("eps at most 1 in Lemma 2", lambda block: not _far(block))
FAR = _of_block("eps above 1 in Lemma 2", _far)
TIGHT_COVER = of_data("a tight demand", lambda d: max(d["cover_prices"]) > 0)
