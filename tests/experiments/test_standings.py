"""The table of a comparison: it fits the terminal, rounds on the safe side, and explains equal rows."""

from __future__ import annotations

import csv
import io
import random
from fractions import Fraction
from pathlib import Path

import pandas as pd
import pytest

import schedproof as sp
from schedproof.core.simulation.pictures import save
from schedproof.experiments.compare import compare, draws, what_if
from schedproof.experiments.curves import picture
from schedproof.experiments.families import ON_A_CLUSTER, default_policies
from schedproof.experiments.standings import Standings
from schedproof.experiments.table import mean_above
from schedproof.instances.preemptive import from_json
from tests.command_line import Cli, told
from tests.tiny.preemptive import tiny_instance, tiny_preemptive

BOTH = [sp.policy(name, chunks=chunks) for name in ("fifo", "srtf") for chunks in ("pinned", "floating")]


@pytest.fixture(scope="module")
def crowd() -> Standings:
    instance = tiny_instance(3, storage=False, cloud=False, jobs=25, servers=2)
    return Standings.of(compare([instance], BOTH))


@pytest.mark.parametrize("width", [60, 80, 120])
def test_the_table_fits(crowd: Standings, width: int) -> None:
    lines = [*crowd.lines(width)]
    table = lines[: lines.index("")]
    assert max(map(len, table)) <= width and "ratio <=" in table[0]
    assert len(table) == 1 + 2 + len(crowd.rows)
    narrow = next(iter(crowd.lines(60))).split()
    assert {*narrow} <= {*table[0].split()} and (width < 120 or len(table[0].split()) > len(narrow))
    assert {line.split("  ")[0] for line in lines[len(table) + 1 :]} >= {"ratio <=", "to best"}


def test_ratios_are_rounded_up_and_ratios_to_the_best_down() -> None:
    instance = tiny_instance(3, storage=False, cloud=False, jobs=25, servers=2)
    bound = sp.bound("preemptive.lp4", instance)
    table = compare([instance], BOTH)
    shown = Standings.of(table).as_frame()
    runs = [policy.run(instance) for policy in BOTH]
    for row, cell, run in zip(shown.to_dict("records"), table.itertuples(), runs, strict=False):
        exact = run.ratio(bound).exact
        assert Fraction(row["ratio"]) - Fraction(1, 1000) < exact <= Fraction(row["ratio"])
        assert exact <= Fraction(cell.ratio)
        best = min(other.objective for other in runs if other.rules == run.rules)
        assert 0 <= run.objective / best - Fraction(row["to_best"]) < Fraction(1, 1000)
    bottom = shown.iloc[-1]
    assert bottom["policy"] == "bound lp4" and Fraction(bottom["objective"]) <= bound.exact


def test_the_best_schedule_of_each_reading_and_the_bound_are_the_last_rows(crowd: Standings) -> None:
    pinned, floating, bound = crowd.rows[crowd.policies :]
    assert (pinned["label"], floating["label"]) == ("best schedule, chunks=pinned", "best schedule, chunks=floating")
    rows = crowd.rows[: crowd.policies]
    assert pinned["objective"] == min(rows[0]["objective"], rows[2]["objective"])
    assert floating["objective"] == min(row["objective"] for row in rows) > bound["objective"]


def test_a_pinned_schedule_is_one_of_floating_chunks() -> None:
    instance = tiny_instance(3, storage=False, cloud=False, jobs=25, servers=2)
    table = compare([instance], [sp.policy("srtf"), sp.policy("fifo", chunks="floating")])
    pinned, floating = table["objective"]
    assert pinned < floating
    assert table["to_best"].tolist() == [1, floating / pinned]
    best = [row for row in Standings.of(table).rows if row["label"].startswith("best schedule")]
    assert [row["objective"] for row in best] == [pinned, pinned]
    same, other = (row["ratio"] for row in best)
    assert same <= other < same * (1 + 1e-9)
    (rules,) = (run.rules for run in [sp.policy("srtf").run(instance)])
    schedule = sp.policy("srtf").run(instance).schedule
    assert not schedule.violations(instance, **{**rules, "chunks": "floating"})


def test_a_row_has_policy_and_settings_as_separate_keys(tmp_path: Path) -> None:
    file = tmp_path / "i.json"
    file.write_bytes(tiny_instance(3, storage=False, cloud=False, jobs=9, servers=2).canonical())
    table = what_if({"files": [str(file)]}, {"machines": "2,3"}, [sp.policy("srtf")], jobs=1)
    result = Standings.of(table).to_json()
    assert [(row["policy"], row["machines"]) for row in result["rows"]] == [("srtf", 2), ("srtf", 3)]
    assert [row["machines"] for row in result["best_and_bound"]] == [2, 3, 2, 3]


