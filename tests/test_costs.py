"""The list of costly tests names tests that exist, and ``dev`` and ``ci`` run of each as many cases as fit."""

from __future__ import annotations

import csv
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests import costs

ROOT = Path(__file__).parents[1]


class Item(NamedTuple):
    nodeid: str


def items(*nodeids: str) -> list[Any]:
    return [Item(nodeid) for nodeid in nodeids]


def test_every_listed_test_exists() -> None:
    rows = costs.listed()
    assert len(rows) > 100
    for row in rows:
        path, name = row["function"].split("::")
        assert f"def {name}(" in (ROOT / path).read_text(), row["function"]
        assert float(row["seconds"]) >= costs.COSTLY


def test_a_costly_function_keeps_cases_spread_over_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(costs, "FILE", tmp_path / "costs.csv")
    costs.FILE.write_text("function,cases,dev,ci,seconds\na.py::slow,6,2,3,6.0\na.py::single,1,0,1,1.5\n")
    every = items("a.py::quick", "a.py::single", *(f"a.py::slow[{n}]" for n in range(6)))
    for profile, left in {
        "dev": ["single", *(f"slow[{n}]" for n in (1, 2, 4, 5))],
        "ci": ["slow[1]", "slow[3]", "slow[5]"],
    }.items():
        assert [item.nodeid for item in costs.left_out(every, profile)] == [f"a.py::{name}" for name in left]


def test_ci_runs_a_tenth_of_a_function_or_more() -> None:
    for cases, own, runs in ((1, 90.0, 1), (7, 90.0, 1), (31, 90.0, 4), (7, 2.0, 3), (7, 1.0, 7)):
        assert costs.kept("ci", "a.py::slow", cases, own, fixtures=9.0) == runs
    for cases, own, runs in ((1, 90.0, 0), (7, 4.0, 0), (7, 0.4, 7)):
        assert costs.kept("dev", "a.py::slow", cases, own, fixtures=0.0) == runs
    assert costs.kept("dev", "a.py::slow", 7, 0.4, fixtures=9.0) == 0
    for name in costs.WHOLE_IN_CI:
        assert costs.kept("ci", f"a.py{name}", 7, 90.0, fixtures=0.0) == 7
        rows = [row for row in costs.listed() if name in row["function"]]
        assert rows and all(row["ci"] == row["cases"] for row in rows)


def test_the_costs_of_a_run_are_written_with_the_costliest_first_and_others_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(costs, "FILE", tmp_path / "costs.csv")
    monkeypatch.setattr(costs, "costs", {"a.py::quick": [0.1], "a.py::slow": [0.3] * 6, "a.py::single": [2.5]})
    monkeypatch.setattr(costs, "fixtures", {"a.py::quick": 0.0, "a.py::slow": 0.1, "a.py::single": 1.0})
    costs.FILE.write_text("function,cases,dev,ci,seconds\na.py::skipped,2,0,1,9.9\na.py::quick,1,0,1,3.0\n")
    costs.write()
    assert costs.FILE.read_text() == (
        "function,cases,dev,ci,seconds\na.py::skipped,2,0,1,9.9\na.py::single,1,0,1,3.5\na.py::slow,6,1,3,1.9\n"
    )


def test_a_fixture_for_several_tests_belongs_to_the_cost_of_each(tmp_path: Path) -> None:
    """Otherwise `dev` would leave the first of them to ``ci`` and set up the fixture for the next."""
    spent = "sum(os.times()[:2])"
    (tmp_path / "test_shared.py").write_text(
        "import os, pytest\n"
        "@pytest.fixture(scope='module')\n"
        "def costly():\n"
        f"    end = {spent} + 0.3\n"
        f"    while {spent} < end: pass\n"
        "def test_first(costly): pass\n"
        "def test_second(costly): pass\n"
        "def test_other(): pass\n"
        "def test_skipped(costly): pytest.skip()\n"
    )
    (tmp_path / "costs.csv").write_text("function,cases,dev,ci,seconds\n")
    code = "import sys, pytest; from tests import costs; from pathlib import Path\n"
    code += "costs.FILE, costs.COSTLY = Path('costs.csv'), 0.3\n"
    code += "sys.exit(pytest.main(['-q', '-p', 'tests.costs', '-p', 'no:cacheprovider', 'test_shared.py']))"
    path = {"PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=os.environ | path, check=True)
    rows = csv.DictReader((tmp_path / "costs.csv").read_text().splitlines())
    assert {row["function"] for row in rows} == {"test_shared.py::test_first", "test_shared.py::test_second"}


def test_a_child_that_still_runs_belongs_to_the_processor_time() -> None:
    before, code = costs.processor(), "import time\nwhile time.process_time() < 0.5: pass\nprint(flush=True); input()"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None and child.stdout.readline() == b"\n"
        assert costs.processor() - before > 0.4
        child.communicate(b"\n")
    assert costs.processor() - before > 0.4
