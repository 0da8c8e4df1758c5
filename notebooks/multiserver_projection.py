"""Pictures of two ports at one node: projection, Algorithm 1 as printed, and rewards."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import numpy as np

from schedproof.core.base.untyped import AnyFamily, Axes
from schedproof.core.simulation.pictures import COLOURS, RED, axes
from schedproof.online.multiserver.projection import project_row
from schedproof.reference.multiserver_projection import AS_PRINTED, Interpretation, algorithm1

JUDGEMENTS = {  # outcome of a point -> its colour
    "the nearest point": "#ffffff",
    "feasible, not the nearest": COLOURS[3],
    "more than a demand": COLOURS[1],
    "a negative amount": COLOURS[4],
}
LOW, HIGH, POINTS = -2.0, 5.0, 43  # the coloured square: its ends, and points along a side
EXACT = 1e-12

Pair = tuple[float, float]


def project_as_printed(point: Pair, demand: Pair, capacity: float, reading: Interpretation = AS_PRINTED) -> np.ndarray:
    """Return the result of lines 6-31 for a point, in doubles."""
    z: AnyFamily = [float(amount) for amount in point]  # in Fractions it would take ten times as long
    return np.array(algorithm1(z, demand, capacity, reading), dtype=float)  # type: ignore[arg-type]


def judge(point: Pair, demand: Pair, capacity: float, reading: Interpretation = AS_PRINTED) -> int:
    """Return the index of the printed answer in `JUDGEMENTS`."""
    answer = project_as_printed(point, demand, capacity, reading)
    if (answer < 0).any():
        return 3
    if (answer > demand).any():
        return 2
    nearest = project_row(np.array(point), np.array(demand), capacity)
    return int(np.abs(answer - nearest).max() > EXACT)


@lru_cache(maxsize=64)
def judgements(demand: Pair, capacity: float, reading: Interpretation = AS_PRINTED) -> np.ndarray:
    """Return `judge` on a grid of points, (POINTS, POINTS), rows by the second port's amount."""
    line = np.linspace(LOW, HIGH, POINTS).tolist()
    return np.array([[judge((x, y), demand, capacity, reading) for x in line] for y in line])


def draw_projection(
    point: Pair,
    demand: Pair,
    capacity: float,
    reading: Interpretation = AS_PRINTED,
    *,
    judged: bool = False,
    ax: Axes = None,
) -> Axes:
    """Draw the feasible region, and arrows from z to the nearest point and the printed answer.

    Parameters
    ----------
    judged
        Colour the plane by the outcomes of its points instead; the legend has their shares.
    """
    ax = axes(ax, (8, 4.6))
    first = np.linspace(0, min(capacity, demand[0]), 50)
    second = np.minimum(demand[1], capacity - first)
    inside = "none" if judged else "#d5d5d5"
    ax.fill([*first, first[-1], 0], [*second, 0, 0], facecolor=inside, edgecolor="black", linewidth=0.8, zorder=1)
    ax.plot([LOW - 1, HIGH + 1], [capacity - LOW + 1, capacity - HIGH - 1], ":", color=COLOURS[-1], linewidth=0.9)
    nearest = project_row(np.array(point), np.array(demand), capacity)
    answer = project_as_printed(point, demand, capacity, reading)
    for target, colour, size, name in ((nearest, COLOURS[0], 9, "nearest"), (answer, RED, 6, "printed")):
        ax.annotate("", target, point, arrowprops={"arrowstyle": "-|>", "color": colour, "shrinkA": 2, "shrinkB": 4})
        ax.plot(*target, "o", color=colour, markersize=size, zorder=4, label=name)
    ax.plot(*point, "o", color="black", markersize=4, zorder=5, label="z")
    ax.set(aspect="equal", xlim=(LOW, HIGH), ylim=(LOW, HIGH), xlabel="$y_1$", ylabel="$y_2$")
    ax.spines[["top", "right"]].set_visible(False)
    if judged:
        from matplotlib.colors import ListedColormap

        fate = judgements(demand, capacity, reading)
        line, colours = np.linspace(LOW, HIGH, POINTS), ListedColormap(list(JUDGEMENTS.values()))
        ax.pcolormesh(line, line, fate, cmap=colours, vmin=-0.5, vmax=3.5, alpha=0.55, zorder=0)
        for number, (name, colour) in enumerate(JUDGEMENTS.items()):
            share = np.mean(fate == number)
            ax.fill([], [], color=colour, alpha=0.55, edgecolor=COLOURS[-1], label=f"{share:.0%} {name}")
        ax.legend(frameon=False, fontsize=8, loc="center left", bbox_to_anchor=(1.02, 0.5), title="of the square")
    return ax


def draw_protocols(rewards: Mapping[tuple[str, str], float], best_fixed: float, ax: Axes = None) -> Axes:
    """Draw average rewards of (policy, ``commits`` or ``responds``), and of the best fixed allocation."""
    ax = axes(ax, (9, 4))
    names = list(dict.fromkeys(name for name, _ in rewards))
    for protocol, colour, shift in (("commits", COLOURS[0], -0.2), ("responds", COLOURS[1], 0.2)):
        bars = {names.index(name) + shift: value for (name, how), value in rewards.items() if how == protocol}
        drawn = ax.barh(list(bars), list(bars.values()), height=0.38, color=colour, label=protocol)
        ax.bar_label(drawn, fmt="%.0f", fontsize=8, padding=3)
    ax.axvline(best_fixed, color="black", linewidth=1, label="best fixed allocation")
    ax.set(yticks=range(len(names)), yticklabels=names, ylim=(len(names) - 0.4, -0.6))
    ax.set_xlabel("average reward of a slot")
    ax.legend(frameon=False, fontsize=8, loc="upper left", bbox_to_anchor=(1, 1))
    ax.spines[["top", "right"]].set_visible(False)
    return ax
