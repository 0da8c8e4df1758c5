"""Draw a figure from its means: the paper's axes, intervals, and printed points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import wrap
from typing import Any, NamedTuple

import numpy as np

from schedproof.core.simulation.pictures import JOB_COLOURS, panels
from schedproof.experiments.figures.plan import Figure, Panel, as_text

MARKERS = "os^vD*Pp<>X"
BOUND = "black"  # colour of the curves of bounds
WIDE, ACROSS = 4.1, 3  # width of a panel in inches, and panels in a row (other numbers for four and eight)
LETTERS, ICON = 180, 7  # letters that fit under three panels, and width of a legend's line in letters
DECADE = 10
MOST = 1500  # most numbers of a figure: with more, lines over time have fewer points
SEEN = 0.99  # for every policy, the x axis of a distribution shows this share of the tasks


class Style(NamedTuple):
    """The style of a curve in all panels of a figure."""

    colour: str
    marker: str
    line: str
    size: float


def draw(figure: Figure, means: Any, printed: Sequence[tuple[int, str, Any, float]] = ()) -> Any:
    """Draw a figure.

    Parameters
    ----------
    means
        The table of `rows.means`, or the figure's CSV.
    printed
        Points that the paper prints: (panel, curve, x, y), drawn as crosses.

    Returns
    -------
    matplotlib.figure.Figure
    """
    count = len(figure.panels)
    across = 2 if count == ACROSS + 1 else ACROSS + 1 if count % (ACROSS + 1) == 0 else min(count, ACROSS)
    rows = -(-count // across)
    axes = panels((WIDE * across + 0.4, 3.5 * rows + 0.9), rows, across, squeeze=False)
    styles = style(figure)
    for n, panel in enumerate(figure.panels):
        ax = axes.flat[n]
        mine = means[means["panel"] == n]
        _draw_panel(ax, panel, mine, styles, -(-len(means) // MOST))
        for place, curve, x, y in printed:
            if place == n:
                at = panel.values.index(as_text(x)) if _categories(panel) else float(x)
                ax.plot([at], [y], "x", color=styles[curve].colour, markersize=6, markeredgewidth=1.4, zorder=5)
    for ax in list(axes.flat)[count:]:
        ax.set_axis_off()
    canvas = axes.flat[0].figure
    canvas.suptitle("\n".join(wrap(f"{figure.title}: {figure.caption}", LETTERS * across // ACROSS)), fontsize=10)
    _legend(canvas, figure, styles, bool(printed), across)
    return canvas


def style(figure: Figure) -> Mapping[str, Style]:
    """Return each curve's style; the last of several bounds has a dotted line."""
    curves = {curve.label: curve for panel in figure.panels for curve in panel.curves}
    bounds = [label for label, curve in curves.items() if curve.bound]
    plain = [label for label in curves if label not in bounds]
    looks = {label: Style(BOUND, "", "--", 0) for label in bounds[:-1]} | {
        label: Style(BOUND, "", ":", 0) for label in bounds[-1:]
    }
    for place, label in enumerate(plain):
        colour, marker = JOB_COLOURS[place % len(JOB_COLOURS)], MARKERS[place % len(MARKERS)]
        looks[label] = Style(colour, marker, "-", 4 + 0.7 * place)
    return {label: looks[label] for label in curves}


def _categories(panel: Panel) -> bool:
    return panel.kind == "bars" or not all(_is_number(value) for value in panel.values)


def _is_number(text: str) -> bool:
    try:
        float(text or 0)
    except ValueError:
        return False
    return True


