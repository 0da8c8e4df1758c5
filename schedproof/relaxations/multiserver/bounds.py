"""Certified upper bounds on what can be earned: by one allocation for all slots, and by a new one in every slot.

Two games, two bounds. A policy that commits to y(t) before it sees x(t) is compared, as in (10)-(11), with the best
*fixed* allocation: ``multiserver.stationary``. It is no bound on a single run: allocations that change may earn more,
and a policy that responds to x(t) usually does. What no policy of either game exceeds is the sum over slots of the best
allocation for each slot's own arrivals: ``multiserver.slot_optimum``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from time import perf_counter

import numpy as np

from schedproof.core.bound import Bound, certified
from schedproof.core.context import USUAL, Context
from schedproof.core.errors import ProgramError
from schedproof.instances.multiserver import Instance
from schedproof.relaxations.multiserver import certificate as certificates
from schedproof.relaxations.multiserver.certificate import Multipliers, patterns
from schedproof.relaxations.multiserver.exact import Numbers, earnings
from schedproof.relaxations.multiserver.solver import Stationary, StationarySolver

NUDGE = 1 + 2.0**-40  # so that a slope at 0, where nothing is allocated, is not below it by a rounding
MOST_NUMBERS = 50_000_000  # of a certificate of all patterns


def stationary_bound(instance: Instance, *, gain: str = "node", gap: Fraction = Fraction(1, 10**6)) -> Bound:
    """A certified upper bound on what the best fixed allocation (10) earns over all slots.

    A run of a policy may exceed it, by changing its allocation: see `slot_optimum_bound`.
    """
    started = perf_counter()
    counts = instance.counts()
    found = StationarySolver(instance.graph, gain).solve(counts, float(gap))
    certificate = certificates.StationaryCertificate(multipliers(found, gain))
    value = earnings(Numbers(instance, gain), counts, found.allocation)
    details = {
        "bounds": "what one allocation earns that is the same in all slots",
        "value": float(value),
        "steps": found.steps,
    }
    bound = certified("multiserver.stationary", certificate, instance, details, started=started, gain=gain)
    return replace(bound, details=bound.details | {"gap": found.gap(value, bound.exact)})


def slot_optimum_bound(
    instance: Instance, *, gain: str = "node", gap: Fraction = Fraction(1, 10**6), context: Context = USUAL
) -> Bound:
    """A certified upper bound on what any policy earns, also one that sees x(t) before it allocates.

    Each arrival pattern that occurs is solved once. Where time is over before, the last solved one's prices stand in
    for the others': any prices prove something of any pattern.
    """
    started = perf_counter()
    rows, times = patterns(instance)
    entries = len(rows) * sum(array.size for array in (instance.graph.capacity, instance.graph.demand))
    if entries > MOST_NUMBERS:
        raise ProgramError(
            f"multiserver.slot_optimum: {len(rows)} different arrival patterns occur, and the certificate of all would "
            f"have {entries} numbers; expected at most {MOST_NUMBERS}"
        )
    solver, numbers = StationarySolver(instance.graph, gain), Numbers(instance, gain)
    proofs: list[Multipliers] = []
    value = Fraction(0)
    for i, (row, n) in enumerate(zip(rows, times.tolist(), strict=True), start=1):
        if proofs and context.over:
            proofs += proofs[-1:] * (len(rows) - len(proofs))
            break
        found = solver.solve(row, float(gap))
        proofs.append(multipliers(found, gain))
        if i == 1:
            context = context.shorter(len(rows) * _seconds(partial(proofs[0].bound, numbers, row)))
        value += n * earnings(numbers, row, found.allocation)
        if i % 100 == 0:
            context.progress(f"{i} of {len(rows)} arrival patterns solved", i / len(rows))
    details = {
        "bounds": "what a new allocation in every slot earns, made for what arrives there",
        "value": float(value),
        "patterns": len(rows),
    }
    certificate = certificates.SlotCertificate(tuple(proofs))
    bound = certified("multiserver.slot_optimum", certificate, instance, details, started=started, gain=gain)
    return replace(bound, details=bound.details | {"gap": float(1 - value / bound.exact) if bound.exact else 0.0})


def _seconds(work: Callable[[], object]) -> float:
    """How long some work takes."""
    started = perf_counter()
    work()
    return perf_counter() - started


def multipliers(found: Stationary, gain: str) -> Multipliers:
    """What was found, as numbers that prove something."""
    units, least, most = certificates.UNITS, certificates.SMALLEST_PRICE, certificates.LARGEST_PRICE
    weights = np.clip(np.floor(found.weights * units).astype(np.int64), 0, units)
    largest = found.weights.argmax(axis=1)
    weights[np.arange(len(weights)), largest] += units - weights.sum(axis=1)
    prices = np.clip(found.prices, 0, most)
    prices[prices < least] = 0
    slopes = np.clip(found.slopes * NUDGE, least, most) if gain == "total" else found.slopes[:0]
    return Multipliers(prices, weights, slopes)
