"""Rational bounds with nine decimals on numbers that contain exp, sqrt or pi."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import floor
from typing import Any

from schedproof.core.base.balls import Formula, enclose
from schedproof.core.base.numbers import ceil

BITS = 64
GRAIN = 10**9
ONE, HALF = Fraction(1), Fraction(1, 2)


def below(formula: Formula) -> Fraction:
    """A lower bound of nine decimals."""
    return Fraction(floor(enclose(formula, BITS)[0] * GRAIN), GRAIN)


def above(formula: Formula) -> Fraction:
    """An upper bound of nine decimals."""
    return Fraction(ceil(enclose(formula, BITS)[1] * GRAIN), GRAIN)


def two_pi(ball: Any) -> Any:
    return ball(Fraction(8)) * ball(ONE).atan()


def normal_loss(ball: Any, eta: int) -> Any:
    return (two_pi(ball) * ball(Fraction(eta))).sqrt() ** -1


def negative_part(ball: Any, mean: Fraction, variance: Fraction) -> Any:
    """E max(0, -N) of a normal N as a ball.

    The value is sigma phi(t) - mu Pr(Z > t) with t = mu/sigma and a standard normal Z.
    """
    spread, t = ball(variance).sqrt(), ball(mean) / ball(variance).sqrt()
    density, half = (-t * t * ball(HALF)).exp() / two_pi(ball).sqrt(), ball(HALF)
    return spread * density - ball(mean) * half * (t * half.sqrt()).erfc()


def right_side24(ball: Any, mean: Fraction, variance: Fraction, eta: int) -> Any:
    """The right side of (24) for a normal D of mean r, as a ball.

    The integral of z from 0 to r is r (Pr(D > 0) - 1/2) - sigma (phi(0) - phi(t)), t = r/sigma; Pr(D > r) = 1/2.
    """
    spread, t = ball(variance).sqrt(), ball(mean) / ball(variance).sqrt()
    half, root = ball(HALF), two_pi(ball).sqrt()
    below_zero = half * (t * half.sqrt()).erfc()
    integral = ball(mean) * (half - below_zero) - spread * (ball(ONE) - (-t * t * half).exp()) / root
    return integral + ball((1 - Fraction(1, eta)) * mean * HALF)


@lru_cache(maxsize=1 << 10)
def printed_factor(eta: int) -> Fraction:
    """A lower bound on 1 - 1/(2 eta) - 1/sqrt(2 pi eta) of Theorem 1 and (27)."""
    return below(lambda ball: ball(1 - Fraction(1, 2 * eta)) - normal_loss(ball, eta))


@lru_cache(maxsize=1 << 10)
def poisson_factor(eta: int) -> Fraction:
    """A lower bound on 1 - exp(-eta) eta^eta/eta!.

    The number equals E min(N, eta)/eta for N Poisson with mean eta.
    """
    top = Fraction(1)
    for k in range(1, eta + 1):
        top *= Fraction(eta, k)
    return below(lambda ball: ball(ONE) - ball(Fraction(-eta)).exp() * ball(top))
