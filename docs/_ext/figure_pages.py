"""Draw the papers' figures from their CSV, and compare them with the papers."""

from __future__ import annotations

from made import DOCS
from sphinx.application import Sphinx
from sphinx.config import Config

from schedproof.experiments.figures import draw_all, page


def draw(app: Sphinx, config: Config) -> None:
    """Draw the pictures next to their CSV."""
    draw_all(DOCS)


def add_report(app: Sphinx, docname: str, content: list[str]) -> None:
    """Insert the pictures and tables after the page's introduction."""
    if docname == "evidence/figures":
        content[0] += "\n" + page.report(DOCS)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("config-inited", draw)
    app.connect("source-read", add_report, priority=400)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
