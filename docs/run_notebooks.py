"""Run the notebooks: compare their text outputs with the stored ones, or store new outputs.

``python docs/run_notebooks.py`` fails if the text of an output differs; with ``--write`` it stores the outputs.
A picture with sliders is stored as a PNG of the sliders' starting positions.
"""

from __future__ import annotations

import sys
from base64 import b64decode, b64encode
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from difflib import unified_diff
from io import BytesIO
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from PIL import Image

NOTEBOOKS = sorted((Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))
WIDGET = "application/vnd.jupyter.widget-view+json"
STATE = "application/vnd.jupyter.widget-state+json"
LIMIT = 600  # seconds for each cell, on a loaded machine
COLOURS = 128  # of a stored picture


def read(path: Path) -> Any:
    return nbformat.read(path, as_version=4)


def run(path: Path) -> Any:
    """Return the notebook with fresh outputs in their stored form."""
    notebook = read(path)
    metadata = notebook.metadata.copy()
    place = {"metadata": {"path": str(path.parent)}}
    NotebookClient(notebook, timeout=LIMIT, record_timing=False, resources=place).execute()
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        cell.outputs = _joined(cell.outputs)
        for output in cell.outputs:
            data = output.get("data", {})
            picture = next(_drawn(notebook, data[WIDGET]["model_id"])) if WIDGET in data else data.get("image/png")
            if picture:
                output.update(data={"image/png": _small(picture)}, metadata={})
    notebook.metadata = metadata  # without the interpreter's version and the widgets' state
    return notebook


def _joined(outputs: list[Any]) -> list[Any]:
    """Return the outputs with successive pieces of one stream joined; a kernel sends them by time."""
    joined: list[Any] = []
    for output in outputs:
        if joined and output.output_type == "stream" and output.get("name") == joined[-1].get("name"):
            joined[-1].text += output.text
        else:
            joined.append(output)
    return joined


def _drawn(notebook: Any, model: str) -> Iterator[str]:
    """Yield the pictures of a widget and of the widgets within it, in base64."""
    known = notebook.metadata["widgets"][STATE]["state"][model]
    yield from (part["data"] for part in known.get("buffers", ()) if known["model_name"] == "ImageModel")
    for child in known["state"].get("children", ()):
        yield from _drawn(notebook, child.removeprefix("IPY_MODEL_"))


def _small(picture: str) -> str:
    file = BytesIO()
    Image.open(BytesIO(b64decode(picture))).convert("RGB").quantize(COLOURS).save(file, "PNG", optimize=True)
    return b64encode(file.getvalue()).decode()


def texts(notebook: Any) -> list[str]:
    """Return the lines of all outputs, below the number of their cell; a picture is the line "(picture)"."""
    lines = []
    for number, cell in enumerate(notebook.cells):
        lines.append(f"cell {number}")
        for output in cell.get("outputs", []):
            data = {"text/plain": output.get("text", "")} | output.get("data", {})
            text = "(picture)" if "image/png" in data else data.get("text/markdown", data["text/plain"])
            lines += text.splitlines()
    return lines


def difference(stored: Any, fresh: Any, name: str) -> str:
    """Return how the texts of two runs differ, as a unified diff; empty if they are equal."""
    return "\n".join(unified_diff(texts(stored), texts(fresh), f"{name}, stored", f"{name}, fresh", lineterm=""))


def main() -> None:
    """Run all notebooks, two at a time."""
    with ThreadPoolExecutor(2) as two:
        fresh = dict(zip(NOTEBOOKS, two.map(run, NOTEBOOKS), strict=True))
    if sys.argv[1:] == ["--write"]:
        for path, notebook in fresh.items():
            nbformat.write(notebook, path)
    elif found := [text for path, new in fresh.items() if (text := difference(read(path), new, path.name))]:
        sys.exit("\n".join([*found, "To store these outputs: python docs/run_notebooks.py --write"]))


if __name__ == "__main__":
    main()
