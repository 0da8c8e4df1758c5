"""Write the generated pages: programs, index of refutations, theorems in Coq."""

from __future__ import annotations

from made import DOCS, from_code, keep
from sphinx.application import Sphinx
from sphinx.config import Config


def make(app: Sphinx, config: Config) -> None:
    """Write the pages into ``docs``, where git ignores them."""
    for name, text in from_code().items():
        keep(DOCS / name, text.encode())


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("config-inited", make)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
