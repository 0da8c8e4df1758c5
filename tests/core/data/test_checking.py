from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from schedproof.core.data.checking import SHOWN, Violation, violation, violations


def none(schedule: Any, instance: Any) -> Iterator[Violation]:
    yield from ()


def each(schedule: Any, instance: Any) -> Iterator[Violation]:
    yield from (violation("small", f"item {n}", n) for n in schedule if n > instance)


def no_sense(schedule: Any, instance: Any) -> Iterator[Violation]:
    yield violation("an item", "item 0")


def test_every_rule_is_checked_with_a_limited_number_of_messages() -> None:
    assert violations([1, 5, 7], 4, none, (each, none, each)) == 2 * [
        Violation("small", "item 5", Fraction(5)),
        Violation("small", "item 7", Fraction(7)),
    ]
    assert len(violations(range(1000), 4, none, (each, each))) == 2 * SHOWN


def test_malformed_rows_stop_the_check_of_rules() -> None:
    assert violations(None, None, no_sense, (each,)) == [Violation("an item", "item 0", Fraction(1))]


@pytest.mark.parametrize(
    ("by", "told"),
    [
        (Fraction(3), "room at item 1 by 3"),
        (Fraction(1, 3), "room at item 1 by 1/3"),
        (Fraction(10**20 + 1, 3 * 10**20), "room at item 1 by 0.333333"),  # a sentence bears no 41 characters
    ],
)
def test_a_violation_gives_a_message_and_its_json_is_exact(by: Fraction, told: str) -> None:
    violation = Violation("room", "item 1", by)
    assert str(violation) == told
    assert Fraction(violation.to_json()["by"]) == by


def test_a_number_beyond_all_doubles_is_shown() -> None:
    assert str(violation("small", "item 5", Fraction(10**400))) == "small at item 5 by inf"
    assert str(violation("small", "item 5", Fraction(-(10**400), 3))) == "small at item 5 by -inf"


def test_a_number_with_more_digits_than_python_prints_is_shown() -> None:
    row = violation("small", "item 5", Fraction(1, 3**10_000) + 1)
    assert str(row) == "small at item 5 by 1" and row.to_json()["by"] == "1"
    assert violation("small", "item 5", Fraction(1, 3**1000)).to_json()["by"] == f"1/{3**1000}"


def test_amounts_of_numpy_do_not_overflow() -> None:
    assert violation("small", "item 0", np.int64(2**61)).by * 8 == 2**64
