"""Rational enclosures of irrational numbers by ball arithmetic (python-flint)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from schedproof.core.base.untyped import Ball

Formula = Callable[[Callable[[Fraction], Ball]], Ball]  # the argument of a formula converts a rational to a ball
MOST_DOUBLINGS = 10  # doublings of the precision


def in_balls(formula: Formula, precision: int) -> Ball:
    """Evaluate a formula in balls of `precision` bits."""
    from flint import arb, ctx, fmpq

    saved, ctx.prec = ctx.prec, precision
    try:
        return formula(lambda value: arb(fmpq(value.numerator, value.denominator)))
    finally:
        ctx.prec = saved


def enclose(formula: Formula, bits: int) -> tuple[Fraction, Fraction]:
    """Enclose a formula's value between multiples of 2^-bits, at most two apart.

    Raises
    ------
    ArithmeticError
        If the value is not a finite number.
    """

    def ends(ball: Callable[[Fraction], Ball]) -> tuple[Ball, Ball]:
        scaled = formula(ball) * ball(Fraction(1 << bits))
        return scaled.lower().floor().unique_fmpz(), scaled.upper().ceil().unique_fmpz()

    for doubling in range(MOST_DOUBLINGS):
        low, high = in_balls(ends, 2 * bits << doubling)
        if low is not None and high is not None and high - low <= 2:
            return Fraction(int(low), 1 << bits), Fraction(int(high), 1 << bits)
    raise ArithmeticError("expected a finite number")
