"""Exact derivatives: numbers a + b e with e^2 = 0, whose b is the derivative of a."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple


class Dual(NamedTuple):
    """A number and its derivative."""

    value: Fraction
    slope: Fraction = Fraction(0)

    def plus(self, other: Dual) -> Dual:
        """The sum."""
        return Dual(self.value + other.value, self.slope + other.slope)

    def times(self, other: Dual) -> Dual:
        """The product."""
        return Dual(self.value * other.value, self.slope * other.value + self.value * other.slope)

    def over(self, other: Dual) -> Dual:
        """The quotient."""
        slope = (self.slope * other.value - self.value * other.slope) / other.value**2
        return Dual(self.value / other.value, slope)


def exponentials(weights: tuple[int, ...], of: int | None) -> list[Dual]:
    """exp(u_k) by their values, and their derivatives by the logit u_of; None for a logit that is none of them."""
    return [Dual(Fraction(w), Fraction(w * (k == of))) for k, w in enumerate(weights)]


def total(numbers: list[Dual]) -> Dual:
    """Their sum."""
    result = Dual(Fraction(0))
    for number in numbers:
        result = result.plus(number)
    return result
