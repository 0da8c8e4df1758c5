"""Certified upper bounds on the accepted jobs, with prices by descent and by LPs.

The conic and the split-free bound hold for every schedule. The bound of LP_I holds only for schedules that split time
by (16) and (17): schedules that meet (10) otherwise may accept more jobs.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import floor, frexp
from time import perf_counter
from typing import Any

import numpy as np

from schedproof.core.certificates.bound import Bound, bound_of
from schedproof.core.programs.generation.loop import generate
from schedproof.core.runtime.context import USUAL, Context
from schedproof.instances.jrp import Instance
from schedproof.relaxations.jrp.certificate import ConicPrices, Prices, SplitFreePrices, SplitPrices
from schedproof.relaxations.jrp.dual import Dual, Relaxation
from schedproof.relaxations.jrp.tangents import Outer

DESCENT = 1e-5  # relative gain below which the temperature is lowered no further
BITS = 50  # bits of a price, beyond those of its resource's amount
SECONDS = 60.0  # for the linear programs
GAP, ROUNDS = Fraction(1, 10**7), 60


def conic_bound(instance: Instance, *, gap: Fraction = GAP, rounds: int = ROUNDS, context: Context = USUAL) -> Bound:
    """If no time is left for the linear programs, the prices are those of the descent.

    Without a time limit the linear programs get 60 s. The descent takes half a minute for 1,000 cells and 5,000 jobs.
    """
    return _bound("jrp.conic", instance, conic(instance), ConicPrices, context, gap, rounds)


def split_free_bound(instance: Instance, *, context: Context = USUAL) -> Bound:
    return _bound("jrp.split_free_lp", instance, split_free(instance), SplitFreePrices, context)


def lp_i_bound(instance: Instance, *, context: Context = USUAL) -> Bound:
    return _bound("jrp.lp_i", instance, split(instance), SplitPrices, context)


def conic(instance: Instance) -> Relaxation:
    """Return the servers' full capacities, with the roots of the cone."""
    edges = instance.edges
    return Relaxation(edges.storage, edges.compute, edges.bandwidth, np.sqrt(edges.compute_rate * edges.bandwidth_rate))


def split_free(instance: Instance) -> Relaxation:
    """Return the servers' full capacities, without the roots of the cone."""
    return replace(conic(instance), roots=np.zeros(len(instance.jobs)))


def split(instance: Instance) -> Relaxation:
    """Return the shares (1 - epsilon) r^c and epsilon r^b of the capacities."""
    edges, share = instance.edges, float(instance.communication_share)
    sides = (1 - share) * edges.compute, share * edges.bandwidth
    return Relaxation(edges.storage, *sides, np.zeros(len(instance.jobs)))


def _bound(
    program: str,
    instance: Instance,
    relaxation: Relaxation,
    kind: type[Prices],
    context: Context,
    gap: Fraction = GAP,
    rounds: int = 1,  # a linear relaxation is one linear program
) -> Bound:
    started = perf_counter()
    dual = Dual(instance, relaxation)
    descended = dual.descend(DESCENT, context)
    context = context.with_default_limit(SECONDS)
    one = np.ones(len(instance.servers))
    slopes = np.sqrt(np.divide(descended[1], descended[2], out=one, where=descended[2] > 0))
    search = None if context.over else Outer(instance, relaxation, slopes, rounds)

    def prove() -> Bound:
        result = search.best if search else None
        prices = dual.best(descended, *([result.prices] if result else []))
        certificate = kind(*(rationals(row, most) for row, most in zip(prices, dual.amounts, strict=True)))
        bound = bound_of(program, certificate, instance, {}, started=started)
        details: dict[str, Any] = {"accepted_at_most": floor(bound.exact), "descent_value": dual.value(descended)}
        if result:
            rest = max(0.0, float(1 - Fraction(result.reached) / bound.exact)) if bound.exact else 0.0
            details |= {"lp_value": result.value, "value": result.reached, "gap": rest}
            details |= {"lps": result.lps, "tangents": result.tangents}
        return replace(bound, details=details | bound.details)

    return generate(search, prove, context, gap=float(gap))[0] if search else prove()


def rationals(prices: np.ndarray, amounts: np.ndarray) -> tuple[Fraction, ...]:
    """Round prices so that the total price of each amount changes by < 2^-BITS."""
    bits = BITS + max(0, frexp(float(amounts.max(initial=0.0)))[1])
    return tuple(Fraction(round(Fraction(price) * 2**bits), 2**bits) for price in prices.tolist())
