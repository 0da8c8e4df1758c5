from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import isclose, isnan
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import schedproof as sp
from schedproof.core.data.store import Store
from schedproof.core.errors import SchedproofError
from schedproof.experiments import cells as cells_of
from schedproof.experiments.compare import draws
from schedproof.experiments.figures import rows
from schedproof.experiments.figures.plan import Curve, Figure, Panel
from schedproof.experiments.table import half_interval

Opens = Callable[..., Store]
CURVES = (
    Curve("SRTF", policy="srtf"),
    Curve("A_online, fast", policy="a_online:speed={x}"),
    Curve("bound", bound="preemptive.lp4"),
)
PANEL = Panel(preset="tiny", settings={"jobs": "3"}, values=("1", "3/2"), seeds=2, curves=CURVES)


def figure(*panels: Panel, family: str = "preemptive") -> Figure:
    return Figure(family, "fig1", "A picture.", "Nothing.", panels)


def instance(seed: int) -> sp.Instance:
    found: sp.Instance = draws("tiny", seeds=[seed], jobs=3)[0].instance()
    return found


def test_a_row_equals_run_and_bound(store: Opens) -> None:
    table = rows.rows(figure(PANEL), rows.Cells(store()))
    assert list(table.columns) == list(rows.COLUMNS) and len(table) == 2 * 2 * 3
    found = {(row.curve, row.x, row.seed): row.y for row in table.itertuples()}
    for seed in (0, 1):
        drawn = instance(seed)
        assert found["SRTF", 1.5, seed] == float(sp.policy("srtf").run(drawn).objective)
        assert found["A_online, fast", 1.5, seed] == float(sp.policy("a_online", speed="3/2").run(drawn).objective)
        assert found["bound", 1.0, seed] == sp.bound("preemptive.lp4", drawn).value
        assert found["bound", 1.0, seed] <= found["SRTF", 1.0, seed]


def test_relative_and_ratio_divide_on_the_same_draw(store: Opens) -> None:
    relative = rows.rows(figure(replace(PANEL, relative_to="srtf")), rows.Cells(store()))
    assert (relative[relative["curve"] == "SRTF"]["y"] == 1).all()
    judged = replace(PANEL, ratio_to="preemptive.lp4", curves=(Curve("SRTF", policy="srtf:ps_release=none"),))
    ratio = rows.rows(figure(judged), rows.Cells(store()))
    drawn = instance(1)
    expected = sp.policy("srtf", ps_release="none").run(drawn).ratio(sp.bound("preemptive.lp4", drawn)).value
    assert isclose(ratio[ratio["seed"] == 1]["y"].iloc[0], expected) and (ratio["y"] >= 1).all()


def test_a_ratio_to_an_upper_bound_has_the_bound_above(store: Opens) -> None:
    cells = rows.Cells(store())
    panel = Panel(preset="tiny", ratio_to="jrp.conic", seeds=1, curves=(Curve("greedy", policy="greedy"),))
    assert (rows.rows(figure(panel, family="jrp"), cells)["y"] >= 1).all()


def test_finished_cells_are_not_run_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, store: Opens) -> None:
    file = tmp_path / "cells.sqlite"
    first = rows.rows(figure(PANEL), rows.Cells(store(file)))
    monkeypatch.setattr(cells_of, "compute_row", lambda *_: pytest.fail("was computed again"))
    monkeypatch.setattr(rows, "complete", lambda *_, **__: None)
    pd.testing.assert_frame_equal(rows.rows(figure(PANEL), rows.Cells(store(file))), first)


def test_a_size_divides_and_a_measure_is_a_measure(store: Opens) -> None:
    cells = rows.Cells(store())
    plain = rows.rows(figure(replace(PANEL, curves=CURVES[:1])), cells)
    each = rows.rows(figure(replace(PANEL, per="jobs", curves=CURVES[:1])), cells)
    assert np.allclose(plain["y"] / 3, each["y"])
    counted = rows.rows(figure(replace(PANEL, quantity="preemptions", curves=CURVES[:1])), cells)
    assert list(counted["y"][:2]) == [sp.policy("srtf").run(instance(seed)).schedule.preemptions() for seed in (0, 1)]


def test_a_policy_that_gives_up_has_no_row(store: Opens) -> None:
    panel = Panel(preset="tiny", seeds=1, curves=(Curve("none", bound="preemptive.lp4:block=1"),))
    assert len(rows.rows(figure(panel), rows.Cells(store()))) == 1
    with pytest.raises(SchedproofError):  # an option without a value is a mistake, not a result
        rows.rows(figure(replace(panel, curves=(Curve("none", policy="srtf:speed"),))), rows.Cells(store()))


def test_means_have_students_interval_and_a_median_the_range() -> None:
    table = pd.DataFrame(
        [(0, "SRTF", 1.0, seed, y, seed < 2) for seed, y in enumerate((1.0, 2.0, 6.0))], columns=list(rows.COLUMNS)
    )
    panel = replace(PANEL, values=("1",), seeds=3, curves=CURVES[:1])
    (mean,) = rows.means(figure(panel), table).itertuples()
    assert mean.y == 3 and isclose(mean.high - mean.y, 4.302652 * np.sqrt(7 / 3), rel_tol=1e-5)
    assert mean.draws == 3 and isclose(mean.feasible, 2 / 3)
    (middle,) = rows.means(figure(replace(panel, middle="median")), table).itertuples()
    assert (middle.y, middle.low, middle.high) == (2, 1, 6)
    assert isnan(half_interval([1.0])) and isnan(half_interval([1.0, np.inf]))


def test_lines_over_time_stay_at_zero_after_their_end_and_distributions_at_one() -> None:
    short, long = (
        [(0, "SRTF", float(t), 0, 4.0, True) for t in range(2)],
        [(0, "SRTF", float(t), 1, 2.0, True) for t in range(4)],
    )
    table = pd.DataFrame(short + long, columns=list(rows.COLUMNS))
    over = figure(replace(PANEL, kind="over_time", curves=CURVES[:1]))
    assert list(rows.means(over, table)["y"]) == [3, 3, 1, 1]
    spread = figure(replace(PANEL, kind="distribution", curves=CURVES[:1]))
    assert list(rows.means(spread, table)["y"]) == [0.375, 0.75, 0.875, 1]


def test_no_more_points_than_the_eye_sees() -> None:
    table = pd.DataFrame([(0, "SRTF", float(t), 0, 1.0, True) for t in range(1000)], columns=list(rows.COLUMNS))
    found = rows.means(figure(replace(PANEL, kind="over_time", curves=CURVES[:1])), table)
    assert len(found) <= rows.POINTS and (found["y"] == 1).all() and found["x"].is_monotonic_increasing
