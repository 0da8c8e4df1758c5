"""The dmlrs family's policies: PD-ORS, OASiS, and the paper's further baselines."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from schedproof.core.errors import InputError
from schedproof.core.options import positive, whole
from schedproof.core.policy import ArrivalPolicy
from schedproof.core.registry import pick
from schedproof.online.dmlrs.oasis import separate_slot_cost
from schedproof.online.dmlrs.pd_ors import PdOrs
from schedproof.relaxations.dmlrs.best_schedule import Fineness
from schedproof.relaxations.dmlrs.slot_table import exact_slot_cost

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


def pd_ors(
    *,
    theta: str = "exact",
    bounds: str = "printed",
    share: str | float | Fraction | None = None,
    fineness: str | int | None = None,
) -> PdOrs:
    """PD-ORS.

    Parameters
    ----------
    theta
        ``exact`` or ``lp_rounding`` (Algorithm 4).
    bounds
        ``printed`` (12)-(14) or ``repaired``.
    share
        The largest share of a machine-slot that one job may take, in (0, 1); with ``bounds=repaired`` only, 1/4 if not
        given.
    fineness
        k, to count progress in 1/k external workers when the best schedule is sought, or ``exact``; if not given, exact
        for jobs of few worker-slots and fine for others.
    """
    return PdOrs(lambda system: exact_slot_cost(system.grid), bounds, _share(bounds, share), _fineness(fineness), True)


def oasis(
    *, bounds: str = "printed", share: str | float | Fraction | None = None, fineness: str | int | None = None
) -> PdOrs:
    """OASiS: the same with workers and parameter servers on separate halves of the machines; options as in `pd_ors`."""
    return PdOrs(
        lambda system: separate_slot_cost(system.grid), bounds, _share(bounds, share), _fineness(fineness), False
    )


POLICIES: dict[str, Callable[..., ArrivalPolicy]] = {
    "dmlrs.pd_ors": pd_ors,
    "dmlrs.oasis": oasis,
}
