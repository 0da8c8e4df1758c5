"""Make a page with numbered lines for every file of code that a page links to.

Such a link is ``code:schedproof/core/certificates/bound.py#L12``, with a path from the repository's root.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from posixpath import relpath
from typing import Any

from docutils import nodes
from made import ROOT
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import TextLexer, get_lexer_for_filename
from pygments.util import ClassNotFound
from sphinx.application import Sphinx
from sphinx.util import logging

log = logging.getLogger(__name__)
SCHEME = "code"


def link(app: Sphinx, doctree: nodes.document) -> None:
    """Resolve a page's links to code, and store the files in its metadata."""
    docname = app.env.docname
    for node in doctree.findall(nodes.reference):
        path, _, anchor = node.get("refuri", "").partition("#")
        if path.startswith(f"{SCHEME}:"):
            path = path.removeprefix(f"{SCHEME}:")
            app.env.metadata[docname].setdefault("code", set()).add(path)
            lines = (ROOT / path).read_text().count("\n") if (ROOT / path).is_file() else 0
            if anchor and not (anchor.startswith("L") and 0 < int(anchor[1:]) <= lines):
                log.warning("%s has no place %s", path, anchor, location=docname)
            node["refuri"] = relpath(f"code/{path}.html", f"{docname}/..") + (f"#{anchor}" if anchor else "")


def pages(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Yield the pages, as Sphinx collects them."""
    for path in sorted(set().union(*(known.get("code", ()) for known in app.env.metadata.values()))):
        yield f"code/{path}", {"title": path, "body": f"<h1><code>{escape(path)}</code></h1>{_body(path)}"}, "page.html"


def _body(path: str) -> str:
    place = ROOT / path
    if place.is_dir():
        return "<ul>" + "".join(f"<li>{escape(file.name)}</li>" for file in sorted(place.glob("*.py"))) + "</ul>"
    style = HtmlFormatter(linenos="inline", lineanchors="L", anchorlinenos=True)
    try:
        lexer = get_lexer_for_filename(path)
    except ClassNotFound:
        lexer = TextLexer()
    text: str = highlight(place.read_text(), lexer, style)
    return text.replace('"L-', '"L').replace('"#L-', '"#L')


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("doctree-read", link)
    app.connect("html-collect-pages", pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
