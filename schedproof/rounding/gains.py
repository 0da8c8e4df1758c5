"""The scaling factor G of a fractional point before rounding: printed and proven.

G is a rational, so that every probability under it is rational: a multiple of 2^-40, below the real number for G <= 1
and above it for G >= 1, the safe side in each case.

With q = ln(3 rows/delta)/W the printed factors are

    (29), Lemma 1:  1 + 3q/2 - sqrt((3q/2)^2 + 3q)        (30), Lemma 2:  1 + q + sqrt(q^2 + 2q)

and the proven ones are the two roots of G - 1 - ln G = q, one below 1 and one above.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

from schedproof.core.base.balls import in_balls
from schedproof.core.base.numbers import ceil
from schedproof.core.base.untyped import Ball
from schedproof.core.errors import InputError

BITS = 40
STEPS = 1 << BITS
PRECISION = 128  # of the first try, in bits
Gain = Callable[[Fraction | None, int, Fraction], Fraction]


@lru_cache(maxsize=1 << 14)
def printed_below(width: Fraction | None, rows: int, delta: Fraction) -> Fraction:
    """Return G of (29) and Lemma 1, for W_b and the number of packing rows.

    Its bound on a packing row, delta/(3 rows), is proved for G >= 1/2, and false for some smaller G (claim
    dmlrs.lemma1_packing); `proven_below` is valid for all.
    """
    return _round(width, rows, delta, up=False, formula=lambda q: 1 + 3 * q / 2 - (9 * q * q / 4 + 3 * q).sqrt())


@lru_cache(maxsize=1 << 14)
def printed_above(width: Fraction | None, rows: int, delta: Fraction) -> Fraction:
    """Return G of (30) and Lemma 2, for W_a and the number of cover rows.

    Each row fails with probability <= delta/(3 rows).
    """
    return _round(width, rows, delta, up=True, formula=lambda q: 1 + q + (q * q + 2 * q).sqrt())


@lru_cache(maxsize=1 << 14)
def proven_below(width: Fraction | None, rows: int, delta: Fraction) -> Fraction:
    """Return the largest valid multiple of 2^-40 below 1.

    With it Chernoff's bound gives each packing row delta/(3 rows). It is 0 if none is small enough; then no resource
    is used, and no packing row can fail.

    Proof ----- Let X be a row sum times W_b/b_i. It is a sum of independent terms in [0, 1] (the integer part of a
    coordinate counts as that many constant terms) with mean at most G W_b, as B x <= b. By Chernoff, Pr(X > W_b) <=
    e^(-G W_b) (e G)^W_b = exp(-W_b (G - 1 - ln G)). This is at most delta/(3 rows) if W_b (G - 1 - ln G) >= ln(3
    rows/delta).
    """
    return _extreme(width, rows, delta, 0, STEPS)


@lru_cache(maxsize=1 << 14)
def proven_above(width: Fraction | None, rows: int, delta: Fraction) -> Fraction:
    """Return the smallest valid multiple of 2^-40 above 1.

    With it Chernoff's bound gives each cover row delta/(3 rows).

    Proof
    -----
    As in `proven_below`, with X a row sum times W_a/a_i, whose mean is at least G W_a: Pr(X <= W_a) <= e^(-G W_a)
    (e G)^W_a. It is never larger than (30), whose bound is weaker.
    """
    return _extreme(width, rows, delta, 2 * ceil(printed_above(width, rows, delta)) * STEPS, STEPS)


def _extreme(width: Fraction | None, rows: int, delta: Fraction, good: int, bad: int) -> Fraction:
    """Bisect for the multiple of 1/STEPS next to ``bad`` with a certain inequality.

    It starts from a ``good`` one. G - 1 - ln G is decreasing up to 1 and increasing from there, so that the certain
    ones lie on one side.
    """
    if width is None:
        return Fraction(1)
    _check(width, rows, delta)
    while abs(good - bad) > 1:
        middle = (good + bad) // 2
        good, bad = (middle, bad) if _certain(middle, width, rows, delta) else (good, middle)
    return Fraction(good, STEPS)


def _certain(steps: int, width: Fraction, rows: int, delta: Fraction) -> bool:
    """Return whether W (G - 1 - ln G) >= ln(3 rows/delta) for G = steps/STEPS.

    It uses ball arithmetic; False if undecided.
    """

    def slack(arb: Callable[[Fraction], Ball]) -> Ball:
        gain = arb(Fraction(steps, STEPS))
        return arb(width) * (gain - 1 - gain.log()) - arb(Fraction(3 * rows) / delta).log()

    return bool(in_balls(slack, PRECISION) >= 0)


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
        raise InputError(f"W={width}: expected rows with positive sides; otherwise G is undefined")
