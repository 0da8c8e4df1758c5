"""The figures of Li et al. 2023: a small sweep taken up from its file, what is kept of a run, the picture."""

from __future__ import annotations

from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import schedproof as sp
from schedproof.core.run import Run
from schedproof.experiments import cells, completion_times
from schedproof.experiments.compare import draws
from schedproof.experiments.completion_pictures import (
    BOUND,
    LINES,
    averaged,
    draw,
    draw_excess,
    draw_waiting,
    half_interval,
    median,
    smoothed,
)
from schedproof.experiments.completion_times import WORKLOADS, main, played, printed, summary, sweep, who
from schedproof.workloads.placement import PRESETS

FEW: dict[str, Any] = {"networks": [sp.policy("tapfinger", weights="tiny")], "tasks": 6, "most_gpus": 4, "most_cpus": 4}


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Any:
    results = tmp_path_factory.mktemp("sweep") / "cells.sqlite"
    found = sweep(["synthetic3", "testbed6"], seeds=2, results=results, **FEW)
    found.attrs["results"] = results
    return found


def test_everybody_has_a_row_for_every_draw_and_a_network_only_where_it_knows_the_tasks(table: Any) -> None:
    synthetic, testbed = (set(rows["who"]) for _, rows in table.groupby("workload"))
    assert synthetic - testbed == {"tapfinger tiny"} and testbed < synthetic and BOUND in testbed
    assert (table.groupby(["workload", "who"])["draw"].nunique() == 2).all()
    assert table.loc[table["who"] != BOUND, "feasible"].all()
    assert all(any(name.startswith(line) for name in synthetic) for line in LINES)


def test_nobody_without_preemption_is_below_the_bound(table: Any) -> None:
    least = table[table["who"] == BOUND].set_index(["workload", "draw"])["mean"]
    runs = table[(table["who"] != BOUND) & ~table["who"].str.contains("preemption")].set_index(["workload", "draw"])
    assert (least > 0).all() and (runs["mean"] >= least.reindex(runs.index)).all()


@pytest.mark.parametrize("options", [{}, {"preemption": "allowed"}])
def test_a_run_is_boiled_down_to_what_its_frame_and_its_starts_say(options: dict[str, str]) -> None:
    (case,) = draws("tiny", family="placement", seeds=[3])
    instance, choice = case.instance(), sp.policy("optimus", **options)
    run: Run = choice.run(instance, 3)
    row, tasks = played(choice, instance, 3), run.to_frame()
    assert row["mean"] == tasks["slots"].mean() and row["feasible"]
    assert dict(row["slots"]) == tasks["slots"].value_counts().to_dict()
    for t, count in enumerate(row["in_system"]):
        assert count == ((tasks["arrival"] <= t) & (tasks["completion"] > t)).sum()
    assert len(row["in_system"]) == len(row["gpus"]) == tasks["completion"].max()
    held = sum(
        start.allocation[1] * ((tasks["completion"][j] if start.until is None else start.until) - start.slot)
        for j, starts in run.schedule.runs().items()
        for start in starts
    )
    assert sum(row["gpus"]) == pytest.approx(held / 8, abs=1e-3) and row["milliseconds"] > 0
    assert (options == {}) == all(start.until is None for start in run.schedule.starts)


def test_summary_by_hand(table: Any) -> None:
    rows = summary(table).set_index(["workload", "who"])
    some = table[(table["workload"] == "synthetic3") & (table["who"] == "minimum")]
    least = table[(table["workload"] == "synthetic3") & (table["who"] == BOUND)]
    a, b = some["mean"]
    row = rows.loc["synthetic3", "minimum"]
    assert row["mean"] == (a + b) / 2 and row["interval"] == pytest.approx(12.7062 * abs(a - b) / 2, rel=1e-5)
    expected = [value / bound - 1 for value, bound in zip(some["mean"], least["mean"], strict=True)]
    assert row["over_bound"] == pytest.approx(50 * sum(expected)) and row["paper"] == 12.74
    assert row["median"] == np.median([s for counts in some["slots"] for s, tasks in counts for _ in range(tasks)])
    assert np.isnan(rows.loc[("synthetic3", "tiresias preemption=allowed"), "over_bound"])
    assert printed("testbed3", "optimus") == 5.39 and printed("testbed3", "table") is None is printed("tiny", "random")


