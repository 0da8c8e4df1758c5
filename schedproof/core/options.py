"""Values of options as they come from a command line: words in, numbers out, one sentence when they are not."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.errors import InputError


def positive(name: str, value: str | float | Fraction) -> Fraction:
    """A positive rational: ``3/2``, ``1.5`` or a number; a float says the decimal that it prints."""
    try:
        number = Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        number = Fraction(0)
    if not 0 < number < 10**9:
        raise InputError(f"{name}={value}: expected a number > 0, like 1.5 or 3/2")
    return number


def whole(name: str, value: str | int, least: int = 1) -> int:
    """A whole number of at least 1, or another least value."""
    try:
        number = int(value)
    except ValueError:
        number = -1
    if not least <= number < 10**9:
        raise InputError(f"{name}={value}: expected a whole number >= {least}")
    return number


def seconds(name: str, value: str | float | None) -> float | None:
    """A duration in seconds, or None for no limit."""
    if value is None:
        return None
    try:
        number = float(value)
    except ValueError:
        number = -1.0
    if not 0 <= number < 1e9:
        raise InputError(f"{name}={value}: expected seconds >= 0")
    return number
