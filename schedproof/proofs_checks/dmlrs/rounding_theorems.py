"""Theorems 3 and 4, Lemmas 1 and 2 for the slot problem (23): claims theorem3 and theorem4."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claim import Case, Claim, Finding, Planted, Reading, Regime, worst
from schedproof.proofs_checks.dmlrs.enclosures import Interval
from schedproof.proofs_checks.dmlrs.house import WITNESSES
from schedproof.proofs_checks.dmlrs.rounding_model import (
    deviation,
    gain_above,
    gain_below,
    proven_gain,
)
from schedproof.proofs_checks.dmlrs.rounding_slots import Slot, printed, read, served
from schedproof.proofs_checks.strategies import covering as draw
from schedproof.proofs_checks.writing import at, of_data, table


def gain3(slot: Slot) -> Interval:
    """G of (29)."""
    return gain_below(slot.width, slot.rows, slot.delta)


def gain4(slot: Slot) -> Interval:
    """G of (30)."""
    return gain_above(slot.workload, 1, slot.delta)


def cost(slot: Slot, gain: Interval) -> Finding:
    """Pr(cost > 3 G/delta times that of the point) should be at most delta/3."""
    block = slot.block()
    return Finding(block.chance(gain[0], block.dear(gain, 3 / slot.delta)), slot.delta / 3, "at most", "the cost")


def solved(slot: Slot, gain: Interval) -> Fraction:
    """At most the probability that one of S draws meets (24)-(26) as printed.

    For a larger G the demand is met more often and the rooms are kept less often: each is taken at its better end.
    """
    block, machines = slot.block(), len(slot.free)
    covered = block.chance(gain[1], lambda units: sum(units[:machines]) >= slot.workload)
    packed = block.chance(gain[0], lambda units: not any(event(units) for event in block.above()))
    return 1 - (1 - min(covered, packed)) ** slot.draws


def found(case: Case, above_one: bool) -> Finding | None:
    """In S draws a feasible schedule is found, of cost at most 3 G/delta, with probability greater than 1 - delta."""
    slot = printed(case)
    if slot is None or slot.inside:
        return None
    chance = solved(slot, gain4(slot) if above_one else gain3(slot))
    return Finding(chance, 1 - slot.delta, "at least", f"Pr(one of {slot.draws} draws is feasible)")


# --- Theorem 3 -------------------------------------------------------------------------------------------------------


def rounded_point3(case: Case, spread: int = 1) -> Finding | None:
    """One draw: the cost as printed, and LHS(26) <= W_1 (1 - eps) G with probability at most delta/3.

    Proof
    -----
    (23) is a program of Lemma 1 with m = 1 and W_a = W_1, as every coefficient of (26) is 1. The cost is lemma1_cost.
    The demand is `each_cover_row` of lemma1_cover_any for m = 1, where each row and some row are the same: delta/3.
    Both hold for every G > 0, so that it does not matter that (29) counts r = R H + 1 rows and W_2 also the unused
    beta.
    """
    slot = printed(case)
    if slot is None:
        return None
    gain, block = gain3(slot), slot.block()
    share = gain[0] - spread * deviation(2, gain, slot.workload, 1, slot.delta)[1]
    short = block.chance(gain[1], block.below(share)[0])
    return worst([cost(slot, gain), Finding(short, slot.delta / 3, "at most", "Pr(LHS(26) <= W_1 (1 - eps) G)")])


THEOREM3_REGIMES = (
    of_data("several machines", lambda d: len(d["free"]) > 1),
    of_data("a broken workload", lambda d: Fraction(d["workload"]).denominator > 1),
    of_data("less than one worker fits somewhere", lambda d: min(map(min, d["free"])) < 1),
    of_data("a resource that workers do not use", lambda d: 0 in d["worker"]),
    of_data("parameter servers use a resource", lambda d: any(d["ps"])),
    of_data("delta at most 1/100", lambda d: d["delta"] <= Fraction(1, 100)),
)
OUTSIDE = Regime("no machine holds the job", lambda case: not read(case).inside)

THEOREM3 = Claim(
    id="dmlrs.theorem3",
    source="paper 001, Theorem 3, (29)",
    statement="With probability > 1 - delta Algorithm 4 obtains a schedule of ratio <= 3 G/delta, and "
    "Pr{LHS(26) <= W_1 (1 - sqrt(2 ln(3/delta)/(G W_1))) G} <= delta/3.",
    readings=(
        Reading("a draw", "The rounded point of (23) as printed, whether or not it can be run.", rounded_point3),
        Reading(
            "a schedule", "A point that meets (24)-(26), which Algorithm 4 asks of it.", at(found, above_one=False)
        ),
    ),
    regimes=(*THEOREM3_REGIMES, OUTSIDE),
    strategy=draw.slots(),
    planted=(Planted("without the factor 1 - eps", at(rounded_point3, spread=0)),),
    witnesses=WITNESSES,
    repaired_by="dmlrs.theorem3_repaired",
)


def at_once3(case: Case, whole: bool = False) -> Finding | None:
    """With the row for parameter servers and the proven G, one draw has everything with probability > 1 - delta.

    Everything: cost at most 3 G/delta times the point's, (24) and (25), and more than (1 - eps) G of W_1 workers and of
    W_1/gamma parameter servers, eps = sqrt(2 ln(6/delta)/(G min(W_1, W_1/gamma))).

    Proof
    -----
    Let W_2 (G - 1 - ln G) >= ln(3 (H R + 1)/delta). The cost fails with less than delta/3 (lemma1_cost), one of the H R
    + 1 packing rows with at most delta/3 (lemma1_packing_repaired), one of the two cover rows with at most delta/3
    (lemma1_cover_any_repaired for m = 2); the union has less than delta. Any point of the LP will do for x, an optimal
    one makes 3 G/delta a ratio to the optimum of (23) with that row. With G = 0 nothing is drawn and nothing promised.
    """
    slot = served(case)
    if slot is None:
        return None
    gain, block = proven_gain(slot.width, slot.rows, slot.delta), slot.block()
    if not gain:
        return None
    spread = deviation(2, (gain, gain), min(block.demand), 2, slot.delta)[1]
    events = [*block.above(), *block.below(Fraction(1) if whole else gain - spread)]
    events.append(block.dear((gain, gain), 3 / slot.delta))
    chance = block.chance(gain, lambda units: any(event(units) for event in events))
    return Finding(chance, slot.delta, "at most", "Pr(one draw lacks something)")


THEOREM3_REPAIRED = Claim(
    id="dmlrs.theorem3_repaired",
    source="paper 001, Theorem 3, repaired",
    statement="With sum s >= W_1/gamma in (23) and W_2 (G - 1 - ln G) >= ln(3 (HR + 1)/delta), with probability > 1 - "
    "delta at once: cost <= 3 G/delta times the point's, (24), (25), and more than (1 - eps) G of either demand.",
    readings=(Reading("at once", "One draw has all of it.", at_once3),),
    regimes=(*THEOREM3_REGIMES, of_data("a machine is full", lambda d: d["full"])),
    strategy=draw.served_slots(),
    planted=(Planted("the whole demand", at(at_once3, whole=True)),),
)

# --- Theorem 4 -------------------------------------------------------------------------------------------------------


def share4(slot: Slot) -> Fraction:
    """At least (1 + eps) G with eps = sqrt(3 ln(3 (H R + 1)/delta)/(G W_2))."""
    gain = gain4(slot)
    return gain[1] + deviation(3, gain, slot.width, slot.rows, slot.delta)[1]


def _rooms4(slot: Slot, some: bool, share: Fraction) -> Finding:
    """The cost, and LHS(24) > C G (1 + eps) on one machine and resource, or on some."""
    gain, block, events = gain4(slot), slot.block(), slot.resource_rows(share)
    chances = [block.chance(gain[0], event) for event in events]
    if some:
        chances = [block.chance(gain[0], lambda units: any(event(units) for event in events))]
    claimed = slot.delta / (3 * slot.rows)
    rooms = Finding(max(chances), claimed, "at most", "Pr(LHS(24) > C G (1 + eps))")
    return worst([cost(slot, gain), rooms]) or rooms


def rounded_point4(case: Case, some: bool) -> Finding | None:
    """One draw of (23) as printed: the cost, and Pr{LHS(24) > C G (1 + eps)} <= delta/(3 (H R + 1))."""
    slot = printed(case)
    return None if slot is None else _rooms4(slot, some, share4(slot))


def _no_spread4(case: Case) -> Finding | None:
    slot = printed(case)
    return None if slot is None else _rooms4(slot, False, gain4(slot)[1])


THEOREM4 = Claim(
    id="dmlrs.theorem4",
    source="paper 001, Theorem 4, (30)",
    statement="With probability > 1 - delta Algorithm 4 obtains a schedule of ratio <= 3 G/delta, and "
    "Pr{LHS(24) > C G (1 + sqrt(3 ln(3 (HR + 1)/delta)/(G W_2)))} <= delta/(3 (HR + 1)).",
    readings=(
        Reading(
            "a draw, each row",
            "The rounded point of (23); (24) of one machine and resource.",
            at(rounded_point4, some=False),
        ),
        Reading(
            "a draw, some row",
            "The same bound for the event that some row of (24) does so.",
            at(rounded_point4, some=True),
        ),
        Reading("a schedule", "A point that meets (24)-(26), which Algorithm 4 asks of it.", at(found, above_one=True)),
    ),
    regimes=(*THEOREM3_REGIMES, OUTSIDE),
    strategy=draw.slots(),
    planted=(Planted("without the factor 1 + eps", _no_spread4),),
    witnesses=WITNESSES,
    repaired_by="dmlrs.theorem4_repaired",
    small_repair=True,
)


def roomy(case: Case, some: bool) -> Finding | None:
    """Where a worker and a parameter server fit on each machine (W_2 >= 1), the bounds of Theorem 4 hold for a draw.

    Proof
    -----
    The cost is lemma2_cost. On a machine only two counts are rounded, so LHS(24) W_2/C exceeds its mean, at most G W_2,
    by less than alpha W_2/C + beta W_2/C <= 2. And C G (1 + eps) W_2/C = G W_2 + sqrt(3 ln(3 (H R + 1)/delta) G W_2),
    where the root is above 2: ln(3 (H R + 1)/delta) >= ln 6 > 1.79, G >= 1 and W_2 >= 1. So the event is impossible, on
    each machine and on some, for any point of the LP, with or without the row for parameter servers.
    """
    slot = served(case)
    return None if slot is None or slot.width < 1 else _rooms4(slot, some, share4(slot))


def _no_spread_roomy(case: Case) -> Finding | None:
    slot = served(case)
    return None if slot is None or slot.width < 1 else _rooms4(slot, False, gain4(slot)[1])


THEOREM4_REPAIRED = Claim(
    id="dmlrs.theorem4_repaired",
    source="paper 001, Theorem 4, repaired",
    statement="Where W_2 >= 1, a rounded point costs <= 3 G/delta times the point with probability > 1 - delta, and "
    "LHS(24) never exceeds C G (1 + sqrt(3 ln(3 (HR + 1)/delta)/(G W_2))).",
    readings=(
        Reading("a draw, each row", "(24) of one machine and resource.", at(roomy, some=False)),
        Reading("a draw, some row", "(24) of any machine and resource.", at(roomy, some=True)),
    ),
    regimes=tuple(r for r in THEOREM3_REGIMES if not r.name.startswith("less than")),
    strategy=draw.served_slots(),
    planted=(Planted("without the factor 1 + eps", _no_spread_roomy),),
)

CLAIMS = table(THEOREM3, THEOREM3_REPAIRED, THEOREM4, THEOREM4_REPAIRED)
