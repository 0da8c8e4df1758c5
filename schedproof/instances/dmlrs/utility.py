"""Utility functions u_i(x) of the training time x, exact or enclosed.

A sigmoid's values are irrational, so each utility has a lower and an upper end, both rational; for other kinds they
are equal. Objectives of schedules use the lower end, and bounds on the optimum the upper end. The training time is
completion - arrival, in slots, at least 1.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import exp, inf, log, log1p

from schedproof.core.base.balls import enclose
from schedproof.core.data.reading import Amount, Row

BITS = 96  # the ends of an enclosure are multiples of 2^-BITS


class Exact(Row, frozen=True):
    """A utility with rational values."""

    def after(self, time: int) -> Fraction:
        """Return u(x)."""
        raise NotImplementedError

    def lower(self, time: int) -> Fraction:
        return self.after(time)

    def upper(self, time: int) -> Fraction:
        return self.after(time)

    def log(self, time: int) -> float:
        """Return ln u(x) as a double for prices; -inf for 0."""
        value = self.after(time)
        return log(value.numerator) - log(value.denominator) if value else -inf


class Constant(Exact, frozen=True, tag_field="kind", tag="constant"):
    """u(x) = value."""

    value: Amount

    def after(self, time: int) -> Fraction:
        return self.value


class Linear(Exact, frozen=True, tag_field="kind", tag="linear"):
    """u(x) = max(0, value - slope x)."""

    value: Amount
    slope: Amount

    def after(self, time: int) -> Fraction:
        return max(Fraction(0), self.value - self.slope * time)


class Table(Exact, frozen=True, tag_field="kind", tag="table"):
    """u(x) = values[x - 1]; the last value holds beyond the end."""

    values: tuple[Amount, ...]

    def after(self, time: int) -> Fraction:
        return self.values[min(max(time, 1), len(self.values)) - 1]


class Sigmoid(Row, frozen=True, tag_field="kind", tag="sigmoid"):
    """u(x) = theta1 / (1 + exp(theta2 (x - theta3))), the sigmoid of section V.

    The parameters are the job's priority, criticality and target time.
    """

    theta1: Amount
    theta2: Amount
    theta3: Amount

    def lower(self, time: int) -> Fraction:
        """Return u(x), rounded down."""
        return _enclose(self, time)[0]

    def upper(self, time: int) -> Fraction:
        """Return u(x), rounded up."""
        return _enclose(self, time)[1]

    def log(self, time: int) -> float:
        """Return ln u(x), also where u(x) underflows."""
        if not self.theta1:
            return -inf
        late = float(self.theta2 * (time - self.theta3))
        soft = log1p(exp(late)) if late < 30 else late + log1p(exp(-late))
        return log(self.theta1) - soft


Utility = Sigmoid | Constant | Linear | Table


@lru_cache(maxsize=1 << 16)
def _enclose(utility: Sigmoid, time: int) -> tuple[Fraction, Fraction]:
    """Return multiples of 2^-BITS that enclose u(x), from ball arithmetic."""
    exponent = utility.theta2 * (time - utility.theta3)
    if exponent == 0:
        return utility.theta1 / 2, utility.theta1 / 2
    low, high = enclose(lambda ball: ball(utility.theta1) / (1 + ball(exponent).exp()), BITS)
    return max(low, Fraction(0)), high
