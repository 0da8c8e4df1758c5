from __future__ import annotations

import ast
import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TABLE = (ROOT / "docs" / "glossary.md").read_text().partition("## Avoided synonyms")[2]
AVOIDED = [word for row in re.findall(r"^\| ([^|]+) \| [^|]+ \|$", TABLE, re.M)[1:] for word in row.split(", ")]
FOUND = re.compile(rf"\b({'|'.join(AVOIDED)})s?\b", re.I)
NO_PROSE = re.compile(r"^(```|~~~).*?^\1|`[^`\n]*`|\]\([^)\s]*\)|\"[^\"]*\"|## Avoided synonyms.*", re.M | re.S)


def avoided(text: str) -> list[str]:
    """The avoided words in a page's prose, outside code, links and quotations."""
    return [match[0] for match in FOUND.finditer(NO_PROSE.sub(" ", text))]


@cache
def first_lines() -> list[tuple[Path, str]]:
    """The first lines of all docstrings of the package."""
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    return [
        (path.relative_to(ROOT), text.partition("\n")[0])
        for path in (ROOT / "schedproof").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, kinds) and (text := ast.get_docstring(node))
    ]


def test_a_synonym_is_found_in_prose_only() -> None:
    text = '# A\nA *verifier*.\n```\nverifier\n```\n`timeout`, [a](skeptic.md), "hindsight", Randomized; two\nskeptics.'
    assert avoided(text) == ["verifier", "Randomized", "skeptics"]
    assert len(AVOIDED) > 10 and avoided("checker") == []


def test_pages_use_the_words_of_the_glossary() -> None:
    listed = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, check=False, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip("no git checkout")
    pages = [ROOT / name for name in listed.stdout.split()]
    assert {page.relative_to(ROOT): words for page in pages if (words := avoided(page.read_text()))} == {}


def test_docstrings_begin_with_the_words_of_the_glossary() -> None:
    assert len(first_lines()) > 1000 and [line for line in first_lines() if avoided(line[1])] == []


def test_first_lines_of_docstrings_have_at_most_80_characters() -> None:
    lines = [line for line in first_lines() if len(line[1]) > 80]
    assert [line for line in lines if line[0].parent.name != "rules"] == []  # certificates have the rules' SHA-256
