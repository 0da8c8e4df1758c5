from __future__ import annotations

import re
import sys
from fractions import Fraction
from functools import cache
from pathlib import Path
from unittest.mock import patch

import pytest

from schedproof.core.claims import claims
from schedproof.core.claims.claim import Finding
from schedproof.experiments.ledger import LEADING, first_witness, is_refuted
from schedproof.proofs_checks.formulas import markdown
from tests.support import FAMILIES
from tests.witnesses import FILES, witness

DOCS = Path(__file__).parents[1] / "docs"
sys.path.insert(0, str(DOCS / "_ext"))
from refutation_parts import PARTS, tex, with_parts  # noqa: E402
from witness_pictures import row, scene  # noqa: E402

ROWS = {id: row for family in FAMILIES for id, row in claims.ledger(family).items()}
REFUTED = sorted(id for id, row in ROWS.items() if is_refuted(row))


@cache
def page(id: str) -> str:
    filed, text = claims.find(id), (DOCS / "refutations" / f"{id.replace('.', '/')}.md").read_text().partition("\n")[2]
    with patch("witness_pictures.save", lambda _, path: path.touch()):  # the text alone
        return with_parts(text, filed, ROWS[id], ROWS.get(ROWS[id]["repaired_by"]), "SCRIPT")[0]


@pytest.mark.parametrize("id", REFUTED)
def test_every_refutation_opens_with_the_four_parts_and_the_row_of_the_ledger(id: str) -> None:
    chapters = re.split(r"^## (.*)$", page(id), flags=re.M)[1:9]
    assert tuple(chapters[::2]) == PARTS
    says, then, true = chapters[1], chapters[5], chapters[7]
    assert f"{id.partition('.')[0]}.md#symbols" in says
    assert "SCRIPT" in then and ROWS[id]["repaired_by"].partition(".")[2] in true
    first = next(witness(name) for name in FILES if name.partition("-")[0] == id)
    finding = next(iter(first.replay(claims.claim(id)).values()))
    assert row(finding) in then
    assert str(finding) in ROWS[id]["worst"].values()  # one refutation, one number
    assert first.note == first_witness(ROWS[id])


@pytest.mark.parametrize("id", sorted({*REFUTED} - {*LEADING}))
def test_every_reading_is_in_the_third_part(id: str) -> None:
    text = (DOCS / "refutations" / f"{id.replace('.', '/')}.md").read_text()
    then = page(id).partition("## Then\n")[2].partition("\nSCRIPT")[0].replace(r"\|", "|")
    names = [markdown(f"*{name}*") for name in ROWS[id]["readings"]]
    assert "## Take" in text or [name for name in names if name not in then] == []


@pytest.mark.parametrize(
    ("finding", "bars", "formula"),
    [
        (Finding(Fraction(3), Fraction(0)), [(0, 100), (0, 0)], r"3 \le 0"),
        (Finding(Fraction(1, 4), Fraction(1, 2), "at least"), [(0, 50), (0, 100)], r"\tfrac{1}{4} \ge \tfrac{1}{2}"),
        (Finding(Fraction(1), Fraction(-1)), [(50, 50), (0, 50)], r"1 \le -1"),
        (Finding(Fraction(10**20), Fraction(12345), "equal"), [(0, 100), (0, 0)], r"1 \cdot 10^{20} = 12{,}345"),
    ],
)
def test_a_row_is_drawn_to_scale(finding: Finding, bars: list[tuple[float, float]], formula: str) -> None:
    found = re.findall(r"margin-left: ([\d.]+)%; width: ([\d.]+)%", row(finding))
    assert [(round(float(left)), round(float(width))) for left, width in found] == bars
    assert tex(finding) == formula


@pytest.mark.parametrize("id", ["preemptive.lemma2", "jrp.theorem1", "placement.closed_interval5"])
def test_a_witness_is_drawn(id: str) -> None:
    drawn = scene(claims.find(id).witnesses()[0].case)
    assert drawn is not None and drawn[1].startswith(b"<?xml") and b"<svg" in drawn[1]


def test_a_case_of_numbers_only_has_no_picture() -> None:
    assert scene(claims.find("dmlrs.largest_utility13").witnesses()[0].case) is None
