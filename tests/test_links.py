"""Links between the repository's pages: every file that a page links to is there, and is not made by a build."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = sorted({*ROOT.glob("*.md"), *(ROOT / "benchmarks").glob("*.md"), *(ROOT / "docs").rglob("*.md")})
LINK = re.compile(r"\]\(([^()\s]+)\)")


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
    """The links of a page outside code that lead to no known file."""
    text = re.sub(r"^(```|~~~).*?^\1|`[^`\n]*`", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    targets = [link.partition("#")[0] for link in LINK.findall(text) if not re.match(r"[a-z]+:", link)]
    return [target for target in targets if target and (page.parent / target).resolve() not in known]


def test_a_link_to_nowhere_is_reported(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("[a](page.md#b) [b](https://example.org) `[c](no.md)` [d](gone.md#e)\n```\n[f](no.md)\n```\n")
    assert dangling(page, {page}) == ["gone.md"]
