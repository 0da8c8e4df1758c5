"""SECURITY.md: the table of limits equals the code."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

ROWS = re.findall(r"^\| (.+?) \| (\d+) \S.*? \| `([\w.]+):(\w+)` \|$", (ROOT / "SECURITY.md").read_text(), re.MULTILINE)


def test_the_table_has_rows() -> None:
    assert len(ROWS) > 15


@pytest.mark.parametrize(("file", "limit", "module", "name"), ROWS)
def test_a_limit_is_that_of_the_code(file: str, limit: str, module: str, name: str) -> None:
    assert getattr(import_module(f"schedproof.{module}"), name) == int(limit)
