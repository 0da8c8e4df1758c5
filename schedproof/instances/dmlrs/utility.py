"""Utility functions u_i(x) of the training time x in slots: non-increasing, exact or rigorously enclosed.

A sigmoid is irrational, so that a utility is a pair of rationals that enclose it; for every other kind they are equal.
A schedule is credited with the lower one and a bound on the optimum with the upper one.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import exp, inf, log, log1p
from typing import Protocol

from schedproof.core.balls import enclosed

BITS = 96  # of an enclosure's ends: they are multiples of 2^-BITS


class Utility(Protocol):
    """A job's utility by its training time, completion - arrival, in slots (at least 1)."""

    def lower(self, time: int) -> Fraction:
        """The utility, rounded down."""

    def upper(self, time: int) -> Fraction:
        """The utility, rounded up; equal to `lower` where the utility is rational."""

    def log(self, time: int) -> float:
        """Its natural logarithm as a double, -inf for 0: prices are formed from it."""


class Exact:
    """A utility with rational values; `value` gives them."""

    def value(self, time: int) -> Fraction:
        """u(x)."""
        raise NotImplementedError

    def lower(self, time: int) -> Fraction:
        """The utility."""
        return self.value(time)

    def upper(self, time: int) -> Fraction:
        """The utility."""
        return self.value(time)

    def log(self, time: int) -> float:
        """ln u(x)."""
        value = self.value(time)
        return log(value.numerator) - log(value.denominator) if value else -inf


@dataclass(frozen=True)
class Constant(Exact):
    """u(x) = value."""

    amount: Fraction

    def value(self, time: int) -> Fraction:
        """u(x)."""
        return self.amount


@dataclass(frozen=True)
class Linear(Exact):
    """u(x) = max(0, value - slope x)."""

    amount: Fraction
    slope: Fraction

    def value(self, time: int) -> Fraction:
        """u(x)."""
        return max(Fraction(0), self.amount - self.slope * time)


@dataclass(frozen=True)
class Table(Exact):
    """u(x) = values[x - 1]; beyond its end a table keeps its last value."""

    values: tuple[Fraction, ...]

    def value(self, time: int) -> Fraction:
        """u(x); a schedule that ends before its job arrives is infeasible and still has an objective."""
        return self.values[min(max(time, 1), len(self.values)) - 1]


@dataclass(frozen=True)
class Sigmoid:
    """u(x) = theta1 / (1 + exp(theta2 (x - theta3))): priority, criticality, target time (section V)."""

    priority: Fraction
    criticality: Fraction
    target: Fraction

    def lower(self, time: int) -> Fraction:
        """u(x), rounded down."""
        return _enclosed(self, time)[0]

    def upper(self, time: int) -> Fraction:
        """u(x), rounded up."""
        return _enclosed(self, time)[1]

    def log(self, time: int) -> float:
        """ln u(x), also where u(x) itself would underflow."""
        if not self.priority:
            return -inf
        late = float(self.criticality * (time - self.target))
        soft = log1p(exp(late)) if late < 30 else late + log1p(exp(-late))
        return log(self.priority) - soft


@lru_cache(maxsize=1 << 16)
def _enclosed(utility: Sigmoid, time: int) -> tuple[Fraction, Fraction]:
    """Two multiples of 2^-BITS around u(x), from ball arithmetic; the rational itself where the exponent is 0."""
    exponent = utility.criticality * (time - utility.target)
    if exponent == 0:
        return utility.priority / 2, utility.priority / 2
    low, high = enclosed(lambda ball: ball(utility.priority) / (1 + ball(exponent).exp()), BITS)
    return max(low, Fraction(0)), high
