"""What checkers share: rows that make no sense come alone, and of each rule no more than a reader wants to see."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from schedproof.core.checking import SHOWN, broken, violations
from schedproof.core.run import Violation


def none(schedule: Any, instance: Any) -> Iterator[Violation]:
    yield from ()


def each(schedule: Any, instance: Any) -> Iterator[Violation]:
    yield from (broken("small", f"item {n}", n) for n in schedule if n > instance)


def no_sense(schedule: Any, instance: Any) -> Iterator[Violation]:
    yield broken("an item", "item 0")


def test_every_rule_is_asked_and_told_so_often() -> None:
    assert violations([1, 5, 7], 4, none, (each, none, each)) == 2 * [
        Violation("small", "item 5", Fraction(5)),
        Violation("small", "item 7", Fraction(7)),
    ]
    assert len(violations(range(1000), 4, none, (each, each))) == 2 * SHOWN


def test_where_rows_make_no_sense_no_rule_is_asked() -> None:
    assert violations(None, None, no_sense, (each,)) == [Violation("an item", "item 0", Fraction(1))]
