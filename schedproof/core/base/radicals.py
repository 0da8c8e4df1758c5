"""Signs of sums of square roots of rationals, in integers alone."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import isqrt

Term = tuple[Fraction, Fraction]  # a coefficient and what is under the root, at least 0


def sign(terms: Iterable[Term]) -> int:
    """The sign of sum c sqrt(v), exactly: -1, 0 or 1.

    Roots whose radicands differ by the square of a rational are merged; those that are left are linearly independent
    over the rationals, so the sum is 0 only if no term is left, and otherwise some precision parts it from 0.
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
    """The same sum, no two of its roots rational multiples of each other and none of them 0."""
    kept: dict[Fraction, Fraction] = {}  # what is under the root -> coefficient
    for c, v in terms:
        if v:
            known, times = next(((u, r) for u in kept if (r := root(v / u))), (v, Fraction(1)))
            kept[known] = kept.get(known, Fraction(0)) + c * times
    return [(c, v) for v, c in kept.items() if c]


def root(value: Fraction) -> Fraction | None:
    """The square root, where it is rational."""
    candidate = Fraction(isqrt(value.numerator), isqrt(value.denominator))
    return candidate if candidate**2 == value else None


def root_below(value: Fraction, bits: int = 32) -> Fraction:
    """The largest multiple of 2^-bits that is not above the square root."""
    return Fraction(isqrt((value.numerator << 2 * bits) // value.denominator), 1 << bits)


def bounds(terms: Iterable[Term], bits: int) -> tuple[Fraction, Fraction]:
    """Rationals around sum c sqrt(v)."""
    low = high = Fraction(0)
    for c, v in terms:
        ends = c * root_below(v, bits), c * (root_below(v, bits) + Fraction(1, 1 << bits))
        low, high = low + min(ends), high + max(ends)
    return low, high
