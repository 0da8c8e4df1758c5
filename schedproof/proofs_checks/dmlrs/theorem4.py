"""Theorem 4: Lemma 2 for the slot problem (23)."""

from __future__ import annotations

from typing import Any

from schedproof.core.claims.claim import Answer, Claim, Domain, Finding, Outside, Premise
from schedproof.families.dmlrs import YU22
from schedproof.proofs_checks.dmlrs.shared.rounding import above, chance, deviation, some
from schedproof.proofs_checks.dmlrs.shared.slot_rounding import (
    A_SCHEDULE,
    OUTSIDE,
    OUTSIDE_CASE,
    SLOTS,
    SMALL_MACHINE,
    cost,
    feasible_found,
    gain4,
)
from schedproof.proofs_checks.strategies import dmlrs_slots as draw
from schedproof.proofs_checks.strategies.dmlrs_slots import PrintedSlot, ServedSlot, Slot

WIDE: Premise[Any] = Premise("W_2 >= 1", lambda slot: slot.width >= 1)

THEOREM4 = Claim(
    "dmlrs.theorem4",
    YU22.at("Theorem 4, (30)"),
    "With probability > 1 - delta Algorithm 4 obtains a schedule of ratio <= 3 G/delta, and Pr{LHS(24) > C "
    "G (1 + sqrt(3 ln(3 (HR + 1)/delta)/(G W_2)))} <= delta/(3 (HR + 1)).",
    Domain(PrintedSlot, draw.slots(), (*SLOTS, OUTSIDE)),
    severity="false theorem",
)
REPAIRED = THEOREM4.repair(
    "Where W_2 >= 1, a rounded point costs <= 3 G/delta times the point with probability > 1 - delta, "
    "and LHS(24) never exceeds C G (1 + sqrt(3 ln(3 (HR + 1)/delta)/(G W_2))).",
    domain=Domain(ServedSlot, draw.served_slots(), tuple(r for r in SLOTS if r is not SMALL_MACHINE)),
    small=True,
)


@THEOREM4.reading("a draw, each row", "The rounded point of (23); (24) of one machine and resource.")
@THEOREM4.reading("a draw, some row", "The same bound for the event that some row of (24) is violated.", some_row=True)
@THEOREM4.false_variant("without the factor 1 + eps", spread=0)
def rounded_point(slot: Slot, some_row: bool = False, spread: int = 1) -> Finding:
    gain, program = gain4(slot), slot.program()
    share = gain[1] + spread * deviation(3, gain, slot.width, slot.rows, slot.delta)[1]
    resources = above(program, share)[:-1]  # the last row is (25)
    chances = [chance(program, gain[0], event) for event in ([some(resources)] if some_row else resources)]
    rooms = Finding(max(chances), slot.delta / (3 * slot.rows), "at most", "Pr(LHS(24) > C G (1 + eps))")
    return max(cost(slot, gain), rooms, key=lambda finding: finding.excess)


THEOREM4.reading(*A_SCHEDULE, where=(OUTSIDE_CASE,), gain=gain4)(feasible_found)

ROOMY_PROOF = """
The bound on the cost is lemma2_cost. On a machine only two counts are rounded. So LHS(24) W_2/C exceeds its mean by
less than alpha W_2/C + beta W_2/C <= 2, and this mean is at most G W_2. Also C G (1 + eps) W_2/C = G W_2 + sqrt(3 ln(3
(H R + 1)/delta) G W_2). The root is above 2: ln(3 (H R + 1)/delta) >= ln 6 > 1.79, G >= 1 and W_2 >= 1. So the event is
impossible, on each machine and on any machine, for any point of the LP, with or without the row for parameter servers.
- *So Theorem 4's packing bound is empty?* If a worker and a PS fit, yes: the event cannot happen, and the bound gives
no information on LHS(24) <= C.
- *Several resources on a machine?* Each has its own row and the same two counts; the bound is for each row.
"""


@REPAIRED.reading("a draw, each row", "(24) of one machine and resource.", ROOMY_PROOF, where=(WIDE,))
@REPAIRED.reading("a draw, some row", "(24) of any machine and resource.", ROOMY_PROOF, some_row=True, where=(WIDE,))
@REPAIRED.false_variant("without the factor 1 + eps", spread=0)
def roomy(slot: ServedSlot, some_row: bool = False, spread: int = 1) -> Answer:
    """Theorem 4's bounds hold for a draw if a worker and a PS fit on each machine.

    In symbols, W_2 >= 1.
    """
    return Outside(WIDE) if slot.width < 1 else rounded_point(slot, some_row, spread)
