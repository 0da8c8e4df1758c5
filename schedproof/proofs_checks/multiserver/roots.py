"""Square roots of rationals: exact where they are rational, else rationals on the side that a statement needs."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

SHORT = 1 - Fraction(1, 1 << 20)  # of a root, `root_below` gives at least so much


class NoRun(ValueError):
    """There is no exact run to speak about: a step or a gradient is no rational number."""


def exact_root(value: Fraction) -> Fraction:
    """The square root, where it is rational.

    Raises
    ------
    NoRun
        Where it is not.
    """
    root = Fraction(isqrt(value.numerator), isqrt(value.denominator))
    if root**2 != value:
        raise NoRun("a square root that is no rational number")
    return root


def root_below(value: Fraction) -> Fraction:
    """A multiple of 2^-64 below the square root, at least `SHORT` times it if that is 2^-44 or more.

    It does not fall where the value grows.
    """
    return Fraction(isqrt((value.numerator << 128) // value.denominator), 1 << 64)


def root_above(value: Fraction) -> Fraction:
    """The square root where it is rational, else the next multiple of 1/1000: an upper end that a page can print."""
    try:
        return exact_root(value)
    except NoRun:
        return Fraction(isqrt(value.numerator * 10**6 // value.denominator) + 1, 1000)
