"""Exact numbers: every JSON number is the rational that its decimal says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from decimal import Context, Decimal
from fractions import Fraction
from functools import lru_cache
from math import inf, isqrt, lcm, nextafter, sqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

LARGEST = 10**18  # magnitude; the smallest is its inverse
DIGITS = 100
_WRITTEN = re.compile(r"-?[0-9]{1,4000}(/[0-9]{1,4000})?")
EXACTLY = ContextVar("EXACTLY", default=False)  # whether models are built with rationals
KEPT = 1 << 14  # numbers of a file that come again and again
EXACT = Context(prec=1000)  # holds every power of ten that a number of so many digits needs


def scalar(value: Fraction) -> Fraction | float:
    """A number of a model: the nearest double, which any solver and any file takes, or within `exactly` itself."""
    return value if EXACTLY.get() else float(value)


@contextmanager
def exactly() -> Iterator[None]:
    """What is built in here has rationals in place of doubles."""
    token = EXACTLY.set(True)
    try:
        yield
    finally:
        EXACTLY.reset(token)


def root(square: Fraction | float) -> Fraction | float:
    """The square root of a model's number: of a rational a rational, rounded down where the root is irrational."""
    return root_below(square) if isinstance(square, Fraction) else sqrt(square)


def root_below(square: Fraction, bits: int = 128) -> Fraction:
    """The square root, where it is rational, and else the next multiple of 2^-bits below it."""
    exact_root = Fraction(isqrt(square.numerator), isqrt(square.denominator))
    if exact_root**2 == square:
        return exact_root
    return Fraction(isqrt((square.numerator << 2 * bits) // square.denominator), 1 << bits)


def exact(number: object) -> Fraction:
    """The rational of a JSON number.

    Parameters
    ----------
    number
        An int or a Decimal as the JSON reader delivers them.

    Raises
    ------
    ValueError
        For booleans, strings, NaN and infinities, magnitudes outside [1e-18, 1e18] other than 0, and more digits than
        any measurement has.
    """
    if isinstance(number, float):  # json.loads makes floats of NaN and Infinity alone; decimals come as Decimal
        raise ValueError("expected a finite number")
    if isinstance(number, bool) or not isinstance(number, int | Decimal | Fraction):
        raise ValueError(f"expected a number, got {kind_of(number)}")
    if isinstance(number, Decimal):
        _require_digits(number)
    return _within_magnitude(number)


def _require_digits(number: Decimal) -> None:
    if not number.is_finite():
        raise ValueError("expected a finite number")
    if number and not -19 <= number.adjusted() <= 18:  # before any power of ten is formed
        raise ValueError("expected a magnitude between 1e-18 and 1e18")
    if len(number.as_tuple().digits) > DIGITS:
        raise ValueError(f"expected a number of at most {DIGITS} digits")


@lru_cache(KEPT)
def _within_magnitude(number: int | Decimal | Fraction) -> Fraction:
    value = Fraction(number)
    _require_magnitude(value)
    return value


def _require_magnitude(value: Fraction) -> None:
    size, parts = abs(value.numerator), value.denominator
    if size and not (size <= LARGEST * parts and parts <= LARGEST * size):
        raise ValueError("expected a magnitude between 1e-18 and 1e18")


def kind_of(value: object) -> str:
    """The JSON word for a value's type."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, int | float | Decimal):
        return "a number"
    if isinstance(value, str):
        return "a string"
    return "an object" if isinstance(value, dict) else "an array"


def ceil(value: Fraction | int) -> int:
    """The smallest integer not below ``value``."""
    return -(-value.numerator // value.denominator)


def as_text(value: Fraction | int) -> str:
    """``num/den``, the form in which results print a rational."""
    return f"{value.numerator}/{value.denominator}"


def from_text(text: str) -> Fraction:
    """The rational that `as_text` wrote.

    Raises
    ------
    ValueError
        For any other text, also with an exponent, of which a few digits would take all memory.
    ZeroDivisionError
        For a denominator of 0.
    """
    if not isinstance(text, str) or not _WRITTEN.fullmatch(text):
        raise ValueError(f"expected a rational like 3/2, found {text!r:.60}")
    return Fraction(text)


def as_decimal(value: Fraction) -> int | Decimal:
    """A rational that a JSON decimal said, as that decimal."""
    if value.denominator == 1:
        return value.numerator
    places = value.denominator.bit_length()  # 2^a 5^b divides 10^max(a, b), and max(a, b) < bit length
    digits, rest = divmod(value.numerator * 10**places, value.denominator)
    if rest:
        raise ValueError(f"{value} is not a finite decimal")
    decimal = Decimal(digits).scaleb(-places, EXACT).normalize(EXACT)
    _require_digits(decimal)
    _require_magnitude(value)
    return decimal


def common_denominator(values: object) -> int:
    """The least common multiple of the denominators of an iterable of rationals."""
    return lcm(*{v.denominator for v in values}, 1)  # type: ignore[attr-defined]


def as_float(value: Fraction | float) -> float:
    """The nearest double; an infinity for what is beyond all doubles."""
    try:
        return float(value)
    except OverflowError:
        return inf if value > 0 else -inf


def decimals(value: Fraction, places: int, *, up: bool) -> str:
    """A rational with so many decimals, rounded to the side on which a bound by it stays true."""
    scaled = value * 10**places
    digits = ceil(scaled) if up else scaled.numerator // scaled.denominator
    return f"{Decimal(digits).scaleb(-places, EXACT):f}"


def plural(number: int, unit: str) -> str:
    """``1 job``, ``2 jobs``."""
    return f"{number} {unit}{'' if number == 1 else 's'}"


def below(value: Fraction) -> float:
    """The largest double that is not above a rational."""
    nearest = float(value)
    return nearest if Fraction(nearest) <= value else nextafter(nearest, -inf)


def dyadic(values: np.ndarray, bits: int = 40) -> np.ndarray:
    """Round doubles down to multiples of 2^-bits; returns the integer numerators (int64).

    Raises
    ------
    OverflowError
        When a numerator would not fit in 62 bits.
    """
    import numpy as np

    scaled = np.floor(np.ldexp(np.asarray(values, dtype=float), bits))
    if not np.all(np.abs(scaled) < 2.0**62):
        raise OverflowError(f"a value is too large for {bits} fractional bits")
    numerators: np.ndarray = scaled.astype(np.int64)
    return numerators
