from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from schedproof.core.data.options import (
    REQUIRED,
    Kind,
    Option,
    choice,
    either,
    file,
    increasing,
    number,
    parse_options,
    pick,
    text,
    whole,
)
from schedproof.core.errors import InputError, SchedproofError, UnknownName


@pytest.mark.parametrize(
    ("kind", "given", "value"),
    [
        (number(), "3/2", Fraction(3, 2)),
        (number(), 1.5, Fraction(3, 2)),
        (number(), Fraction(3, 2), Fraction(3, 2)),
        (number(), "1e-3", Fraction(1, 1000)),
        (number(below=1, or_equal=True), 1, Fraction(1)),
        (whole(), "3", 3),
        (whole(0), 0, 0),
        (choice("a", "b"), "b", "b"),
        (either(choice("exact"), whole()), "exact", "exact"),
        (either(choice("exact"), whole()), "7", 7),
        (increasing(), "500,3000", (500, 3000)),
        (increasing(), [1, 2], (1, 2)),
    ],
)
def test_texts_and_values_are_read_equally(kind: Kind, given: Any, value: Any) -> None:
    assert Option("o", kind, None, "").value(given) == value
    assert type(Option("o", kind, None, "").value(given)) is type(value)


@pytest.mark.parametrize(
    ("kind", "given", "expected"),
    [
        *(
            (number(), given, r"a number > 0, like 1\.5 or 3/2")
            for given in ("0", "-1", "x", "", "1/0", "nan", "inf", "1e400", "1" * 5000, 10**9, True)
        ),
        (number(below=1), 1, r"a number in \(0, 1\), like 0\.5 or 1/2"),
        *((whole(), given, "an integer >= 1") for given in ("0", "-2", "1.5", "x", "", "1" * 5000, str(10**9))),
        (increasing(), "3,2", "increasing integers >= 1, like 500,3000"),
        (either(choice("exact"), whole()), "near", "one of exact, or an integer >= 1"),
        (
            number(),
            f"1/{10**19}",
            r"a number > 0, like 1\.5 or 3/2, less than 1000000000 and a fraction with a denomin",
        ),
        (number(), "1e-9999999999", r"a number > 0, like 1\.5 or 3/2, of at most 60 digits"),
        (whole(most=20), 21, "an integer from 1 to 20, at most 20"),
        (increasing(), range(1, 10**9), "increasing integers >= 1, like 500,3000, at most 1000 numbers"),
        *((whole(), given, "an integer >= 1") for given in (object(), [1], None, 1j, b"1", float("nan"))),
        *((increasing(), given, "increasing integers") for given in (True, 1.5, None, ..., [None])),
        *((choice("a"), given, "one of a") for given in (None, ["a"], {})),
        (text("the name of a job"), 3, "the name of a job"),
        (file("a file"), float("nan"), "a file"),
        (file("a file"), "a\0b", "a file"),
    ],
)
def test_other_values_give_one_message(kind: Kind, given: Any, expected: str) -> None:
    with pytest.raises(InputError, match=rf"o=.*: expected {expected}") as caught:
        Option("o", kind, 1, "").value(given)
    assert "\n" not in str(caught.value)


def test_an_unknown_choice_lists_the_available_ones() -> None:
    with pytest.raises(InputError, match="order=up: expected one of static, random"):
        Option("order", choice("static", "random"), "static", "").value("up")
    with pytest.raises(UnknownName, match="unknown order 'up'; available: static"):
        pick("order", "up", {"static": 1})
    assert pick("order", "static", {"static": 1}) == 1


def test_none_is_accepted_only_for_a_default_of_none() -> None:
    assert Option("share", number(), None, "").value(None) is None
    with pytest.raises(InputError, match="speed=None"):
        Option("speed", number(), Fraction(1), "").value(None)


def test_unknown_and_missing_options_give_one_message() -> None:
    known = (Option("eps", number(), REQUIRED, ""), Option("rows", choice("a"), "a", ""))
    assert parse_options("toy.dual", known, {"eps": "1/2"}) == {"eps": Fraction(1, 2)}
    with pytest.raises(UnknownName, match=r"unknown option of toy\.dual 'epsilon'; available: eps, rows"):
        parse_options("toy.dual", known, {"epsilon": 1})
    with pytest.raises(SchedproofError, match=r"toy\.dual needs the option eps: a number > 0"):
        parse_options("toy.dual", known, {})


@pytest.mark.parametrize("kind", [number(), whole(), increasing(), choice("a"), text("a name"), file("a file")])
def test_an_integer_too_long_to_print_gives_one_message(kind: Kind) -> None:
    with pytest.raises(InputError, match=r"o=an integer of 16610 bits: expected"):
        Option("o", kind, 1, "").value(10**5000)
