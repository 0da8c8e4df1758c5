"""Signs of sums of square roots of rationals, in integer arithmetic."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import isqrt

Term = tuple[Fraction, Fraction]  # coefficient and radicand, which is >= 0


def sign(terms: Iterable[Term]) -> int:
    """Return the exact sign of sum c sqrt(v): -1, 0 or 1.

    Roots whose radicands differ by the square of a rational are merged. The others are linearly independent over the
    rationals, so the sum is 0 only if no term is left. Otherwise some finite precision separates it from 0.
    """
    merged = merge(terms)
    bits = 32
    while merged:
        low, high = bounds(merged, bits)
        if low > 0 or high < 0:
            return 1 if low > 0 else -1
        bits *= 2
    return 0


def merge(terms: Iterable[Term]) -> list[Term]:
    """Merge roots that are rational multiples of each other and drop zero terms."""
    kept: dict[Fraction, Fraction] = {}  # radicand -> coefficient
    for c, v in terms:
        if v:
            known, times = next(((u, r) for u in kept if (r := root(v / u))), (v, Fraction(1)))
            kept[known] = kept.get(known, Fraction(0)) + c * times
    return [(c, v) for v, c in kept.items() if c]


def root(value: Fraction) -> Fraction | None:
    """Return the square root if it is rational, else None."""
    candidate = Fraction(isqrt(value.numerator), isqrt(value.denominator))
    return candidate if candidate**2 == value else None


def root_below(value: Fraction, bits: int = 32) -> Fraction:
    """Return the largest multiple of 2^-bits that is at most the square root."""
    return Fraction(isqrt((value.numerator << 2 * bits) // value.denominator), 1 << bits)


def bounds(terms: Iterable[Term], bits: int) -> tuple[Fraction, Fraction]:
    """Return rational bounds of sum c sqrt(v)."""
    low = high = Fraction(0)
    for c, v in terms:
        ends = c * root_below(v, bits), c * (root_below(v, bits) + Fraction(1, 1 << bits))
        low, high = low + min(ends), high + max(ends)
    return low, high
