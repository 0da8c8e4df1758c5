"""The cost of a rounded point, alone and with its rows: what Lemmas 1 and 2 say alike."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from schedproof.core.claim import Domain, Finding
from schedproof.proofs_checks.dmlrs.shared import rounding_regimes as regimes
from schedproof.proofs_checks.dmlrs.shared.rounding import Event, chance, dear, some
from schedproof.proofs_checks.strategies import covering as draw
from schedproof.proofs_checks.strategies.covering import Block
from schedproof.reference.dmlrs.enclosures import Interval


def cost_kept(block: Block, gain: Callable[[Block], Interval], ratio: int = 3) -> Finding | None:
    """A draw costs more than 3 G/delta times the point with probability at most delta/3, less than the printed delta.

    Proof
    -----
    Rounding is unbiased, so that the mean cost is G c x. If c x > 0, Markov's inequality gives Pr(cost > t) < delta/3
    for t = (3/delta) G c x: strictly, as the mean is at least E[cost; cost > t], which exceeds t Pr(cost > t) unless
    that is 0. If c x = 0, every column with x_j > 0 has c_j = 0, the others stay 0 when rounded, and each draw costs 0.
    Neither the rows nor the formula of G are used, nor that x is optimal.
    """
    if block.copies > 1:
        return None
    measured = chance(block, gain(block)[0], dear(block, gain(block), ratio / block.delta))
    return Finding(measured, block.delta / 3, "at most", f"Pr(cost > {ratio} G/delta times that of the point)")


def all_at_once(block: Block, gain: Interval, packing: Sequence[Event], cover: Sequence[Event]) -> Finding | None:
    """A draw is too dear, or some row fails, with probability at most delta.

    Cost and packing rows fail more often for a larger G, cover rows for a smaller one: measured is the larger of the two unions.
    """
    if block.copies > 1:
        return None
    growing = chance(block, gain[0], some([*packing, dear(block, gain, 3 / block.delta)]))
    falling = chance(block, gain[1], some(cover))
    return Finding(max(growing, falling), block.delta, "at most", "Pr(too dear, or a packing row fails); Pr(a cover row fails)")


COST = Domain(
    Block,
    draw.programs(),
    (regimes.DELTA_ONE, regimes.SMALL_DELTA, regimes.FREE_POINT, regimes.WHOLE_PART, regimes.MANY_ROWS),
)
