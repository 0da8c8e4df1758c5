"""The cost of a rounded point: claims lemma1_cost and lemma2_cost."""

from __future__ import annotations

from collections.abc import Callable

from schedproof.core.claim import Case, Claim, Finding, Planted, Reading
from schedproof.proofs_checks.dmlrs import rounding_regimes as regimes
from schedproof.proofs_checks.dmlrs.enclosures import Interval
from schedproof.proofs_checks.dmlrs.rounding_model import Block, gain1, gain2, read
from schedproof.proofs_checks.strategies import covering as draw
from schedproof.proofs_checks.writing import at, table


def cost_kept(case: Case, gain: Callable[[Block], Interval], ratio: int = 3) -> Finding | None:
    """A draw costs more than 3 G/delta times the point with probability at most delta/3, less than the printed delta.

    Proof
    -----
    Rounding is unbiased, so that the mean cost is G c x. If c x > 0, Markov's inequality gives Pr(cost > t) < delta/3
    for t = (3/delta) G c x: strictly, as the mean is at least E[cost; cost > t], which exceeds t Pr(cost > t) unless
    that is 0. If c x = 0, every column with x_j > 0 has c_j = 0, the others stay 0 when rounded, and each draw costs 0.
    Neither the rows nor the formula of G are used, nor that x is optimal.
    """
    block = read(case)
    if block is None or block.copies > 1:
        return None
    measured = block.chance(gain(block)[0], block.dear(gain(block), ratio / block.delta))
    return Finding(measured, block.delta / 3, "at most", f"Pr(cost > {ratio} G/delta times that of the point)")


def _claim(lemma: int, gain: Callable[[Block], Interval]) -> Claim:
    return Claim(
        id=f"dmlrs.lemma{lemma}_cost",
        source=f"paper 001, Lemma {lemma}, first sentence, and Appendix A, (31)",
        statement="With probability greater than 1 - delta, the rounded point costs at most 3 G/delta times c x.",
        readings=(Reading("cost alone", "Whatever the draw does to the rows.", at(cost_kept, gain=gain)),),
        regimes=(regimes.DELTA_ONE, regimes.SMALL_DELTA, regimes.FREE_POINT, regimes.WHOLE_PART, regimes.MANY_ROWS),
        strategy=draw.programs(),
        planted=(Planted("at most G/delta times the point", at(cost_kept, gain=gain, ratio=1)),),
    )


CLAIMS = table(_claim(1, gain1), _claim(2, gain2))
