"""Pictures of policies against the optimum, by draw, and of waiting and running times."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from schedproof.core.simulation.pictures import COLOURS, RED, axes
from schedproof.experiments.table import half_interval


def draw_excess(excess: Mapping[str, np.ndarray], colours: Mapping[str, str], bound: float, ax: Any = None) -> Any:
    """Draw the policies' excess over the optimum: a dot per draw, and the mean with its 95 % interval.

    Parameters
    ----------
    excess
        Policy -> value / optimum - 1 of each draw.
    bound
        Mean excess of the certified bound: a dotted line.
    """
    ax = axes(ax, (6, 3.6))
    for y, (name, values) in enumerate(excess.items()):
        mean, half = values.mean(), half_interval(values)
        beside = y + np.linspace(-0.25, 0.25, len(values))
        ax.plot(100 * values, beside, ".", color=colours[name], alpha=0.35, markersize=5)
        style = {"fmt": "o", "capsize": 4, "markersize": 6, "markeredgecolor": "black"}
        ax.errorbar(100 * mean, y, xerr=100 * half, color=colours[name], **style)
        words = f"{mean:.1%} ± {half:.1%}"
        ax.text(1.02, y, words, va="center", fontsize=8, transform=ax.get_yaxis_transform())
    ax.axvline(0, color="black", linewidth=1)
    ax.axvline(100 * bound, color="black", linewidth=1, linestyle=":")
    ax.set(yticks=range(len(excess)), yticklabels=list(excess), ylim=(len(excess) - 0.5, -0.5))
    ax.set(xlabel="above the optimum, % (dotted: the certified bound)")
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def draw_waiting(split: Mapping[str, tuple[float, float]], ax: Any = None) -> Any:
    """Draw a task's waiting and running slots, one bar per policy."""
    ax = axes(ax, (4.8, 3.6))
    waits, runs = zip(*split.values(), strict=True)
    ax.barh(range(len(split)), runs, color=COLOURS[-1], label="runs")
    ax.barh(range(len(split)), waits, left=runs, color=RED, label="waits")
    ax.set(yticks=range(len(split)), yticklabels=list(split), ylim=(len(split) - 0.5, -0.5), xlabel="slots a task")
    ax.legend(frameon=False, fontsize=8)
    ax.spines[["top", "right"]].set_visible(False)
    return ax
