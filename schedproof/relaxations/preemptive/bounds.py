"""Certified lower bounds on the total JCT (and on (4)): solve, take the prices, repair them to exact feasibility."""

from __future__ import annotations

from fractions import Fraction
from time import perf_counter
from typing import Any

import numpy as np

from schedproof.core.bound import Bound
from schedproof.core.errors import NoSolution
from schedproof.core.options import positive, seconds, whole
from schedproof.core.registry import pick
from schedproof.core.solving.linear_program import LinearProgram
from schedproof.instances.preemptive import Instance
from schedproof.relaxations.preemptive.matrix import HALVES, class_lp
from schedproof.relaxations.preemptive.prices import PriceCertificate, Prices, certify


def lp4_bound(
    instance: Instance,
    *,
    cost: str = "half",
    speed: str | Fraction = Fraction(1),
    prices: str = "lp",
    block: int | str = 1,
    time_limit: float | str | None = None,
) -> Bound:
    """A certified lower bound from the class LP of (4).

    Parameters
    ----------
    cost
        ``half`` bounds the total JCT and sum (C_jd - r_j)/D_j; ``printed`` bounds (4) as well.
    speed
        Of the system that is bounded.
    prices
        ``lp`` solves an LP for the prices of worker slots; ``free`` takes them as zero, at once: what the jobs would
        need if nobody waited.
    block
        Slots that share a price. 1 solves the LP itself; where that is too large, a coarser LP gives prices that are
        constant over blocks, and the bound that they prove on the LP itself is just as exact, a little lower.
    time_limit
        Seconds for the LP.

    Raises
    ------
    NoSolution
        When the LP has none (the horizon is too short), or is not solved in time.
    """
    half, rate = pick("cost", cost, HALVES), positive("speed", speed)
    width, limit = whole("block", block), seconds("time_limit", time_limit)
    started = perf_counter()
    found, details = pick("source of prices", prices, SOURCES)(instance, cost, rate, width, limit)
    priced = perf_counter()
    certificate = certify(instance, found, half, rate)
    exact = certificate.value(instance)
    details |= {"price_seconds": round(priced - started, 3), "certify_seconds": round(perf_counter() - priced, 3)}
    return Bound("preemptive.lp4", "preemptive", "lower", exact, certificate, {"prices": prices} | details)


def _from_lp(
    instance: Instance, cost: str, speed: Fraction, block: int, time_limit: float | None
) -> tuple[Prices, dict[str, Any]]:
    """Prices from the duals of the class LP, or of a coarser one."""
    lp = class_lp(instance, cost, "ceil_chunk", speed, block)
    handle = LinearProgram(lp.costs, lp.matrix, lp.lower, lp.upper)
    outcome = handle.solve(time_limit)
    if not outcome.has_point:
        raise NoSolution(
            f"preemptive.lp4: the LP of {lp.columns} columns ended as '{outcome.status}'; "
            "if it is too large, block=N shares prices among N slots"
        )
    q, t, beta = lp.prices(handle.multipliers, len(instance.jobs))
    slots = (t[:, None] * block + np.arange(block)).ravel()
    prices = Prices.from_entries(instance, np.repeat(q, block), slots, np.repeat(beta, block))
    return prices, {
        "lp_optimum" if block == 1 else "coarse_lp_optimum": outcome.objective,
        "block": block,
        "columns": lp.unpooled_columns,
        "columns_with_pools": lp.columns,
        "rows": int(lp.matrix.shape[0]),
    }


def _free(
    instance: Instance, cost: str, speed: Fraction, block: int, time_limit: float | None
) -> tuple[Prices, dict[str, Any]]:
    """All prices zero."""
    nothing = np.empty(0, dtype=np.int64)
    return Prices.from_entries(instance, nothing, nothing, nothing), {}


SOURCES = {"lp": _from_lp, "free": _free}


def bound_from_prices(
    instance: Instance, beta: np.ndarray, *, cost: str = "half", speed: str | Fraction = Fraction(1)
) -> Bound:
    """A certified lower bound from any prices beta >= 0 of worker slots.

    Parameters
    ----------
    beta
        Shape (classes, slots), in 1/chunks per slot; negative entries are read as 0. Slots beyond the last useful one
        are ignored, missing ones are free.
    """
    rate = positive("speed", speed)
    last = max((instance.last_slot(job, speed=rate) for job in instance.jobs), default=-1)
    q, t = np.nonzero(beta[:, : last + 1] > 0)
    prices = Prices.from_entries(instance, q, t, beta[q, t])
    certificate: PriceCertificate = certify(instance, prices, pick("cost", cost, HALVES), rate)
    return Bound("preemptive.lp4", "preemptive", "lower", certificate.value(instance), certificate, {"method": "given"})
