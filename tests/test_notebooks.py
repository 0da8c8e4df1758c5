"""Notebooks are committed with small, reproducible outputs; every slider is moved."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.output_widget import OutputWidget
from run_notebooks import difference, read, run, texts

from tests.notebooks import NOTEBOOKS, cells, pictures, rebound
from tests.support import size

by_name = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
FOLDED = {"jupyter": {"source_hidden": True}, "tags": ["hide-input"]}  # in JupyterLab, and on the site
KINDS = {"image/png", "text/plain", "text/markdown", "text/html"}
SLIDERS = "from sliders import sliders\nfrom schedproof.core.simulation.pictures import panels\n"
SLIDERS += "sliders(lambda n=1: panels((2, 1)).figure, n=[1, 2])"
INTERACT = "from ipywidgets import interact\ninteract(lambda n: print(n), n=(0, 3));"


def test_there_are_notebooks() -> None:
    assert NOTEBOOKS


@by_name
def test_its_outputs_are_stored_and_independent_of_the_machine(path: Path) -> None:
    notebook = json.loads(path.read_text())
    assert set(notebook["metadata"]) <= {"kernelspec", "language_info"}  # no widget state
    assert notebook["metadata"]["language_info"] == {"name": "python"}  # no version
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in code] == [*range(1, len(code) + 1)]
    assert all(cell["metadata"] in ({}, FOLDED) for cell in notebook["cells"])
    outputs = [output for cell in code for output in cell["outputs"]]
    assert {kind for output in outputs for kind in output.get("data", ())} <= KINDS
    assert all(output.get("name") != "stderr" for output in outputs)
    lines = "\n".join(texts(read(path)))
    assert not re.search(r"(^|\s)(/\w+){2}|0x[0-9a-f]{6}|\d\d:\d\d|\d s(econds?)?\b", lines)  # paths, addresses, times


def test_all_notebooks_take_at_most_2_mb() -> None:
    assert sum(path.stat().st_size for path in NOTEBOOKS) <= 2_000_000


def test_a_changed_text_of_an_output_is_found(tmp_path: Path) -> None:
    path = tmp_path / "small.ipynb"
    cell = nbformat.v4.new_code_cell("print(6, flush=True)\nprint(42)")
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), path)
    fresh = run(path)
    assert [output.text for output in fresh.cells[0].outputs] == ["6\n42\n"]
    nbformat.write(fresh, path)
    stored = read(path)
    assert difference(stored, fresh, path.name) == ""
    stored.cells[0].outputs[0].text = "6\n41\n"
    assert difference(stored, fresh, path.name).splitlines()[-2:] == ["-41", "+42"]
    stored.cells[0].outputs = []
    assert difference(stored, fresh, path.name).splitlines()[-1] == "+42"


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
