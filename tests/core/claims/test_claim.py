from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import strategies as st
from schedproof_toy.claims.half import HALF, _packed

from schedproof.core.cards.sources import Paper
from schedproof.core.claims import cases
from schedproof.core.claims.answer import SOMETHING, with_settings
from schedproof.core.claims.cases import AboveOne, Amount, Inside, PositiveAmount, Share
from schedproof.core.claims.claim import (
    Claim,
    Domain,
    FalseVariant,
    Finding,
    Open,
    Outside,
    Premise,
    Proof,
    Reading,
    Regime,
    violates,
    worst,
)
from schedproof.core.claims.witness import Witness
from schedproof.core.data.reading import Count
from schedproof.core.errors import InputError, ProgramError


@dataclass(frozen=True)
class Case:
    """A number, and a value of every type that a case may have."""

    number: int
    eps: Fraction = Fraction(1, 3)
    beta: tuple[tuple[Fraction, ...], ...] = ()
    kind: str | None = None
    lambda_: Fraction | None = None


def at_most_five(case: Case) -> Finding:
    """The number is at most five."""
    return Finding(Fraction(case.number), Fraction(5))


def proved(case: Case) -> Finding:
    """Squares are nonnegative."""
    return Finding(Fraction(case.number) ** 2, Fraction(0), "at least")


SIGNS = """
A product of two numbers of equal sign is nonnegative.
- *And zero?* Zero times
zero is zero.
"""
SMALL = Premise("the number is small", lambda case: case.number < 5)
PAPER = Paper("Small 1900", ("A. Small",), "On Small Numbers", "Journal", 1900)
DOMAIN = Domain(Case, st.builds(Case, st.integers(0, 9)), (Regime("large", lambda case: case.number > 5),))
CLAIM = Claim(
    "toy.small",
    PAPER.at("Lemma 1"),
    "The number is at most five.",
    DOMAIN,
    readings=(Reading("plain", "as it stands", at_most_five),),
    false_variants=(FalseVariant("negative", lambda case: Finding(Fraction(case.number), Fraction(-1))),),
)


@pytest.mark.parametrize(
    ("direction", "measured", "excess"),
    [("at most", 7, 2), ("at most", 4, -1), ("at least", 4, 1), ("at least", 6, -1), ("equal", 4, 1), ("equal", 5, 0)],
)
def test_a_finding_is_violated_if_it_misses_its_direction(direction, measured, excess):
    finding = Finding(Fraction(measured), Fraction(5), direction)
    assert finding.excess == excess
    assert finding.violated == (excess > 0)


def test_a_finding_has_no_doubles():
    with pytest.raises(ProgramError, match=r"the float 0\.5"):
        Finding(Fraction(1), 0.5)


def test_findings_of_numpys_integers_do_not_overflow():
    assert Finding(np.int64(2**62), np.int64(-(2**62))).excess == 2**63


def test_worst_is_the_largest_excess_or_the_reason_for_no_comparison():
    low, high, not_small = Finding(Fraction(6), Fraction(5)), Finding(Fraction(9), Fraction(5)), Outside(SMALL)
    assert worst([low, not_small, high]) is high
    assert worst([not_small, Open("later", 2, 1)]) is not_small
    assert worst([]) == Outside(SOMETHING)


def test_only_a_finding_violates():
    assert violates(at_most_five, Case(6)) and not violates(at_most_five, Case(5))
    assert not violates(lambda case: Outside(SMALL), Case(6)) and not violates(lambda case: Open("why", 2, 1), Case(6))


def test_a_proof_needs_a_reviewed_text():
    proof = Proof(SIGNS)
    assert proof.text == "A product of two numbers of equal sign is nonnegative."
    assert proof.answers == {"And zero?": "Zero times zero is zero."}
    for text in (
        "Clear.",
        "",
        "Coq: jrp.v line19. Objects: n. So.",
        "- *Why?* So.",
        "Clear.\n- *Why?*",
        "Clear.\n- *Why?* So.\n- *Really?*",
    ):
        with pytest.raises(ValueError, match="at least one objection"):
            Proof(text)


def test_a_case_round_trips_exactly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    case = Case(7, Fraction(2, 7), ((Fraction(2), Fraction(0)), ()), "pool", Fraction(1, 2))
    Witness.of("small-one", CLAIM, "too large", case).store(tmp_path)
    monkeypatch.chdir(tmp_path)
    back = Witness.load(Path("small-one.json"), CLAIM)
    assert back.case == case
    assert back.expected == {"plain": (Fraction(7), Fraction(5))}
    assert back.replay(CLAIM)["plain"].violated


