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


def test_the_page_is_up_to_date(tmp_path: Path):
    main(str(tmp_path))
    assert (DOCS / "ledger.md").read_text() == (tmp_path / "ledger.md").read_text()


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
