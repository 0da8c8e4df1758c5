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
from schedproof.relaxations.preemptive.ascent import ascend
from schedproof.relaxations.preemptive.matrix import HALVES, class_lp
from schedproof.relaxations.preemptive.prices import PriceCertificate, Prices, certify

METHODS = {"lp": "solve the class LP and take its duals", "ascent": "dual ascent on the prices, without any LP"}


def lp4_bound(
    instance: Instance,
    *,
    cost: str = "half",
    speed: str | Fraction = Fraction(1),
    method: str = "lp",
    time_limit: float | str | None = None,
    steps: int | str = 300,
) -> Bound:
    """A certified lower bound from the class LP of (4).

    Parameters
    ----------
    cost
        ``half`` bounds the total JCT and sum (C_jd - r_j)/D_j; ``printed`` bounds (4) as well.
    speed
        Of the system that is bounded.
    method
        ``lp``, or ``ascent`` where the LP is too large; either way the bound is exact, only its tightness differs.
    time_limit
        Seconds for the LP.
    steps
        Of the ascent.

    Raises
    ------
    NoSolution
        When the LP has none (the horizon is too short), or is not solved in time.
    """
    pick("method", method, METHODS)
    half, rate = pick("cost", cost, HALVES), positive("speed", speed)
    started = perf_counter()
    details: dict[str, object] = {"method": method}
    if method == "lp":
        prices, found = _by_lp(instance, cost, rate, seconds("time_limit", time_limit))
        details |= found
        certificate = certify(instance, prices, half, rate)
    else:
        certificate = ascend(instance, half, rate, whole("steps", steps))
    exact = certificate.value(instance)
    details["seconds"] = round(perf_counter() - started, 3)
    return Bound("preemptive.lp4", "preemptive", "lower", exact, certificate, details)


def _by_lp(
    instance: Instance, cost: str, speed: Fraction, time_limit: float | None
) -> tuple[Prices, dict[str, object]]:
    started = perf_counter()
    lp = class_lp(instance, cost, "ceil_chunk", speed)
    built = perf_counter()
    handle = LinearProgram(lp.costs, lp.matrix, lp.lower, lp.upper)
    outcome = handle.solve(time_limit)
    if not outcome.has_point:
        raise NoSolution(
            f"preemptive.lp4: the LP ended as '{outcome.status}' ({lp.columns} columns); try method=ascent"
        )
    prices = Prices.from_entries(instance, *lp.prices(handle.multipliers, len(instance.jobs)))
    return prices, {
        "lp_optimum": outcome.objective,
        "columns": lp.columns,
        "rows": int(lp.matrix.shape[0]),
        "build_seconds": round(built - started, 3),
        "solve_seconds": round(perf_counter() - built, 3),
    }


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
