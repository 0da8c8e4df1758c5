from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import recall

import schedproof as sp
from schedproof.adversary import refute as module
from schedproof.adversary.doubt import REFUTED, Doubt, Moves, doubt, pieces
from schedproof.core.claims import claims
from schedproof.core.claims.claim import Claim, Finding
from schedproof.core.claims.witness import Witness
from schedproof.core.data.store import Store
from schedproof.core.errors import InputError, SchedproofError, UnknownName
from tests.command_line import Cli
from tests.command_line import told as json_told


@pytest.fixture
def blind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claims.Filed, "cases", lambda self: pytest.fail("a stored case was read"))
    monkeypatch.setattr(Witness, "load", lambda *_: pytest.fail("a stored witness was read"))


@pytest.mark.usefixtures("blind")
@pytest.mark.parametrize(
    ("name", "way"),
    [("preemptive.lemma1", "presets"), ("preemptive.lemma1", "domain"), ("jrp.split_equivalent", "domain")],
)
def test_a_false_claim_has_a_small_counterexample(name: str, way: str) -> None:
    found = sp.refute(name, by=[way])
    assert found.way == way and not found.unfinished and 0 < found.looked_at[way] <= 2000
    assert found.witness is not None and doubt(claims.claim(name), found.case) >= REFUTED
    assert found.witness.expected.keys() <= {reading.name for reading in claims.claim(name).readings}
    assert found.size is not None and found.size <= found.first_size
    if way == "presets":
        assert len(found.case.instance.jobs) <= 2
    again = sp.refute(name, by=[way])
    assert (again.written, again.looked_at) == (found.written, found.looked_at)


@pytest.mark.usefixtures("blind")
def test_a_true_claim_is_not_refuted() -> None:
    for name in ("preemptive.lemma1_repaired", "dmlrs.largest_utility13_repaired"):
        found = sp.refute(name, cases=120)
        assert found.case is None and found.witness is None and sum(found.looked_at.values()) <= 120
        assert "no case among" in found.sentence and "no proof" in found.sentence
        with pytest.raises(InputError, match="nothing to write"):
            found.write("w.json")