def test_omitted_fields_of_a_case_have_defaults_and_keys_follow_the_paper():
    assert cases.to_json(Case(7)) == {"data": {"number": 7, "eps": "1/3", "beta": []}}
    assert cases.from_json({"data": {"number": 7, "lambda": "1/2"}}, Case) == Case(7, lambda_=Fraction(1, 2))
    with pytest.raises(InputError, match="a Case lacks its field number"):
        cases.from_json({"data": {}}, Case)


def test_a_case_with_an_instance_holds_the_instance_file(tmp_path: Path):
    case = _packed([(2, 1), (9, 9)])
    back = Witness.load(Witness.of("half", HALF, "", case).store(tmp_path), HALF)
    assert back.case.instance.sha256 == case.instance.sha256
    assert cases.size(case) == len(cases.text(cases.to_json(case)))


def test_stored_witnesses_are_found_by_name(tmp_path: Path):
    for name in ("small", "small-two", "smaller", "other"):
        Witness.of(name, CLAIM, "", Case(8)).store(tmp_path)
    assert [w.name for w in Witness.load_all(CLAIM, tmp_path)] == ["small", "small-two"]


@pytest.mark.parametrize(
    ("number", "expected"),
    [(7, {"plain": (8, 5)}), (7, {"plain": (7, 6)}), (4, {"plain": (4, 5)}), (7, {"fancy": (7, 5)})],
    ids=["wrong measured", "wrong claimed", "not violated", "no such reading"],
)
def test_a_wrong_witness_does_not_replay(number, expected):
    numbers = {k: (Fraction(a), Fraction(b)) for k, (a, b) in expected.items()}
    with pytest.raises(ValueError, match=r"toy\.small"):
        Witness("w", "toy.small", "", Case(number), numbers).replay(CLAIM)


@pytest.mark.parametrize("text", ['{"claim": "toy.small"}', '{"claim": 1, "note": "", "violates": {"plain": 3}}'])
def test_a_malformed_witness_file_names_itself(tmp_path: Path, text: str):
    path = tmp_path / "small.json"
    path.write_text(text)
    with pytest.raises(InputError, match=r"small\.json: expected a witness"):
        Witness.load(path, CLAIM)


def test_an_unknown_reading_is_an_error_and_a_claim_knows_its_page():
    with pytest.raises(ValueError, match="unknown reading 'other'"):
        CLAIM.read_as("other")
    assert CLAIM.family == "toy"
    assert CLAIM.page == "docs/refutations/toy/small.md"
    assert not CLAIM.repaired_by and CLAIM.repaired is None


def test_a_repaired_version_inherits_unstated_fields():
    claim = replace(CLAIM)
    repair = claim.repair("Squares are nonnegative.")
    repair.reading("better", "")(proved)
    repaired = claim.repaired
    assert repaired is repair and repaired.repairs is claim and CLAIM.repaired is None
    assert (repaired.id, [row.name for row in repaired.readings]) == ("toy.small_repaired", ["better"])
    assert repaired.domain is CLAIM.domain and repaired.false_variants == CLAIM.false_variants
    assert str(repaired.source) == "Small 1900, Lemma 1, repaired" and claim.repaired_by == repaired.id


def test_an_empty_repair_is_the_claim_under_its_assumption():
    claim = replace(CLAIM)
    claim.assume("small", "the number is at most five", SIGNS)(lambda case: case.number <= 5)
    claim.repair()
    repaired = claim.repaired
    assert repaired is not None
    assert repaired.statement == "If the number is at most five: The number is at most five."
    plain = repaired.read_as("plain")
    answer = repaired.ask(plain, Case(6))
    assert isinstance(answer, Outside) and answer.premise.sentence == "the number is at most five"
    assert repaired.ask(plain, Case(5)) == at_most_five(Case(5)) and plain.proof == Proof(SIGNS)


