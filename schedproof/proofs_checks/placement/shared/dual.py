"""Exact derivatives: numbers a + b e with e^2 = 0, whose b is the derivative of a."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple


class Dual(NamedTuple):
    value: Fraction
    slope: Fraction = Fraction(0)

    def plus(self, other: Dual) -> Dual:
        return Dual(self.value + other.value, self.slope + other.slope)

    def times(self, other: Dual) -> Dual:
        return Dual(self.value * other.value, self.slope * other.value + self.value * other.slope)

    def over(self, other: Dual) -> Dual:
        slope = (self.slope * other.value - self.value * other.slope) / other.value**2
        return Dual(self.value / other.value, slope)


def exponentials(weights: tuple[int, ...], of: int | None) -> list[Dual]:
    """exp(u_k), with derivatives with respect to the logit u_of.

    If ``of`` is None, the logit is not in the list.
    """
    return [Dual(Fraction(w), Fraction(w * (k == of))) for k, w in enumerate(weights)]


def total(numbers: list[Dual]) -> Dual:
    result = Dual(Fraction(0))
    for number in numbers:
        result = result.plus(number)
    return result
