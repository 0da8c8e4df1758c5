"""Ten typical mistakes in a family's file: one sentence with the place and the fix."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import schedproof as sp
from schedproof.core.cards import plug_ins, registry
from schedproof.core.errors import SchedproofError

RIGHT = Path(__file__).with_name("typical.py").read_text()
Act = Callable[[Any], object]


@pytest.fixture
def typical(tmp_path: Path) -> Iterator[Callable[[str, str, Act], object]]:
    """Replace a part of the file, load it as a plug-in, and act."""
    before, drafts = os.environ.get(plug_ins.VARIABLE, ""), dict(plug_ins.DRAFTS)

    def act(right: str, wrong: str, what: Act) -> object:
        assert RIGHT.count(right) == 1
        (tmp_path / "typical.py").write_text(RIGHT.replace(right, wrong))
        plug_ins.add(tmp_path / "typical.py")
        registry.forget()
        registry.families()
        return what(sys.modules["typical"])

    yield act
    os.environ[plug_ins.VARIABLE] = before
    sys.modules.pop("typical", None)
    plug_ins.DRAFTS.clear()
    plug_ins.DRAFTS.update(drafts)
    registry.forget()


def tiny(_: Any) -> Any:
    return sp.generate("typical", "tiny", seed=1)


def run(module: Any) -> Any:
    return sp.policy("typical.fair").run(tiny(module))


def solve(module: Any) -> Any:
    return sp.program("typical.most").solve(tiny(module))


def bound(module: Any) -> Any:
    return sp.bound("typical.most", tiny(module))


def ratio(module: Any) -> Any:
    return run(module).ratio("typical.most")


def from_tuples(module: Any) -> Any:
    return module.Work(horizon=3, machines=1, capacity=2, jobs=(("a", 1, 0),))


SUM, ROW = "return sum(amounts.x.values())", "sum(amounts.x[job.index, t] for job in work.jobs)"
NEEDS = 'def amounts(block, work):\n        """The amount'
MISTAKES: dict[str, tuple[str, str, Act, str, str]] = {  # right, wrong, action, place, fix
    "wrong key": ("(job, 0): part", "job.name: part", run, "key 'j0' in slot 1", "as in {(view.jobs[0], 0): 1}"),
    "missing sense": (', sense="maximize"', "", solve, "typical.py:41", "write sense='maximize' in sp.family(...)"),
    "misspelt block": (
        "used(block, work, amounts)",
        "used(block, work, amount)",
        solve,
        "typical.py:46",
        "mean amounts?",
    ),
    "misspelt variable": (ROW, ROW.replace(".x", ".y"), solve, "typical.py, line 49", "available: amounts.x"),
    "misspelt variable of a point": ('"amounts.x"', '"amounts.y"', ratio, "typical.py:57", "did you mean amounts.x?"),
    "violated row": ("<= work.capacity", "<= work.capacity / 9", ratio, "used.row[1] is 2", "at most 0.222222"),
    "nonlinear row": (ROW, ROW.replace(" for", " ** 3 for"), bound, "typical.py:46", "expected linear terms"),
    "nonlinear row solved": (ROW, ROW.replace(" for", " ** 3 for"), solve, "typical.py:46", "use scip"),
    "range": ('"jobs": (2, 4)', '"jobs": (4, 2)', tiny, "presets['tiny']['jobs'] = (4, 2)", "as in (2, 4)"),
    "three numbers": ('"jobs": (2, 4)', '"jobs": (4, 2, 1)', tiny, "presets['tiny']['jobs']", "choices [1, 2, 4]"),
    "NaN amount": ("part = min", 'part = float("nan") * min', run, "j0 on place 0 in slot 1", "expected a number >= 0"),
    "NaN coefficient": ("<= work", '<= float("nan") * work', solve, "typical.py:46", "expected finite numbers"),
    "NaN objective": ("sum(share.amount for share in self.shares)", 'float("nan")', run, "typical.py:23", "a Fraction"),
    "tuple": (
        "machines: sp",
        "machines: sp",
        from_tuples,
        "jobs[0] = ('a', 1, 0)",
        "Job(name=..., size=..., arrival=...)",
    ),
    "no objective": (
        "def objective(",
        "def objectiv(",
        run,
        "typical.py:19",
        "define in it `def objective(self, instance)`",
    ),
    "no objective group": (
        'sp.group("objective"',
        'sp.group("constraints"',
        solve,
        "typical.py:41",
        "sp.group('objective'",
    ),
    "cyclic need": (NEEDS, NEEDS.replace("work)", "work, used)"), solve, "typical.py:51", "without the other"),
}


def test_the_file_is_right(typical: Any) -> None:
    assert typical("machines: sp", "machines: sp", ratio).exact >= 1


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_answered_with_place_and_fix(mistake: str, typical: Any) -> None:
    right, wrong, act, place, fix = MISTAKES[mistake]
    with pytest.raises(SchedproofError) as answered:
        typical(right, wrong, act)
    assert re.search(f"{re.escape(place)}.*{re.escape(fix)}|{re.escape(fix)}.*{re.escape(place)}", str(answered.value))
    assert len(str(answered.value)) < 400
