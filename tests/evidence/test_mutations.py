"""The command that changes certificates finds no false claim, and finds a planted one."""

from __future__ import annotations

from pathlib import Path

import mutations
import pytest

from tests.support import size

COUNT = size(30, 30, 60)


def test_changed_certificates_prove_nothing_false(tmp_path: Path) -> None:
    for name, file, true in mutations.subjects(tmp_path):
        found = mutations.tally(file, true, COUNT, 1)
        assert found["refused"] > 2 * COUNT / 3 and not found["false"] and found.total() == COUNT, name


def test_a_checker_that_accepts_everything_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name, file, true = next(mutations.subjects(tmp_path))
    monkeypatch.setattr(mutations.bound, "check", lambda *_: {"value": "32"})
    assert name == "check-bound" and mutations.tally(file, true, 5, 1)["false"] == 5
