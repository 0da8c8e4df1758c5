"""Runs: how a violation is told."""

from __future__ import annotations

from fractions import Fraction

import pytest

from schedproof.core.run import Violation


@pytest.mark.parametrize(
    ("by", "told"),
    [
        (Fraction(3), "room at item 1 by 3"),
        (Fraction(1, 3), "room at item 1 by 1/3"),
        (Fraction(10**20 + 1, 3 * 10**20), "room at item 1 by 0.333333"),  # a sentence bears no 41 characters
    ],
)
def test_a_violation_is_a_sentence_and_its_json_is_exact(by: Fraction, told: str) -> None:
    violation = Violation("room", "item 1", by)
    assert str(violation) == told
    assert Fraction(violation.to_json()["by"]) == by
