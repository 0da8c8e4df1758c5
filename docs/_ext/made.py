"""Write generated pages into ignored folders of ``docs``; unchanged files stay."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from html import escape
from pathlib import Path, PurePosixPath
from posixpath import normpath, relpath

from schedproof.experiments import formal, ledger, mathematics
from schedproof.proofs_checks.formulas import markdown

DOCS = Path(__file__).parent.parent
ROOT = DOCS.parent
LINK = re.compile(r"(\]\()([^()\s]+)(\))")


def write(folder: str, files: Mapping[str, str | bytes]) -> None:
    """Make a folder of ``docs`` hold exactly these files, by their paths within it."""
    top = DOCS / folder
    for old in top.rglob("*"):
        if old.is_file() and old.relative_to(top).as_posix() not in files:
            old.unlink()
    for name, text in files.items():
        keep(top / name, text if isinstance(text, bytes) else text.encode())


def keep(path: Path, data: bytes) -> None:
    """Write a file if its bytes differ, because Sphinx reads changed files again."""
    if not path.is_file() or path.read_bytes() != data:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def from_code() -> dict[str, str]:
    """Return the pages that the package generates, by their paths in ``docs``."""
    families = {f"{family}.md": mathematics.page(family) for family in mathematics.documented_families()}
    pages = {"formal": formal.page, "labels": formal.labels, "reading": formal.reading}
    evidence = {f"evidence/{name}.md": page() for name, page in pages.items()}
    return families | evidence | {"refutations/README.md": ledger.front_page()}


def typeset(text: str) -> str:
    """Return a text as HTML with its formulas for MathJax."""
    pieces = markdown(text).split("$")
    return "".join(
        rf'<span class="math notranslate nohighlight">\({escape(piece)}\)</span>' if n % 2 else escape(piece)
        for n, piece in enumerate(pieces)
    )


def with_links(text: str, change: Callable[[str], str]) -> str:
    """Change the target of every Markdown link, except in code and to other hosts."""

    def changed(line: str) -> str:
        return LINK.sub(lambda found: found[1] + change(found[2]) + found[3], line)

    lines, fence = list[str](), ""
    for line in text.splitlines(keepends=True):
        mark = re.match(r"\s*(`{3,}|~{3,})", line)
        if mark:
            fence = "" if fence and mark[1].startswith(fence) else fence or mark[1]
        lines.append(line if fence or mark else changed(line))
    return "".join(lines)


def elsewhere(target: str) -> bool:
    """Whether a link's target is outside the repository."""
    return "://" in target or target.startswith(("#", "mailto:"))


def moved(text: str, old: str, new: str) -> str:
    """Adapt a Markdown file's links to another place.

    Paths are relative to the repository's root. A link within the file becomes a link to the file.
    """

    def change(target: str) -> str:
        if "://" in target or target.startswith("mailto:"):
            return target
        path, mark, anchor = target.partition("#")
        there = normpath(str(PurePosixPath(old).parent / path)) if path else old
        return relpath(there, str(PurePosixPath(new).parent)) + mark + anchor

    return with_links(text, change)
