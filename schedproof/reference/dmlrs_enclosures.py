"""Rational enclosures of powers, logarithms and roots; exact if rational."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from schedproof.core.base.balls import enclose

Interval = tuple[Fraction, Fraction]
BITS = 128  # bits of the end points after the binary point
ROOTS = 64  # roots up to this one are recognised when they are rational


def exactly(value: Fraction | int) -> Interval:
    return Fraction(value), Fraction(value)


def plus(*terms: Interval) -> Interval:
    return sum((low for low, _ in terms), Fraction(0)), sum((high for _, high in terms), Fraction(0))


def minus(one: Interval, other: Interval) -> Interval:
    return one[0] - other[1], one[1] - other[0]


def times(factor: Fraction | int, value: Interval) -> Interval:
    """Return a multiple by a nonnegative rational."""
    return factor * value[0], factor * value[1]


def neatly_up(value: Fraction) -> Fraction:
    """Return the next multiple of 1/1000, an upper end for printing."""
    return Fraction(-(-value * 1000 // 1), 1000)


@lru_cache(maxsize=1 << 14)
def power(base: Fraction, exponent: Fraction) -> Interval:
    """Return base^exponent for a positive base, exact if rational up to the 64th root."""
    whole = base**exponent.numerator
    if exponent.denominator <= ROOTS:
        roots = [_root(part, exponent.denominator) for part in (whole.numerator, whole.denominator)]
        if None not in roots:
            return exactly(Fraction(*roots))  # type: ignore[arg-type]
    return enclose(lambda ball: ball(whole) ** ball(Fraction(1, exponent.denominator)), BITS)


@lru_cache(maxsize=1 << 12)
def logarithm(value: Fraction) -> Interval:
    return exactly(0) if value == 1 else enclose(lambda ball: ball(value).log(), BITS)


def square_root(value: Interval) -> Interval:
    """Return the square root of an interval of nonnegative numbers."""
    return power(value[0], Fraction(1, 2))[0], power(value[1], Fraction(1, 2))[1]


def _root(number: int, degree: int) -> int | None:
    low, high = 0, 1 << (number.bit_length() // degree + 1)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if middle**degree <= number else (low, middle - 1)
    return low if low**degree == number else None
