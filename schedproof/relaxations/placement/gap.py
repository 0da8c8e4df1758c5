"""Gap between completion times and a price bound, by tasks and unused slots.

Let mu and nu be the prices of a bound's certificate (`schedproof.relaxations.placement.certificate`), P_j the
completion time of task j, from arrival on, and lambda_j the least cost of its starts, completion time plus prices. Then

    P - D = price of unused resources + sum over tasks of (P_j + price of its use - lambda_j),

with the objective P and the bound D = sum lambda_j minus the price of the capacity. In a feasible schedule every term
is >= 0.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from schedproof.core.certificates.bound import Bound
from schedproof.core.certificates.gap import Part, certificate
from schedproof.core.errors import ProgramError
from schedproof.instances.placement import Instance, Schedule
from schedproof.relaxations.placement.certificate import BITS, StartPrices, in_breaks
from schedproof.relaxations.placement.modes import ways

IDLE = "unused resources, at their prices"
NO_START = "slots in which a cluster starts no task, at their prices"
STARTED_WORSE = "tasks whose start is later, slower or dearer than their best start at these prices"
UNIT = Fraction(1, 1 << BITS)


def parts(schedule: Schedule, instance: Instance, bound: Bound) -> tuple[Part, ...]:
    """Account for the gap: idle resources, slots without start, worse starts.

    Raises
    ------
    ProgramError
        For another certificate, or a schedule that is infeasible or has preemption.
    """
    proof = certificate(bound, StartPrices)
    if len(schedule.completions(instance)) < len(instance.tasks) or any(r.until is not None for r in schedule.starts):
        raise ProgramError("no account of the gap: expected each task to run once, from its start to its completion")
    slots = proof.starts.shape[1]
    used: Counter[tuple[int, int, int]] = Counter()
    launched: Counter[tuple[int, int]] = Counter()
    lost = {}
    least = proof.cheapest_starts(instance, ways(instance))
    for row in sorted(schedule.starts, key=lambda row: row.task):
        task = instance.tasks[row.task]
        end = row.slot + task.duration[row.allocation]
        paid = int(proof.starts[row.cluster, row.slot]) if row.slot < slots else 0
        launched[row.cluster, row.slot] += 1
        for t in range(row.slot, min(end, slots)):
            for r, amount in enumerate(row.allocation):
                used[row.cluster, r, t] += amount
                paid += amount * int(proof.resources[row.cluster, r, t])
        lost[task.name] = (end - task.arrival) + (paid - least[row.task]) * UNIT
    closed = in_breaks(instance, slots).astype(int)
    idle = [
        price * ((0 if closed[n, t] else instance.clusters[n].amounts[r]) - used[n, r, t]) * UNIT
        for n, of_cluster in enumerate(proof.resources.tolist())
        for r, of_resource in enumerate(of_cluster)
        for t, price in enumerate(of_resource)
        if price
    ]
    none = [
        price * (1 - closed[n, t] - launched[n, t]) * UNIT
        for n, of_cluster in enumerate(proof.starts.tolist())
        for t, price in enumerate(of_cluster)
        if price
    ]
    return (
        Part.of("idle_resources", IDLE, others=idle),
        Part.of("no_start", NO_START, others=none),
        Part.of("started_worse", STARTED_WORSE, lost),
    )