def test_equal_rows_have_a_reason_where_one_holds() -> None:
    idle = tiny_instance(1, storage=False, cloud=False, jobs=1)
    (note,) = (note for note in Standings.of(compare([idle], BOTH)).notes if note.startswith("equal rows"))
    names = "fifo:chunks=pinned = fifo:chunks=floating = srtf:chunks=pinned = srtf:chunks=floating"
    assert note.startswith(f"equal rows: {names}; here ") and "no chunk is interrupted" in note
    busy = tiny_instance(3, storage=False, cloud=False, jobs=25, servers=2)
    assert not [note for note in Standings.of(compare([busy], BOTH[2:])).notes if note.startswith("equal rows")]


def test_failed_policies_are_named() -> None:
    table = compare(draws("tiny", seeds=1), [sp.policy("a_online")])
    broken = table.assign(error="NOT feasible: 1 violation", feasible=False)
    assert "a_online: NOT feasible: 1 violation" in Standings.of(broken).notes
    value = tiny_preemptive(3, cloud=True)
    value["jobs"][2]["upload_delay"] = {"cloud": 4}
    lines = [*Standings.of(compare([from_json(value)], [sp.policy("srtf")])).lines(80)]
    assert lines[2] == "srtf" and lines[4].startswith("bound lp4")
    assert "srtf: the policy trains on edge servers only" in "\n".join(lines)


def test_a_given_cluster_without_a_cloud_has_the_policies_of_clusters() -> None:
    cluster, edge = (tiny_instance(0, cloud=cloud) for cloud in (False, True))
    assert [(p.name, p.options) for p in default_policies("preemptive", cluster)] == [*ON_A_CLUSTER]
    assert default_policies("preemptive", edge) == default_policies("preemptive")
    assert {*compare([cluster], bound=None)["policy"]} == {name for name, _ in ON_A_CLUSTER}


def test_formats_have_the_same_rows(cli: Cli, tmp_path: Path) -> None:
    words = ["compare", "--preset", "tiny", "--seeds", "2", "--policy", "srtf", "--policy", "a_online"]
    result = told(cli(*words, "--json"))
    texts = {name: cli(*words, "--format", name)[1] for name in ("text", "markdown", "csv", "latex")}
    rows = [*csv.DictReader(io.StringIO(texts["csv"]))]
    assert [float(row["objective"]) for row in rows] == [
        row["objective"] for row in (*result["rows"], *result["best_and_bound"])
    ]
    assert len(result["cells"]) == 4
    assert texts["latex"].count(r"\\") == 1 + len(rows) and texts["latex"].startswith(r"\begin{tabular}")
    assert texts["markdown"].startswith("| policy | objective |")
    assert "expected one of text" in cli(*words, "--format", "word")[2]


def test_a_picture_has_axes_for_each_optimum(tmp_path: Path) -> None:
    instance = tiny_instance(3, storage=False, cloud=False, jobs=9, servers=2)
    figure = picture(compare([instance], BOTH)).figure
    assert [ax.get_xlabel() for ax in figure.axes] == [
        "objective / optimum with chunks=pinned",
        "objective / optimum with chunks=floating",
    ]
    assert [len(ax.get_yticklabels()) for ax in figure.axes] == [2, 2]
    save(figure, tmp_path / "picture.png")
    old = compare([instance], BOTH[:1]).drop(columns="rules")  # a table of an earlier version
    assert [ax.get_xlabel() for ax in picture(old).figure.axes] == ["objective / optimum"]


def test_a_mean_of_ratios_is_rounded_up() -> None:
    rng, below = random.Random(1), 0
    for _ in range(200):
        ratios = pd.Series([rng.uniform(1, 2) for _ in range(3)])
        exact = sum(map(Fraction, ratios), Fraction(0)) / 3
        below += Fraction(float(ratios.mean())) < exact
        assert exact <= Fraction(mean_above(ratios)) < exact + Fraction(1, 10**15)
    assert below and mean_above(pd.Series([1.5, float("nan"), float("inf")])) == float("inf")


def test_hostile_names_are_escaped_in_every_format() -> None:
    hostile = "=1+1|\\input{x}<script>\x1b[31m\u202e\n"
    table = sp.compare([sp.embedded("day")], ["srtf"], bound=None).assign(policy=hostile, error="")
    standings = Standings.of(table)
    texts = [standings.markdown(), standings.csv(), standings.latex(), *standings.lines(80)]
    assert all(c.isprintable() or c == "\n" for text in texts for c in text)
    assert "<" not in texts[0] and "\\input" not in texts[2] and "\n'=1+1" in texts[1] and "\n=" not in texts[1]
