"""The judge: what blocks a verdict, premises, repairs, searches."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

from schedproof.core.claims import cases
from schedproof.core.claims.claim import (
    Assumption,
    Claim,
    Domain,
    Exhaustive,
    FalseVariant,
    Finding,
    Open,
    Outside,
    Premise,
    Proof,
    Reading,
    Regime,
)
from schedproof.core.claims.witness import Witness
from schedproof.core.errors import UnknownName
from schedproof.proofs_checks import trials
from schedproof.proofs_checks.verify import judge, look_for_witnesses, verify
from tests.proofs_checks.toys import (
    ANY,
    BELIEVED,
    DOMAIN,
    NINE,
    NOWHERE,
    NUMBERS,
    ONE_DIGIT,
    PLAIN,
    TEN,
    TOY,
    Case,
    at_most_five,
    at_most_ten,
)

ROOT = Path(__file__).parents[2]


def small(case: Case) -> bool:
    """n has one digit."""
    return case.n < 10


EVEN, ONE = Premise("n is even", lambda case: case.n % 2 == 0), Premise("n is -1", lambda case: case.n == -1)


def ten_against(claim: Claim) -> list[Witness]:
    """The number 10 as a stored witness against a claim."""
    return [Witness.of("number", claim, "ten is too large", Case(10))]


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setenv("SCHEDPROOF_PROFILE", "dev")


def test_a_claim_with_its_own_paragraph_is_argued_by_its_author():
    result = judge(TOY)
    assert (result.verdict, result.to_json()["evidence"]) == ("argued", "argued by its author")
    assert result.tally.hits == {"any": result.tally.cases}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (
            {"domain": DOMAIN.but(regimes=(ANY, Regime("never", lambda case: False)))},
            "no trial reached the coverage case 'never'",
        ),
        ({"domain": DOMAIN.but(regimes=())}, "no coverage case or no false variant is declared"),
        ({"false_variants": (FalseVariant("true", at_most_ten),)}, "the false variant 'true' was not rejected"),
        ({"false_variants": ()}, "no coverage case or no false variant is declared"),
        (
            {"readings": (Reading("plain", "", at_most_five, BELIEVED),)},
            "a case contradicts the proof of the reading 'plain'",
        ),
        (
            {"readings": NINE},
            "a case contradicts the reading 'nine': store it as a witness, which `refute` writes, in "
            "witnesses/number.json beside the claim's file",
        ),
        (
            {"readings": (Reading("even", "", lambda case: Outside(EVEN)),)},
            "'n is even' is a premise neither of the statement nor of the reading 'even'",
        ),
        (
            {"readings": (Reading("even", "", lambda case: Outside(EVEN), where=(EVEN,)),)},
            "the check excludes a case that satisfies the premise: n is even",
        ),
        (
            {"readings": (PLAIN, Reading("one", "", at_most_ten, where=(ONE,)))},
            "no numbers were compared in the reading 'one'",
        ),
    ],
)
def test_reasons_that_block_a_verdict(change, reason):
    result = judge(replace(TOY, **change))
    assert result.verdict == "undecided"
    assert reason in result.blocks


def test_a_claim_without_proof_is_undecided():
    result = judge(replace(TOY, readings=(Reading("ten", "", at_most_ten),)))
    assert (result.verdict, result.blocks, result.evidence) == ("undecided", (), "trials")


def test_a_refutation_needs_a_stored_witness():
    claim = replace(TOY, readings=NINE)
    assert judge(claim).verdict == "undecided"
    result = judge(claim, ten_against(claim))
    assert (result.verdict, result.evidence) == ("refuted", "exact certificate")


def test_a_text_without_review_is_no_proof():
    # n^2 + n + 41 is prime below 40, and so says the docstring; neither makes the statement hold for all n.
    def prime(case: Case) -> Finding:
        """n^2 + n + 41 is prime for all n.

        Proof
        -----
        The reader will have no difficulty in supplying the details, which are routine and left to the reader.
        """
        number = case.n**2 + case.n + 41
        return Finding(Fraction(sum(number % k == 0 for k in range(2, number))), Fraction(0))

    below = Domain(Case, st.builds(Case, st.integers(0, 39)), (ANY,))
    claim = Claim("toy.prime", NOWHERE, "n^2 + n + 41 is prime", below, readings=[Reading("all n", "", prime)])
    claim.false_variant("even")(lambda case: Finding(Fraction((case.n**2 + case.n + 41) % 2), Fraction(0)))
    assert judge(claim).verdict == "undecided"
    with pytest.raises(ValueError, match="at least one objection"):
        Proof("The reader will have no difficulty in supplying the details, which are routine.")
    argued = replace(claim, readings=(Reading("all n", "", prime, BELIEVED),))
    assert judge(argued).evidence == "argued by its author"
    assert judge(argued, stored=[Case(40)]).verdict == "undecided"  # 41^2: a case against it stops it


def test_verdicts_do_not_need_docstrings():
    code = """
