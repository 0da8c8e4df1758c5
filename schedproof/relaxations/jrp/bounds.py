"""Certified upper bounds on what can be accepted: prices by descent and by linear programs, and what they prove.

The conic and the split-free bound hold for every schedule. LP_I's holds for those that split their time as (16) and
(17) say, and for no others: where (10) itself is looked at, more may be accepted than LP_I says.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import floor, frexp
from time import perf_counter
from typing import Any

import numpy as np

from schedproof.core.bound import Bound
from schedproof.core.errors import InputError
from schedproof.core.options import positive, seconds, whole
from schedproof.instances.jrp import Instance
from schedproof.relaxations.jrp.certificate import ConicPrices, Prices, SplitFreePrices, SplitPrices
from schedproof.relaxations.jrp.dual import Dual, Relaxation
from schedproof.relaxations.jrp.tangents import Optimum, optimum

Report = Callable[[str], None]

DESCENT = 1e-5  # what a lower temperature must gain, relative
BITS = 50  # of a price, beyond those of what there is of its resource
ONE: dict[str, Any] = {"gap": 1e-7, "rounds": 1}  # a linear relaxation is one linear program
AMONG = "schedules that split their time at communication_share"


def conic_bound(
    instance: Instance,
    *,
    gap: float | str = 1e-7,
    rounds: int | str = 60,
    time_limit: float | str | None = 60,
    progress: Report = lambda _: None,
) -> Bound:
    """A certified upper bound on `jrp.exact`, from the conic relaxation.

    Parameters
    ----------
    gap
        Between the bound and a point of the relaxation, relative, at which no more tangents are added.
    rounds
        The most linear programs, each with more tangents.
    time_limit
        Seconds for the linear programs; 0 for none of them. The prices are then the descent's, which takes half a
        minute for 1,000 cells and 5,000 jobs, and has been seen to end within 1e-5 of the best, relative, on instances
        that are not tiny.
    progress
        Told of every temperature and every linear program.
    """
    limits = {"gap": float(positive("gap", gap)), "rounds": whole("rounds", rounds)}
    return _bound("jrp.conic", instance, conic(instance), ConicPrices, limits, time_limit, progress)


def split_free_bound(
    instance: Instance, *, time_limit: float | str | None = 60, progress: Report = lambda _: None
) -> Bound:
    """A certified upper bound on `jrp.exact`, from the split-free LP; weaker than `conic_bound`.

    Parameters
    ----------
    time_limit, progress
        As for `conic_bound`.
    """
    return _bound("jrp.split_free_lp", instance, split_free(instance), SplitFreePrices, ONE, time_limit, progress)


def lp_i_bound(instance: Instance, *, time_limit: float | str | None = 60, progress: Report = lambda _: None) -> Bound:
    """A certified upper bound on `jrp.split`, from LP_I: on schedules that split their time, not on all of them.

    Parameters
    ----------
    time_limit, progress
        As for `conic_bound`.
    """
    return _bound("jrp.lp_i", instance, split(instance), SplitPrices, ONE, time_limit, progress, AMONG)


def conic(instance: Instance) -> Relaxation:
    """The whole sides, with the roots."""
    edges = instance.edges
    return Relaxation(edges.compute, edges.bandwidth, np.sqrt(edges.compute_rate * edges.bandwidth_rate))


def split_free(instance: Instance) -> Relaxation:
    """The whole sides."""
    edges = instance.edges
    return Relaxation(edges.compute, edges.bandwidth, np.zeros(len(instance.jobs)))


def split(instance: Instance) -> Relaxation:
    """(1 - epsilon) r^c and epsilon r^b."""
    edges, share = instance.edges, float(instance.communication_share)
    return Relaxation((1 - share) * edges.compute, share * edges.bandwidth, np.zeros(len(instance.jobs)))


def _bound(
    program: str,
    instance: Instance,
    relaxation: Relaxation,
    kind: type[Prices],
    limits: dict[str, Any],
    time_limit: float | str | None,
    progress: Report,
    among: str = "",
) -> Bound:
    """The best of no prices, the descent's, and the last linear program's, as exactly as they prove it."""
    limit = seconds("time_limit", time_limit)
    if not callable(progress):
        raise InputError(f"progress={progress}: expected a function, it cannot be given in words")
    started = perf_counter()
    dual = Dual(instance, relaxation)
    descended = dual.descend(DESCENT, progress)
    found = None
    if limit != 0:
        slopes = np.sqrt(
            np.divide(descended[1], descended[2], out=np.ones(len(instance.servers)), where=descended[2] > 0)
        )
        found = optimum(instance, relaxation, slopes, time_limit=limit, progress=progress, **limits)
    prices = dual.best(descended, *([found.prices] if found else []))
    priced = perf_counter()
    certificate = kind(*(rationals(row, most) for row, most in zip(prices, dual.amounts, strict=True)))
    exact = certificate.value(instance)
    details = {
        "accepted_at_most": floor(exact),
        "descent_value": dual.value(descended),
        **(_told(found, exact) if found else {}),
        "seconds": round(priced - started, 3),
        "certify_seconds": round(perf_counter() - priced, 3),
    }
    return Bound(program, "jrp", "upper", exact, certificate, details, among)


def _told(found: Optimum, exact: Fraction) -> dict[str, Any]:
    gap = max(0.0, float(1 - Fraction(found.reached) / exact)) if exact else 0.0
    return {
        "lp_value": found.value,
        "value": found.reached,
        "gap": gap,
        "lps": found.lps,
        "tangents": found.tangents,
    }


def rationals(prices: np.ndarray, amounts: np.ndarray) -> tuple[Fraction, ...]:
    """Prices as multiples of 2^-bits: what that changes in the price of all there is, is less than `BITS` bits show."""
    bits = BITS + max(0, frexp(float(amounts.max(initial=0.0)))[1])
    return tuple(Fraction(round(Fraction(price) * 2**bits), 2**bits) for price in prices.tolist())
