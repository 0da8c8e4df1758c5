"""What PD-ORS earns with prices of several spans ln(U/L), and the span that the LP's own prices have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from schedproof.core.bound import Bound
from schedproof.core.errors import InputError
from schedproof.core.pictures import COLOURS, axes
from schedproof.core.run import policy
from schedproof.instances.dmlrs import Instance
from schedproof.instances.dmlrs.drive import system
from schedproof.online.dmlrs.picture import mean_bundle
from schedproof.relaxations.dmlrs.certificate import PriceCertificate

BY_14 = 60  # where the span is drawn that (14) makes: it has hundreds
Cases = Sequence[tuple[Instance, Bound]]


def shares(cases: Cases, name: str, **options: Any) -> np.ndarray:
    """A policy's utility as a share of the certified bound, for each instance."""
    runs = [policy(name, **options).run(instance) for instance, _ in cases]
    return np.array([float(run.objective) / bound.value for run, (_, bound) in zip(runs, cases, strict=True)])


def lp_prices(bound: Bound) -> np.ndarray:
    """The prices (slots, machines, resources) that prove a bound of R-DMLRS's LP, in doubles."""
    if not isinstance(bound.witness, PriceCertificate):
        raise InputError(f"{bound.program}: its certificate has no prices; expected a bound of dmlrs.rdmlrs_lp")
    found: np.ndarray = bound.witness.prices * 2.0**-bound.witness.bits
    return found


def span_of_lp(instance: Instance, bound: Bound) -> float:
    """The span with which an empty machine costs what machines cost the LP behind the bound, on average."""
    prices = lp_prices(bound) @ mean_bundle(instance)
    amount = mean_bundle(instance) @ (1 / np.array(instance.grid.per_unit, dtype=float))
    highest: float = max(system(instance).extremes("printed").log_highest.values())
    return float(highest - np.log(prices.mean() / amount))


def draw_swept(
    swept: Mapping[str, Mapping[int | None, np.ndarray]], fifo: float, own: Sequence[float], ax: Any = None
) -> Any:
    """Draw utilities as shares of the bound against the span, and their means.

    Parameters
    ----------
    swept
        Kind of prices -> span (None: the one that (14) makes) -> `shares`.
    fifo
        FIFO's mean share.
    own
        `span_of_lp` of each instance.
    """
    ax = axes(ax, (9, 3.6))
    for (kind, found), colour in zip(swept.items(), COLOURS, strict=False):
        places, values = [span or BY_14 for span in found], 100 * np.array(list(found.values()))
        ax.plot(places, values, color=colour, linewidth=0.8, alpha=0.45)
        ax.plot(places, values.mean(axis=1), "o-", color=colour, markersize=4, label=f"PD-ORS, {kind} prices")
    ax.axhline(100 * fifo, color=COLOURS[-1], linewidth=0.9, linestyle=":", label="FIFO")
    for n, span in enumerate(own):
        ax.axvline(span, color="black", linewidth=0.8, linestyle=":", label=None if n else "span of a draw's LP")
    ax.set(xscale="log", xlabel="span of the prices, ln(U/L)", ylabel="utility, % of the certified bound", ylim=(0, 86))
    spans = sorted({span for found in swept.values() for span in found if span})
    ax.set_xticks([*spans, BY_14], [*map(str, spans), "by (14)"])
    ax.minorticks_off()
    ax.legend(frameon=False, fontsize=8, loc="upper left", bbox_to_anchor=(1, 1))
    ax.spines[["top", "right"]].set_visible(False)
    return ax
