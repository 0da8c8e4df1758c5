"""The gallery: the notebooks with their stored outputs, each with a thumbnail."""

from __future__ import annotations

from base64 import b64decode
from pathlib import Path
from typing import Any

import nbformat
from made import ROOT, moved, write
from repository_links import for_the_site
from sphinx.application import Sphinx
from sphinx.config import Config

HEAD = """# Notebooks

Five notebooks analyse where the guarantee of one paper's family is lost. Two study how badly a policy can fail, one by
an adversary's search, one by a proof. One measures the gain from placing whole jobs. A picture with sliders shows their
starting positions. To move them, open the notebooks themselves:

```sh
python3 -m venv .venv && .venv/bin/pip install -c constraints.txt -e '.[notebook]' && .venv/bin/jupyter lab notebooks
```
"""


def make(app: Sphinx, config: Config) -> None:
    """Make the notebooks' pages and the front page of the gallery."""
    files: dict[str, str | bytes] = {}
    cards, names = [], []
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        notebook = nbformat.read(path, as_version=4)
        files[f"{path.stem}.png"] = b64decode(max(_pictures(notebook), key=len))
        cards.append(_card(path.stem, notebook))
        names.append(path.stem)
        files[path.name] = nbformat.writes(_for_the_site(notebook, path))
    tree = "\n".join(names)
    grid = "::::{grid} 1 2 2 3\n:gutter: 3\n\n" + "\n\n".join(cards) + "\n::::"
    files["index.md"] = f"{HEAD}\n{grid}\n\n```{{toctree}}\n:hidden:\n\n{tree}\n```\n"
    write("gallery", files)


def _pictures(notebook: Any) -> list[str]:
    """Return the pictures of the outputs, in base64."""
    outputs = [output.get("data", {}) for cell in notebook.cells for output in cell.get("outputs", [])]
    return [data["image/png"] for data in outputs if "image/png" in data]


def _for_the_site(notebook: Any, path: Path) -> Any:
    """Return the notebook with its links relative to the gallery."""
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            text = moved(cell.source, f"notebooks/{path.name}", f"docs/gallery/{path.name}")
            cell.source = for_the_site(text, f"gallery/{path.stem}")
    return notebook


def _card(name: str, notebook: Any) -> str:
    title = notebook.cells[0].source.partition("\n")[0].removeprefix("# ")
    picture = f":img-top: {name}.png\n:img-alt: a picture of the notebook {name}\n"
    return f":::{{grid-item-card}} {title}\n:link: {name}\n:link-type: doc\n{picture}\n{name}\n:::"


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("config-inited", make)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