def test_readings_and_false_variants_are_in_file_order():
    claim = Claim("toy.order", PAPER.at("Lemma 2"), "n is small.", DOMAIN)
    repair = claim.repair("n is a number.")

    @claim.reading("first", "")
    @claim.reading("second", "", SIGNS, most=7, also=repair)
    @claim.false_variant("one", most=1)
    @claim.false_variant("two", most=2)
    def small(case: Case, most: int = 5) -> Finding:
        return Finding(Fraction(case.number), Fraction(most))

    claim.open_reading("none", "", "what n is")

    @claim.reading("third", "")
    def other(case: Case) -> Finding:
        return small(case)

    assert [row.name for row in claim.readings] == ["first", "second", "none", "third"]
    assert [row.name for row in claim.false_variants] == ["one", "two"]
    assert [(row.name, row.proof) for row in repair.readings] == [("second", Proof(SIGNS))]
    assert [row.check(Case(6)).claimed for row in (*claim.readings[:2], *claim.false_variants)] == [5, 7, 1, 2]


def test_judging_a_claim_without_a_reading_is_rejected():
    with pytest.raises(InputError, match=r"toy\.empty has no reading"):
        Claim("toy.empty", PAPER.at("Lemma 3"), "n is small.", DOMAIN).require_reading()


def test_a_check_with_settings_has_no_proof():
    def check(case: Case, most: int = 5) -> Finding:
        return Finding(Fraction(case.number), Fraction(most))

    assert with_settings(check, most=7)(Case(6)).claimed == 7
    assert Reading("seven", "", with_settings(check, most=7)).proof is None


def test_a_case_that_violates_a_premise_names_the_premise(tmp_path: Path):
    claim = replace(CLAIM, domain=DOMAIN.but(premises=(SMALL,)))
    file = Witness.of("small", CLAIM, "too large", Case(7)).store(tmp_path)
    with pytest.raises(InputError, match=r"small\.json: .* violated premise: the number is small"):
        Witness.load(file, claim)
    assert claim.answers(Case(7)) == [Outside(SMALL)] and claim.answers(Case(4)) == [at_most_five(Case(4))]
    assert not claim.rejects(CLAIM.false_variants[0], Case(7)) and claim.rejects(CLAIM.false_variants[0], Case(4))


def test_a_reading_may_have_its_own_premises(tmp_path: Path):
    where = replace(CLAIM, readings=[replace(CLAIM.readings[0], name="where small", where=(SMALL,)), *CLAIM.readings])
    where.require(Case(7), ["plain"])
    with pytest.raises(InputError, match="violated premise: the number is small"):
        where.require(Case(7), ["where small"])
    assert where.answers(Case(7)) == [Outside(SMALL), at_most_five(Case(7))]


@dataclass(frozen=True)
class Ranged:
    """Numbers with every kind of range, also nested."""

    count: Count = 0
    size: PositiveAmount = Fraction(1)
    speed: AboveOne | None = None
    shares: tuple[tuple[Share, ...], ...] = ()
    pairs: tuple[tuple[int, Amount], ...] = ()
    named: Mapping[str, Inside] | None = None
    parts: tuple[Case, ...] = ()


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"count": -1}, r"count = -1: expected a number >= 0"),
        ({"size": "0/1"}, r"size = 0: expected a number > 0"),
        ({"speed": "1/1"}, r"speed = 1: expected a number > 1"),
        ({"shares": [["1/2", "3/2"]]}, r"shares\[0\]\[1\] = 3/2: expected a number <= 1"),
        ({"pairs": [[-1, "1/2"], [0, "-1/2"]]}, r"pairs\[1\]\[1\] = -1/2: expected a number >= 0"),
        ({"named": {"delta": "1/1"}}, r"named.delta = 1: expected a number < 1"),
        ({"speed": "two"}, r"expected a Ranged"),
        ({"shares": [1]}, r"expected a Ranged"),
        ({"sizes": 1}, r"expected a Ranged: 'a Ranged has no field sizes'"),
    ],
)
def test_a_case_outside_the_ranges_of_its_type_is_refused(data: dict[str, object], sentence: str):
    with pytest.raises(InputError, match=sentence):
        cases.from_json({"data": data}, Ranged)


def test_a_case_within_the_ranges_of_its_type_is_read():
    half = Fraction(1, 2)
    case = Ranged(3, half, Fraction(2), ((half, Fraction(1)), ()), ((-1, half),), {"delta": half}, (Case(1),))
    assert cases.from_json(cases.to_json(case), Ranged) == case
    with pytest.raises(InputError, match="expected a Ranged, found"):
        cases.require(Case(1), Ranged)
