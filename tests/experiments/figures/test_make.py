from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from schedproof.core.cards import registry
from schedproof.core.data.store import Store
from schedproof.experiments import figures
from schedproof.experiments.figures import make, page, plan
from schedproof.experiments.figures.make import compare_with_paper
from schedproof.experiments.figures.plan import Curve, Figure, Panel
from schedproof.experiments.figures.printed import VERDICTS
from tests.command_line import Cli, told

Opens = Callable[..., Store]
DOCS = Path(__file__).parents[3] / "docs"
TINY = Figure(
    "preemptive",
    "fig7",
    "A picture.",
    "Nothing differs.",
    (
        Panel(
            preset="tiny",
            settings={"jobs": "{x}"},
            values=("2", "3"),
            seeds=2,
            curves=(
                *(Curve(name, policy=policy) for name, policy in (("A_online", "a_online"), ("SRTF", "srtf"))),
                *(Curve(name, policy="batch_sche") for name in ("A_online-E", "Tiresias-L", "BatchSche")),
                Curve("bound", bound="preemptive.lp4"),
            ),
        ),
    ),
)


def test_the_command_writes_picture_and_numbers_and_resumes(cli: Cli, tmp_path: Path, store: Opens) -> None:
    folder, cells = tmp_path / "out", tmp_path / "cells.sqlite"
    words = ["dmlrs:fig5", "--out", str(folder), "--store", str(cells), "--json"]
    result = told(cli("figure", *words))
    assert Path(result["picture"]).read_bytes().startswith(b"<?xml")
    table = pd.read_csv(result["table"])
    assert set(table["curve"]) == {c.label for c in plan.find("001:fig5").panels[0].curves}
    kept = store(cells).rows
    assert told(cli("figure", *words)) == result and store(cells).rows == kept


def test_a_figure_that_fails_does_not_keep_the_others(cli: Cli, tmp_path: Path) -> None:
    words = [
        "--out",
        str(tmp_path),
        "--store",
        str(tmp_path / "cells.sqlite"),
        "--traces",
        str(tmp_path),
        "--seeds",
        "1",
    ]
    code, out, error = cli("figure", "dmlrs:fig12", "dmlrs:fig5", *words)
    assert code == 2 and "dmlrs:fig12" in error and str(tmp_path / "dmlrs" / "fig5.svg") in out


def test_an_unknown_figure_gives_a_message(cli: Cli) -> None:
    code, _, error = cli("figure", "preemptive:fig99")
    assert code == 2 and "unknown figure" in error
    assert cli("figures", "--paper", "777")[0] == 2


def test_a_tiny_figure_end_to_end(tmp_path: Path) -> None:
    made = make.make(TINY, tmp_path)
    table = pd.read_csv(made.table)
    assert len(table) == 2 * 6 and (table["low"] <= table["y"]).all()
    best = table[table["curve"] == "bound"].set_index("x")["y"]
    assert all(row.y >= best[row.x] - 1e-6 for row in table.itertuples() if row.feasible == 1)
    first = made.picture.read_bytes()
    assert make.redraw(TINY, made.table).read_bytes() == first
    assert len(made.judgements) == 9 and {j.verdict for j in made.judgements} & {"reproduced", "contradicted"}
    assert any("BatchSche" in line for line in made.lines())


@pytest.mark.parametrize("family", registry.families())
def test_a_picture_in_the_docs_has_its_numbers(family: str) -> None:
    for file in (DOCS / "figures" / family).glob("*.csv"):
        figure = plan.read(plan.HERE / family / f"{file.stem}.toml")
        drawn = {label for label, rows in pd.read_csv(file).groupby("curve") if len(rows)}
        assert drawn == {curve.label for panel in figure.panels for curve in panel.curves}
        assert compare_with_paper(figure, file) is not None


def test_the_report_has_every_figure_and_counts_every_printed_number() -> None:
    text = page.report(DOCS)
    tables = sorted((DOCS / "figures").glob("*/*.csv"))
    assert all(f"(../figures/{file.parent.name}/{file.stem}.svg)" in text for file in tables)
    total = next(line for line in text.splitlines() if line.startswith("| all | "))
    made, *counts = (int(re.match(r" (\d+)", cell)[1]) for cell in total.split("|")[2:-1])
    assert made == len(tables)
    for verdict, count in zip(VERDICTS, counts, strict=True):
        assert sum(line.endswith(f" | {verdict} |") for line in text.splitlines()[2:]) == count


def test_pictures_and_report_depend_on_the_numbers_only(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("dmlrs/fig5", "placement/fig4"):
        table = tmp_path / "figures" / f"{name}.csv"
        table.parent.mkdir(parents=True)
        table.write_bytes((DOCS / "figures" / f"{name}.csv").read_bytes())
    figures.main([str(tmp_path)])
    assert "| dmlrs | 1 of 13 |" in capsys.readouterr().out
    pictures = sorted((tmp_path / "figures").glob("*/*.svg"))  # the second is the largest of all
    assert [path.stem for path in pictures] == ["fig5", "fig4"]
    assert all(path.stat().st_size < 200_000 for path in pictures)
