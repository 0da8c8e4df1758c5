from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from schedproof.core.simulation.pictures import save
from schedproof.experiments.figures.picture import SEEN, draw, style
from schedproof.experiments.figures.plan import Curve, Figure, Panel

CURVES = (Curve("one", policy="srtf"), Curve("other", policy="a_online"), Curve("bound", bound="preemptive.lp4"))
LINES = Panel(title="lines", x="jobs", y="slots", values=("10", "20"), curves=CURVES)
COLUMNS = ["panel", "curve", "x", "y", "low", "high", "draws", "feasible"]


def means(panel: int, xs: list[Any], curves: tuple[Curve, ...] = CURVES, feasible: float = 1.0) -> pd.DataFrame:
    """A hand-made table: y is 1, 2, ... times the curve's number."""
    found = [
        (panel, curve.label, x, (k + 1.0) * n, (k + 1.0) * n - 0.5, (k + 1.0) * n + 0.5, 5, feasible)
        for k, curve in enumerate(curves)
        for n, x in enumerate(xs, start=1)
    ]
    return pd.DataFrame(found, columns=COLUMNS)


def figure(*panels: Panel) -> Figure:
    return Figure("preemptive", "fig9", "A picture.", "Nothing.", panels)


def lines_of(ax: Any) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for line in ax.get_lines():
        if len(line.get_xdata()):
            found.setdefault(line.get_color(), []).append(line)
    return found


def test_points_and_intervals_are_those_of_the_frame() -> None:
    chosen = figure(LINES)
    ax = draw(chosen, means(0, [10.0, 20.0])).axes[0]
    for k, curve in enumerate(CURVES, start=1):
        colour = style(chosen)[curve.label].colour
        assert [list(line.get_ydata()) for line in lines_of(ax)[colour]].count([k, 2 * k]) >= 1
    arms = [segment for group in ax.collections for segment in group.get_segments()]
    assert len(arms) == 6 and all(np.isclose(abs(arm[1][1] - arm[0][1]), 1) for arm in arms)
    assert (ax.get_xlabel(), ax.get_ylabel(), ax.get_title(loc="left")) == ("jobs", "slots", "lines")


def test_curves_have_distinct_colours_and_bounds_are_black() -> None:
    looks = style(figure(LINES, LINES))
    assert len({look.colour for look in looks.values()}) == len(CURVES) and looks["bound"].colour == "black"


def test_infeasible_points_are_hollow_and_infinite_ones_omitted() -> None:
    table = means(0, [10.0, 20.0], CURVES[:1], feasible=0.8)
    hollow = [ln for ln in draw(figure(LINES), table).axes[0].get_lines() if ln.get_markerfacecolor() == "white"]
    assert sorted(len(line.get_xdata()) for line in hollow)[-1] == 2
    table.loc[1, ["y", "high"]] = np.inf
    table.loc[0, ["low", "high"]] = np.nan
    drawn = lines_of(draw(figure(LINES), table).axes[0])[style(figure(LINES))["one"].colour]
    assert all(len(line.get_ydata()) == 1 and abs(line.get_ydata()[0]) < np.inf for line in drawn)


def test_printed_points_are_crosses() -> None:
    ax = draw(figure(LINES), means(0, [10.0, 20.0]), [(0, "other", "20", 7.0)]).axes[0]
    (cross,) = [line for line in ax.get_lines() if line.get_marker() == "x"]
    assert (list(cross.get_xdata()), list(cross.get_ydata())) == ([20.0], [7.0])


def test_bars_are_at_names_and_lines_run_over_time() -> None:
    bars = Panel(kind="bars", values=("linear", "log"), curves=CURVES[:2])
    over = Panel(kind="over_time", curves=CURVES)
    spread = Panel(kind="distribution", curves=CURVES)
    table = pd.concat([means(0, ["linear", "log"], CURVES[:2]), means(1, [0.0, 1.0, 2.0]), means(2, [0.0, 1.0])])
    part = table["panel"] == 2
    table.loc[part & (table["curve"] != "bound"), "y"] = [SEEN / 2, 1.0] * 2
    axes = draw(figure(bars, over, spread), table).axes
    assert [bar.get_height() for bar in axes[0].patches] == [2.0, 4.0, 1.0, 2.0]
    assert [label.get_text() for label in axes[0].get_xticklabels()] == ["linear", "log"]
    assert any(list(line.get_ydata()) == [1.0, 2.0, 3.0] for line in axes[1].get_lines())
    assert any(list(line.get_xdata()) == [3.0, 3.0] for line in axes[2].get_lines())  # the bound stands upright


@pytest.mark.parametrize("scale", ["linear", "log"])
def test_a_picture_has_the_same_bytes_each_time(tmp_path: Path, scale: str) -> None:
    panel = Panel(title="lines", values=("10", "20"), scale_x=scale, scale_y=scale, top=9.0, curves=CURVES)
    for name in ("one.svg", "two.svg"):
        save(draw(figure(panel), means(0, [10.0, 20.0])), tmp_path / name)
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()
