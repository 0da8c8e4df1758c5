from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import schedproof as sp
from schedproof.core.claims import claims
from schedproof.core.errors import InputError, SchedproofError
from schedproof.proofs_checks.errata import errata

MINE = '''
from dataclasses import dataclass
from hypothesis import strategies as st
from schedproof.core.claims.claim import Claim, Domain, Finding
from schedproof.core.cards.family import Family
from schedproof.core.cards.sources import Paper

NOTES = Paper("Me 2026", ("M. E.",), "Notes", "unpublished", 2026)

@dataclass(frozen=True)
class Number:
    x: int

NUMBERS = Domain.of(Number, st.builds(Number, st.integers(0, 9)), {"x > 1": lambda case: case.x > 1})
LARGER = Claim("placement.larger", NOTES.at("page 1"), "x^2 >= x + 1 for every x.", NUMBERS)
EVEN = Claim("placement.even", NOTES.at("page 2"), "x^2 + x >= 0.", NUMBERS)

@LARGER.reading("as printed", "For whole x.")
def larger(case):
    return Finding(case.x**2, case.x + 1, "at least")

@LARGER.false_variant("smaller")
@EVEN.false_variant("smaller")
def smaller(case):
    return Finding(case.x**2, 3, "at most")

@EVEN.reading("as printed", "For whole x.", """Both are at least 0.
- *And for x = 0?* Then both are 0.""")
def even(case):
    return Finding(case.x**2 + case.x, 0, "at least")

FAMILY = Family("placement", claims=("my_notes",))
'''
WITNESS = {"claim": "placement.larger", "note": "1 < 2.", "violates": {}, "data": {"x": 1}}


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    file = tmp_path / "my_notes.py"
    file.write_text(MINE)
    (tmp_path / "witnesses").mkdir()
    numbers = {"as printed": {"measured": "1", "claimed": "2"}}
    (tmp_path / "witnesses" / "larger.json").write_text(json.dumps(WITNESS | {"violates": numbers}))
    return file


def run(notes: Path, *words: object) -> tuple[int, str]:
    command = [sys.executable, "-m", "schedproof", "--plugin", str(notes), *map(str, words)]
    ended = subprocess.run(command, capture_output=True, text=True, cwd=notes.parent)
    return ended.returncode, ended.stdout + ended.stderr


@pytest.mark.parametrize("name", ["ledger.json", "elsewhere.json"])
def test_claims_and_errata_print_what_verify_stored(notes: Path, name: str) -> None:
    where = [] if name == "ledger.json" else ["--store", name]
    code, said = run(notes, "verify", "placement.larger", "--store", name)
    assert code == 0 and "refuted" in said
    first = (notes.parent / name).read_bytes()
    code, said = run(notes, "claims", "--family", "placement", "--verdict", "refuted", *where)
    assert code == 0 and "placement.larger" in said and "placement.even" not in said
    code, said = run(notes, "errata", "--paper", "placement", "--out", "errata.html", *where)
    assert code == 0
    page = (notes.parent / "errata.html").read_text()
    assert "placement.larger" in page and "1 &lt; 2." in page and "Statements that are false" in page
    assert run(notes, "verify", "placement.even", "--store", name)[0] == 0
    rows = {row["id"]: row for row in json.loads((notes.parent / name).read_text())["claims"]}
    assert {id: row["verdict"] for id, row in rows.items()} == {
        "placement.larger": "refuted",
        "placement.even": "argued",
    }
    assert rows["placement.larger"] == json.loads(first)["claims"][0] and "seconds" not in rows["placement.even"]


def test_a_stored_ledger_is_the_same_for_the_same_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCHEDPROOF_PROFILE", "dev")
    for name in ("one.json", "two.json"):
        sp.verify("preemptive.lemma5", store=tmp_path / name)
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "two.json").read_bytes()
    stored = claims.ledger("preemptive", tmp_path / "one.json")["preemptive.lemma5"]
    assert stored["verdict"] == claims.ledger("preemptive")["preemptive.lemma5"]["verdict"]


@pytest.mark.parametrize("text", ['{"a":' * 100_000, "\0" * 10, '{"claims": "'])
def test_an_impossible_ledger_file_gives_one_message(text: str, tmp_path: Path) -> None:
    (tmp_path / "notes.json").write_text(text)
    with pytest.raises(InputError, match=r"notes.json: (cannot be read|expected a JSON object)"):
        claims.ledger("preemptive", tmp_path / "notes.json")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"id": ["a"]}, "Expected `str`, got `array`"),
        ({"verdict": "proven"}, "Invalid enum value 'proven'"),
        ({"readings": {"as printed": {"state": "holds"}}}, "missing required field `evidence`"),
        ({"readings": {}}, "the readings of preemptive.lemma1 have changed since the ledger was written"),
    ],
)
def test_a_row_that_does_not_match_its_claim_gives_one_message(
    change: dict[str, Any], told: str, tmp_path: Path
) -> None:
    row = claims.ledger("preemptive")["preemptive.lemma1"]
    (tmp_path / "notes.json").write_text(json.dumps({"claims": [row | change]}))
    with pytest.raises(SchedproofError, match=re.escape(told)):
        list(errata("preemptive", ledger=tmp_path / "notes.json"))


def test_a_file_that_is_no_ledger_is_not_written_over(tmp_path: Path) -> None:
    file = tmp_path / "notes.json"
    for text in ('{"rows": []}', '{"claims": 3}', '{"claims": [{}]}'):
        file.write_text(text)
        with pytest.raises(
            InputError, match=r"notes.json: expected a ledger written by `schedproof verify --store FILE`"
        ):
            sp.verify("preemptive.lemma5", store=file)
        assert file.read_text() == text
