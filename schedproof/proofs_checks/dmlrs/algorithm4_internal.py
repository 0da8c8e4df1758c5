"""Algorithm 4, steps 2-7: the internal case of the slot problem (19), for given prices."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claim import (
    Answer,
    Claim,
    Domain,
    FalseVariant,
    Finding,
    Proof,
    Reading,
    Repair,
    with_settings,
    worst,
)
from schedproof.core.numbers import ceil
from schedproof.families.dmlrs import YU22
from schedproof.instances.dmlrs import Job
from schedproof.proofs_checks.dmlrs.shared import regimes
from schedproof.proofs_checks.strategies import dmlrs as draw
from schedproof.proofs_checks.strategies.dmlrs import SlotPriced
from schedproof.reference.dmlrs_given_prices import cost
from schedproof.reference.dmlrs_schedules import spread

ZERO = Fraction(0)


def first_fit(case: SlotPriced, by_cost: bool = False, backwards: bool = False) -> Answer:
    """Algorithm 4, steps 2-7: the first machine that fits, by sum p (alpha gamma + beta), is the cheapest one.

    n = ceil(v c_i) workers with ceil(n/gamma) parameter servers (step 3 leaves the rounding open).
    """
    rows, given = [], case.prices
    for job in case.instance.jobs:
        n = ceil(case.samples * job.internal_time)
        if n > job.batch_size:
            continue
        ways = spread(case.instance, job, job.arrival, n, job.ps_needed(n))
        menu = {p.rows[0][0]: cost(p.use, given) for p in ways if p.internal}
        if menu:
            rank = menu if by_cost else {h: printed_key(case, job, h) for h in menu}
            first = (max if backwards else min)(menu, key=lambda h: (rank[h], h))
            rows.append(Finding(menu[first], min(menu.values()), "equal", f"{job.name} on machine {first}"))
    return worst(rows)


def printed_key(case: SlotPriced, job: Job, h: int) -> Fraction:
    """The sum of p (alpha gamma + beta) over the resources, on one machine in the job's first slot."""
    given, names = case.prices, case.instance.resources
    amounts = ((r, job.worker.get(r, ZERO) * job.workers_per_ps + job.ps.get(r, ZERO)) for r in names)
    return sum((given.get((job.arrival, h, r), ZERO) * amount for r, amount in amounts), ZERO)


def by_its_cost(case: SlotPriced) -> Answer:
    """With machines sorted by the cost of n workers and ceil(n/gamma) PSs, the first that fits is the cheapest."""
    return first_fit(case, by_cost=True)


BY_ITS_COST_PROOF = Proof(
    """
    The sort key of a machine is the cost of the very placement that steps 3-6 try there, so the first that fits has the
    least cost of those that fit; and fewer workers than n = ceil(v c_i) do not train v on one machine.
    """,
    answers={"TODO": "TODO"},
)


WHOLE = "n = ceil(v c_i) workers, ceil(n/gamma) parameter servers."

ALGORITHM4_INTERNAL = Claim(
    id="dmlrs.algorithm4_internal",
    source=YU22.at("section 4.3, case 1, and Algorithm 4, steps 2-7"),
    statement="Sorted by sum_r p (alpha gamma + beta), the first machine that fits gives the least cost of case 1.",
    readings=(Reading("whole numbers", WHOLE, first_fit),),
    domain=Domain(
        SlotPriced,
        draw.two_machines(),
        (
            regimes.SEVERAL_MACHINES,
            regimes.SEVERAL_RESOURCES,
            regimes.BROKEN_RATIO,
            regimes.FREE_OF_CHARGE,
            regimes.of_instance(
                "n not a multiple of gamma", lambda i: any(j.batch_size % j.workers_per_ps for j in i.jobs)
            ),
        ),
    ),
    false_variants=(FalseVariant("the last machine", with_settings(first_fit, backwards=True)),),
    repair=Repair(
        statement="Sorted by the cost of n workers and ceil(n/gamma) PSs, the first machine that fits is the cheapest.",
        readings=(Reading("whole numbers", WHOLE, by_its_cost, proof=BY_ITS_COST_PROOF),),
        small=True,
    ),
)
