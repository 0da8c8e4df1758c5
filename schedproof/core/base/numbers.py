"""Exact numbers: a JSON number is read as the rational equal to its decimal."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from functools import lru_cache
from math import inf, isfinite, isqrt, lcm, nextafter, sqrt
from numbers import Rational
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

LARGEST = 10**18  # largest magnitude; the smallest is 1/LARGEST
DIGITS = 100
LONGEST_SHOWN = 100  # characters
_WRITTEN = re.compile(r"-?[0-9]{1,4000}(/[0-9]{1,4000})?")
EXACTLY = ContextVar("EXACTLY", default=False)  # whether models are built with rationals
ROUNDED: ContextVar[list[Fraction] | None] = ContextVar("ROUNDED", default=None)
KEPT = 1 << 14  # cached numbers of a file
EXACT = Context(prec=1000)  # enough digits for every accepted number


def scalar(value: Fraction) -> Fraction | float:
    """Return a model's number as the nearest double, or unchanged inside `exactly`."""
    if EXACTLY.get():
        return value
    if (rounded := ROUNDED.get()) is not None and not rounded:
        rounded.append(value)
    return float(value)


@contextmanager
def exactly() -> Iterator[None]:
    """Build models with rationals instead of doubles inside this context."""
    token = EXACTLY.set(True)
    try:
        yield
    finally:
        EXACTLY.reset(token)


@contextmanager
def first_rounded() -> Iterator[list[Fraction]]:
    """Collect the first rational that `scalar` rounds inside this context."""
    rounded = list[Fraction]()
    token = ROUNDED.set(rounded)
    try:
        yield rounded
    finally:
        ROUNDED.reset(token)


def root(square: Fraction | float) -> Fraction | float:
    """Return the square root; for a rational, a rational that is rounded down."""
    return root_below(square) if isinstance(square, Fraction) else sqrt(square)


def root_below(square: Fraction, bits: int = 128) -> Fraction:
    """Return the square root if rational, else the next multiple of 2^-bits below it."""
    exact_root = Fraction(isqrt(square.numerator), isqrt(square.denominator))
    if exact_root**2 == square:
        return exact_root
    return Fraction(isqrt((square.numerator << 2 * bits) // square.denominator), 1 << bits)


def as_fraction(number: Any) -> Fraction:
    """Return a number as a Fraction of Python's integers: those of NumPy overflow.

    Raises
    ------
    TypeError, ValueError, OverflowError
        As `Fraction`, if it is no finite number.
    """
    if not isinstance(number, Rational):
        return Fraction(number)
    top, bottom = number.numerator, number.denominator
    if isinstance(number, Fraction) and type(top) is int and type(bottom) is int:
        return number
    return Fraction(int(top), int(bottom))


def exact(number: object) -> Fraction:
    """Return a JSON number as a rational.

    Parameters
    ----------
    number
        An int or Decimal from the JSON reader; a float, as ``json.load`` returns, is read as its shortest decimal.

    Raises
    ------
    ValueError
        For booleans, strings, NaN, infinities, magnitudes outside [1e-18, 1e18] other than 0, and more than 100 digits.
    """
    if isinstance(number, float):
        number = Decimal(repr(number))
    if isinstance(number, bool) or not isinstance(number, int | Decimal | Fraction):
        raise ValueError(f"expected a number, got {kind_of(number)}")
    if isinstance(number, Decimal):
        _require_digits(number)
    return _within_magnitude(number)


def _require_digits(number: Decimal) -> None:
    if not number.is_finite():
        raise ValueError("expected a finite number")
    if number and not -19 <= number.adjusted() <= 18:  # checked before a power of ten is computed
        raise ValueError("expected a magnitude between 1e-18 and 1e18")
    if len(number.as_tuple().digits) > DIGITS:
        raise ValueError(f"expected a number of at most {DIGITS} digits")


@lru_cache(KEPT)
def _within_magnitude(number: int | Decimal | Fraction) -> Fraction:
    value = as_fraction(number)
    _require_magnitude(value)
    return value


def _require_magnitude(value: Fraction) -> None:
    size, parts = abs(value.numerator), value.denominator
    if size and not (size <= LARGEST * parts and parts <= LARGEST * size):
        raise ValueError("expected a magnitude between 1e-18 and 1e18")


def kind_of(value: object) -> str:
    """Return the JSON name of a value's type."""
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
    """Return the smallest integer >= ``value``."""
    return -(-value.numerator // value.denominator)


def as_text(value: Fraction | int) -> str:
    """Return ``num/den``, the text form of rationals in results."""
    return f"{value.numerator}/{value.denominator}"


def shown(value: Fraction) -> str:
    """Return a rational for the screen; a long one only with its number of digits."""
    text = str(value)
    return text if len(text) <= LONGEST_SHOWN else f"a fraction of {len(text):,} digits (all are in the JSON)"


def from_text(text: str) -> Fraction:
    """Read a rational written by `as_text`.

    Raises
    ------
    ValueError
        For any other text. Exponents are rejected because a few digits could exhaust memory.
    ZeroDivisionError
        For a denominator of 0.
    """
    if not isinstance(text, str) or not _WRITTEN.fullmatch(text):
        raise ValueError(f"expected a rational like 3/2, found {text!r:.60}")
    return Fraction(text)


def as_decimal(value: Fraction) -> int | Decimal:
    """Return a rational as its finite decimal; raise ValueError if it has none."""
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
    return lcm(*{v.denominator for v in values}, 1)  # type: ignore[attr-defined]


def as_float(value: Fraction | float) -> float:
    """Return the nearest double; an infinity outside the range of doubles."""
    try:
        return float(value)
    except OverflowError:
        return inf if value > 0 else -inf


def decimals(value: Fraction, places: int, *, up: bool) -> str:
    """Return a rational with `places` decimals, rounded up or down."""
    scaled = value * 10**places
    digits = ceil(scaled) if up else scaled.numerator // scaled.denominator
    return f"{Decimal(digits).scaleb(-places, EXACT):f}"


def rounded(value: Fraction | float, digits: int, *, up: bool) -> str:
    """Round to `digits` significant digits; a float is read as its shortest decimal."""
    if isinstance(value, float) and not isfinite(value):
        return f"{value:g}"
    context = Context(prec=digits, rounding=ROUND_CEILING if up else ROUND_FLOOR)
    exact = Fraction(str(value))
    return f"{float(context.divide(Decimal(exact.numerator), Decimal(exact.denominator))):.{digits}g}"


def plural(number: int, unit: str) -> str:
    """Return a count with its unit: ``1 job``, ``2 jobs``."""
    return f"{number} {unit}{'' if number == 1 else 's'}"


def below(value: Fraction) -> float:
    """Return the largest double that is at most `value`."""
    nearest = float(value)
    return nearest if Fraction(nearest) <= value else nextafter(nearest, -inf)


def above(value: Fraction) -> float:
    """Return the least double that is at least `value`."""
    return -below(-value)


def dyadic(values: np.ndarray, bits: int = 40) -> np.ndarray:
    """Round doubles down to multiples of 2^-bits and return the int64 numerators.

    Raises
    ------
    OverflowError
        If a numerator needs more than 62 bits.
    """
    import numpy as np

    scaled = np.floor(np.ldexp(np.asarray(values, dtype=float), bits))
    if not np.all(np.abs(scaled) < 2.0**62):
        raise OverflowError(f"a value is too large for {bits} fractional bits")
    numerators: np.ndarray = scaled.astype(np.int64)
    return numerators
