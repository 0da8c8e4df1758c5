"""The judge: blocks, toy claims, the shipped ledger, searches."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import strategies as st

from schedproof.core.claim import Assumption, Case, Claim, Finding, Planted, Reading, Regime, Witness
from schedproof.core.errors import SchedproofError, UnknownName
from schedproof.proofs_checks import trials
from schedproof.proofs_checks.verify import judge, ledger_verdicts, results, verify


def bounded(case: Case) -> Finding:
    """n is at most 9."""
    return Finding(Fraction(case.data["n"]), Fraction(9))


def proved(case: Case) -> Finding:
    """n is at most 10.

    Proof
    -----
    The strategy of this test draws whole numbers between zero and ten, both ends included.
    """
    return Finding(Fraction(case.data["n"]), Fraction(10))


def wrongly_proved(case: Case) -> Finding:
    """n is at most 5.

    Proof
    -----
    This is a proof that somebody believed in, until a trial found a number above five.
    """
    return Finding(Fraction(case.data["n"]), Fraction(5))


def small(case: Case) -> bool:
    """n is at most 9 where it has one digit.

    Proof
    -----
    A number of one digit is at most nine, since nine is the largest of the ten digits.
    """
    return case.data["n"] < 10


NUMBERS = st.integers(0, 10).map(lambda n: Case(None, {"n": n}))
ANY = Regime("any", lambda case: True)
FALSE = Planted("at most 2", lambda case: Finding(Fraction(case.data["n"]), Fraction(2)))
TOY = Claim("toy.number", "nowhere", "n is small", (Reading("plain", "", proved),), (ANY,), NUMBERS, (FALSE,))


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setenv("SCHEDPROOF_PROFILE", "dev")


def test_a_proved_claim_holds():
    result = judge(TOY)
    assert (result.verdict, result.to_json()["evidence"]) == ("holds", "proof")
    assert result.tally.hits == {"any": result.tally.cases}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"regimes": (ANY, Regime("never", lambda case: False))}, "no case reached the regime 'never'"),
        ({"planted": (Planted("true", proved),)}, "the false variant 'true' was not rejected"),
        ({"planted": ()}, "no regime or no false variant is declared"),
        ({"readings": (Reading("plain", "", wrongly_proved),)}, "a case contradicts the proof of the reading 'plain'"),
    ],
)
def test_what_blocks_a_verdict(change, reason):
    result = judge(replace(TOY, **change))
    assert result.verdict == "undecided"
    assert reason in result.blocks


def test_a_claim_without_proof_is_undecided_or_refuted_by_its_trials():
    ten = Reading("ten", "", lambda case: proved(case))
    assert judge(replace(TOY, readings=(ten,))).verdict == "undecided"
    assert judge(replace(TOY, readings=(Reading("nine", "", bounded),))).verdict == "refuted"


def test_an_assumption_saves_a_claim_unless_a_case_under_it_violates():
    reading = (Reading("nine", "", bounded),)
    one_digit = Assumption("one digit", "n has one digit", small, small)
    result = judge(replace(TOY, readings=reading, assumption=one_digit))
    assert (result.verdict, result.to_json()["assumption"]) == ("holds_under", "n has one digit")
    loose = Assumption("anything", "n is a number", lambda case: True, small)
    result = judge(replace(TOY, readings=reading, assumption=loose))
    assert result.verdict == "undecided"
    assert any("under the assumption" in block for block in result.blocks)


def test_a_finite_domain_can_be_exhausted():
    every = lambda: (Case(None, {"n": n}) for n in range(11))  # noqa: E731
    whole = Reading("all", "", lambda case: proved(case), exhaustive=every)
    result = judge(replace(TOY, readings=(whole,)))
    assert (result.verdict, result.to_json()["evidence"]) == ("holds", "exhaustive")
    short = Reading("all", "", lambda case: wrongly_proved(case), exhaustive=every)
    assert judge(replace(TOY, readings=(short,), strategy=st.just(Case(None, {"n": 4})))).verdict == "refuted"


def test_an_undefined_statement_is_ill_posed():
    nothing = Reading("as printed", "", proved, missing="n")
    row = judge(replace(TOY, readings=(nothing,), regimes=(), planted=())).to_json()
    assert row["verdict"] == "undecided"  # nothing was tried at all
    both = replace(TOY, readings=(nothing,))
    assert "no case reached" in " ".join(judge(both).blocks)


def test_a_small_repair_softens_a_refutation():
    claim = replace(TOY, readings=(Reading("nine", "", bounded),))
    assert judge(claim, repair_holds=True).verdict == "refuted_as_printed"


def test_a_witness_that_does_not_replay_blocks(tmp_path: Path):
    claim = replace(TOY, readings=(Reading("nine", "", bounded),), witnesses=tmp_path)
    Witness.of("number", claim, "ten is too large", Case(None, {"n": 10})).store(tmp_path)
    assert judge(claim).verdict == "refuted"
    path = tmp_path / "number.json"
    path.write_text(path.read_text().replace('"10/1"', '"11/1"'))
    result = judge(claim)
    assert result.verdict == "undecided"
    assert "the witness 'number' gives" in result.blocks[0]


def test_a_different_ledger_is_told():
    assert not judge(TOY, expected="holds").differs
    assert not judge(TOY).differs
    assert judge(TOY, expected="refuted").differs


def test_the_same_seed_gives_the_same_rows():
    def rows(seed):
        return [{k: v for k, v in row.items() if k != "seconds"} for row in verify("preemptive.lemma4", seed=seed)]

    assert rows(3) == rows(3)
    assert rows(3)[0]["regimes"] != rows(4)[0]["regimes"]


def test_unknown_names_are_told():
    with pytest.raises(UnknownName):
        verify("preemptive.lemma99")
    with pytest.raises(SchedproofError, match="no claims"):
        verify(family="nobody")


def test_a_search_finds_the_smallest_case():
    claim = replace(
        TOY, readings=(Reading("nine", "", bounded),), strategy=st.integers(0, 999).map(lambda n: Case(None, {"n": n}))
    )
    heard: list[str] = []
    result = judge(claim, budget=0.5, progress=heard.append)
    assert result.found["nine"].data == {"n": 10}
    assert heard and heard[-1].startswith("toy.number [nine]")
    assert result.to_json()["found"]["nine"]["bytes"] == result.found["nine"].size


def test_a_search_ends_in_time_and_finds_nothing_where_nothing_is():
    assert trials.smallest(NUMBERS, lambda case: False, 0.2, 0, lambda message: None) is None


def test_an_interrupt_keeps_what_was_found():
    def stop(message: str) -> None:
        if "witness" in message:
            raise KeyboardInterrupt

    heard = []

    def progress(message: str) -> None:
        heard.append(message)
        stop(message)

    found = trials.smallest(NUMBERS, lambda case: case.data["n"] > 3, 5, 0, progress)
    assert found is not None and found.data["n"] > 3
    assert heard[-1].startswith("interrupted")


@pytest.mark.parametrize("family", ["preemptive", "dmlrs"])
def test_every_verdict_is_the_ledgers(family):
    found = results(family=family)
    assert {r.claim.id: r.verdict for r in found} == {
        id: verdict for id, verdict in ledger_verdicts().items() if id.startswith(f"{family}.")
    }
    assert not [r.claim.id for r in found if r.differs or r.blocks]
