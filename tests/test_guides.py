from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from idea import draw, draw_small
from matplotlib.text import Text

DOCS = Path(__file__).parents[1] / "docs"


def ran(pages: Iterable[str], capsys: pytest.CaptureFixture[str]) -> tuple[dict[str, Any], str]:
    names: dict[str, Any] = {}
    for page in pages:
        for block in re.findall(r"^```python\n(.*?)^```$", (DOCS / page).read_text(), re.MULTILINE | re.DOTALL):
            exec(compile(block, page, "exec", dont_inherit=True), names)
    return names, capsys.readouterr().out


def test_the_first_steps_end_with_a_certified_ratio(capsys: pytest.CaptureFixture[str]) -> None:
    _, printed = ran(["start.md"], capsys)
    assert re.match(r"certified ratio <= 1\.\d+ .*\ngap ", printed)


def test_the_how_to_pages_print_the_stated_numbers(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    pages = ("job_logs", "compare", "worst", "guarantee", "games", "predictions")
    names, printed = ran((f"howto/{page}.md" for page in pages), capsys)
    assert [row["reason"] for row in names["report"]["jobs"]["reasons"]][:1] == ["arrival_unreadable"]
    assert names["best"].exact == 1 and names["best"].run.objective == 58
    assert len(names["frame"]) == 4 and names["frame"]["ratio"].notna().all()
    assert "jrp" in printed
    assert names["worst"].exact >= 2 and names["worst"].run.feasible
    assert names["fast"].guarantee is None and f"{names['fast'].promised.value} None [" in printed
    assert names["strategy"].best and names["strategy"].value == Fraction(19, 10) == 2 - Fraction(1, 10)
    assert 1 <= names["trusted"].exact < names["misled"].exact and len({*names["drawn"]}) > 1


def test_no_example_must_end_within_seconds() -> None:
    """On a slow machine it may have no result by then."""
    pages = (DOCS.parent / "README.md", *DOCS.glob("*.md"), *DOCS.glob("howto/*.md"))
    text = "\n".join(page.read_text() for page in pages)
    blocks = "\n".join(re.findall(r"^```.*?^```$", text, re.MULTILINE | re.DOTALL))
    limits = [int(seconds) for seconds in re.findall(r"time.limit[ =]+(\d+)", blocks)]
    assert limits and min(limits) >= 60


def test_the_idea_is_drawn_with_the_numbers_of_its_page() -> None:
    words = " ".join(text.get_text() for text in draw().findobj(Text))
    page = (DOCS / "idea.md").read_text()
    for number in ("34 slots", "31 slots", "29.1999", "1.1644", "1.097"):
        assert number in words and number in page


def test_the_readme_has_the_numbers_of_its_picture() -> None:
    words = " ".join(text.get_text() for text in draw_small().findobj(Text))
    page = (DOCS.parent / "README.md").read_text()
    for number in ("34", "31", "29.1999", "1.1644"):
        assert number in words and number in page
    assert len(page.split()) <= 700


def test_no_sentence_of_a_refutation_is_rendered_as_a_list_or_quotation() -> None:
    for page in DOCS.glob("refutations/*/*.md"):
        assert re.findall(r"^(?:\+|>|>=|\d+[.)]) .*", page.read_text(), re.MULTILINE) == [], page.name
