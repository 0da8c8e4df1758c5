from __future__ import annotations

from argparse import Namespace
from dataclasses import replace
from fractions import Fraction
from math import inf
from pathlib import Path

import pytest
from adversary_ratios import ANYWHERE, PROMISES, PROVED, TABLES, Line, claim_row, main, of_claims, row
from nearest import Nearest

import schedproof as sp
from schedproof.core.cards import registry
from schedproof.core.certificates.bound import Guarantee
from schedproof.core.claims import claims
from schedproof.core.claims.claim import Finding


def test_it_is_written_and_resumed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "ratios.md"
    words = [
        str(file),
        "--store",
        str(tmp_path / "s.sqlite"),
        *["--chains", "1", "--steps", "2", "--only", "dmlrs.fifo"],
    ]
    main(words)
    first = file.read_text()
    assert "| dmlrs.fifo | any | dmlrs.exact | infinite |" in first and capsys.readouterr().out
    assert all(f"## {table.title}" in first for table in TABLES)
    main(words)
    assert file.read_text() == first


def test_every_policy_except_the_slow_ones_is_included() -> None:
    families = ("preemptive", "dmlrs", "jrp", "placement")
    known = {id for id, e in registry.entries("policy").items() if id.partition(".")[0] in families and not e.offline}
    assert known - {line.policy for line in ANYWHERE} == {
        "preemptive.a_online_edge",
        "preemptive.easy",
        "preemptive.fifo",
        "preemptive.gang_online",
        "preemptive.sjf",
        "preemptive.srpt_floating",
        "placement.tapfinger",
    }
    for line in (*PROVED, *ANYWHERE):
        registry.find("policy", line.policy)


@pytest.mark.parametrize(("value", "share"), [(Fraction(1, 2), "2.0000 **exceeded**"), (Fraction(1), "1.0000")])
def test_values_above_a_proven_bound_are_highlighted(value: Fraction, share: str) -> None:
    day = sp.generate("preemptive", seed=2, jobs=1)
    found = sp.worst("srtf", "preemptive.minlp2", sp.Space(day, free=["jobs[0].arrival=0"]))
    judged = found.judged._replace(run=replace(found.run, guarantee=Guarantee(value, "theorem", {})), guaranteed=value)
    told = row(Line("preemptive.srtf", "preemptive.minlp2"), replace(found, judged=judged._replace(ratio=Fraction(1))))
    assert f"| theorem | at least {share} |" in told.replace(f"{float(value):.4f}, ", "")
    told = row(Line("preemptive.srtf", "preemptive.minlp2"), replace(found, judged=judged._replace(ratio=inf)))
    assert "| infinite **exceeded** |" in told


def test_only_claims_that_hold_give_guarantees() -> None:
    verdicts = claims.ledger_rows()
    assert {verdicts[id]["verdict"] for id in PROMISES} == {"holds"}
    rows = list(of_claims(Namespace(only=["placement.terminates"], cases=20, seed=0)))
    assert len(rows) == 1 and rows[0].startswith("| placement.terminates | ") and "| 1.0000 |" in rows[0]
    finding = Finding(Fraction(3), Fraction(2), where="a ratio")
    told = claim_row("jrp.theorem1", "printed", Nearest(Fraction(3, 2), finding, None, 7))
    assert told == "| jrp.theorem1 | printed | a ratio | 3/1 | 2/1 | 1.5000 **exceeded** | 7 |"
