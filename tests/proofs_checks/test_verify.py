"""The judge: blocks, toy claims, the shipped ledgers, searches."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import strategies as st

from schedproof.core import cases, claims
from schedproof.core.claim import Assumption, Claim, Domain, FalseVariant, Finding, Reading, Regime, Witness
from schedproof.core.errors import UnknownName
from schedproof.core.sources import Paper
from schedproof.proofs_checks import trials
from schedproof.proofs_checks.verify import judge, verify
from tests.support import FAMILIES


@dataclass(frozen=True)
class Case:
    """A number."""

    n: int


def bounded(case: Case) -> Finding:
    """n is at most 9."""
    return Finding(Fraction(case.n), Fraction(9))


def proved(case: Case) -> Finding:
    """n is at most 10.

    Proof
    -----
    The strategy of this test draws whole numbers between zero and ten, both ends included.
    """
    return Finding(Fraction(case.n), Fraction(10))


def wrongly_proved(case: Case) -> Finding:
    """n is at most 5.

    Proof
    -----
    This is a proof that somebody believed in, until a trial found a number above five.
    """
    return Finding(Fraction(case.n), Fraction(5))


def small(case: Case) -> bool:
    """n is at most 9 where it has one digit.

    Proof
    -----
    A number of one digit is at most nine, since nine is the largest of the ten digits.
    """
    return case.n < 10


NUMBERS = st.builds(Case, st.integers(0, 10))
ANY = Regime("any", lambda case: True)
NEVER = Regime("never", lambda case: False)
FALSE = FalseVariant("at most 2", lambda case: Finding(Fraction(case.n), Fraction(2)))
DOMAIN = Domain(Case, NUMBERS, (ANY,))
NOWHERE = Paper("Nobody 1900", ("A. Nobody",), "On Numbers", "Journal", 1900).at("page 1")
TOY = Claim("toy.number", NOWHERE, "n is small", (Reading("plain", "", proved),), DOMAIN, (FALSE,))


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
        (
            {"domain": DOMAIN.but(regimes=(ANY, Regime("never", lambda case: False)))},
            "no case reached the regime 'never'",
        ),
        ({"domain": DOMAIN.but(regimes=())}, "no regime or no false variant is declared"),
        ({"false_variants": (FalseVariant("true", proved),)}, "the false variant 'true' was not rejected"),
        ({"false_variants": ()}, "no regime or no false variant is declared"),
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
    every = lambda: (Case(n) for n in range(11))  # noqa: E731
    whole = Reading("all", "", lambda case: proved(case), exhaustive=every)
    result = judge(replace(TOY, readings=(whole,)))
    assert (result.verdict, result.to_json()["evidence"]) == ("holds", "exhaustive")
    short = Reading("all", "", lambda case: wrongly_proved(case), exhaustive=every)
    assert judge(replace(TOY, readings=(short,), domain=DOMAIN.but(strategy=st.just(Case(4))))).verdict == "refuted"


def test_an_undefined_statement_is_ill_posed_and_one_of_several_readings_is_not_enough():
    nothing = Reading("as printed", "", proved, missing="n")
    assert judge(replace(TOY, readings=(nothing,))).verdict == "ill_posed"
    assert judge(replace(TOY, readings=(nothing, *TOY.readings))).verdict == "undecided"


def test_a_small_repair_softens_a_refutation():
    claim = replace(TOY, readings=(Reading("nine", "", bounded),))
    assert judge(claim, repair_holds=True).verdict == "refuted_as_printed"


def test_a_witness_that_does_not_replay_blocks(tmp_path: Path):
    claim = replace(TOY, readings=(Reading("nine", "", bounded),))
    path = Witness.of("number", claim, "ten is too large", Case(10)).store(tmp_path)
    assert judge(claim, claim.stored(tmp_path)).verdict == "refuted"
    path.write_text(path.read_text().replace('"10/1"', '"11/1"'))
    result = judge(claim, claim.stored(tmp_path))
    assert result.verdict == "undecided"
    assert "the witness 'number' gives" in result.blocks[0]


def test_a_different_ledger_is_told():
    assert not judge(TOY, expected="holds").differs
    assert not judge(TOY).differs
    assert judge(TOY, expected="refuted").differs


def test_the_same_seed_gives_the_same_rows():
    def rows(seed):
        return [replace(result, seconds=0).to_json() for result in verify("preemptive.lemma4", seed=seed)]

    assert rows(3) == rows(3)
    assert rows(3)[0]["regimes"] != rows(4)[0]["regimes"]


def test_unknown_names_are_told():
    with pytest.raises(UnknownName):
        verify("preemptive.lemma99")
    with pytest.raises(UnknownName, match="there is no family 'nobody'"):
        verify(family="nobody")


def test_a_search_finds_the_smallest_case():
    claim = replace(
        TOY, readings=(Reading("nine", "", bounded),), domain=DOMAIN.but(strategy=st.builds(Case, st.integers(0, 999)))
    )
    heard: list[str] = []
    result = judge(claim, budget=0.5, progress=lambda message, done=None: heard.append(message))
    assert result.found["nine"] == Case(10)
    assert heard and heard[-1].startswith("toy.number [nine]")
    assert result.to_json()["found"]["nine"]["bytes"] == cases.size(Case(10))


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

    found = trials.smallest(NUMBERS, lambda case: case.n > 3, 5, 0, progress)
    assert found is not None and found.n > 3
    assert heard[-1].startswith("interrupted")


@pytest.mark.parametrize("family", FAMILIES)
def test_every_verdict_is_the_ledgers(family):
    results = verify(family=family)
    assert {result.claim.id: result.verdict for result in results} == {
        id: row["verdict"] for id, row in claims.ledger(family).items()
    }
    assert not [result.claim.id for result in results if result.differs or result.blocks]


def test_a_family_without_a_ledger_is_judged_all_the_same(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(claims, "ledger", lambda family: {})
    results = {result.claim.id: (result.verdict, result.expected) for result in verify(family="toy")}
    assert results == {"toy.half": ("refuted_as_printed", None), "toy.half_repaired": ("holds", None)}
