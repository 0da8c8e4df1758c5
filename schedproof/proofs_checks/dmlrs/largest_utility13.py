"""(13): the argument of u_i."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

from schedproof.core.claims.claim import Claim, Domain, Finding
from schedproof.families.dmlrs import YU22
from schedproof.proofs_checks.strategies import dmlrs_numbers as draw
from schedproof.proofs_checks.strategies.dmlrs_numbers import UtilityTable

LARGEST_UTILITY13 = Claim(
    "dmlrs.largest_utility13",
    YU22.at("section 4.2, (13) and the text after (14)"),
    "u_i(ceil(E K c_i/F) - a_i) is the largest utility that job i can achieve.",
    Domain.of(
        UtilityTable,
        draw.utility_tables(),
        {
            "from the first slot on": lambda c: c.arrival == 1,
            "a later arrival": lambda c: c.arrival > 1,
            "an argument below 0": lambda c: c.arrival > c.slots,
        },
    ),
    severity="slip",
)
REPAIRED = LARGEST_UTILITY13.repair(
    "u_i(ceil(E K c_i/F) - 1) is the largest utility that job i can achieve, whenever it arrives.",
    domain=LARGEST_UTILITY13.domain.but(regimes=LARGEST_UTILITY13.domain.regimes[:2]),
    small=True,
)


@LARGEST_UTILITY13.reading("slots from 1", "As printed; below 0, u_i has the value u_i(0).")
@LARGEST_UTILITY13.false_variant("a slot less", late=1)
def earliest(case: UtilityTable, late: int = 0) -> Finding:
    """u(ceil(V c_i/F) - a) is the utility of the fastest schedule.

    That schedule has F co-located workers from the arrival on. The paper counts slots from 1 and the training time as
    (last slot) - a, so n slots from a on count n - 1. u is a table from 0 on that keeps its last value; an argument
    below 0 counts as 0.
    """
    slots, arrival = case.slots, case.arrival

    def u(x: int) -> Fraction:
        return Fraction(case.values[min(max(x, 0), len(case.values) - 1)])

    return Finding(u(slots - arrival - late), u(slots - 1), "equal", f"{slots} slots from slot {arrival} on")


WITHOUT_ARRIVAL_PROOF = """
At most F/c_i samples are trained in a slot, so V samples take at least ceil(V c_i/F) slots. For arrival slot a_i, the
last of them is a_i + ceil(V c_i/F) - 1 or later. So the training time is at least ceil(V c_i/F) - 1. F co-located
workers from the arrival on attain it, and u does not increase.
Coq, core: admission.v largest_utility13. Outside: the workers and parameter servers that train these amounts, and their
capacities. V is E K. A worker trains at most 1/c_i samples in a slot, and the job's F workers at most F/c_i.
- *F co-located workers may not fit on a machine.* Then the job earns less. (13) is the best that the job can achieve,
so U^r may be too large but never too small.
- *Why is the training time ceil(V c_i/F) - 1 here, but ceil(V c_i/F) on other pages?* Slots start at 1, and u takes the
difference of two slot numbers, as in (6). The code counts n slots as a training time of n; both conventions give the
same u.
"""


@REPAIRED.reading("slots from 1", "The maximum is over all choices of slots.", WITHOUT_ARRIVAL_PROOF)
@REPAIRED.false_variant("a slot less", late=1)
def without_arrival(case: UtilityTable, late: int = 0) -> Finding:
    first, last = case.arrival, case.arrival + case.slots + len(case.values)
    earned = [
        Fraction(case.values[min(chosen[-1] - first, len(case.values) - 1)])
        for chosen in combinations(range(first, last), case.slots)
    ]
    said = case.values[min(case.slots - 1 + late, len(case.values) - 1)]
    return Finding(Fraction(said), max(earned), "equal", f"{case.slots} slots from slot {first} on")
