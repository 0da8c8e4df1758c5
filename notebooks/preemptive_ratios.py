"""Pictures of measured ratios, guarantees, and how often each premise holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import wrap

from levels import plain_ticks

from schedproof.core.base.untyped import AnyFamily, Axes
from schedproof.core.simulation.pictures import COLOURS, RED, axes


def draw_ratios(groups: Mapping[str, Sequence[AnyFamily]], chosen: str | None = None, ax: Axes = None) -> Axes:
    """Draw measured ratios as dots, in columns, with the guarantees.

    A guarantee is a line, dotted if a premise fails, so that it does not apply.

    Parameters
    ----------
    groups
        Name -> the ratios of a column.
    chosen
        The column with a grey background.
    """
    ax = axes(ax, (7.5, 4))
    dots = [
        (place + 0.3 * ((n + 0.5) / len(ratios) - 0.5), ratio.value)
        for place, ratios in enumerate(groups.values())
        for n, ratio in enumerate(ratios)
    ]
    ax.plot(*zip(*dots, strict=True), "o", color=COLOURS[0], markersize=4.5, zorder=3, label="measured")
    for met, words in ((True, "promised, every premise met"), (False, "the theorem's value, a premise fails")):
        values = [
            (place, float(ratio.promised.value))
            for place, ratios in enumerate(groups.values())
            for ratio in ratios
            if ratio.promised.value is not None and (ratio.guarantee is not None) == met
        ]
        at, ends = [value for _, value in values], [[place + side for place, _ in values] for side in (-0.3, 0.3)]
        ax.hlines(at, *ends, color=RED, linestyle="-" if met else ":", label=words)
    if chosen is not None:
        place = list(groups).index(chosen)
        ax.axvspan(place - 0.4, place + 0.4, color="#eeeeee", zorder=0)
    ax.axhline(1, color="black", linewidth=0.8)
    ax.set(yscale="log", xticks=range(len(groups)), xticklabels=list(groups), ylabel="measured ratio")
    plain_ticks(ax)
    ax.legend(fontsize=8, frameon=False, loc="upper right")
    ax.spines[["top", "right"]].set_visible(False)
    return ax


WIDEST = 42  # letters of a premise in a line


def draw_premises(ratios: Sequence[AnyFamily], ax: Axes = None) -> Axes:
    """Draw how many of the ratios meet each premise of the guarantee."""
    ax = axes(ax, (4.5, 3))
    ax.set_axis_off()
    ax.set_title("premises, and in how many runs they are met", fontsize=10, loc="left")
    y = 0.94
    for premise in ratios[0].premises:
        yes = sum(ratio.premises[premise] == "yes" for ratio in ratios)
        colour, lines = COLOURS[2] if yes == len(ratios) else RED, wrap(premise, WIDEST)
        style = {"fontsize": 9, "va": "top", "transform": ax.transAxes}
        ax.text(0, y, f"{yes} of {len(ratios)}", color=colour, **style)
        ax.text(0.19, y, "\n".join(lines), **style)
        y -= 0.065 * len(lines) + 0.045
    return ax
