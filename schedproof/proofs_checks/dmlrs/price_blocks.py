"""(12)-(13): whether the price of a full resource keeps jobs out."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claims.claim import Answer, Claim, Domain, Finding, Outside, Premise, worst
from schedproof.families.dmlrs import YU22
from schedproof.proofs_checks.dmlrs.shared import regimes
from schedproof.proofs_checks.dmlrs.shared.premises import CAN_USE, ONE, PRICED, PRICED_REPAIRED
from schedproof.proofs_checks.dmlrs.shared.regimes import WITHOUT_RESERVED
from schedproof.proofs_checks.strategies import dmlrs as draw
from schedproof.proofs_checks.strategies.dmlrs import Capped, OfInstance
from schedproof.reference.dmlrs import Bounds, fits, tariff
from schedproof.reference.dmlrs_schedules import plans

REGIMES = (
    *regimes.SHAPES,
    regimes.LATE,
    regimes.of_instance(
        "alpha and beta of one resource",
        lambda i: any(set(j.worker) & set(j.ps) and any(j.ps.values()) for j in i.jobs),
    ),
)

TOGETHER: Premise[OfInstance] = Premise(
    "some schedule has workers and PSs of a slot on one machine, and uses a resource there",
    lambda case: any(
        part.internal and part.use
        for job in case.instance.jobs
        for plan in plans(case.instance, job)
        for part in plan.parts
    ),
)

PRICE_BLOCKS = Claim(
    "dmlrs.price_blocks",
    YU22.at("section 4.2, (12)-(13): 'no job that requires type-r resources will be admitted'"),
    "When a resource is exhausted its price is U^r (0 < L <= U^r), and no job that needs it there is admitted there.",
    Domain(OfInstance, WITHOUT_RESERVED, REGIMES, (PRICED, CAN_USE)),
    severity="false proof step",
)
REPAIRED = PRICE_BLOCKS.repair(
    "With U^r = max_i u_i(ceil(V c_i/F)) over the smallest positive one of alpha and beta, 0 < L <= "
    "U^r, no schedule that uses a resource at price U^r or more has a positive payoff.",
    domain=Domain(
        Capped,
        draw.capped_cases(reserved=False, roomy=True, scenes=("plain", "slow")),
        REGIMES,
        (PRICED_REPAIRED, CAN_USE),
    ),
    small=True,
)

ON_ONE_MACHINE = """
At least one worker and one PS are on the machine, so the schedule uses a >= alpha + beta. The printed argument of u_i
is at most ceil(V c_i/F), and no schedule takes less time. So U^r a >= u_i(...) >= u_i(pi).
- *Only one slot of the schedule may be on that machine.* Then it uses a >= alpha + beta there in that slot, which is
enough.
- *U^r is a maximum over other jobs, too.* It is at least this job's term.
"""


@PRICE_BLOCKS.reading(
    "by price", "The price alone keeps the job out, as the text states ('since U^r is the highest price')."
)
@PRICE_BLOCKS.reading(
    "by price, co-located",
    "The price alone keeps out schedules that use only the machine with the full resource.",
    ON_ONE_MACHINE,
    internal=True,
    where=(TOGETHER,),
)
@PRICE_BLOCKS.false_variant("at two thirds of the capacity", level=Fraction(2, 3))
@REPAIRED.false_variant("(13) as printed")
def by_price(
    case: OfInstance, bounds: Bounds = "printed", internal: bool = False, cap: Fraction = ONE, level: Fraction = ONE
) -> Answer:
    """No schedule that uses a resource at price p = U^r has a positive payoff.

    One resource of one machine and slot is full; p = L elsewhere.

    Parameters
    ----------
    internal
        Whether to take only schedules whose workers and PSs of that slot are all on that machine.
    cap
        For the repaired prices, the largest share that a job may hold; the price is U^r from 1 - x of the capacity on.
    level
        The fill level of the resource, as a share of the level at which its price is U^r.
    """
    prices = tariff(case.instance, bounds, cap, ONE)
    if prices is None:
        return Outside(PRICED)
    result = []
    for job in case.instance.jobs:
        for plan in plans(case.instance, job, cap):
            for part in plan.parts:
                for spot in part.use if part.internal or not internal else ():
                    others = sum((a for other, a in plan.use.items() if other != spot), Fraction(0))
                    full = prices.price(spot[2], level * prices.full_share)[1] * plan.use[spot]
                    payoff = plan.utility - full - prices.lowest * others
                    result.append(Finding(payoff, Fraction(0), "at most", f"payoff of {job.name} at {spot}"))
    return worst(result)


BY_CAPACITY_PROOF = """
The free amount of a full resource is 0, and a schedule that uses it needs a positive amount: (18) excludes it, whatever
its price.
- *Then which part is wrong?* The reason given. The dual needs a price that blocks the job; a full program does not
bound OPT.
"""


@PRICE_BLOCKS.reading(
    "by price or capacity",
    "The price keeps the job out, or Algorithm 2 finds no room, (15) and (18).",
    BY_CAPACITY_PROOF,
)
def by_capacity(case: OfInstance) -> Finding:
    instance, count = case.instance, 0
    for job in instance.jobs:
        for plan in plans(instance, job):
            full = ({spot: instance.machines[spot[1]].capacity[spot[2]]} for spot in plan.use)
            count += any(fits(instance, rho, plan) for rho in full)
    return Finding(Fraction(count), Fraction(0), "at most", "schedules that fit beside a full resource they use")


BY_REPAIRED_PRICE_PROOF = """
A schedule that uses the resource there has a worker or a PS that demands it. So its use a is at least the smallest
positive value among alpha and beta. It takes at least ceil(V c_i/F) slots, as a slot trains at most F/c_i samples.
Hence U^r a >= u_i(ceil(V c_i/F)) >= u_i(pi). The price is U^r from rho = (1 - x) C on.
Coq, core: admission.v price_blocks, slots_needed. Outside: schedules, their payoff, and the composition of both
theorems. In the theorem, w and p are the schedule's workers and parameter servers at the full resource, and n is the
number of slots.
- *alpha or beta may be 0.* The smallest positive value is taken; a job with alpha = beta = 0 does not use the resource.
- *A fraction of a worker?* No such amount exists: w and s are whole numbers.
"""


@REPAIRED.reading("by price", "The price alone keeps the job out.", BY_REPAIRED_PRICE_PROOF)
@REPAIRED.false_variant("at two thirds of it", level=Fraction(2, 3))
def by_repaired_price(case: Capped, level: Fraction = ONE) -> Answer:
    return by_price(case, "repaired", cap=case.cap, level=level)
