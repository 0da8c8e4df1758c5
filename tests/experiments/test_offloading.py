"""The figures of Wang et al. 2019: a small sweep taken up from its file, LP_I certified, and the picture."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import schedproof as sp
from schedproof.experiments import offloading
from schedproof.experiments.compare import draws
from schedproof.experiments.offloading import BOUND, LINES, PAPER, advantage, draw, lp_i, main, means, sweep

SMALL: dict[str, Any] = {"rings": 1, "epochs_low": 3, "epochs_high": 3}
LOADS = [5, 20]


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Any:
    results = tmp_path_factory.mktemp("sweep") / "cells.sqlite"
    found = sweep(["figure4"], jobs=LOADS[::-1], seeds=2, results=results, **SMALL)
    found.attrs["results"] = results
    return found


def test_everybody_has_a_row_for_every_draw(table: Any) -> None:
    assert set(table["who"]) == set(LINES)
    assert (table.groupby(["jobs", "seed"])["who"].nunique() == len(LINES)).all()


def test_nobody_who_is_feasible_is_above_the_certified_bound(table: Any) -> None:
    ceiling = table[table["who"] == BOUND].set_index(["jobs", "seed"])["accepted"]
    runs = table[table["feasible"].eq(True)].set_index(["jobs", "seed"])
    assert len(runs) >= 4 * len(LOADS) and (runs["accepted"] <= ceiling.reindex(runs.index)).all()


def test_lp_i_is_its_certified_bound_and_no_fuller_than_full(table: Any) -> None:
    for case in draws("figure4", family="jrp", seeds=2, vary={"jobs": LOADS}, **SMALL):
        instance = case.instance()
        row = lp_i(instance)
        assert row["accepted"] == pytest.approx(sp.bound("jrp.lp_i", instance).value, rel=1e-6)
        assert 0 < row["utilisation"] <= 1 + 1e-9
        mine = table[(table["who"] == PAPER) & (table["jobs"] == len(instance.jobs)) & (table["seed"] == case.seed)]
        assert mine["accepted"].item() == row["accepted"] and mine["utilisation"].item() == row["utilisation"]


def test_advantage_by_hand(table: Any) -> None:
    of = means(table, "accepted").loc["figure4"]
    first = advantage(table).iloc[0]
    assert first["what"] == "throughput"
    assert first["over_greedy"] == pytest.approx(100 * (of.loc[20, "jrp_rounding"] / of.loc[20, "greedy"] - 1))
    shares = [of.loc[n, "jrp_rounding"] / of.loc[n, PAPER] for n in LOADS]
    assert first["of_lp_i"] == pytest.approx(100 * min(shares))


def test_a_finished_sweep_is_read_and_not_run(table: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: Any) -> Any:
        raise AssertionError("this was finished")

    monkeypatch.setattr(offloading, "lp_i", never)
    monkeypatch.setattr("schedproof.experiments.cells._run", never)
    monkeypatch.setattr("schedproof.experiments.cells._bound", never)
    again = sweep(["figure4"], jobs=LOADS, seeds=2, results=table.attrs["results"], **SMALL)
    assert again.equals(table)


def test_the_picture_has_a_line_for_everybody_and_all_of_it(table: Any) -> None:
    above, below = draw(table).axes
    assert [len(ax.lines) for ax in (above, below)] == [len(LINES), len(LINES) - 1]  # a bound stores nothing
    for ax in (above, below):
        low, high = ax.get_ylim()
        assert low == 0 and all(max(line.get_ydata()) <= high for line in ax.lines)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "figures.png"
    assert main(["--preset", "figure5", "--jobs", "3", "--seeds", "1", "--epochs", "1", "--plot", str(picture)]) == 0
    out, error = capsys.readouterr()
    assert error == "" and "| figure5 | throughput |" in out and picture.read_bytes().startswith(b"\x89PNG")
    assert main(["--jobs", "3,x"]) == 2
    assert capsys.readouterr().err == "schedproof: jobs=x: expected an integer >= 1\n"
    assert main(["--plot", str(tmp_path / "no" / "figures.png")]) == 2
