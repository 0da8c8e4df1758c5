"""Section 4.2: U^r as the largest utility of a unit of resource."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claims.claim import Answer, Claim, Domain, Finding, worst
from schedproof.families.dmlrs import YU22
from schedproof.proofs_checks.dmlrs.shared import regimes
from schedproof.proofs_checks.dmlrs.shared.premises import CAN_USE
from schedproof.proofs_checks.strategies.dmlrs import OfInstance
from schedproof.reference.dmlrs import demand, demanded_resources, highest
from schedproof.reference.dmlrs_schedules import plans

UNIT_UTILITIES = Claim(
    "dmlrs.unit_utilities",
    YU22.at("section 4.2, after (14)"),
    "U^r is the maximum unit-resource job utility: no schedule earns more for a unit of type r.",
    Domain(OfInstance, regimes.WITHOUT_RESERVED, (*regimes.SHAPES, regimes.LATE), (CAN_USE,)),
    severity="slip",
)
REPAIRED = UNIT_UTILITIES.repair(
    "No schedule earns more than U^r for each unit of type r that it uses anywhere.", small=True
)

WHOLE_PROOF = """
A schedule has at least one worker and one parameter server, as a rate needs both. So it uses at least alpha + beta of
r. It takes at least ceil(V c_i/F) slots, so it earns at most u_i(ceil(V c_i/F)). The printed argument is smaller still.
So u_i(pi) <= U^r (alpha + beta) <= U^r times its use.
Coq, core: admission.v unit_utilities, slots_needed. Outside: schedules, and the composition of both theorems. In the
theorem, w and p are all workers and parameter servers of the schedule, and n is the number of slots.
- *Is the maximum attained?* Only by a job that one worker and one PS finish from the first slot on. The text needs only
an upper bound.
- *Does this make the price of a full resource high enough?* No: the price applies to the use on one machine in one
slot, where a worker may be without its PS (price_blocks).
"""


@UNIT_UTILITIES.reading(
    "whole schedule",
    "U^r is compared with the utility for each unit that a schedule uses anywhere.",
    WHOLE_PROOF,
    also=REPAIRED,
)
@UNIT_UTILITIES.reading(
    "machine and slot",
    "U^r is compared with the utility for each unit that a schedule uses on one machine in one slot.",
    spot_by_spot=True,
)
@UNIT_UTILITIES.false_variant("half of U^r", share=Fraction(1, 2), also=REPAIRED)
def unit_utility(case: OfInstance, spot_by_spot: bool = False, share: Fraction = Fraction(1)) -> Answer:
    """No schedule earns more than U^r per unit of a resource that it uses.

    Parameters
    ----------
    spot_by_spot
        Whether to take the use on one machine in one slot; by default, the use of the whole schedule.
    """
    instance, result = case.instance, []
    top = {r: share * highest(instance, r, printed=True) for r in demanded_resources(instance)}
    for job in instance.jobs:
        for plan in plans(instance, job):
            for r in (r for r in demanded_resources(instance) if sum(demand(job, r))):
                uses = [amount for (_, _, name), amount in plan.use.items() if name == r]
                amounts = uses if spot_by_spot else [sum(uses, Fraction(0))]
                result += [Finding(plan.utility, top[r] * amount, "at most", f"{job.name}, {r}") for amount in amounts]
    return worst(result)
