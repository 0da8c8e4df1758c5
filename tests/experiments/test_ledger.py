"""docs/ledger.md is what the ledger file says, and the file is what verify says."""

from __future__ import annotations

import json
from pathlib import Path

from schedproof.experiments.ledger import markdown, refuted, store, write_ledger
from schedproof.proofs_checks.verify import LEDGER, results

PAGE = Path(__file__).parents[2] / "docs" / "ledger.md"


def test_the_page_is_up_to_date(tmp_path: Path):
    write_ledger(tmp_path / "ledger.md")
    assert PAGE.read_text() == (tmp_path / "ledger.md").read_text()


def test_every_claim_has_a_line_and_a_refutation_has_a_link():
    ledger = json.loads(LEDGER.read_text())
    text = markdown(ledger)
    for row in ledger["claims"]:
        assert f"## {row['id']}\n" in text
        assert (f"(refutations/{row['id'].replace('.', '/')}.md)" in text) == refuted(row)


def test_a_stored_ledger_is_the_same_for_the_same_run(tmp_path: Path, monkeypatch):
    monkeypatch.setenv("SCHEDPROOF_PROFILE", "dev")
    for name in ("one.json", "two.json"):
        store(results("preemptive.lemma5"), "dev", tmp_path / name)
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "two.json").read_bytes()
    assert "seconds" not in (tmp_path / "one.json").read_text()
