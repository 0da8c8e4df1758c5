"""Store the text of all pages in a script of the search page.

Sphinx's search fetches each found page for its context. A page opened as a file cannot fetch, but can load scripts.
"""

from __future__ import annotations

import json
from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

NAME = "search_texts.js"
HIDDEN = (nodes.comment, nodes.raw, nodes.substitution_definition, nodes.system_message)
FETCH = """window.fetch = async (page) => {
  const text = SEARCH_TEXTS[page.slice(document.documentElement.dataset.content_root.length, -".html".length)];
  return { text: async () => `<div role="main">${text}</div>` };
};
"""


def keep(app: Sphinx, doctree: nodes.document) -> None:
    """Store a page's text; Sphinx forgets the metadata of a page that is read again."""
    app.env.metadata[app.env.docname]["text"] = _text(doctree)


def _text(node: nodes.Node) -> str:
    """Return the text as HTML, with its anchors."""
    if isinstance(node, nodes.Text):
        return escape(node.astext(), quote=False)
    if isinstance(node, HIDDEN):
        return ""
    inner = "".join(map(_text, node.children))
    if isinstance(node, nodes.Element) and node.get("ids"):
        return f'<div id="{node["ids"][0]}">{inner}</div> '
    return inner if isinstance(node, nodes.Inline) else f"{inner} "


def collect(app: Sphinx, env: BuildEnvironment) -> None:
    """Write the script."""
    texts = {page: env.metadata[page]["text"] for page in sorted(env.all_docs)}
    script = Path(app.outdir) / "_static" / NAME
    script.parent.mkdir(parents=True, exist_ok=True)
    script.write_text(f"const SEARCH_TEXTS = {json.dumps(texts, ensure_ascii=False)};\n{FETCH}", encoding="utf-8")


def load(app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: nodes.document) -> None:
    """Load the script on the search page only."""
    if pagename == "search":
        app.add_js_file(NAME)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("doctree-read", keep)
    app.connect("env-updated", collect)
    app.connect("html-page-context", load)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
