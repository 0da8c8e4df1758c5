"""Notebooks are committed without outputs; every slider is moved."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.output_widget import OutputWidget

from tests.notebooks import NOTEBOOKS, cells, pictures, rebound
from tests.support import size

by_name = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
FOLDED = {"jupyter": {"source_hidden": True}, "tags": ["hide-input"]}  # in JupyterLab, and on the site
SLIDERS = "from sliders import sliders\nfrom schedproof.core.simulation.pictures import panels\n"
SLIDERS += "sliders(lambda n=1: panels((2, 1)).figure, n=[1, 2])"
INTERACT = "from ipywidgets import interact\ninteract(lambda n: print(n), n=(0, 3));"


def test_there_are_notebooks() -> None:
    assert NOTEBOOKS


@by_name
def test_it_is_stripped(path: Path) -> None:
    notebook = json.loads(path.read_text())
    assert set(notebook["metadata"]) <= {"kernelspec", "language_info"}  # no widget state
    for number, cell in enumerate(notebook["cells"]):
        assert cell["metadata"] in ({}, FOLDED), f"cell {number}"
        if cell["cell_type"] == "code":
            assert cell["outputs"] == [] and cell["execution_count"] is None, f"cell {number}"


@by_name
def test_it_starts_with_at_most_three_imports_and_has_no_others(path: Path) -> None:
    imports = [type(node) for cell in cells(path) for node in ast.walk(ast.parse(cell))]
    assert 1 < sum(kind in (ast.Import, ast.ImportFrom) for kind in imports) <= 3
    assert ast.parse(cells(path)[0]).body[-1].names[0].name == "schedproof"


def test_only_notebooks_and_their_imports_are_in_the_folder() -> None:
    others = [path for path in NOTEBOOKS[0].parent.iterdir() if path.is_file() and path not in NOTEBOOKS]
    code = "\n".join([cell for path in NOTEBOOKS for cell in cells(path)] + [path.read_text() for path in others])
    assert all(path.suffix == ".py" and f"from {path.stem} import" in code for path in others)


@by_name
def test_pictures_do_not_hang_on_the_backend(path: Path) -> None:
    assert not [cell for cell in cells(path) if ".show(" in cell or ".subplots(" in cell]


@by_name
def test_no_cell_changes_what_an_earlier_picture_with_sliders_reads(path: Path) -> None:
    assert not rebound(cells(path))


DRAW = "def draw(n=1):\n    return more(n)"
MORE = "seen = {1: 1}\ndef more(n):\n    return seen[n]"


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ([MORE, DRAW, "sliders(draw, n=[1, 2])", "for seen in range(3):\n    pass"], {"seen"}),
        ([MORE, DRAW, "sliders(draw, n=[1, 2])", "more = 2"], {"more"}),
        ([MORE, "sliders(lambda n=1: seen[n], n=seen)", "a, (b, *seen) = c"], {"seen"}),
        ([MORE, DRAW, "seen = {}", "sliders(draw, n=[1, 2])", "print(seen)"], set()),
        ([MORE, "[seen for seen in range(3)]", "sliders(lambda n=1: n, n=seen)", "seen = 2"], set()),
        ([MORE, DRAW, "sliders(draw, n=[1, 2])", "def other(seen):\n    more = seen\n[n for seen in x]"], set()),
    ],
)
def test_the_analysis_of_cells_finds_exactly_the_changed_name(code: list[str], found: set[str]) -> None:
    assert rebound(code) == found


@pytest.mark.parametrize("path", NOTEBOOKS[-size(1, 2, len(NOTEBOOKS)) :], ids=lambda path: path.stem)
def test_every_slider_changes_the_picture_and_no_text_is_cut_off(path: Path) -> None:
    found = pictures(path)
    assert found
    for picture in found:
        for control in picture.controls:
            files = [picture.shown for _ in picture.moves(control)]
            assert len(files) == len(control.options)
            assert len(set(files)) > 1, f"{control.description} changes nothing"
        places = 1 + sum(len(control.options) - 1 for control in picture.controls)
        assert len(picture.figures) == places, "a place is drawn once"
        for figure in picture.figures:
            box, (width, height) = figure.get_tightbbox(), figure.get_size_inches()
            texts = [text.get_text() for text in figure.findobj(lambda artist: hasattr(artist, "get_text"))]
            assert box.x0 > -0.05 and box.y0 > -0.05 and box.x1 < width + 0.05 and box.y1 < height + 0.05, texts


@pytest.mark.parametrize(("source", "answered"), [(SLIDERS, False), (INTERACT, True)], ids=["sliders", "interact"])
def test_a_run_without_a_browser_sends_no_message_while_it_waits(
    source: str, answered: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A message on a reply's socket can hide the reply (nbclient, issue 312).
    sent: list[Any] = []
    monkeypatch.setattr(OutputWidget, "_publish_msg", lambda self, *message, **more: sent.append(message))
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source)])
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(NOTEBOOKS[0].parent)}}).execute()
    assert notebook.cells[0].outputs
    assert bool(sent) == answered
