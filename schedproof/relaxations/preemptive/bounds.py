"""Certified lower bounds on the total JCT (and on (4)): solve, take the prices, repair them to exact feasibility."""

from __future__ import annotations

from fractions import Fraction
from time import perf_counter

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
    half, rate, width = pick("cost", cost, HALVES), positive("speed", speed), whole("block", block)
    started = perf_counter()
    lp = class_lp(instance, cost, "ceil_chunk", rate, width)
    built = perf_counter()
    handle = LinearProgram(lp.costs, lp.matrix, lp.lower, lp.upper)
    outcome = handle.solve(seconds("time_limit", time_limit))
    solved = perf_counter()
    if not outcome.has_point:
        raise NoSolution(
            f"preemptive.lp4: the LP of {lp.columns} columns ended as '{outcome.status}'; "
            "if it is too large, block=N shares prices among N slots"
        )
    q, t, beta = lp.prices(handle.multipliers, len(instance.jobs))
    slots = (t[:, None] * width + np.arange(width)).ravel()
    prices = Prices.from_entries(instance, np.repeat(q, width), slots, np.repeat(beta, width))
    certificate = certify(instance, prices, half, rate)
    exact = certificate.value(instance)
    details = {
        "lp_optimum" if width == 1 else "coarse_lp_optimum": outcome.objective,
        "block": width,
        "columns": lp.unpooled_columns,
        "columns_with_pools": lp.columns,
        "rows": int(lp.matrix.shape[0]),
        "build_seconds": round(built - started, 3),
        "solve_seconds": round(solved - built, 3),
        "certify_seconds": round(perf_counter() - solved, 3),
    }
    return Bound("preemptive.lp4", "preemptive", "lower", exact, certificate, details)


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
    last = max((instance.last_slot(job) for job in instance.jobs), default=-1)
    q, t = np.nonzero(beta[:, : last + 1] > 0)
    prices = Prices.from_entries(instance, q, t, beta[q, t])
    certificate: PriceCertificate = certify(instance, prices, pick("cost", cost, HALVES), positive("speed", speed))
    return Bound("preemptive.lp4", "preemptive", "lower", certificate.value(instance), certificate, {"method": "given"})
