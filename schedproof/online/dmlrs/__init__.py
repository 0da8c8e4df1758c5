"""The dmlrs family's policies: PD-ORS, OASiS, and the paper's further baselines."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from schedproof.core.errors import InputError
from schedproof.core.options import pick, positive, whole
from schedproof.core.policy import ArrivalPolicy, Hidden
from schedproof.online.dmlrs.dorm import dorm
from schedproof.online.dmlrs.drf import drf
from schedproof.online.dmlrs.fifo import fifo
from schedproof.online.dmlrs.oasis import separate_slot_cost
from schedproof.online.dmlrs.pd_ors import PdOrs
from schedproof.relaxations.dmlrs.best_schedule import Fineness
from schedproof.relaxations.dmlrs.slot_table import SlotCost, exact_slot_cost
from schedproof.rounding.dmlrs import (
    SlotGain,
    given,
    resources_favoured,
    rounded_slot_cost,
    shrunk_slot_cost,
    workload_favoured,
)

SHARES = {"printed": Fraction(0), "repaired": Fraction(1, 4)}  # x, the largest share of a machine-slot for one job


def _share(bounds: str, share: str | float | Fraction | None) -> Fraction:
    """The share that goes with the prices: none with the printed ones, a quarter with the repaired unless given."""
    usual = pick("bounds", bounds, SHARES)
    if share is None:
        return usual
    value = positive("share", share)
    if bounds == "printed" or value >= 1:
        raise InputError(f"share={share}: expected a number in (0, 1), with bounds=repaired")
    return value


def _fineness(value: str | int | None) -> Fineness | None:
    return value if value is None or value == "exact" else whole("fineness", value)  # type: ignore[return-value]


def _gain(gain: str | float | Fraction, delta: str | float | Fraction) -> SlotGain:
    """G as a number, or by the name of what it favours."""
    chance = positive("delta", delta)
    if chance > 1:
        raise InputError(f"delta={delta}: expected a number in (0, 1]")
    named = {"resources": resources_favoured(chance), "workload": workload_favoured(chance)}
    return named[gain] if gain in named else given(positive("gain", gain))  # type: ignore[index]


def pd_ors(
    *,
    theta: str = "exact",
    bounds: str = "printed",
    share: str | float | Fraction | None = None,
    span: str | float | Fraction | None = None,
    fineness: str | int | None = None,
    gain: str | float | Fraction = 1,
    delta: str | float | Fraction = Fraction(1, 2),
    draws: str | int = 20,
    raised: str | int = 1,
    seed: str | int = 0,
) -> PdOrs:
    """PD-ORS.

    Parameters
    ----------
    theta
        ``exact``; ``lp_rounding`` (Algorithm 4); or ``lp_rounding_shrunk``, where the LP leaves room on each machine
        for what rounding adds, and asks for more than is needed.
    bounds
        ``printed`` (12)-(14) or ``repaired``.
    share
        The largest share of a machine-slot that one job may take, in (0, 1); with ``bounds=repaired`` only, 1/4 if not
        given.
    span
        ln(U^r / L) for the largest U^r; if not given, L is (14).
    fineness
        k, to count progress in 1/k external workers when the best schedule is sought, or ``exact``; if not given, exact
        for jobs of few worker-slots and fine for others.
    gain, delta
        G of ``lp_rounding``: a number, ``resources`` (29) or ``workload`` (30), the last two with this delta.
    draws
        S, the roundings of one LP point, of which the cheapest feasible one is kept.
    raised
        Workers and parameter servers that ``lp_rounding_shrunk`` asks for beyond those needed.
    seed
        Of the roundings.
    """
    rounds, extra, start = whole("draws", draws), whole("raised", raised, 0), whole("seed", seed, 0)
    rule = _gain(gain, delta)
    make: dict[str, Callable[[Hidden], SlotCost]] = {
        "exact": lambda system: exact_slot_cost(system.grid),
        "lp_rounding": lambda system: rounded_slot_cost(system.grid, rule, rounds, np.random.default_rng(start)),
        "lp_rounding_shrunk": lambda system: shrunk_slot_cost(system.grid, extra, rounds, np.random.default_rng(start)),
    }
    chosen = pick("theta", theta, make)
    wide = None if span is None else positive("span", span)
    return PdOrs(chosen, bounds, _share(bounds, share), _fineness(fineness), wide, proven=theta == "exact")


def _apart(system: Hidden) -> SlotCost:
    return separate_slot_cost(system.grid)


def oasis(
    *,
    bounds: str = "printed",
    share: str | float | Fraction | None = None,
    span: str | float | Fraction | None = None,
    fineness: str | int | None = None,
) -> PdOrs:
    """OASiS: the same with workers and parameter servers on separate halves of the machines; options as in `pd_ors`."""
    wide = None if span is None else positive("span", span)
    return PdOrs(_apart, bounds, _share(bounds, share), _fineness(fineness), wide, proven=False)


POLICIES: dict[str, Callable[..., ArrivalPolicy]] = {
    "dmlrs.pd_ors": pd_ors,
    "dmlrs.oasis": oasis,
    "dmlrs.fifo": fifo,
    "dmlrs.drf": drf,
    "dmlrs.dorm": dorm,
}
