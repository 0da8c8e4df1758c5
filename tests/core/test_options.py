"""Option values: words in, exact numbers out, one sentence when they are not numbers."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from schedproof.core.errors import InputError
from schedproof.core.options import positive, seconds, whole


@pytest.mark.parametrize(
    ("text", "value"), [("3/2", Fraction(3, 2)), ("1.5", Fraction(3, 2)), (2, 2), ("1e-3", Fraction(1, 1000))]
)
def test_positive_is_exact(text: Any, value: Fraction) -> None:
    assert positive("speed", text) == value


@pytest.mark.parametrize("text", ["0", "-1", "x", "", "1/0", "nan", "inf", "1e400", "1" * 5000, 10**9])
def test_positive_refuses_the_rest(text: Any) -> None:
    with pytest.raises(InputError, match=r"speed=.*: expected a number > 0, like 1\.5 or 3/2"):
        positive("speed", text)


@pytest.mark.parametrize(("text", "value"), [("3", 3), (1, 1)])
def test_whole_numbers(text: Any, value: int) -> None:
    assert whole("steps", text) == value


@pytest.mark.parametrize("text", ["0", "-2", "1.5", "x", "", "1" * 5000, str(10**9)])
def test_whole_refuses_the_rest(text: Any) -> None:
    with pytest.raises(InputError, match=r"steps=.*: expected a whole number >= 1"):
        whole("steps", text)


@pytest.mark.parametrize(("text", "value"), [(None, None), ("1.5", 1.5), (0, 0.0)])
def test_seconds(text: Any, value: float | None) -> None:
    assert seconds("time_limit", text) == value


@pytest.mark.parametrize("text", ["-1", "soon", "nan", "inf", "1e10"])
def test_seconds_refuses_the_rest(text: Any) -> None:
    with pytest.raises(InputError, match=r"time_limit=.*: expected seconds >= 0"):
        seconds("time_limit", text)