def test_an_attack_that_compares_nothing_is_not_done() -> None:
    claim = claims.claim("preemptive.lemma1_repaired")
    crashing = replace(claim, readings=(replace(claim.readings[0], check=lambda case: 1 // 0),))
    found = sp.refute(crashing, cases=30, by=["domain"])
    assert found.compared == 0 < sum(found.looked_at.values()) == sum(found.unjudged.values())
    assert f"undecided, no case of {sum(found.looked_at.values())} was compared" in found.sentence
    assert "contradicts it" not in found.sentence and found.to_json()["compared"] == 0


def test_one_reading_can_be_attacked() -> None:
    claim = claims.claim("preemptive.lemma1")
    found = sp.refute(claim.id, reading="as printed")
    assert found.witness is not None and [*found.witness.expected] == ["as printed"]
    assert sp.refute(claim.id, reading="whole slots", cases=60).witness is None
    with pytest.raises(UnknownName, match="as printed"):
        sp.refute(claim.id, reading="as prinned")


def test_moves_start_small_and_use_numbers_of_the_domain() -> None:
    claim = claims.claim("preemptive.theorem3_lp")
    parts = [*pieces(Doubt(claim), ["presets"], "tiny", 600, 0, lambda: None)]
    chains = [part for part in parts if isinstance(part, Moves)]
    assert sum(chain.steps for chain in chains) == 600 and len(chains) == len(parts)
    assert all(dict(chain.objective.rest)["speed"] > 1 for chain in chains)
    largest = [max(len(start["jobs"]) for start in chain.space.starts) for chain in chains]
    assert largest[0] == 1 < largest[1] < max(largest) and 1 in largest[2:]


def test_wrong_names_give_a_message() -> None:
    with pytest.raises(UnknownName, match="domain"):
        sp.refute("preemptive.lemma1", by=["domian"])
    with pytest.raises(InputError, match="no cases from presets: expected one of domain"):
        sp.refute("jrp.split_equivalent", by=["presets"])
    with pytest.raises(UnknownName, match="tiny"):
        sp.refute("preemptive.lemma1", by=["presets"], preset="tinny")
    with pytest.raises(InputError, match="cases=0"):
        sp.refute("preemptive.lemma1", cases=0)
    unclear = next(id for id, row in claims.ledger_rows().items() if row["verdict"] == "ill_posed")
    with pytest.raises(InputError, match="cannot be evaluated"):
        sp.refute(unclear)


def test_a_refutation_of_a_held_claim_is_reported_against_its_proof() -> None:
    claim = claims.claim("preemptive.lemma1")
    proved = next(reading.proof for reading in claim.readings if reading.proof)
    mine = replace(claim, readings=[replace(one, proof=proved) for one in claim.readings])
    assert sp.refute(mine).against_proofs == ["as printed"]
    assert any("contradicts the proof of the reading as printed" in line for line in sp.refute(mine).lines())


def stopping(work: Callable[..., Any], after: int, error: type[BaseException]) -> Callable[..., Any]:
    left = [after]

    def works(*given: Any, **more: Any) -> Any:
        left[0] -= 1
        if not left[0]:
            raise error
        return work(*given, **more)

    return works


def test_it_resumes_after_a_kill(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words: dict[str, Any] = {"by": ["presets"], "seed": 1, "store": tmp_path / "attacks.sqlite"}
    whole = sp.refute("preemptive.lemma1", by=["presets"], seed=1)
    monkeypatch.setattr(module, "AT_ONCE", 0.0)
    for calls in (3, sum(whole.looked_at.values()) // 2):
        with monkeypatch.context() as patched:
            patched.setattr(Doubt, "judge", stopping(Doubt.judge, calls, MemoryError))
            with pytest.raises(MemoryError):
                sp.refute("preemptive.lemma1", **words)
    with Store(module.ATTACKS, words["store"]) as kept:
        before = len(kept.rows)
    found = sp.refute("preemptive.lemma1", **words)
    assert before > 2 and (found.written, found.looked_at) == (whole.written, whole.looked_at)
    with pytest.raises(InputError, match="of the catalogue"):
        sp.refute(replace(claims.claim("preemptive.lemma1"), statement="mine"), **words)


def test_a_reached_time_limit_is_reported() -> None:
    found = sp.refute("preemptive.lemma1_repaired", time_limit=0)
    assert found.unfinished and found.witness is None and "ended early" in found.sentence


def test_the_command_writes_a_witness_that_verify_judges(cli: Cli, tmp_path: Path) -> None:
    file, ledger = tmp_path / "w.json", claims.ledger("preemptive")["preemptive.lemma1"]["verdict"]
    found = json_told(cli("refute", "preemptive.lemma1", "--out", file, "--json"))
    assert found["contradicted"] and found["against_proofs"] == []
    claim = claims.claim("preemptive.lemma1")
    witness = Witness.load(file, claim)
    assert witness.replay(claim).keys() == found["witness"]["violates"].keys()
    row = json_told(cli("verify", "--witness", file, "--json"))["claims"][0]
    assert row["id"] == claim.id and row["verdict"] == ledger and {"w", row["witness"]} <= row["witnesses"].keys()
    file.write_text(file.read_text().replace(f'"{Fraction(witness.expected["as printed"][0])}/1"', '"77/1"', 1))
    code, out, _ = cli("verify", claim.id, "--witness", file)
    assert code == 1 and "the witness 'w' gives" in out and "differs from the ledger" in out
    assert (
        "w.json: expected a witness of a judged claim, found a witness of preemptive.lemma1"
        in cli("verify", "preemptive.lemma2", "--witness", file)[2]
    )


def test_the_command_reports_an_unsuccessful_search(cli: Cli, tmp_path: Path) -> None:
    words = ["refute", "preemptive.lemma1_repaired", "--cases", 60, "--out", tmp_path / "w.json"]
    code, out, _ = cli(*words)
    assert (
        code == 3 and "no case among 57 compared contradicts it (50 drawn" in out and not (tmp_path / "w.json").exists()
    )
    assert json_told(cli(*words, "--json"), 3)["witness"] is None


def told(claim: Claim[object], measured: int, claimed: int) -> Fraction:
    reading = replace(claim.readings[0], check=lambda case: Finding(Fraction(measured), Fraction(claimed)))
    return doubt(replace(claim, readings=(reading,)), claims.find(claim.id).cases()[0])


def test_nearer_to_a_contradiction_is_a_larger_number() -> None:
    claim = claims.claim("preemptive.lemma1")
    assert (
        told(claim, 1, 9)
        < told(claim, 8, 9)
        < told(claim, 9, 9)
        == 0
        < REFUTED
        < told(claim, 10, 9)
        < told(claim, 99, 9)
    )
    broken = replace(claim.readings[0], check=lambda case: 1 / 0)  # type: ignore[arg-type,return-value]
    with pytest.raises(SchedproofError, match="division"):
        doubt(replace(claim, readings=(broken,)), claims.find("preemptive.lemma1").cases()[0])


def test_the_page_names_failures_and_continues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ids = [word for id in ("jrp.split_equivalent", "dmlrs.largest_utility13") for word in ("--claim", id)]
    words = [str(tmp_path / "recall.md"), "--store", str(tmp_path / "recall.sqlite"), "--seconds", "60", *ids]
    recall.main(words)
    first = (tmp_path / "recall.md").read_text()
    monkeypatch.setattr(recall, "refute", lambda *_, **__: pytest.fail("attacked again"))
    recall.main(words)
    assert (tmp_path / "recall.md").read_text() == first
    assert "by either way: 2 of 2 (100%)" in first and "missed: none" in first
    missed = {"claim": "jrp.split_equivalent", "way": "domain", "refuted": False, "seconds": 1, "looked_at": 9}
    told = recall.page([missed | {"stored": 7, "spoken": True}, missed | {"claim": "a.b", "spoken": False}], 1, 0)
    assert "0 of 1; missed: jrp.split_equivalent" in told and "no draw of the preset is a case of a.b" in told


def test_every_refuted_claim_is_attacked() -> None:
    assert {"preemptive.theorem3_minlp", "jrp.prune_safe"} <= set(recall.refuted()) and len(recall.refuted()) > 100
