from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from schedproof.core.cards import plug_ins
from schedproof.core.errors import InputError, SchedproofError
from schedproof.core.runtime.files import write_json
from schedproof.instances import embedded

CARD = """
from schedproof.core.cards.family import Entry, Family


class Mine:
    def start(self, system):
        pass

    def decide(self, view):
        from schedproof.instances.placement.drive import Place

        starts = ((task, n) for task in view.pending for n in task.clusters if view.fitting(task, n))
        return [Place(task.index, n, min(view.fitting(task, n))) for task, n in starts][:1]


FAMILY = Family("placement", policies=(Entry("mine", "own_policy:Mine", "The first task that waits."),))
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder; plug-ins are removed afterwards."""
    monkeypatch.setenv(plug_ins.VARIABLE, "")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def schedproof(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "schedproof", *words], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("first", [True, False])
def test_a_policy_in_a_file_is_listed_shown_run_and_checked(folder: Path, first: bool) -> None:
    (folder / "own_policy.py").write_text(CARD)
    write_json(folder / "tasks.json", embedded("clusters").to_json())

    def told(*words: str) -> str:
        plugged = ("--plugin", "own_policy.py")
        ended = schedproof(*plugged, *words) if first else schedproof(*words, *plugged)
        assert (ended.returncode, ended.stderr) == (0, "")
        return ended.stdout

    assert "placement.mine" in told("policies")
    assert told("show", "mine").startswith("policy placement.mine  The first task that waits.")
    assert json.loads(told("run", "mine", "tasks.json", "--out", "plan.json", "--json"))["feasible"]
    assert told("check", "tasks.json", "plan.json").startswith("feasible")


def test_a_file_is_added_once_and_its_cards_are_found(folder: Path) -> None:
    file = folder / "own_policy.py"
    file.write_text(CARD)
    plug_ins.add("own_policy.py")
    plug_ins.add(file)
    assert plug_ins.plug_in_files() == [str(file)] and os.environ[plug_ins.VARIABLE] == str(file)
    assert [card.name for card in plug_ins.cards()] == ["placement"]
    del sys.modules["own_policy"]


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("own_a.py", "x = 1 / 0", "cannot be loaded: ZeroDivisionError: division by zero"),
        ("own_b.py", "raise SystemExit(3)", "cannot be loaded: SystemExit: 3"),
        ("own_c.py", "def", "cannot be loaded: SyntaxError: "),
        ("own_d.py", "x = 1", "has no card: expected FAMILY = Family"),
        ("json.py", CARD, "has the name of another module, json: rename the file"),
    ],
)
def test_a_broken_file_gives_one_message(folder: Path, name: str, text: str, sentence: str) -> None:
    (folder / name).write_text(text)
    plug_ins.add(name)
    with pytest.raises(SchedproofError, match=f"the plug-in .*{name} {sentence}"):
        [*plug_ins.cards()]
    assert "cannot be loaded" not in sentence or name.removesuffix(".py") not in sys.modules


@pytest.mark.parametrize("name", ["none.py", "card.txt", ".", "a\0.py", "circle.py"])
def test_a_file_that_is_not_python_is_rejected(folder: Path, name: str) -> None:
    (folder / "card.txt").write_text(CARD)
    (folder / "circle.py").symlink_to("circle.py")
    with pytest.raises(InputError, match="expected a Python file with a card"):
        plug_ins.add(name)
    assert plug_ins.plug_in_files() == []


def test_a_path_that_the_environment_would_divide_is_refused(folder: Path) -> None:
    file = folder / "a:b" / "mine.py"
    file.parent.mkdir()
    file.write_text(CARD)
    with pytest.raises(
        InputError, match="contains ':', which separates the paths in SCHEDPROOF_PLUGINS; move the file"
    ):
        plug_ins.add(file)
    assert not plug_ins.plug_in_files()


def test_a_file_of_the_environment_that_is_not_python_gives_a_message(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(plug_ins.VARIABLE, str(folder / "mine.txt"))
    with pytest.raises(SchedproofError, match="expected a Python file with a card"):
        list(plug_ins.cards())
