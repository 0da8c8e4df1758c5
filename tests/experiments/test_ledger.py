from __future__ import annotations

import re
from pathlib import Path

import pytest

from schedproof.core.claims import claims
from schedproof.experiments.ledger import LEADING, account, front_page, is_refuted, main
from tests.support import FAMILIES

DOCS = Path(__file__).parents[2] / "docs"
PARTS = ["## The paper says", "## Take", "## Then", "## True instead"]
FRONT_PAGE = front_page()


def test_the_command_writes_the_front_page(tmp_path: Path):
    (tmp_path / "refutations").mkdir()
    main([str(tmp_path)])
    assert (tmp_path / "refutations" / "README.md").read_text() == FRONT_PAGE


def test_the_front_page_leads_with_eight_and_lists_every_refutation_by_severity():
    head, *parts = re.split(r"^## (False theorems|False proof steps|Slips)$", FRONT_PAGE, flags=re.MULTILINE)
    assert head.count("\n### ") == 8 and parts[::2] == ["False theorems", "False proof steps", "Slips"]
    for title, table in zip(parts[::2], parts[1::2], strict=True):
        severity = title.lower().removesuffix("s")
        listed = set(re.findall(r"^\| \[(\S+)\]", table, re.MULTILINE))
        rows = [row for family in FAMILIES for row in claims.ledger(family).values() if is_refuted(row)]
        assert listed == {row["id"] for row in rows if row["severity"] == severity}
        assert listed


def test_every_page_states_its_severity_and_its_script():
    for page in DOCS.glob("refutations/*/*.md"):
        row = claims.ledger(page.parent.name)[f"{page.parent.name}.{page.stem}"]
        kind = f"A {row['severity']}; {row['evidence']}" if is_refuted(row) else claims.in_words(row["verdict"])
        second = " ".join(page.read_text().split("\n\n")[1].split())
        assert second[1:].lower().startswith(kind.lower()), page
        assert f"[script]({page.stem}.py)" in second, page


@pytest.mark.parametrize("family", FAMILIES)
def test_a_claims_page_has_links_verdict_readings_and_proofs(family: str):
    for id, row in claims.ledger(family).items():
        filed = claims.find(id)
        text = "\n".join(account(row, filed))
        (link,) = re.findall(r"\]\(\.\./(\S+)\)", text)
        path, _, line = link.partition("#L")
        assert DOCS.parent / path == filed.file
        assert not line or filed.file.read_text().splitlines()[int(line) - 1].startswith("def ")
        assert f"- verdict: **{claims.in_words(row['verdict'])}**" in text
        entries = r"- (verdict|assumption|reading|witness|nearest|blocked|\d+ cases|\*)"
        assert all(re.match(entries, line) for line in text.splitlines() if re.match(r"([-+=>]|\d+\.) ", line)), id
        assert all(f"- reading *{reading.name}* (" in text for reading in filed.claim.readings)
        assert text.count("Proof (prose).") >= (row["evidence"] == "prose proof")
        assert not row["repaired_by"] or f"(claims/{row['repaired_by'].replace('.', '/')}.md)" in text


@pytest.mark.parametrize("id", LEADING)
def test_the_leading_refutations_have_a_witness_and_a_true_version(id: str) -> None:
    text = (DOCS / "refutations" / f"{id.replace('.', '/')}.md").read_text()
    assert re.findall(r"^## .*", text, re.M)[:4] == PARTS
    says, then, true = (text.partition(part)[2].partition("\n## ")[0] for part in (PARTS[0], PARTS[2], PARTS[3]))
    assert f"../../{id.partition('.')[0]}.md#symbols" in says
    assert "$$" in then
    assert claims.find(id).claim.repaired_by.partition(".")[2] in true
