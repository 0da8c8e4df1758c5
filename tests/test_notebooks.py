"""Notebooks are committed without outputs: what they show is what the code does today."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))


def test_there_is_a_notebook() -> None:
    assert NOTEBOOKS


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_it_is_stripped(path: Path) -> None:
    notebook = json.loads(path.read_text())
    assert set(notebook["metadata"]) <= {"kernelspec", "language_info"}  # no widget state
    for number, cell in enumerate(notebook["cells"]):
        assert not cell["metadata"], f"cell {number}"
        if cell["cell_type"] == "code":
            assert cell["outputs"] == [] and cell["execution_count"] is None, f"cell {number}"


def test_nothing_but_notebooks_lies_beside_them() -> None:
    assert {path.suffix for path in (NOTEBOOKS[0].parent).iterdir() if path.is_file()} == {".ipynb"}
