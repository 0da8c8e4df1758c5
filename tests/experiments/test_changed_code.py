"""A store gives no result of a policy whose code or state has changed since."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import schedproof as sp
from schedproof.core.runtime.provenance import code
from schedproof.experiments.cells import Given, describe_instance, run_of
from schedproof.online.preemptive.srtf import ShortestRemainingTimeFirst
from tests.command_line import EXAMPLES
from tests.support import size

CARD = '''

@KNAPSACK.policy
def first(sack):
    """Pack the first items, as many as another file states."""
    from counts import COUNT

    return [[item for item in greedy(sack)[0]][:COUNT]]


@KNAPSACK.claim("here", false={"factor": 0})
def some(sack, factor=1):
    """The value is at most that of the best item."""
    from schedproof.core.claims.claim import Finding

    best = max((item.value for item in sack.items), default=0)
    return Finding(sp.policy("knapsack.first").run(sack).objective, factor * best, "at most")
'''
PLAN = 'policies = ["first"]\n[[generators]]\nname = "knapsack"\npresets = ["coarse"]\nseeds = 1\n'
COMMANDS = {
    "worst": "worst first --against best --preset coarse --chains 1 --steps 4 --jobs 1 --store cells.sqlite",
    "sweep": "sweep plan.toml --jobs 1 --store cells.sqlite",
    "compare": "compare sack.json --policy first --policy greedy --out cells.sqlite",
    "refute": "refute knapsack.some --cases 40 --store cells.sqlite",
    "verify": "verify knapsack.some --record cells.sqlite",
}
SACK = (
    '{"family": "knapsack", "version": 1, "capacity": 9, "items": '
    '[{"name": "a", "weight": 4, "value": 5}, {"name": "b", "weight": 4, "value": 6}]}'
)


@pytest.mark.parametrize("name", [*COMMANDS][:: size(2, 1, 1)])
def test_a_change_beside_a_plug_in_computes_again(name: str, tmp_path: Path) -> None:
    card = (EXAMPLES / "knapsack.py").read_text(encoding="utf-8")
    (tmp_path / "sack.py").write_text(card + CARD, encoding="utf-8")
    (tmp_path / "plan.toml").write_text(PLAN, encoding="utf-8")
    (tmp_path / "sack.json").write_text(SACK, encoding="utf-8")

    def told(count: int) -> str:
        (tmp_path / "counts.py").write_text(f"COUNT = {count}  # {'#' * count}\n", encoding="utf-8")
        words = [sys.executable, "-B", "-P", "-m", "schedproof", "--plugin", "sack.py", *COMMANDS[name].split()]
        done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
        assert done.returncode in (0, 1, 3), done.stderr
        return done.stdout

    before, after = told(3), told(1)
    (tmp_path / "cells.sqlite").unlink()
    assert without_times(after) == without_times(told(1)) != without_times(before)


def without_times(told: str) -> str:
    """Return an output without its durations, also those in a table's column."""
    return re.sub(r"\d+\.\d+ s\b|(?<=\d) +0\.\d\d(?= )|.*seconds.*", "", told)


class Since(ShortestRemainingTimeFirst):
    """A policy with a state."""

    def __init__(self, since: int) -> None:
        super().__init__()
        self.since = since


def rule(sack: Any) -> Any:
    return [[]]


def key_of(own: Any) -> Any:
    day = sp.embedded("day")
    return run_of(sp.policy(own), Given(day), describe_instance(day)).key


def test_an_objects_state_belongs_to_the_key() -> None:
    assert key_of(Since(1)) == key_of(Since(1)) != key_of(Since(2))
    assert key_of(Since(1)) != key_of(lambda: None)


def test_a_functions_module_belongs_to_the_key() -> None:
    assert "tests" in key_of(rule)["code"]


def test_damaged_files_and_pipes_beside_a_module_are_harmless(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "first_module_of_this_test.py").write_text("def f():\n    import damaged, piped, numpy\n")
    (tmp_path / "damaged.py").write_text("def (:")
    (tmp_path / "piped").mkdir()
    os.mkfifo(tmp_path / "piped" / "a.py")
    before = code("first_module_of_this_test")
    code.cache_clear()
    (tmp_path / "damaged.py").write_text("def )")
    assert code("first_module_of_this_test") != before
