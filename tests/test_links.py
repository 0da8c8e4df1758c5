from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
sys.path.insert(0, str(DOCS / "_ext"))
from made import from_code  # noqa: E402

GROWS = DOCS / "evidence" / "figures.md"  # its chapters are made when the site is built
LINK = re.compile(r"\]\(([^()\s]+)\)")
CODE = re.compile(r"^(```|~~~).*?^\1|`[^`\n]*`", re.MULTILINE | re.DOTALL)
Pages = Mapping[Path, str]  # the texts by their files


def test_every_link_of_a_page_leads_to_a_tracked_file() -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=False, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip("no git checkout")
    files = {Path(name) for name in listed.stdout.split("\0") if name}
    known = {ROOT, *(ROOT / path for path in files), *(ROOT / folder for path in files for folder in path.parents)}
    tracked = {ROOT / path: (ROOT / path).read_text() for path in files if path.suffix == ".md"}
    site = tracked | {DOCS / name: text for name, text in from_code().items()}
    missing = {page: dangling(page, site if page.is_relative_to(DOCS) else tracked, known) for page in site}
    assert len(tracked) > 100 and {page: links for page, links in missing.items() if links} == {}


def dangling(page: Path, pages: Pages, known: set[Path]) -> list[str]:
    links = LINK.findall(CODE.sub("", pages[page]))
    return [link for link in links if not re.match(r"[a-z]+:", link) and not leads(page, link, pages, known)]


def leads(page: Path, link: str, pages: Pages, known: set[Path]) -> bool:
    target, _, place = link.partition("#")
    file = (page.parent / target).resolve() if target else page
    if file not in pages:
        return file in known
    return not place or file == GROWS or place in headings(pages[file])


@cache
def headings(page: str) -> set[str]:
    found = re.findall(r"^#+ (.*)$", re.sub(r"^(```|~~~).*?^\1", "", page, flags=re.M | re.S), re.M)
    names = [re.sub(r"[^\w\- ]", "", heading.lower().strip()).replace(" ", "-") for heading in found]
    return {f"{name}-{n}" if (n := names[:k].count(name)) else name for k, name in enumerate(names)}


def test_a_link_to_nowhere_is_reported() -> None:
    page = Path("/page.md")
    links = "[a](page.md#b) [b](https://example.org) `[c](no.md)` [d](gone.md#e) [f](#a-2-b) [g](page.md#c)"
    text = f"# A: 2 `b`\n## B\n{links}\n```\n# C\n[f](no.md)\n```\n"
    assert dangling(page, {page: text}, {page}) == ["gone.md#e", "page.md#c"]
