"""(13): the argument of u_i."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claim import Assumption, Claim, Domain, FalseVariant, Finding, Proof, Reading, Regime, Repair
from schedproof.families.dmlrs import YU22
from schedproof.proofs_checks.strategies import dmlrs_numbers as draw
from schedproof.proofs_checks.strategies.dmlrs_numbers import UtilityTable


def earliest(case: UtilityTable, late: int = 0) -> Finding:
    """u(ceil(V c_i/F) - a) is the utility of the fastest schedule, F co-located workers from the arrival on.

    The paper counts slots from 1 and the training time as (last slot) - a, so that n slots from a on are n - 1. u is a
    table from 0 on that keeps its last value; an argument below 0 counts as 0.
    """
    slots, arrival = case.slots, case.arrival

    def u(x: int) -> Fraction:
        return Fraction(case.values[min(max(x, 0), len(case.values) - 1)])

    return Finding(u(slots - arrival - late), u(slots - 1), "equal", f"{slots} slots from slot {arrival} on")


def from_the_start(case: UtilityTable) -> bool:
    """The job arrives in the first slot."""
    return case.arrival == 1


FROM_THE_START_PROOF = Proof(
    """
    With a = 1 the argument of (13) is ceil(V c_i/F) - 1. At most F/c_i samples are trained in a slot, so that V take
    ceil(V c_i/F) slots or more, and F co-located workers take exactly so many: slots 1 to ceil(V c_i/F), a training
    time of ceil(V c_i/F) - 1, and u does not increase.
    """,
    answers={"TODO": "TODO"},
)


TABLES = Domain(
    UtilityTable,
    draw.utility_tables(),
    (
        Regime("from the first slot on", lambda c: c.arrival == 1),
        Regime("a later arrival", lambda c: c.arrival > 1),
        Regime("an argument below 0", lambda c: c.arrival > c.slots),
    ),
)

LARGEST_UTILITY13 = Claim(
    id="dmlrs.largest_utility13",
    source=YU22.at("section 4.2, (13) and the text after (14)"),
    statement="u_i(ceil(E K c_i/F) - a_i) is the largest utility that job i can achieve.",
    readings=(Reading("slots from 1", "As printed, u_i of an argument below 0 counting as u_i(0).", earliest),),
    domain=TABLES,
    false_variants=(FalseVariant("a slot less", lambda case: earliest(case, late=1)),),
    assumption=Assumption("from the start", "the job arrives in the first slot", from_the_start, FROM_THE_START_PROOF),
    repair=Repair(domain=TABLES.but(regimes=TABLES.regimes[:1])),
)
