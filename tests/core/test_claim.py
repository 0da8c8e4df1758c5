"""Findings, witnesses and their files."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from schedproof.proofs_checks.preemptive.builders import build_instance, edge, job

from schedproof.core.claim import Case, Claim, Finding, Planted, Reading, Witness, has_proof, worst
from schedproof.core.errors import InputError


def at_most_five(case: Case) -> Finding:
    """The number is at most five."""
    return Finding(Fraction(case.data["number"]), Fraction(5))


def proved(case: Case) -> Finding:
    """Squares are nonnegative.

    Proof
    -----
    A product of two numbers of equal sign is nonnegative, and zero times zero is zero.
    """
    return Finding(Fraction(case.data["number"]) ** 2, Fraction(0), "at least")


def headline_only(case: Case) -> None:
    """Nothing.

    Proof
    -----
    Clear.
    """


CLAIM = Claim("toy.small", "nowhere", "small", (Reading("plain", "as it stands", at_most_five),), (), None, ())


@pytest.mark.parametrize(
    ("direction", "measured", "excess"),
    [("at most", 7, 2), ("at most", 4, -1), ("at least", 4, 1), ("at least", 6, -1), ("equal", 4, 1), ("equal", 5, 0)],
)
def test_a_finding_is_violated_when_it_misses_its_direction(direction, measured, excess):
    finding = Finding(Fraction(measured), Fraction(5), direction)
    assert finding.excess == excess
    assert finding.violated == (excess > 0)


def test_worst_is_the_largest_excess_and_none_of_none():
    low, high = Finding(Fraction(6), Fraction(5)), Finding(Fraction(9), Fraction(5))
    assert worst([low, high]) is high
    assert worst([]) is None


def test_a_proof_is_a_section_with_words_in_it():
    assert has_proof(proved)
    assert not has_proof(at_most_five)
    assert not has_proof(headline_only)
    assert not has_proof(None)


def test_a_case_survives_its_file_exactly(tmp_path: Path):
    instance = build_instance([edge("e0")], [job("j", Fraction(3, 2), {"e0": 1})], 9)
    data = {"number": 7, "eps": Fraction(1, 3), "beta": [[Fraction(2), 0]], "kind": "pool"}
    path = Witness.of("small-one", CLAIM, "too large", Case(instance, data)).store(tmp_path)
    back = Witness.load(path)
    assert back.case.data == data
    assert back.case.instance.sha256 == instance.sha256
    assert back.expected == {"plain": (Fraction(7), Fraction(5))}
    assert back.replay(CLAIM)["plain"].violated


def test_stored_witnesses_are_found_by_name(tmp_path: Path):
    claim = replace(CLAIM, witnesses=tmp_path)
    for name in ("small", "small-two", "smaller", "other"):
        Witness.of(name, claim, "", Case(None, {"number": 8})).store(tmp_path)
    assert [w.name for w in claim.stored()] == ["small", "small-two"]


@pytest.mark.parametrize(
    ("number", "expected"),
    [(7, {"plain": (8, 5)}), (7, {"plain": (7, 6)}), (4, {"plain": (4, 5)}), (7, {"fancy": (7, 5)})],
    ids=["wrong measured", "wrong claimed", "not violated", "no such reading"],
)
def test_a_wrong_witness_does_not_replay(number, expected):
    numbers = {k: (Fraction(a), Fraction(b)) for k, (a, b) in expected.items()}
    with pytest.raises(ValueError, match=r"toy\.small"):
        Witness("w", "toy.small", "", Case(None, {"number": number}), numbers).replay(CLAIM)


@pytest.mark.parametrize("text", ['{"claim": "toy.small"}', '{"claim": 1, "note": "", "violates": {"plain": 3}}'])
def test_a_malformed_witness_file_names_itself(tmp_path: Path, text: str):
    path = tmp_path / "small.json"
    path.write_text(text)
    with pytest.raises(InputError, match=r"small\.json: expected a witness"):
        Witness.load(path)


def test_an_unknown_reading_is_an_error_and_a_claim_knows_its_page():
    with pytest.raises(ValueError, match="no reading 'other'"):
        CLAIM.reading("other")
    assert CLAIM.family == "toy"
    assert CLAIM.page == "docs/refutations/toy/small.md"
    assert Planted("p", at_most_five).check(Case(None, {"number": 6})).violated
