"""Cost, demands and rooms at once: claims lemma1_joint and lemma2_joint."""

from __future__ import annotations

from collections.abc import Sequence

from schedproof.core.claim import Assumption, Case, Claim, Finding, Planted, Reading
from schedproof.proofs_checks.dmlrs import rounding_lemma1 as lemma1
from schedproof.proofs_checks.dmlrs import rounding_lemma2 as lemma2
from schedproof.proofs_checks.dmlrs import rounding_regimes as regimes
from schedproof.proofs_checks.dmlrs.enclosures import Interval, logarithm
from schedproof.proofs_checks.dmlrs.house import WITNESSES
from schedproof.proofs_checks.dmlrs.rounding_model import Block, Event, gain1, gain2, read
from schedproof.proofs_checks.strategies import covering as draw
from schedproof.proofs_checks.writing import restricted, table


def _some(block: Block, gain: Interval, rooms: Sequence[Event], demands: Sequence[Event]) -> Finding:
    """A draw is too dear, or some room or demand fails, with probability at most delta.

    Cost and rooms fail more often for a larger G, demands for a smaller one: measured is the larger of the two unions.
    """
    growing = [*rooms, block.dear(gain, 3 / block.delta)]
    found = [block.chance(gain[0], lambda units: any(event(units) for event in growing))]
    found.append(block.chance(gain[1], lambda units: any(event(units) for event in demands)))
    return Finding(max(found), block.delta, "at most", "Pr(too dear, or a room fails); Pr(a demand fails)")


def _one(case: Case) -> Block | None:
    block = read(case)
    return None if block is None or block.copies > 1 else block


# --- Lemma 1 ---------------------------------------------------------------------------------------------------------


def lemma1_at_once(case: Case) -> Finding | None:
    """Cost at most 3 G/delta, rooms kept and more than (1 - eps) G of each demand met, with probability > 1 - delta."""
    block = _one(case)
    return None if block is None else _some(block, gain1(block), block.above(), block.below(lemma1.share(block)))


def _demand_met(case: Case) -> Finding | None:
    block = _one(case)
    return None if block is None else _some(block, gain1(block), block.above(), block.below())


def three_thirds1() -> None:
    """Where G >= 1/2, the three bad events together have a probability below delta.

    Proof
    -----
    Too high a cost has less than delta/3 (`rounding_cost.cost_kept`, strictly), some packing row at most delta/3
    (`rounding_lemma1.at_least_half`), some cover row at most delta/3 (`rounding_lemma1.any_cover_row_repaired`); the
    union has less than the sum, delta.
    """


JOINT1 = Claim(
    id="dmlrs.lemma1_joint",
    source="paper 001, Lemma 1 and Appendix A, the bad events 1) to 3) with the lemma's share of the demand",
    statement="With probability > 1 - delta at once: cost <= 3 G/delta c x, B x^ <= b, A x^ > (1 - eps) G a.",
    readings=(Reading("at once", "One draw has all three properties.", lemma1_at_once),),
    regimes=(*lemma1.PACKING_REGIMES, regimes.MEANINGFUL),
    strategy=draw.programs(),
    planted=(Planted("the whole demand", _demand_met),),
    witnesses=WITNESSES,
    assumption=Assumption(lemma1.HALF.name, lemma1.HALF.sentence, lemma1.HALF.met, three_thirds1),
    repaired_by="dmlrs.lemma1_joint_repaired",
)

JOINT1_REPAIRED = restricted(
    JOINT1,
    regimes=(regimes.OVER_HALF, regimes.ITEM_FITS, regimes.MEANINGFUL, regimes.MANY_ROWS, regimes.WHOLE_PART),
    strategy=draw.programs(wide=True),
)

# --- Lemma 2 ---------------------------------------------------------------------------------------------------------


def lemma2_at_once(case: Case) -> Finding | None:
    """Cost at most 3 G/delta, A x^ > a and B x^ <= (1 + eps) G b, with probability greater than 1 - delta."""
    block = _one(case)
    return None if block is None else _some(block, gain2(block), block.above(lemma2.share(block)), block.below())


def _room_kept(case: Case) -> Finding | None:
    block = _one(case)
    return None if block is None else _some(block, gain2(block), block.above(), block.below())


def three_thirds2() -> None:
    """Where G W_b >= 3 ln(3 r/delta), the three bad events together have a probability below delta.

    Proof
    -----
    Too high a cost has less than delta/3 (`rounding_cost.cost_kept`, strictly) and a missed demand at most delta/3
    (`rounding_lemma2.all_cover_rows`). The condition says eps <= 1; then Chernoff's bound Pr(X > (1 + eps) mu) <=
    exp(-eps^2 mu/3) with mu = G W_b is true and gives each packing row delta/(3 r), all of them delta/3. The union has
    less than delta.
    """


def _near(case: Case) -> bool:
    block = read(case)
    if block is None:
        return False
    return gain2(block)[0] * block.packing_width >= 3 * logarithm(3 * block.rows[1] / block.delta)[1]


JOINT2 = Claim(
    id="dmlrs.lemma2_joint",
    source="paper 001, Lemma 2 and Appendix B, the three bad events with the lemma's share of the room",
    statement="With probability > 1 - delta at once: cost <= 3 G/delta c x, A x^ >= a, B x^ <= (1 + eps) G b.",
    readings=(Reading("at once", "One draw has all three properties.", lemma2_at_once),),
    regimes=lemma2.PACKING_REGIMES,
    strategy=draw.programs(),
    planted=(Planted("the whole room", _room_kept),),
    witnesses=WITNESSES,
    assumption=Assumption("eps at most 1", "eps <= 1, that is G W_b >= 3 ln(3 r/delta)", _near, three_thirds2),
    repaired_by="dmlrs.lemma2_joint_repaired",
)

JOINT2_REPAIRED = restricted(
    JOINT2, regimes=tuple(r for r in JOINT2.regimes if r not in (regimes.FAR, regimes.TOO_LARGE))
)

CLAIMS = table(JOINT1, JOINT1_REPAIRED, JOINT2, JOINT2_REPAIRED)
