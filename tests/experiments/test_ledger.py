"""docs/ledger.md is what the ledgers say, and they are what verify says."""

from __future__ import annotations

import json
import re
from pathlib import Path

from schedproof.core import claims
from schedproof.experiments.ledger import main, refuted, store
from schedproof.proofs_checks.verify import verify
from tests.support import FAMILIES

DOCS = Path(__file__).parents[2] / "docs"
FRONT_PAGE = (DOCS / "refutations" / "README.md").read_text()


def test_the_pages_are_up_to_date(tmp_path: Path):
    (tmp_path / "refutations").mkdir()
    main([str(tmp_path)])
    for page in ("ledger.md", "refutations/README.md"):
        assert (DOCS / page).read_text() == (tmp_path / page).read_text()


def test_the_front_page_leads_with_eight_and_lists_every_refutation_by_severity():
    head, *parts = re.split(r"^# (False theorems|False proof steps|Slips)$", FRONT_PAGE, flags=re.MULTILINE)
    assert head.count("\n## ") == 8 and parts[::2] == ["False theorems", "False proof steps", "Slips"]
    for title, table in zip(parts[::2], parts[1::2], strict=True):
        severity = title.lower().removesuffix("s")
        listed = set(re.findall(r"^\| \[(\S+)\]", table, re.MULTILINE))
        rows = [row for family in FAMILIES for row in claims.ledger(family).values() if refuted(row)]
        assert listed == {row["id"] for row in rows if row["severity"] == severity}
        assert listed


def test_every_page_says_its_severity_and_names_its_script():
    for page in DOCS.glob("refutations/*/*.md"):
        row = claims.ledger(page.parent.name)[f"{page.parent.name}.{page.stem}"]
        kind = f"A {row['severity']}; exact certificate" if refuted(row) else f"{row['verdict']}; {row['evidence']}"
        second = page.read_text().splitlines()[2]
        assert second.startswith(f"*{kind}") and f"refutations/{page.parent.name}/{page.stem}.py`" in second, page


def test_every_claim_has_a_section_with_a_link_to_its_lines_and_a_refutation_to_its_page():
    text = (DOCS / "ledger.md").read_text()
    for family in FAMILIES:
        for id, row in claims.ledger(family).items():
            assert f"## {id}\n" in text
            assert (f"(refutations/{id.replace('.', '/')}.md)" in text) == refuted(row)
    links = re.findall(r"\]\(\.\./(\S+?)(?:#L(\d+))?\)", text)
    assert len(links) == sum(len(claims.ledger(family)) for family in FAMILIES)
    for path, line in links:
        lines = (DOCS.parent / path).read_text().splitlines()
        assert not line or lines[int(line) - 1].startswith("def ")


def test_a_stored_ledger_is_the_same_for_the_same_run(tmp_path: Path, monkeypatch):
    monkeypatch.setenv("SCHEDPROOF_PROFILE", "dev")
    for name in ("one.json", "two.json"):
        store(verify("preemptive.lemma5"), "dev", tmp_path / name)
    first, second = ((tmp_path / name).read_bytes() for name in ("one.json", "two.json"))
    assert first == second and "seconds" not in json.loads(first)["claims"][0]
