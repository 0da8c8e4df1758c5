"""Pictures of the communication share epsilon, and of jrp's relaxations and optimum."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from schedproof.core.results.run import policy
from schedproof.core.simulation.pictures import COLOURS, RED, axes
from schedproof.experiments.figures.computed import vertex_of_lp_i
from schedproof.instances.jrp import Instance

MARKERS = "os^vD*"
PROGRAMS = {  # program -> its name in the picture, colour, marker
    "jrp.lp_i": ("$LP_I$", RED, "o"),
    "jrp.split": ("split", RED, "x"),
    "jrp.exact": ("optimum of (5)-(13)", "black", "|"),
    "jrp.conic": ("conic relaxation", COLOURS[0], "s"),
    "jrp.split_free_lp": ("LP without a split", COLOURS[2], "D"),
}


def time_shares(instance: Instance, shares: Sequence[Fraction]) -> Any:
    """Return LP_I's optimum and the repaired Algorithm 1's jobs, by communication share (pandas)."""
    import pandas as pd

    rows = []
    for share in shares:
        at = replace(instance, communication_share=share)
        accepted = float(policy("jrp_rounding").run(at).objective)
        rows.append({"share": share, "lp_i": vertex_of_lp_i(at)[0], "accepted": accepted})
    return pd.DataFrame(rows)


def draw_time_shares(table: Any, instance: Instance, ceiling: float, words: str, ax: Any = None) -> Any:
    """Draw `time_shares`' table and a labelled ceiling; the dotted line is the instance's share."""
    ax = axes(ax, (5.2, 3.6))
    shares = table["share"].astype(float)
    ax.plot(shares, table["lp_i"], ".-", color=RED, label="$LP_I$")
    ax.plot(shares, table["accepted"], "o", color=COLOURS[0], markersize=4, label="rounding, repaired")
    ax.axhline(ceiling, color="black", label=words)
    ax.axvline(float(instance.communication_share), color=COLOURS[-1], linewidth=0.8, linestyle=":")
    ax.set(xlabel=r"share of communication $\varepsilon$", ylabel="jobs", xlim=(0, 1), ylim=(0, None))
    ax.set_title(f"{len(instance.servers)} cells: {len(instance.jobs)} jobs", loc="left")
    ax.legend(frameon=False, fontsize=8, loc="lower center")
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def draw_relaxations(optima: Mapping[str, Sequence[float]], places: Sequence[str], ax: Any = None) -> Any:
    """Draw the optima of `PROGRAMS` over the exact one, one line per instance; below it is grey."""
    ax = axes(ax, (8.5, 2.6))
    for program, (name, colour, marker) in PROGRAMS.items():
        shares = np.divide(optima[program], optima["jrp.exact"])
        hollow = {"markerfacecolor": "none"} if marker in "sD" else {}
        size = 16 if marker == "|" else 6
        ax.plot(shares, range(len(places)), marker, color=colour, markersize=size, label=name, **hollow)
    ax.axvspan(0, 1, color="#eeeeee", zorder=0, label="no upper bound")
    ax.set(yticks=range(len(places)), yticklabels=places, ylim=(len(places) - 0.5, -0.7), xlabel="value / optimum")
    ax.set_xlim(-0.03, 1.2)
    ax.legend(frameon=False, fontsize=8, bbox_to_anchor=(1, 1), loc="upper left")
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def draw_means(table: Any, along: str, column: str = "objective", ax: Any = None) -> Any:
    """Draw a column's mean over draws against a setting, one line per policy and options.

    Markers are hollow where a schedule of some draw is infeasible.
    """
    ax = axes(ax, (6, 4))
    for n, ((choice, options), rows) in enumerate(table.groupby(["policy", "options"], sort=False)):
        groups, colour, marker = rows.groupby(along), COLOURS[n % len(COLOURS)], MARKERS[n % len(MARKERS)]
        means, feasible = groups[column].mean(), groups["feasible"].all()
        name = f"{choice} ({options})" if options else choice
        ax.plot(means, marker + "-", color=colour, markersize=5, linewidth=1.2, label=name)
        if not feasible.all():
            ax.plot(means[~feasible], marker, color=colour, markerfacecolor="white", markersize=5)
    ax.set(xlabel=along, ylabel=column)
    ax.spines[["top", "right"]].set_visible(False)
    return ax
