"""Adapt links and mathematics of pages written for GitHub to the site.

A claim has one page, the target of links ``proofs_checks/<family>/<file>.py#<claim>`` and to its refutation. Notebooks
are in the gallery; other files of code have their own pages.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from posixpath import normpath, relpath

from code_pages import SCHEME
from made import ROOT, elsewhere, with_links
from sphinx.application import Sphinx
from sphinx.util import logging

from schedproof.core.cards import registry
from schedproof.core.claims import claims

log = logging.getLogger(__name__)
MATHEMATICS = re.compile(r"\$`(.+?)`\$")


def page_of(target: str, anchor: str) -> str:
    """Return the site's page for a file of the repository, or an empty text."""
    path = PurePosixPath(target)
    if target == "README.md":  # whose chapters are on the papers' pages
        return "docs/papers/index.md"
    if path.suffix == ".ipynb":
        return f"docs/gallery/{path.name}"
    if path.parts[:2] == ("docs", "refutations") and len(path.parts) == 4 and path.suffix == ".md":
        return f"docs/claims/{path.parts[2]}/{path.name}"
    if path.parts[:2] == ("schedproof", "proofs_checks") and len(path.parts) == 4 and anchor in _claims(path.parts[2]):
        return f"docs/claims/{path.parts[2]}/{anchor}.md"
    return target if path.parts[0] == "docs" and path.suffix in (".md", ".png", ".svg") else ""


def _claims(family: str) -> set[str]:
    return {id.partition(".")[2] for id in claims.ledger(family)} if family in registry.families() else set()


def for_the_site(text: str, docname: str) -> str:
    """Return a page's text with the site's links and mathematics."""
    home = PurePosixPath("docs", docname).parent

    def change(target: str) -> str:
        if elsewhere(target) or target.startswith(f"{SCHEME}:"):
            return target
        path, _, anchor = target.partition("#")
        there = normpath(str(home / path))
        if not (ROOT / there).exists():
            log.warning("no file %s", there, location=docname)
            return target
        page = page_of(there, anchor)
        if not page:
            return f"{SCHEME}:{there}" + (f"#{anchor}" if anchor else "")
        kept = f"#{anchor}" if anchor and page == there else ""
        return relpath(page, str(home)) + kept

    return MATHEMATICS.sub(r"$\1$", with_links(text, change))


def rewrite(app: Sphinx, docname: str, content: list[str]) -> None:
    """Change a page when it is read; notebooks were changed when they were made."""
    if not docname.startswith("gallery/"):
        content[0] = for_the_site(content[0], docname)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("source-read", rewrite)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
