"""Run the notebooks and make the gallery, with a thumbnail for each.

Outputs are cached in ``build/notebooks`` until the notebook or the package changes. The site shows a picture of the
sliders' initial position. ``-D gallery_run=0`` shows the notebooks without outputs.
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from typing import Any

import nbformat
from made import ROOT, moved, write
from nbclient import NotebookClient
from repository_links import for_the_site
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.util import logging

log = logging.getLogger(__name__)
KEPT = ROOT / "build" / "notebooks"
WIDGET = "application/vnd.jupyter.widget-view+json"
STATE = "application/vnd.jupyter.widget-state+json"
LIMIT = 600  # seconds for a cell, on a machine that does other things, too
HEAD = """# Notebooks

Five ask each of one paper's family where its guarantee is spent, two how badly a policy can fail: one by an adversary's
search, one by a proof; and one what a rule that places whole jobs gains. They are shown as they ran when this site was
built; where there are sliders, they stand where they start. To move them, open the notebooks themselves:

```sh
python3 -m venv .venv && .venv/bin/pip install -c constraints.txt -e '.[notebook]' && .venv/bin/jupyter lab notebooks
```
"""


def make(app: Sphinx, config: Config) -> None:
    """Make the notebooks' pages and the front page of the gallery."""
    paths = sorted((ROOT / "notebooks").glob("*.ipynb"))
    with ThreadPoolExecutor(2) as two:
        ran = list(two.map(_ran if config.gallery_run else _read, paths))
    files: dict[str, str | bytes] = {}
    cards = []
    for path, notebook in zip(paths, ran, strict=True):
        pictures = [*_pictures(notebook)]
        if pictures:
            files[f"{path.stem}.png"] = b64decode(max(pictures, key=len))
        cards.append(_card(path.stem, notebook, bool(pictures)))
        files[path.name] = nbformat.writes(_for_the_site(notebook, path))
    tree = "\n".join(path.stem for path in paths)
    grid = "::::{grid} 1 2 2 3\n:gutter: 3\n\n" + "\n\n".join(cards) + "\n::::"
    files["index.md"] = f"{HEAD}\n{grid}\n\n```{{toctree}}\n:hidden:\n\n{tree}\n```\n"
    write("gallery", files)


def _read(path: Path) -> Any:
    return nbformat.read(path, as_version=4)


def _ran(path: Path) -> Any:
    files = [path, *sorted(path.parent.glob("*.py")), *sorted((ROOT / "schedproof").rglob("*.py"))]
    key = sha256(b"".join(sha256(file.read_bytes()).digest() for file in files)).hexdigest()[:16]
    kept = KEPT / f"{path.stem}-{key}.ipynb"
    if not kept.is_file():
        log.info("running %s ...", path.name)
        notebook = _read(path)
        NotebookClient(notebook, timeout=LIMIT, resources={"metadata": {"path": str(path.parent)}}).execute()
        KEPT.mkdir(parents=True, exist_ok=True)
        part = kept.with_suffix(".part")
        nbformat.write(notebook, part)
        part.rename(kept)
    return _read(kept)


def _pictures(notebook: Any) -> Iterator[str]:
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if "image/png" in data:
                yield data["image/png"]
            elif WIDGET in data:
                yield from _drawn(notebook, data[WIDGET]["model_id"])


def _drawn(notebook: Any, model: str) -> Iterator[str]:
    known = notebook.metadata["widgets"][STATE]["state"][model]
    yield from (part["data"] for part in known.get("buffers", ()) if known["model_name"] == "ImageModel")
    for child in known["state"].get("children", ()):
        yield from _drawn(notebook, child.removeprefix("IPY_MODEL_"))


def _for_the_site(notebook: Any, path: Path) -> Any:
    """Replace widgets by pictures, and adapt the links."""
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            text = moved(cell.source, f"notebooks/{path.name}", f"docs/gallery/{path.name}")
            cell.source = for_the_site(text, f"gallery/{path.stem}")
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if WIDGET in data:
                drawn = next(_drawn(notebook, data[WIDGET]["model_id"]), "")
                output["data"] = {"image/png": drawn} if drawn else {"text/plain": data.get("text/plain", "")}
    notebook.metadata.pop("widgets", None)
    return notebook


def _card(name: str, notebook: Any, pictured: bool) -> str:
    title = notebook.cells[0].source.partition("\n")[0].removeprefix("# ")
    picture = f":img-top: {name}.png\n:img-alt: a picture of the notebook {name}\n" if pictured else ""
    return f":::{{grid-item-card}} {title}\n:link: {name}\n:link-type: doc\n{picture}\n{name}\n:::"


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.add_config_value("gallery_run", True, "env", bool)
    app.connect("config-inited", make)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