import sys
from schedproof.proofs_checks.verify import judge
from tests.proofs_checks.toys import TOY
sys.exit(0 if judge(TOY).verdict == "argued" and judge.__doc__ is None else 1)
"""
    assert subprocess.run([sys.executable, "-OO", "-c", code], cwd=ROOT, check=False).returncode == 0


def test_a_case_that_misses_a_premise_is_passed_over():
    odd = Finding(Fraction(1), Fraction(0))
    check = Reading("plain", "", lambda case: odd if case.n % 2 else at_most_ten(case), TEN)
    assert judge(replace(TOY, readings=(check,))).verdict == "undecided"
    for claim in (
        replace(TOY, readings=(check,), domain=DOMAIN.but(premises=(EVEN,))),
        replace(TOY, readings=(replace(check, where=(EVEN,)),)),
    ):
        result = judge(claim)
        assert result.verdict == "argued" and result.tally.passed_over.keys() == {"not n is even"}
        assert judge(claim, stored=[Case(n) for n in range(1, 99, 2)]).tally.cases == result.tally.cases
    witness = Witness("number", TOY.id, "three is odd", Case(3), {"plain": (Fraction(1), Fraction(0))})
    assert "gives Outside" in judge(claim, [witness]).blocks[0]


def test_a_case_at_a_limit_counts_against_a_claim():
    open_above = Reading(
        "plain", "", lambda case: at_most_ten(case) if case.n < 5 else Open("too large", case.n, 5), TEN
    )
    result = judge(replace(TOY, readings=(open_above,)))
    assert result.to_json()["passed_over"] == {"too large": result.tally.passed_over["too large"]}
    assert (result.verdict, result.outcomes[0].state) == ("undecided", "open")
    with pytest.raises(ValueError, match="expected reached >= limit, got 4 < 5"):
        Open("too large", 4, 5)


def test_stored_cases_cover_regimes_that_a_seed_may_miss():
    nine = Regime[Case]("nine", lambda case: case.n == 9)
    rare = replace(TOY, domain=DOMAIN.but(strategy=st.just(Case(1)), regimes=(nine,)))
    assert judge(rare).verdict == "undecided"
    assert judge(rare, stored=[Case(9)]).verdict == "argued"


def test_an_assumption_saves_a_claim_unless_a_case_under_it_violates():
    one_digit = Assumption("one digit", "n has one digit", small, ONE_DIGIT)
    claim = replace(TOY, readings=NINE, assumption=one_digit)
    result = judge(claim, ten_against(claim))
    assert (result.verdict, result.to_json()["assumption"]) == ("argued_under", "n has one digit")
    loose = replace(claim, assumption=Assumption("anything", "n is a number", lambda case: True, ONE_DIGIT))
    result = judge(loose, ten_against(loose))
    assert result.verdict == "undecided"
    assert any("under the assumption" in block for block in result.blocks)


def up_to(number: int) -> list[Case]:
    return [Case(n) for n in range(number + 1)]


def test_a_finite_domain_can_be_exhausted():
    whole = Exhaustive("the numbers to 10", 11, lambda: up_to(10))
    result = judge(replace(TOY, readings=(Reading("all", "", at_most_ten, exhaustive=whole),)))
    assert (result.verdict, result.to_json()["evidence"]) == ("holds", "exhaustive")
    fours = DOMAIN.but(strategy=st.just(Case(4)))
    result = judge(replace(TOY, readings=(Reading("all", "", at_most_five, exhaustive=whole),), domain=fours))
    assert result.verdict == "undecided" and "store it as a witness" in result.blocks[-1]


@pytest.mark.parametrize(
    ("size", "found"),
    [(11, []), (11, up_to(9)), (11, [Case(1)] * 11), (1, up_to(0)), (0, [])],
    ids=["none", "too few", "one case many times", "a domain of one case", "an empty domain"],
)
def test_an_incomplete_domain_is_not_exhausted(size: int, found: list[Case]):
    whole = Exhaustive("the numbers to 10", size, lambda: found)
    result = judge(replace(TOY, readings=(Reading("all", "", at_most_ten, exhaustive=whole),)))
    assert result.verdict == "undecided" and f"expected {size}, as declared" in result.blocks[0]


def test_an_undefined_statement_is_ill_posed_with_the_missing_definition():
    nothing = Reading("as printed", "", missing="n")
    result = judge(Claim("toy.nothing", NOWHERE, "It is much better.", readings=[nothing]))
    assert (result.verdict, result.evidence, result.blocks) == ("ill_posed", "none", ())
    assert judge(replace(TOY, readings=(nothing, *TOY.readings))).verdict == "ill_posed"  # and not what the other is


def test_a_small_repair_softens_a_refutation():
    claim = replace(TOY, readings=NINE)
    assert judge(claim, ten_against(claim), repair_holds=True).verdict == "refuted_as_printed"


def test_a_witness_that_does_not_replay_blocks(tmp_path: Path):
    claim = replace(TOY, readings=NINE)
    path = Witness.of("number", claim, "ten is too large", Case(10)).store(tmp_path)
    assert judge(claim, Witness.load_all(claim, tmp_path)).verdict == "refuted"
    path.write_text(path.read_text().replace('"10/1"', '"11/1"'))
    result = judge(claim, Witness.load_all(claim, tmp_path))
    assert result.verdict == "undecided"
    assert "the witness 'number' gives" in result.blocks[0]


def test_a_different_ledger_is_reported():
    assert not judge(TOY, expected="argued").differs
    assert not judge(TOY).differs
    assert judge(TOY, expected="refuted").differs


def test_the_same_seed_gives_the_same_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(trials.SIZES, "dev", 10)

    def rows(seed: int) -> list[dict[str, Any]]:
        return [replace(result, seconds=0).to_json() for result in verify("preemptive.lemma4", seed=seed)]

    assert rows(3) == rows(3)
    assert rows(3)[0]["regimes"] != rows(4)[0]["regimes"]


def test_unknown_names_are_reported():
    with pytest.raises(UnknownName):
        verify("preemptive.lemma99")
    with pytest.raises(UnknownName, match="unknown family 'nobody'"):
        verify(family="nobody")


def test_a_search_finds_the_smallest_case():
    claim = replace(TOY, readings=NINE, domain=DOMAIN.but(strategy=st.builds(Case, st.integers(0, 999))))
    heard: list[str] = []
    result = look_for_witnesses(judge(claim), 0.5, progress=lambda message, done=None: heard.append(message))
    assert result.found["nine"] == Case(10)
    assert heard and heard[-1].startswith("toy.number [nine]")
    assert result.to_json()["found"]["nine"]["bytes"] == cases.size(Case(10))


def test_a_search_ends_in_time_and_finds_no_false_counterexample():
    assert trials.smallest(NUMBERS, lambda case: False, 0.2, 0, lambda message: None) is None


def test_the_current_folder_stays_unchanged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = [sys.executable, "-m", "schedproof", "verify", "jrp.normal_limit"]
    path = os.pathsep.join(str(Path(entry or ".").resolve()) for entry in sys.path)
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, env=os.environ | {"PYTHONPATH": path})
    assert [*tmp_path.iterdir()] == []


def test_the_lines_show_the_tightest_or_the_worst_trial():
    (kept,) = (line for line in judge(TOY).lines() if " trial: " in line)
    assert re.fullmatch(r"  plain: argued; tightest trial: \d+ <= 10 \(satisfied\)", kept)
    (broken,) = (line for line in judge(replace(TOY, readings=NINE)).lines() if " trial: " in line)
    assert re.fullmatch(r"  nine: open; worst trial: \d+ <= 9 \(violated\)", broken)
