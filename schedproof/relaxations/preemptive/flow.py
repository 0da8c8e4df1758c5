"""The LP of (4) by classes as a min-cost flow, exact, where no job may use the cloud.

Without the cloud every column of a job has the same rate, so the unit of flow is one worker slot: job -> (job, slot)
with capacity D_j (4e) -> (class, slot) with capacity W_q (4b) -> sink. Costs are scaled to integers, and the optimum is
a rational.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np

from schedproof.core.context import Context
from schedproof.core.errors import ProgramError
from schedproof.core.numbers import common_denominator
from schedproof.core.solving import flow
from schedproof.core.solving.status import Outcome
from schedproof.formulations.preemptive.index import charge, slots, window
from schedproof.instances.preemptive import Instance


def by_flow(instance: Instance, *, reading: str, speed: Fraction, cost: str, context: Context) -> Outcome:
    """The optimum of the class LP as a min-cost flow; ``exact`` is a rational.

    Raises
    ------
    ProgramError
        When a job may use the cloud (its second rate makes this a generalised flow), chunk times are not whole slots,
        or the costs are too large to be exact.
    """
    if any(instance.cloud_delay(job) is not None for job in instance.jobs):
        raise ProgramError(
            "the method 'flow' needs an instance without a cloud: two rates make it a gain flow; use matrix"
        )
    takes = {job.index: slots(job, False, reading, speed) for job in instance.jobs}
    if any(p.denominator != 1 for p in takes.values()):
        raise ProgramError(
            "the method 'flow' needs chunk times in whole slots; use reading=ceil_chunk or the method matrix"
        )
    prices = [(charge(j, j.arrival, takes[j.index], cost), 1 / (j.chunks * takes[j.index])) for j in instance.jobs]
    scale = common_denominator(x for first_and_growth in prices for x in first_and_growth)

    nodes: dict[object, int] = {"sink": 0}
    arcs: list[tuple[int, int, int, int]] = []  # tail, head, capacity, cost
    supplies: dict[int, int] = {0: 0}

    def node(name: object) -> int:
        return nodes.setdefault(name, len(nodes))

    for job in instance.jobs:
        demand = int(job.chunks * takes[job.index])
        supplies[node(job.index)] = demand
        supplies[0] -= demand
        for q, delay in instance.qualified(job):
            for t in window(instance, job, delay, speed):
                if (job.index, t) not in nodes:
                    price = int(charge(job, t, takes[job.index], cost) * scale)
                    arcs.append((node(job.index), node((job.index, t)), job.chunks, price))
                if ("class", q.index, t) not in nodes:
                    arcs.append((node(("class", q.index, t)), 0, q.count, 0))
                arcs.append((node((job.index, t)), node(("class", q.index, t)), job.chunks, 0))
    supply = np.zeros(len(nodes), dtype=np.int64)
    supply[list(supplies)] = list(supplies.values())
    try:
        table = np.array(arcs, dtype=np.int64).reshape(-1, 4)
        outcome, _ = flow.solve(table[:, 0], table[:, 1], table[:, 2], table[:, 3], supply)
    except OverflowError:
        raise ProgramError("the costs are too large for an exact min-cost flow; use the method matrix") from None
    if outcome.exact is None:
        return outcome
    value = outcome.exact / scale
    return replace(outcome, objective=float(value), bound=float(value), exact=value)
