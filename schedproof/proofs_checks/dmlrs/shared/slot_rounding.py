"""The rounded slot problem (23), shared by Theorems 3 to 6."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from schedproof.core.claims.claim import Answer, Finding, Outside, Premise, Regime
from schedproof.proofs_checks.dmlrs.shared.rounding import above, chance, dear, neat, printed_above, printed_below, some
from schedproof.proofs_checks.strategies.dmlrs_slots import PrintedSlot, Slot
from schedproof.reference.dmlrs_enclosures import Interval

OUTSIDE_CASE: Premise[Slot] = Premise("no machine holds the job", lambda slot: not slot.inside)

SlotGain = Callable[[Slot], Interval]


def gain3(slot: Slot) -> Interval:
    return neat(printed_below(slot.width, slot.rows, slot.delta))


def gain4(slot: Slot) -> Interval:
    return neat(printed_above(slot.workload, 1, slot.delta))


def cost(slot: Slot, gain: Interval) -> Finding:
    """Pr(cost > 3 G/delta times that of the point) should be at most delta/3."""
    program = slot.program()
    dearer = chance(program, gain[0], dear(program, gain, 3 / slot.delta))
    return Finding(dearer, slot.delta / 3, "at most", "the cost")


def hit_chance(slot: Slot, gain: Interval) -> Fraction:
    """An upper bound on the probability that one of S draws meets (24)-(26).

    With a larger G the demand is met more often, and the capacities less often. So each probability is evaluated at the
    better end of G's interval.
    """
    program, machines = slot.program(), len(slot.free)
    covered = chance(program, gain[1], lambda units: sum(units[:machines]) >= slot.workload)
    packed = 1 - chance(program, gain[0], some(above(program)))
    return 1 - (1 - min(covered, packed)) ** slot.draws


A_SCHEDULE = "a schedule", "A point that meets (24)-(26), as Algorithm 4 asks; no machine holds the job."


def feasible_found(slot: PrintedSlot, gain: SlotGain) -> Answer:
    """S draws contain a feasible schedule of cost at most 3 G/delta.

    This should have probability greater than 1 - delta.
    """
    if slot.inside:
        return Outside(OUTSIDE_CASE)
    where = f"Pr(one of {slot.draws} draws is feasible)"
    return Finding(hit_chance(slot, gain(slot)), 1 - slot.delta, "at least", where)


SMALL_MACHINE: Regime[Slot] = Regime("less than one worker fits somewhere", lambda s: min(map(min, s.free)) < 1)
SERVERS_USE: Regime[Slot] = Regime("parameter servers use a resource", lambda s: any(s.ps))
SMALL_DELTA: Regime[Slot] = Regime("delta at most 1/100", lambda s: s.delta <= Fraction(1, 100))
OUTSIDE: Regime[Slot] = Regime("no machine holds the job", lambda s: not s.inside)
SLOTS: tuple[Regime[Slot], ...] = (
    Regime("several machines", lambda s: len(s.free) > 1),
    Regime("a broken workload", lambda s: s.workload.denominator > 1),
    SMALL_MACHINE,
    Regime("a resource that workers do not use", lambda s: 0 in s.worker),
    SERVERS_USE,
    SMALL_DELTA,
)
