"""The picture of a regret curve beside the theorem's bounds."""

from __future__ import annotations

from typing import Any

import numpy as np

from schedproof.core.pictures import COLOURS, axes


def draw_regret(regret: Any, ax: Any = None) -> Any:
    """Regret against t, both axes logarithmic; a note counts the points whose regret is not positive."""
    ax = axes(ax, (6.5, 4))
    slots = regret.slots
    low, high = (np.array([float(end) for end in ends]) for ends in (regret.lower, regret.upper))
    shown = low > 0
    ax.fill_between(slots[shown], low[shown], high[shown], color=COLOURS[0], alpha=0.3, linewidth=0)
    ax.plot(slots[shown], regret.middle[shown], color=COLOURS[0], linewidth=1.6, label=regret.policy)
    ax.plot(slots, regret.bound("sharper"), color=COLOURS[1], linestyle="--", label="D G √t, sharper constants")
    ax.plot(slots, regret.bound("printed"), color=COLOURS[4], linestyle=":", label="(39), printed constants")
    if shown.any() or regret.bound("sharper").any():
        ax.set_yscale("log")
    ax.set_xscale("log")
    ax.set_xlabel("slots t")
    ax.set_ylabel("regret")
    options = ", ".join(f"{name}={value}" for name, value in regret.options.items())
    ax.set_title(f"{regret.policy}{f' ({options})' if options else ''}", fontsize=10)
    if hidden := int((~shown).sum()):
        ax.annotate(
            f"at {hidden} of {len(slots)} points the regret is not positive",
            (0.98, 0.02),
            xycoords="axes fraction",
            ha="right",
            fontsize=8,
        )
    ax.legend(fontsize=8, frameon=False)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    return ax
