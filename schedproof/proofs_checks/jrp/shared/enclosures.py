"""Numbers with exp, sqrt and pi as rationals of nine decimals, each on the side that a statement needs."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import floor
from typing import Any

from schedproof.core.balls import Formula, enclosed
from schedproof.core.numbers import ceil

BITS = 64
GRAIN = 10**9
ONE = Fraction(1)


def below(formula: Formula) -> Fraction:
    """A number of nine decimals that is not above a formula's."""
    return Fraction(floor(enclosed(formula, BITS)[0] * GRAIN), GRAIN)


def above(formula: Formula) -> Fraction:
    """A number of nine decimals that is not below a formula's."""
    return Fraction(ceil(enclosed(formula, BITS)[1] * GRAIN), GRAIN)


def two_pi(ball: Any) -> Any:
    """2 pi as a ball."""
    return ball(Fraction(8)) * ball(ONE).atan()


def normal_loss(ball: Any, eta: int) -> Any:
    """1/sqrt(2 pi eta) as a ball."""
    return (two_pi(ball) * ball(Fraction(eta))).sqrt() ** -1


@lru_cache(maxsize=1 << 10)
def printed_factor(eta: int) -> Fraction:
    """1 - 1/(2 eta) - 1/sqrt(2 pi eta) of Theorem 1 and (27), from below."""
    return below(lambda ball: ball(1 - Fraction(1, 2 * eta)) - normal_loss(ball, eta))


@lru_cache(maxsize=1 << 10)
def poisson_factor(eta: int) -> Fraction:
    """1 - exp(-eta) eta^eta/eta! = E min(N, eta)/eta for N Poisson with mean eta, from below."""
    top = Fraction(1)
    for k in range(1, eta + 1):
        top *= Fraction(eta, k)
    return below(lambda ball: ball(ONE) - ball(Fraction(-eta)).exp() * ball(top))