def _draw_panel(ax: Any, panel: Panel, means: Any, styles: Mapping[str, Style], thin: int) -> None:
    over = panel.kind in ("over_time", "distribution")
    if not _categories(panel):
        means = means.assign(x=means["x"].astype(float))
    ax.set_xscale(panel.scale_x)
    ax.set_yscale(panel.scale_y)
    last = max(1.0, means.loc[means["y"] < SEEN, "x"].max()) if panel.kind == "distribution" else means["x"].max()
    for curve in reversed(panel.curves):  # the first curve is on top, with the smallest markers
        line, mine = styles[curve.label], means[means["curve"] == curve.label]
        if not len(mine):
            continue
        if over and curve.bound:
            across = ax.axvline if panel.kind == "distribution" else ax.axhline
            across(mine["y"].iloc[0], color=line.colour, linestyle=line.line, linewidth=1.3)
        elif over:
            mine = mine[mine["x"] <= last + 1] if panel.kind == "distribution" else mine.iloc[::thin]
            ax.plot(mine["x"], mine["y"], line.line, color=line.colour, linewidth=1.3)
            ax.fill_between(mine["x"], mine["low"], mine["high"], color=line.colour, alpha=0.15, linewidth=0)
        elif panel.kind == "bars":
            _draw_bars(ax, panel, curve.label, mine, line)
        else:
            _draw_points(ax, mine, line)
    ax.set_title(panel.title, fontsize=9.5, loc="left")
    ax.set_xlabel(panel.x, fontsize=9)
    ax.set_ylabel(panel.y, fontsize=9)
    if panel.kind == "lines":
        ax.set_xticks([float(value) for value in panel.values], list(panel.values))
        ax.tick_params(axis="x", which="minor", bottom=False)
    if panel.top:
        ax.set_ylim(top=panel.top)
    if panel.scale_y == "log":
        _tick_logarithms(ax)
    elif not panel.ratio_to and not (means["y"] < 0).any():
        ax.set_ylim(0, 1 if panel.kind == "distribution" else None)
    if over:
        ax.set_xlim(0, last if panel.kind == "distribution" else None)
    ax.tick_params(labelsize=8)
    ax.spines[["top", "right"]].set_visible(False)


def _draw_points(ax: Any, mine: Any, line: Style) -> None:
    finite = mine[np.isfinite(mine["y"].astype(float))]
    ax.errorbar(
        *(finite["x"], finite["y"], _arms(finite)),
        linestyle=line.line,
        color=line.colour,
        marker=line.marker,
        markersize=line.size,
        linewidth=1.3,
        capsize=2,
        elinewidth=0.8,
    )
    broken = finite[finite["feasible"] < 1]
    hollow = {"color": line.colour, "markerfacecolor": "white", "markersize": line.size}
    ax.plot(broken["x"], broken["y"], line.marker, **hollow)


def _arms(mine: Any) -> Any:
    ends = np.array([mine["y"] - mine["low"], mine["high"] - mine["y"]], dtype=float)
    return np.where(np.isfinite(ends), np.maximum(ends, 0), 0)


def _draw_bars(ax: Any, panel: Panel, label: str, mine: Any, line: Style) -> None:
    bars = [curve.label for curve in panel.curves]
    width = 0.8 / len(bars)
    at = [
        panel.values.index(str(x)) + width * (bars.index(label) - (len(bars) - 1) / 2) for x in mine["x"].map(as_text)
    ]
    ax.bar(at, mine["y"], width, yerr=_arms(mine), color=line.colour, capsize=1.5, error_kw={"elinewidth": 0.8})
    ax.set_xticks(range(len(panel.values)), list(panel.values))


def _tick_logarithms(ax: Any) -> None:
    low, high = ax.get_ylim()
    ax.minorticks_off()
    within = [
        base * DECADE**power for power in range(-4, 9) for base in (1, 2, 5) if low <= base * DECADE**power <= high
    ]
    decades = [tick for tick in within if f"{tick:e}".startswith("1.0")]
    ticks = decades if len(decades) > 2 else within
    if len(ticks) > 1:
        ax.set_yticks(ticks, [f"{tick:,g}" if tick < 10_000 else f"{tick:,.0f}" for tick in ticks])


def _legend(canvas: Any, figure: Figure, styles: Mapping[str, Style], printed: bool, across: int) -> None:
    from matplotlib.lines import Line2D

    marked = any(panel.kind == "lines" for panel in figure.panels)
    handles = [
        Line2D([], [], color=line.colour, linestyle=line.line, marker=line.marker if marked else "", label=label)
        for label, line in styles.items()
    ]
    for handle in handles:
        handle.set(markersize=4.5, linewidth=1.5 if marked else 3)
    if printed:
        handles.append(Line2D([], [], color="#555555", linestyle="", marker="x", label="printed in the paper"))
    longest = max(len(str(handle.get_label())) for handle in handles)
    columns = max(1, min(len(handles), LETTERS * across // ACROSS // (longest + ICON)))
    canvas.legend(handles=handles, loc="outside lower center", ncols=columns, frameon=False, fontsize=8.5)