def test_means_over_draws() -> None:
    assert half_interval(np.array([1.0, 2.0, 3.0])) == pytest.approx(4.302653 / sqrt(3))
    assert np.isnan(half_interval(pd.Series([1.0])))
    assert averaged([[2, 4], [4, 4, 4, 4]]).tolist() == [3, 4, 2, 2]
    assert median([[[2, 1]], [[5, 1], [9, 1]]]) == 5
    line = smoothed(np.ones(600))
    assert len(line) == 600 and line == pytest.approx(1)


def test_a_finished_sweep_is_read_and_not_run_and_other_weights_are_another_cell(
    table: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(completion_times, "played", lambda choice, *_: asked.append(who(choice)) or {"mean": 1.0})
    monkeypatch.setattr(cells, "_bound", lambda *_: asked.append(BOUND))
    again = sweep(["synthetic3", "testbed6"], seeds=2, results=table.attrs["results"], **FEW)
    assert again.equals(table) and asked == []
    monkeypatch.setattr(completion_times, "sha256", lambda _: "other weights")
    sweep(["synthetic3"], seeds=2, results=table.attrs["results"], **FEW)
    assert asked == ["tapfinger tiny"] * 2


def test_the_picture_has_a_line_for_everybody_and_says_what_was_not_run(table: Any) -> None:
    panels = draw(table).axes
    assert len(panels) == 12
    said = {ax.get_title(loc="left").split(")")[0]: [text.get_text() for text in ax.texts] for ax in panels}
    empty = {place for place, words in said.items() if "not run" in words}
    assert empty == {"(4c", "(4d", "(4e", "(4f", "(5", "(7a"}
    times, accumulation = panels[0], panels[1]
    assert len(times.lines) == len(LINES) + 1 and len(accumulation.lines) == len(LINES)


def test_the_tables_are_for_the_kinds_of_the_workloads() -> None:
    for workload in WORKLOADS.values():
        kinds = {part.partition(":")[0] for part in workload.table.split(";")}
        assert workload.preset in PRESETS and workload.kinds == kinds


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(WORKLOADS, "tiny", WORKLOADS["tiny"]._replace(times=1))
    picture, words = tmp_path / "figures.png", ["--workload", "tiny", "--seeds", "1", "--network"]
    assert main([*words, "weights=tiny,decode=sequential", "--plot", str(picture)]) == 0
    out, error = capsys.readouterr()
    assert error == "" and "tiny (Fig. 7)" in out and "| tapfinger tiny decode=sequential |" in out
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert main([*words, "weights=no-such-file"]) == 2
    assert capsys.readouterr().err.startswith("schedproof: ")


def test_what_exceeds_the_optimum_is_drawn_in_percent_with_its_mean_and_interval() -> None:
    excess = {"a": np.array([0.1, 0.2, 0.3]), "b": np.array([0.0, 0.0, 0.3])}
    ax = draw_excess(excess, {"a": "red", "b": "blue"}, -0.05)
    dots = {line.get_color(): line.get_xdata() for line in ax.lines if line.get_marker() == "."}
    assert dots["red"] == pytest.approx([10, 20, 30]) and dots["blue"] == pytest.approx([0, 0, 30])
    assert [text.get_text() for text in ax.texts] == ["20.0% ± 24.8%", "10.0% ± 43.0%"]
    optimum, bound = ax.lines[-2:]
    assert (optimum.get_xdata()[0], bound.get_xdata()[0]) == (0, -5)


def test_waiting_comes_after_running_on_the_same_bar() -> None:
    runs, waits = draw_waiting({"a": (1.0, 2.0), "b": (0.5, 4.0)}).containers
    assert [bar.get_width() for bar in runs] == [2, 4]
    assert [(bar.get_x(), bar.get_width()) for bar in waits] == [(2, 1), (4, 0.5)]
