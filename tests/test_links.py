"""Links between the repository's pages: every file that a page links to is there, and is not made by a build."""

from __future__ import annotations

import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = sorted({*ROOT.glob("*.md"), *(ROOT / "benchmarks").glob("*.md"), *(ROOT / "docs").rglob("*.md")})
MADE = ROOT / "docs" / "evidence" / "figures.md"  # its chapters are made when the site is built
LINK = re.compile(r"\]\(([^()\s]+)\)")
CODE = re.compile(r"^(```|~~~).*?^\1|`[^`\n]*`", re.MULTILINE | re.DOTALL)


def test_every_link_of_a_page_leads_to_a_tracked_file() -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=False, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip("no git checkout")
    files = {Path(name) for name in listed.stdout.split("\0") if name}
    known = {ROOT, *(ROOT / path for path in files), *(ROOT / folder for path in files for folder in path.parents)}
    pages = [page for page in PAGES if page in known]
    missing = {page.relative_to(ROOT).as_posix(): list(dangling(page, known)) for page in pages}
    assert len(pages) > 100 and {page: links for page, links in missing.items() if links} == {}


def dangling(page: Path, known: set[Path]) -> list[str]:
    """The links of a page outside code that lead to no known file, or to no heading of a page."""
    text = CODE.sub("", page.read_text())
    return [link for link in LINK.findall(text) if not re.match(r"[a-z]+:", link) and not leads(page, link, known)]


def leads(page: Path, link: str, known: set[Path]) -> bool:
    """Whether a link leads to a known file, and in a page to a heading."""
    target, _, place = link.partition("#")
    file = (page.parent / target).resolve() if target else page
    return file in known and (not place or file.suffix != ".md" or file == MADE or place in headings(file))


@cache
def headings(page: Path) -> set[str]:
    """The places of a page's headings, as GitHub and the site name them."""
    found = re.findall(r"^#+ (.*)$", re.sub(r"^(```|~~~).*?^\1", "", page.read_text(), flags=re.M | re.S), re.M)
    names = [re.sub(r"[^\w\- ]", "", heading.lower().strip()).replace(" ", "-") for heading in found]
    return {f"{name}-{n}" if (n := names[:k].count(name)) else name for k, name in enumerate(names)}


def test_a_link_to_nowhere_is_reported(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    links = "[a](page.md#b) [b](https://example.org) `[c](no.md)` [d](gone.md#e) [f](#a-2-b) [g](page.md#c)"
    page.write_text(f"# A: 2 `b`\n## B\n{links}\n```\n# C\n[f](no.md)\n```\n")
    assert dangling(page, {page}) == ["gone.md#e", "page.md#c"]
