"""The printed scaling factor G of a fractional point before rounding.

G is a multiple of 2^-40, so that all probabilities are rational; it is rounded down for G <= 1 and up for G >= 1, so
that the guarantees hold.

With q = ln(3 rows/delta)/W the printed factors are

    (29), Lemma 1:  1 + 3q/2 - sqrt((3q/2)^2 + 3q)        (30), Lemma 2:  1 + q + sqrt(q^2 + 2q)
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

from schedproof.core.base.balls import in_balls
from schedproof.core.base.untyped import Ball
from schedproof.core.errors import InputError

BITS = 40
STEPS = 1 << BITS
PRECISION = 128  # bits of the first try


@lru_cache(maxsize=1 << 14)
def printed_below(width: Fraction | None, rows: int, delta: Fraction) -> Fraction:
    """Return the scaling factor G of (29) and Lemma 1, from W_b and the packing rows.

    A packing row fails with probability <= delta/(3 rows) if G >= 1/2; for some smaller G this is false (claim
    dmlrs.lemma1_packing and its repair).
    """
    return _round(width, rows, delta, up=False, formula=lambda q: 1 + 3 * q / 2 - (9 * q * q / 4 + 3 * q).sqrt())


@lru_cache(maxsize=1 << 14)
def printed_above(width: Fraction | None, rows: int, delta: Fraction) -> Fraction:
    """Return the scaling factor G of (30) and Lemma 2, from W_a and the cover rows.

    Each row fails with probability <= delta/(3 rows).
    """
    return _round(width, rows, delta, up=True, formula=lambda q: 1 + q + (q * q + 2 * q).sqrt())


def _round(width: Fraction | None, rows: int, delta: Fraction, up: bool, formula: Callable[[Ball], Ball]) -> Fraction:
    """Return a formula in q = ln(3 rows/delta)/W as a multiple of 2^-40."""
    if width is None:
        return Fraction(1)
    _check(width, rows, delta)

    def steps(arb: Callable[[Fraction], Ball]) -> Ball:
        value = formula(arb(Fraction(3 * rows) / delta).log() / arb(width)) * STEPS
        return (value.ceil() if up else value.floor()).unique_fmpz()

    precision = PRECISION
    while (rounded := in_balls(steps, precision)) is None:
        precision *= 2
    return Fraction(int(rounded), STEPS)


def _check(width: Fraction, rows: int, delta: Fraction) -> None:
    if not 0 < delta <= 1 or rows < 1:
        raise InputError(f"delta={delta}, rows={rows}: expected delta in (0, 1] and at least one row")
    if width <= 0:
        raise InputError(f"W={width}: expected rows with positive right-hand sides; otherwise G is undefined")
