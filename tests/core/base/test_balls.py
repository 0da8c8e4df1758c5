from __future__ import annotations

from fractions import Fraction
from math import isqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedproof.core.base.balls import enclose, in_balls


@given(st.fractions(0, 10**18), st.integers(1, 200))
def test_a_root_is_between_its_bounds(value: Fraction, bits: int) -> None:
    low, high = enclose(lambda ball: ball(value).sqrt(), bits)
    assert low**2 <= value <= high**2 and high - low <= Fraction(2, 1 << bits)
    assert low.denominator <= 1 << bits and abs(low - Fraction(isqrt(int(value * 4**bits)), 1 << bits)) <= high - low


def test_numbers_that_nearly_cancel_get_the_precision_they_need() -> None:
    near = 1 + Fraction(1, 10**90)
    low, high = enclose(lambda ball: (ball(near).log() - ball(Fraction(1)).log()) * ball(Fraction(10**90)), 60)
    assert low <= 1 <= high + Fraction(1, 1 << 59)


def test_the_global_precision_is_unchanged() -> None:
    from flint import ctx

    before = ctx.prec
    with pytest.raises(ZeroDivisionError):
        in_balls(lambda ball: 1 / 0, 300)
    assert ctx.prec == before


def test_a_nonfinite_number_is_reported() -> None:
    with pytest.raises(ArithmeticError, match="expected a finite number"):
        enclose(lambda ball: ball(Fraction(0)).log(), 20)
