"""Theorem 3: Lemma 1 for the slot problem (23)."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claims.claim import Answer, Claim, Domain, Finding, Premise, Regime, worst
from schedproof.families.dmlrs import YU22
from schedproof.proofs_checks.dmlrs.shared.rounding import above, below, chance, dear, deviation, proven_gain, some
from schedproof.proofs_checks.dmlrs.shared.slot_rounding import (
    A_SCHEDULE,
    OUTSIDE,
    OUTSIDE_CASE,
    SLOTS,
    cost,
    feasible_found,
    gain3,
)
from schedproof.proofs_checks.strategies import dmlrs_slots as draw
from schedproof.proofs_checks.strategies.dmlrs_slots import PrintedSlot, ServedSlot


def gain_of(slot: ServedSlot) -> Fraction:
    """The largest G of four decimals with W_2 (G - 1 - ln G) >= ln(3 (HR + 1)/delta).

    0 if no G satisfies it.
    """
    return proven_gain(slot.width, slot.rows, slot.delta)


SMALL_GAIN: Premise[ServedSlot] = Premise("some G of four decimals is small enough", lambda slot: gain_of(slot) > 0)

THEOREM3 = Claim(
    "dmlrs.theorem3",
    YU22.at("Theorem 3, (29)"),
    "With probability > 1 - delta Algorithm 4 obtains a schedule of ratio <= 3 G/delta, and Pr{LHS(26) <= "
    "W_1 (1 - sqrt(2 ln(3/delta)/(G W_1))) G} <= delta/3.",
    Domain(PrintedSlot, draw.slots(), (*SLOTS, OUTSIDE)),
    severity="false theorem",
)
REPAIRED = THEOREM3.repair(
    "With sum s >= W_1/gamma in (23) and W_2 (G - 1 - ln G) >= ln(3 (HR + 1)/delta), with probability > 1 - delta at "
    "once: cost <= 3 G/delta times the point's, (24), (25), and more than (1 - eps) G of either demand.",
    domain=Domain(
        ServedSlot,
        draw.served_slots(),
        (*SLOTS, Regime("a machine is full", lambda slot: slot.full)),
        (SMALL_GAIN,),
    ),
)

ROUNDED_POINT_PROOF = """
(23) is a program of Lemma 1 with m = 1 and W_a = W_1, as every coefficient of (26) is 1. The bound on the cost is
lemma1_cost. The bound delta/3 on the demand is `each_cover_row` of lemma1_cover_any for m = 1. For m = 1 each row and
some row are the same. Both bounds hold for every G > 0. So it does not matter that (29) counts r = R H + 1 rows and
that W_2 includes the unused beta.
- *(29) has r = R H + 1 and W_2 with beta, too.* Both bounds hold for every G > 0.
- *Is this point a schedule?* No: it may miss the demand and exceed the capacities. The other reading requires a
schedule and fails.
"""


@THEOREM3.reading("a draw", "The point is the rounded point of (23) as printed, feasible or not.", ROUNDED_POINT_PROOF)
@THEOREM3.false_variant("without the factor 1 - eps", spread=0)
def rounded_point(slot: PrintedSlot, spread: int = 1) -> Answer:
    gain, program = gain3(slot), slot.program()
    share = gain[0] - spread * deviation(2, gain, slot.workload, 1, slot.delta)[1]
    short = chance(program, gain[1], below(program, share)[0])
    return worst([cost(slot, gain), Finding(short, slot.delta / 3, "at most", "Pr(LHS(26) <= W_1 (1 - eps) G)")])


THEOREM3.reading(*A_SCHEDULE, where=(OUTSIDE_CASE,), gain=gain3)(feasible_found)

AT_ONCE_PROOF = """
Let W_2 (G - 1 - ln G) >= ln(3 (H R + 1)/delta). The cost fails with probability less than delta/3 (lemma1_cost). Some
of the H R + 1 packing rows fails with probability at most delta/3 (lemma1_packing_repaired). One of the two cover rows
fails with probability at most delta/3 (lemma1_cover_any_repaired for m = 2). So the probability of the union is less
than delta. Any point of the LP may be x. For an optimal point 3 G/delta is a ratio to the optimum of (23) with that
row. With G = 0 the rounded point is 0 and the statement promises nothing.
- *eps may be above 1.* Then (1 - eps) G <= 0 and the cover rows promise nothing; the bound is still true.
- *Is the bound for one draw or for S draws?* For one draw; S draws only increase the probability.
"""


@REPAIRED.reading("at once", "One draw has all the properties.", AT_ONCE_PROOF)
@REPAIRED.false_variant("the whole demand", whole=True)
def at_once(slot: ServedSlot, whole: bool = False) -> Finding:
    """With the row for PSs and the proven G, one draw meets all conditions.

    eps = sqrt(2 ln(6/delta)/(G min(W_1, W_1/gamma))).
    """
    gain, program = gain_of(slot), slot.program()
    spread = deviation(2, (gain, gain), min(program.demand), 2, slot.delta)[1]
    events = [*above(program), *below(program, Fraction(1) if whole else gain - spread)]
    events.append(dear(program, (gain, gain), 3 / slot.delta))
    return Finding(chance(program, gain, some(events)), slot.delta, "at most", "Pr(one draw lacks something)")
