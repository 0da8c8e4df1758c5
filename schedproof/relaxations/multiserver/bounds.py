"""Certified upper bounds on the reward of a fixed or of a changing allocation.

For a policy that commits to y(t) before it sees x(t), (10)-(11) compare the run with the best *fixed* allocation:
``multiserver.stationary``. This bound does not hold for a single run, because changing allocations may earn more. Any
policy earns at most the sum over slots of the best allocation for the slot's arrivals: ``multiserver.slot_optimum``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from schedproof.core.certificates.bound import Bound, bound_of
from schedproof.core.errors import ProgramError
from schedproof.core.runtime.context import USUAL, Context
from schedproof.instances.multiserver import Instance
from schedproof.relaxations.multiserver import certificate as certificates
from schedproof.relaxations.multiserver.certificate import Multipliers, patterns
from schedproof.relaxations.multiserver.exact import Numbers, earnings
from schedproof.relaxations.multiserver.solver import Stationary, StationarySolver

NUDGE = 1 + 2.0**-40  # scales slopes up, so that they do not round below the slope at 0, or down below the cost
MOST_NUMBERS = 50_000_000  # limit on the numbers of a certificate of all patterns


def stationary_bound(
    instance: Instance, *, gain: str = "node", gap: Fraction = Fraction(1, 10**6), context: Context = USUAL
) -> Bound:
    """A policy that changes its allocation between slots may exceed this bound.

    `slot_optimum_bound` holds for such a policy. If the time limit passes before prices are found, all prices are
    0.
    """
    started = perf_counter()
    counts, numbers = instance.counts(), Numbers(instance, gain)
    details: dict[str, Any] = {"bounds": "the reward of an allocation that is the same in all slots"}
    if context.interrupted is not None:
        free = certificates.StationaryCertificate(no_prices(numbers))
        context.keep(bound_of("multiserver.stationary", free, instance, details, started=started, gain=gain))
    optimum = certify_optimum(StationarySolver(instance.graph, gain), numbers, counts, float(gap))
    details |= {
        "value": float(optimum.value),
        "steps": optimum.found.steps,
        "gap": optimum.gap,
    }
    certificate = certificates.StationaryCertificate(optimum.multipliers)
    return bound_of("multiserver.stationary", certificate, instance, details, started=started, gain=gain)


def slot_optimum_bound(
    instance: Instance, *, gain: str = "node", gap: Fraction = Fraction(1, 10**6), context: Context = USUAL
) -> Bound:
    """The slot problem is solved once for each arrival pattern that occurs.

    At the time limit the prices of the last solved pattern replace the missing prices: any prices prove a bound for any
    pattern.
    """
    started = perf_counter()
    rows, times = patterns(instance)
    entries = len(rows) * sum(array.size for array in (instance.graph.capacity, instance.graph.demand))
    if entries > MOST_NUMBERS:
        raise ProgramError(
            f"multiserver.slot_optimum: {len(rows)} different arrival patterns occur, and their certificate would "
            f"have {entries} numbers; expected at most {MOST_NUMBERS}"
        )
    solver, numbers = StationarySolver(instance.graph, gain), Numbers(instance, gain)
    proofs: list[Multipliers] = []
    value = Fraction(0)
    for i, (row, n) in enumerate(zip(rows, times.tolist(), strict=True), start=1):
        if proofs and context.over:
            proofs += proofs[-1:] * (len(rows) - len(proofs))
            break
        optimum = certify_optimum(solver, numbers, row, float(gap))
        proofs.append(optimum.multipliers)
        if i == 1:
            context = context.shorter(len(rows) * _seconds(partial(proofs[0].bound, numbers, row)))
        value += n * optimum.value
        if i % 100 == 0:
            context.progress(f"{i} of {len(rows)} arrival patterns solved", i / len(rows))
    details = {
        "bounds": "the reward of a new allocation in every slot, made for the slot's arrivals",
        "value": float(value),
        "patterns": len(rows),
    }
    certificate = certificates.SlotCertificate(tuple(proofs))
    bound = bound_of("multiserver.slot_optimum", certificate, instance, details, started=started, gain=gain)
    return replace(bound, details=bound.details | {"gap": float(1 - value / bound.exact) if bound.exact else 0.0})


def _seconds(work: Callable[[], object]) -> float:
    started = perf_counter()
    work()
    return perf_counter() - started


class Proven(NamedTuple):
    """Exact bounds on an optimum: a feasible allocation's reward and an upper bound."""

    found: Stationary
    multipliers: Multipliers
    value: Fraction
    bound: Fraction

    @property
    def gap(self) -> float:
        return self.found.gap(self.value, self.bound)


def certify_optimum(solver: StationarySolver, numbers: Numbers, counts: np.ndarray, gap: float) -> Proven:
    """Solve for the copies' counts to a relative gap, with proven bounds.

    The gap may remain larger if an instance's magnitudes are too far apart for doubles.
    """
    optimum = _solve_and_prove(solver, numbers, counts, gap)
    return (
        optimum if optimum.gap <= gap else min(optimum, _solve_and_prove(solver, numbers, counts, gap / 16), key=_gap)
    )


def _gap(optimum: Proven) -> float:
    return optimum.gap


def _solve_and_prove(solver: StationarySolver, numbers: Numbers, counts: np.ndarray, gap: float) -> Proven:
    result = solver.solve(counts, gap)
    proof = multipliers(result, numbers, counts)
    return Proven(result, proof, earnings(numbers, counts, result.allocation), proof.bound(numbers, counts))


def no_prices(numbers: Numbers) -> Multipliers:
    """Return multipliers that prove the total reward of full demands at all ports."""
    copies, resources = numbers.shape
    weights = np.zeros(numbers.shape, dtype=np.int64)
    weights[:, 0] = certificates.UNITS
    slopes = np.ones((0 if numbers.by_node else copies, resources))
    return Multipliers(np.zeros((len(numbers.instance.nodes), resources)), weights, slopes)


def multipliers(found: Stationary, numbers: Numbers, counts: np.ndarray) -> Multipliers:
    """Return a solution's multipliers, rounded to valid ones."""
    units, least, limit = certificates.UNITS, certificates.SMALLEST_PRICE, certificates.LARGEST_PRICE
    weights = np.clip(np.floor(found.weights * units).astype(np.int64), 0, units)
    largest = found.weights.argmax(axis=1)
    weights[np.arange(len(weights)), largest] += units - weights.sum(axis=1)
    prices = np.clip(found.prices, 0, limit)
    prices[prices < least] = 0
    if numbers.by_node:
        return Multipliers(prices, weights, found.slopes[:0])
    either = [Multipliers(prices, weights, np.clip(found.slopes * x, least, limit)) for x in (NUDGE, 1 / NUDGE)]
    more, less = (_by_total(each.terms(numbers, counts), numbers) for each in either)
    return Multipliers(prices, weights, np.where(more <= less, either[0].slopes, either[1].slopes))


def _by_total(terms: tuple[np.ndarray, np.ndarray], numbers: Numbers) -> np.ndarray:
    sums = terms[0].copy()
    np.add.at(sums, numbers.copy, terms[1])
    return sums
