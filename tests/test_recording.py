from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from time import process_time

import pytest

import schedproof as sp
from schedproof.core.runtime.files import write_json
from tests.recorder import digests, suite
from tests.recorder.canonical import digest

RECORDED = Path(__file__).parent / "recorded"
OBJECTIVES = {"preemptive": 8, "dmlrs": 7.5, "multiserver": -0.06047822423, "jrp": 4}  # of the schedules in files
EVERYWHERE = ("claims", "answers", "witnesses", "stored", "values", "options", "names")


@pytest.mark.parametrize("section", EVERYWHERE)
def test_it_is_as_recorded(section: str) -> None:
    assert digests.compare(section) == []


def test_small_instances_are_as_recorded() -> None:
    assert digests.compare("generators", only="tiny") == []


def test_every_removed_test_has_a_reason() -> None:
    assert suite.missing(RECORDED.parents[1]) == []


@pytest.mark.parametrize("family", OBJECTIVES)
def test_old_files_are_read_as_before(family: str, tmp_path: Path) -> None:
    read = sp.read(RECORDED / f"{family}.json")
    write_json(tmp_path / "again.json", read.to_json())
    assert json.loads((tmp_path / "again.json").read_text()) == json.loads((RECORDED / f"{family}.json").read_text())
    schedule = sp.read_schedule(RECORDED / f"{family}-schedule.json", read)
    assert schedule.violations(read) == []
    assert float(schedule.objective(read)) == pytest.approx(OBJECTIVES[family], rel=1e-9)


# --- the recorder itself ---------------------------------------------------------------------------------------------


def busy() -> None:
    end = process_time() + 1
    while process_time() < end:
        pass


def test_changes_are_reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    items = {"same": lambda: {"a": [1.0, None]}, "other": lambda: 3, "lost": lambda: 4, "slow": busy}
    monkeypatch.setattr(digests, "DIGESTS", tmp_path / "digests")
    monkeypatch.setitem(digests.SECTIONS, "toy", lambda: iter(items.items()))
    recorded, full = digests.record("toy", 0.2)
    assert recorded["left_out"] == ["slow"] and full["same"] == {"a": ["1", None]}
    digests.write(tmp_path / "digests" / "toy.json", recorded)
    digests.write(tmp_path / "items" / "toy.json", full)
    assert digests.compare("toy") == []
    items |= {"other": lambda: 5, "more": lambda: 6, "same": lambda: [][0]}
    del items["lost"]
    assert digests.compare("toy", only="o") == ["other differs", "more is new", "lost is gone"]
    assert digests.compare("toy", tmp_path / "items", "other") == ["other differs", "    -3", "    +5"]
    assert digests.compare("toy", only="same") == ["same fails: IndexError('list index out of range')"]


def test_a_changed_word_of_a_statement_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    changed = dataclasses.replace(sp.claim("jrp.kept24"), statement="Nothing is kept.")
    find = sp.claim
    monkeypatch.setattr(sp, "claim", lambda id: changed if id == changed.id else find(id), raising=False)
    assert digests.compare("claims", only="jrp.kept24") == ["jrp.kept24 differs"]


def test_times_are_not_digested() -> None:
    assert digest({"value": 0.1 + 0.2, "seconds": 3}) == digest({"solve_seconds": 4, "value": 0.3})
    assert digest({"value": 0.3}) != digest({"value": 0.3001})


def test_a_test_may_move_but_not_disappear(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(suite, "RECORDED", tmp_path)
    (tmp_path / "tests.txt").write_text("test_a.py: test_one test_two\ntest_b.py: test_three test_four\n")
    (tmp_path / "tests_gone.txt").write_text("test_b.py::test_three because of a reason\n")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_c.py").write_text("def test_one(): ...\n")
    assert suite.missing(tmp_path) == ["test_a.py::test_two is gone", "test_b.py::test_four is gone"]
