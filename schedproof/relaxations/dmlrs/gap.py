"""Gap between a utility and a price bound, by jobs and unused resources.

Let lambda_i be the certificate's payoff of job i, at least u_i minus the price of the use for every schedule, and D the
price of all free resources plus sum lambda_i. Then

    D - P = price of unused resources + sum over jobs of (lambda_i - u_i + price of its use),

where P is the schedule's utility and u_i = 0 unless the job finishes. In a feasible schedule every term is >= 0.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction

from schedproof.core.certificates.bound import Bound
from schedproof.core.certificates.gap import ZERO, Part, certificate
from schedproof.instances.dmlrs import Instance, Schedule
from schedproof.relaxations.dmlrs.certificate import PriceCertificate

UNSOLD = "unused resources of the machines, at their prices"
TURNED_AWAY = "jobs without resources whose utility would exceed their cost at these prices"
GIVEN_UP = "jobs that hold machines and do not finish: their possible net utility, and the price of their use"
SERVED_WORSE = "jobs that finish later, or use dearer machines and slots, than their best schedules at these prices"


def parts(schedule: Schedule, instance: Instance, bound: Bound) -> tuple[Part, ...]:
    """Account for the gap: unsold, turned away, given up, served worse.

    Raises
    ------
    ProgramError
        For another certificate, or a schedule that is not feasible.
    """
    proof = certificate(bound, PriceCertificate)
    unit = Fraction(2) ** -proof.bits
    used: dict[tuple[int, int, str], Fraction] = defaultdict(Fraction)
    paid: dict[int, Fraction] = {}
    prices = proof.prices.tolist()
    rates = list(enumerate(zip(instance.resources, instance.grid.per_unit, strict=True)))
    for row in schedule.placements:
        job = instance.jobs[row.job]
        for r, (name, per_unit) in rates:
            amount = row.workers * job.worker.get(name, ZERO) + row.ps * job.ps.get(name, ZERO)
            used[row.slot, row.machine, name] += amount
            paid[row.job] = paid.get(row.job, ZERO) + prices[row.slot][row.machine][r] * per_unit * amount * unit
    unsold = [
        price * per_unit * unit * (instance.free(t, machine, name) - used.get((t, machine.index, name), ZERO))
        for t, of_slot in enumerate(prices)
        for machine, row in zip(instance.machines, of_slot, strict=True)
        for price, (_, (name, per_unit)) in zip(row, rates, strict=True)
        if price
    ]
    ends = schedule.completions(instance)
    lost: dict[str, dict[str, Fraction]] = {name: {} for name in (TURNED_AWAY, GIVEN_UP, SERVED_WORSE)}
    for job in instance.jobs:
        earned = job.utility.lower(ends[job.index] - job.arrival) if job.index in ends else ZERO
        fate = SERVED_WORSE if job.index in ends else GIVEN_UP if job.index in paid else TURNED_AWAY
        share = proof.payoff(instance, job) * unit - earned + paid.get(job.index, ZERO)
        for name, shares in lost.items():
            shares[job.name] = share if name == fate else ZERO
    return (
        Part.of("unsold", UNSOLD, others=unsold),
        Part.of("turned_away", TURNED_AWAY, lost[TURNED_AWAY]),
        Part.of("given_up", GIVEN_UP, lost[GIVEN_UP]),
        Part.of("served_worse", SERVED_WORSE, lost[SERVED_WORSE]),
    )
