"""Comparisons along swept settings: certified intervals in a table that fits, curves, and resumption."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import schedproof as sp
from schedproof.core.data.reading import convert
from schedproof.core.errors import InputError
from schedproof.core.runtime.files import write_json
from schedproof.experiments.compare import what_if
from schedproof.experiments.curves import lines, picture
from schedproof.experiments.plans import Plan, _points, cases, changed
from schedproof.experiments.plot import picture_of
from tests.command_line import Cli
from tests.tiny.preemptive import tiny_instance

POLICIES = ["srtf", sp.policy("srtf", chunks="floating"), "fifo"]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    write_json(tmp_path / "day.json", tiny_instance(3, storage=False, cloud=False, jobs=12, servers=2).to_json())
    return tmp_path / "day.json"


def test_each_setting_has_the_ratios_of_its_own_instance(file: Path, tmp_path: Path) -> None:
    source, store = {"files": [str(file)]}, tmp_path / "cells.sqlite"
    table = what_if(source, {"machines": "2..4"}, POLICIES, results=store, jobs=1)
    assert table["machines"].tolist() == [n for n in (2, 3, 4) for _ in POLICIES] and (table["error"] == "").all()
    same = sp.compare([str(file)], POLICIES)
    assert table[table["machines"] == 2]["ratio"].tolist() == same["ratio"].tolist()
    finished: list[str] = []
    what_if(
        source, {"machines": "2..4"}, POLICIES, results=store, jobs=1, progress=lambda w, d=None: finished.append(w)
    )
    assert not finished, "stored cells are not computed again"
    text = [*lines(table, 80)]
    assert max(map(len, text)) <= 80 and sum(line.startswith("ratio to the optimum") for line in text) == 2
    axes = picture(table).figure.axes
    assert [len(ax.lines) for ax in axes] == [2, 1] and axes[-1].get_xlabel().startswith("machines")
    assert [*axes[0].lines[0].get_xdata()] == [*axes[0].get_xticks()] == [2, 3, 4]
    assert {text.get_text() for text in axes[1].texts} == {"srtf:chunks=floating"}
    stored = picture_of([store]).figure.axes
    assert [{text.get_text() for text in ax.texts} for ax in stored] == [
        {text.get_text() for text in ax.texts} for ax in axes
    ]
    shapes = [{text.arrow_patch.get_linestyle() for text in ax.texts} for ax in axes]
    assert shapes == [{":"}, {":"}], "leader lines differ from curves"


def test_a_store_has_results_without_a_number_for_each_slot(tmp_path: Path) -> None:
    file, store = tmp_path / "long.json", tmp_path / "cells"
    instance = tiny_instance(3, storage=False, cloud=False, jobs=12, servers=2)
    first, *rest = (job | {"arrival": 100 * job["arrival"]} for job in instance.to_json()["jobs"])
    write_json(file, instance.to_json() | {"jobs": [first, *rest], "horizon": 10**5})
    words: list[str] = []
    table = what_if(
        {"files": [str(file)]},
        {"machines": "2,3"},
        POLICIES,
        results=store,
        jobs=1,
        progress=lambda w, _: words.append(w),
    )
    assert table["fine"].notna().all() and any(word.startswith("finer slots: ") for word in words)
    slots = table["makespan"].max()
    assert slots * 1000 > 10**5 and store.stat().st_size < 10**5


def test_points_of_a_range() -> None:
    assert _points("preemptive", "machines", "40..80/15,100") == ["40", "55", "70", "100"]
    assert _points("preemptive", "machines", "3..20") == [*map(str, range(3, 20, 2)), "20"]
    assert _points("preemptive", "load", "0.5..1.5")[:3] == ["0.5", "0.6", "0.7"]


WRONG = {
    "machines=80..40": "from a smaller to a larger number",
    "machines=0..5": "expected an integer from 1",
    "machines=x..5": "expected an integer from 1",
    "machines=5": "at least two values",
    "machines=1..5000/1": "at most 1000 values",
    "nodes=1..5": "unknown what-if setting",
    "machines": "like machines=40..80, load=0.8,1,1.2 or speed=1..2/0.25",
}


@pytest.mark.parametrize("words", WRONG)
def test_a_wrong_range_gives_one_sentence(words: str, file: Path, cli: Cli) -> None:
    code, _, error = cli("compare", file, "--what-if", words, "--policy", "srtf")
    assert code == 2 and WRONG[words] in error and error.count("\n") == 1


MULTIPLES = {
    "machines=1x,1.5x,2x": [2, 3, 4],
    "machines=1x..1.6x": [2, 3, 4],
    "machines=0.7x,5": [2, 5],
    "load=1x,1.25x": [1, "1.25"],
}


@pytest.mark.parametrize("words", MULTIPLES)
def test_a_multiple_is_of_the_files_own_value(words: str, file: Path) -> None:
    name, _, text = words.partition("=")
    (base,) = cases(convert({"files": [str(file)]}, Plan))
    sources = changed([base], {name: text})  # type: ignore[list-item]
    assert [source.settings[name] for source in sources] == [*map(str, MULTIPLES[words])]  # type: ignore[union-attr]


def test_a_family_without_settings_is_refused() -> None:
    with pytest.raises(InputError, match="jrp has no what-if settings"):
        _points("jrp", "machines", "1..2")


def test_a_log_is_compared_in_one_command(tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("log.csv").write_text("arrival,gpus,duration\n0,2,600\n60,1,300\n120,2,900\n")
    words = ["compare", "log.csv", "--policy", "srtf", "--what-if", "speed=1,2", "--jobs", "1"]
    code, out, report = cli(*words, "--json")
    result = json.loads(out)
    assert code == 0 and "while jobs run" in report  # how the machines were derived from the jobs
    assert any("not covered" in note for note in result["notes"])
    assert [cell["machine_speed"] for cell in result["cells"]] == [1, 2] and Path("log.sqlite").is_file()
    assert result["cells"][0]["objective"] > result["cells"][1]["objective"]


def test_a_job_that_no_machine_is_left_for_is_named(file: Path) -> None:
    table = what_if({"files": [str(file)]}, {"machines": "1,2"}, POLICIES, jobs=1)
    assert table["error"][0].startswith("no instance: machines=1: no server that can serve ")
    assert (table["error"][3:] == "").all()
