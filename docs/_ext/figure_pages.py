"""The figures of the papers' evaluations, drawn from their CSV when the site is built, and how they compare."""

from __future__ import annotations

from made import DOCS
from sphinx.application import Sphinx
from sphinx.config import Config

from schedproof.experiments.figures import draw_all, page


def draw(app: Sphinx, config: Config) -> None:
    """Draw the pictures beside their CSV."""
    draw_all(DOCS)


def add_report(app: Sphinx, docname: str, content: list[str]) -> None:
    """Put the pictures and the tables below the page's first words; its links are rewritten after that."""
    if docname == "evidence/figures":
        content[0] += "\n" + page.report(DOCS)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("config-inited", draw)
    app.connect("source-read", add_report, priority=400)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
