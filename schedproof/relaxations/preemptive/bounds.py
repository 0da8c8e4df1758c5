"""Certified lower bounds on the total JCT (and on (4)) from repaired prices."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import ceil
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from schedproof.core.base.numbers import dyadic
from schedproof.core.certificates.bound import Bound, bound_of
from schedproof.core.errors import InputError, NoSolution, ProgramError
from schedproof.core.programs.generation.loop import generate
from schedproof.core.runtime.context import USUAL, Context
from schedproof.core.solvers.linear_program import LinearProgram
from schedproof.formulations.preemptive.index import HALVES
from schedproof.instances.preemptive import Instance
from schedproof.relaxations.preemptive.idle import Shortened, unchanged, without_idle
from schedproof.relaxations.preemptive.matrix import class_lp, size_of
from schedproof.relaxations.preemptive.prices import (
    BITS,
    LARGEST_VALUE,
    PriceCertificate,
    Prices,
    certify,
    in_breaks,
    require_memory,
)

SMALL, LARGE = 50_000, 1_000_000  # limits on the LP's columns
MOST_PRICES = 20_000_000  # of an ascent, of all kinds and slots
MOST_IN_A_FLOW = 2_000  # jobs


def lp4_bound(
    instance: Instance,
    *,
    cost: str = "half",
    speed: Fraction = Fraction(1),
    prices: str = "auto",
    block: int = 1,
    steps: int = 60,
    start: Path | None = None,
    context: Context = USUAL,
) -> Bound:
    """Prices that are constant over blocks of slots prove slightly lower bounds.

    The prices are 0 if the LP is not solved in time. A flow (`slot_flow`) is solved several times, each with a better
    bound. An ascent (`ascent`) solves no LP: every step has a bound, and the first step uses the prices of ``start``.

    Parameters
    ----------
    prices
        The method that finds the prices; ``auto``: the choice of `way`.

    Raises
    ------
    NoSolution
        When the LP is infeasible (the horizon is too short).
    InputError
        For a ``start`` that is not a certificate of this instance, or without an ascent.
    ProgramError
        When a chunk has too many slots for the memory, or a flow is requested and the LP is not a flow.
    """
    if start is not None and prices != "ascent":
        raise InputError("expected only with prices=ascent", path="start", value=str(start))
    shortened = without_idle(instance, speed) if start is None else unchanged(instance)
    require_memory(shortened.instance, speed)
    chosen = way(shortened.instance, speed, block) if prices == "auto" else Way(prices, block)
    if chosen.prices != "free" and start is None and context.interrupted is not None:
        context.keep(_free(instance, cost, speed))
    try:
        bound = _by(chosen, instance, shortened, cost, speed, steps, start, context)
    except ProgramError as error:
        if prices != "auto":
            raise
        return _free(instance, cost, speed, f"each job's time without waiting; {error}")
    bound.details.update({"note": chosen.note} if chosen.note else {})
    return bound


class Way(NamedTuple):
    """A price method, the slots that share a price, and a note on a looser bound."""

    prices: str
    block: int = 1
    note: str = ""


def way(instance: Instance, speed: Fraction, block: int = 1) -> Way:
    """Choose the price method by the number of columns of the LP.

    With fewer than 50,000 columns the LP takes less time than loading the compiled kernels of flows and ascents. With
    more than 2,000 jobs an ascent takes a quarter of a flow's time, for a bound that is about 0.01 % lower. An LP that
    is no flow is solved up to 1,000,000 columns. A larger one has an ascent, or prices for blocks of slots if the kinds
    of workers have too many prices.
    """
    columns = size_of(instance, speed)
    if columns < SMALL or block > 1:
        return Way("lp", block)
    why = f"the linear program has {columns:,} columns"
    if not instance.breaks:
        from schedproof.relaxations.preemptive import ascent  # imported here: it loads compiled kernels
        from schedproof.relaxations.preemptive.slot_flow import one_rate

        market, _ = ascent.market(instance, speed)
        few = market.count.size * (market.arrival + market.length).max() <= MOST_PRICES
        by_ascent = Way("ascent", note=f"near the optimum of the linear program, by price steps; {why}")
        flow = one_rate(market) is not None
        if (flow or few) and not ascent.from_a_run(market, instance.horizon).any():
            return Way("free")  # no kind of workers is ever short: zero prices are optimal
        if flow:
            return Way("flow") if len(instance.jobs) <= MOST_IN_A_FLOW else by_ascent
        if columns >= LARGE and few:
            return by_ascent
    block = ceil(columns / LARGE)
    return Way(
        "lp", block, f"below the optimum of the linear program, with a price for {block} slots; {why}" * (block > 1)
    )


def _by(
    chosen: Way,
    instance: Instance,
    shortened: Shortened,
    cost: str,
    speed: Fraction,
    steps: int,
    start: Path | None,
    context: Context,
) -> Bound:
    if chosen.prices == "free":
        return _free(instance, cost, speed)
    if chosen.prices == "ascent":
        return _by_ascent(instance, shortened, cost, speed, steps, start, context)
    if chosen.prices == "flow":
        return _by_flow(instance, shortened, cost, speed, context)
    started, shorter = perf_counter(), shortened.instance
    solved = _from_lp(shorter, cost, speed, min(chosen.block, shorter.horizon), context)
    if solved is None:
        return _free(
            instance, cost, speed, "each job's time without waiting; the linear program was not solved in time"
        )
    units, kinds, details = solved
    details |= {"prices": "lp", "price_seconds": round(perf_counter() - started, 3)}
    certificate = certify(instance, shortened.whole(units, kinds), HALVES[cost], speed)
    return bound_of("preemptive.lp4", certificate, instance, details, started=started, cost=cost, speed=speed)


def _free(instance: Instance, cost: str, speed: Fraction, note: str = "") -> Bound:
    """Return the bound of zero prices, with prices in breaks only."""
    started, details = perf_counter(), {"prices": "free", **({"note": note} if note else {})}
    closed, when = np.nonzero(in_breaks(instance, instance.horizon if instance.breaks else 0))
    prices = Prices.from_entries(instance, closed, when, np.full(closed.size, float(instance.horizon)))
    certificate = certify(instance, prices, HALVES[cost], speed)
    return bound_of("preemptive.lp4", certificate, instance, details, started=started, cost=cost, speed=speed)


def _by_flow(instance: Instance, shortened: Shortened, cost: str, speed: Fraction, context: Context) -> Bound:
    from schedproof.relaxations.preemptive import ascent  # imported here: it loads compiled kernels
    from schedproof.relaxations.preemptive.slot_flow import SlotFlow, one_rate

    started = perf_counter()
    market, kinds = ascent.market(shortened.instance, speed)
    if (rate := one_rate(market)) is None:
        raise ProgramError(
            "the training times of a job in the cloud and at the edge differ: the LP is not a flow; use prices=lp"
        )
    search = SlotFlow(market, rate, HALVES[cost], 1 << BITS, shortened.instance.horizon)

    def prove() -> Bound:
        certificate = certify(instance, shortened.whole(search.prices, kinds), HALVES[cost], speed)
        details = {"prices": "flow", "columns": search.columns, "flows": search.rounds}
        return bound_of("preemptive.lp4", certificate, instance, details, started=started, cost=cost, speed=speed)

    bound, ended = generate(search, prove, context)
    optimum = {"lp_optimum": float(search.cost)} if ended == "optimal" else {}
    return replace(bound, details=bound.details | optimum | {"ended": ended})


def _by_ascent(
    instance: Instance,
    shortened: Shortened,
    cost: str,
    speed: Fraction,
    steps: int,
    start: Path | None,
    context: Context,
) -> Bound:
    from schedproof.relaxations.preemptive import ascent  # imported here: it loads compiled kernels
    from schedproof.relaxations.preemptive.ascent_kernels import lp_use

    started = perf_counter()
    market, kinds = ascent.market(shortened.instance, speed)
    values, pieces = np.zeros(len(instance.jobs)), ascent.in_pieces(market)

    def use(prices: np.ndarray, used: np.ndarray) -> float:
        return sum(float(lp_use(prices, part, HALVES[cost], values[jobs], used)) for jobs, part in pieces)

    def prove(units: np.ndarray) -> Bound:
        use(np.ldexp(units.astype(float), -BITS), np.zeros(units.shape))
        prices = shortened.whole(units, kinds)
        certificate = PriceCertificate(prices, dyadic(np.minimum(values, LARGEST_VALUE), BITS))
        details = {"prices": "ascent"}
        return bound_of("preemptive.lp4", certificate, instance, details, started=started, cost=cost, speed=speed)

    begin = ascent.first_prices(shortened.instance, market, kinds, start)
    return ascent.best_bound(use, market, begin, steps, prove, context)


def _from_lp(
    instance: Instance, cost: str, speed: Fraction, block: int, context: Context
) -> tuple[np.ndarray, np.ndarray, dict[str, Any]] | None:
    lp = class_lp(instance, cost, "ceil_chunk", speed, block, context.progress)
    handle = LinearProgram(lp.costs, lp.matrix, lp.lower, lp.upper)
    outcome = handle.solve(context)
    if outcome.status == "time_limit":
        return None
    if not outcome.has_point:
        raise NoSolution(
            f"preemptive.lp4: the LP of {lp.columns} columns ended as '{outcome.status}'; "
            "if it is too large, block=N shares prices among N slots"
        )
    kind, t, beta = lp.prices(handle.multipliers, len(instance.jobs))
    slots = (t[:, None] * block + np.arange(block)).ravel()
    prices = Prices.from_entries(instance, np.repeat(kind, block), slots, np.repeat(beta, block))
    return (
        prices.units,
        lp.kinds,
        {
            "lp_optimum" if block == 1 else "coarse_lp_optimum": outcome.objective,
            "block": block,
            "columns": lp.columns,
            "rows": int(lp.matrix.shape[0]),
        },
    )


def bound_from_prices(
    instance: Instance, beta: np.ndarray, *, cost: str = "half", speed: Fraction = Fraction(1)
) -> Bound:
    """Return a certified lower bound from any prices beta >= 0 of worker slots.

    Parameters
    ----------
    beta
        Shape (classes, slots), in 1/chunks per slot; negative entries are read as 0. Slots beyond the last useful slot
        are ignored, missing slots are free.
    """
    started = perf_counter()
    last = max((instance.last_slot(job, speed=speed) for job in instance.jobs), default=-1)
    q, t = np.nonzero(beta[:, : last + 1] > 0)
    prices = Prices.from_entries(instance, q, t, beta[q, t])
    certificate = certify(instance, prices, HALVES[cost], speed)
    details = {"method": "given"}
    return bound_of("preemptive.lp4", certificate, instance, details, started=started, cost=cost, speed=speed)
