from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from math import floor, inf
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedproof.core.base import numbers
from schedproof.core.base.numbers import as_fraction, rounded


@pytest.mark.parametrize(
    ("number", "value"),
    [
        (Decimal("0.1"), Fraction(1, 10)),
        (Decimal("1e-18"), Fraction(1, 10**18)),
        (Decimal("-2.50"), Fraction(-5, 2)),
        (Decimal("1E18"), Fraction(10**18)),
        (7, Fraction(7)),
        (Decimal("0." + "1" * 100), Fraction(int("1" * 100), 10**100)),
        (Fraction(1, 3), Fraction(1, 3)),
        (Decimal("0"), Fraction(0)),
        (Decimal("0e-999999"), Fraction(0)),
        (Decimal("-0.0"), Fraction(0)),
        (0.26, Fraction(13, 50)),  # as json.load returns it
        (1e-7, Fraction(1, 10**7)),
    ],
)
def test_a_number_is_the_rational_of_its_text(number: Any, value: Fraction) -> None:
    assert numbers.exact(number) == value


@pytest.mark.parametrize(
    ("number", "sentence"),
    [
        (float("nan"), "expected a finite number"),
        (float("inf"), "expected a finite number"),
        (Decimal("NaN"), "expected a finite number"),
        (Decimal("-Infinity"), "expected a finite number"),
        (Decimal("1e999999999"), "magnitude between 1e-18 and 1e18"),
        (Decimal("1e-999999999"), "magnitude between 1e-18 and 1e18"),
        (Decimal("1.000000000000000001e18"), "magnitude between 1e-18 and 1e18"),
        (Decimal("9.9e-19"), "magnitude between 1e-18 and 1e18"),
        (Decimal("0." + "1" * 101), "at most 100 digits"),
        (10**18 + 1, "magnitude between 1e-18 and 1e18"),
        (10**4000, "magnitude between 1e-18 and 1e18"),
        (True, "got a boolean"),
        ("1", "got a string"),
        (None, "got null"),
        ([1], "got an array"),
        ({}, "got an object"),
    ],
)
def test_numbers_of_excessive_size_are_rejected(number: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        numbers.exact(number)


@given(st.fractions())
def test_text_round_trip(value: Fraction) -> None:
    assert numbers.from_text(numbers.as_text(value)) == value


@given(st.fractions())
def test_ceil_is_the_least_integer_not_below(value: Fraction) -> None:
    top = numbers.ceil(value)
    assert isinstance(top, int) and top - 1 < value <= top


def test_common_denominators() -> None:
    assert numbers.common_denominator([Fraction(1, 6), Fraction(3, 4), Fraction(2)]) == 12
    assert numbers.common_denominator([]) == 1


@given(st.lists(st.floats(-1e5, 1e5), max_size=5), st.integers(0, 40))
def test_dyadic_rounds_down_to_whole_units(values: list[float], bits: int) -> None:
    units = numbers.dyadic(np.array(values), bits)
    assert units.dtype == np.int64
    assert units.tolist() == [floor(Fraction(v) * 2**bits) for v in values]


def test_dyadic_rejects_numbers_beyond_62_bits() -> None:
    assert numbers.dyadic(np.array([2.0**21]), 40).tolist() == [2**61]
    for value in (2.0**22, -(2.0**23), np.inf, np.nan):
        with pytest.raises(OverflowError, match="too large for 40 fractional bits"):
            numbers.dyadic(np.array([value]), 40)


@pytest.mark.parametrize(
    ("value", "word"),
    [(None, "null"), (True, "a boolean"), (1, "a number"), ("", "a string"), ({}, "an object"), ([], "an array")],
)
def test_json_names_of_kinds(value: Any, word: str) -> None:
    assert numbers.kind_of(value) == word


@given(st.integers(1, 10**100 - 1), st.integers(-18, 0))
def test_a_decimal_of_a_hundred_digits_round_trips(digits: int, magnitude: int) -> None:
    number = Decimal(digits).scaleb(magnitude - len(str(digits)))
    if abs(number) >= Decimal("1e-18"):
        value = numbers.exact(number)
        assert numbers.exact(numbers.as_decimal(value)) == value


def test_numbers_beyond_all_doubles_are_infinite() -> None:
    assert [numbers.as_float(sign * Fraction(10**400, 3)) for sign in (1, -1)] == [float("inf"), -float("inf")]
    assert numbers.as_float(Fraction(1, 3)) == 1 / 3


@pytest.mark.parametrize(
    ("value", "digits", "down", "up"),
    [
        (Fraction(107011, 100000), 3, "1.07", "1.08"),
        (Fraction(7, 3), 6, "2.33333", "2.33334"),
        (Fraction(3), 6, "3", "3"),
        (Fraction(-1, 3), 2, "-0.34", "-0.33"),
        (1.1, 2, "1.1", "1.1"),
        (inf, 3, "inf", "inf"),
    ],
)
def test_digits_are_rounded_to_the_side_that_is_asked_for(value: Fraction, digits: int, down: str, up: str) -> None:
    assert (rounded(value, digits, up=False), rounded(value, digits, up=True)) == (down, up)


@pytest.mark.parametrize("number", [np.int64(2**61), np.uint64(2**61), Fraction(np.int64(2**61)), 2**61, 2.0**61])
def test_a_fraction_of_numpys_integers_does_not_overflow(number: Any) -> None:
    value = as_fraction(number)
    assert 8 * value == 2**64 and type(value.numerator) is type(value.denominator) is int


def test_a_fraction_of_no_finite_number_is_refused() -> None:
    for wrong, error in (("x", ValueError), (np.nan, ValueError), (np.inf, OverflowError), (None, TypeError)):
        with pytest.raises(error):
            as_fraction(wrong)
