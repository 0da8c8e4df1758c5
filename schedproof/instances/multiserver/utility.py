"""The four concave utilities (54), exact if rational, otherwise enclosed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Annotated, Any

import msgspec
import numpy as np

from schedproof.core.base.balls import enclose
from schedproof.core.data.reading import PositiveAmount, Row

BITS = 96  # the ends of an enclosure are multiples of 2^-BITS
KINDS = ("linear", "log", "reciprocal", "poly")
LINEAR, LOG, RECIPROCAL, POLY = range(4)  # a kind's number in arrays is its position

Enclosure = tuple[Fraction, Fraction]  # lower and upper end of an enclosure; equal for rational values
Rule = Callable[[Any, Any], Any]  # function of alpha and an amount or price; one per kind, by its code
VALUES: tuple[Rule, ...] = (  # in doubles, without error bounds
    lambda a, y: a * y,
    lambda a, y: a * np.log1p(y),
    lambda a, y: y / (a * (y + a)),
    lambda a, y: a * (y / (np.sqrt(1 + y) + 1)),
)


class Utility(Row, frozen=True):
    """f(y), the computation gain of y units of a resource (54).

    Attributes
    ----------
    kind
        ``linear`` a y, ``log`` a ln(y + 1), ``reciprocal`` 1/a - 1/(y + a), ``poly`` a sqrt(y + 1) - a.
    alpha
        a > 0; with a = 0 a reciprocal has an unbounded slope.
    """

    kind: Annotated[str, msgspec.Meta(extra_json_schema={"enum": list(KINDS)})]
    alpha: PositiveAmount

    @property
    def code(self) -> int:
        """The kind's number in arrays."""
        return KINDS.index(self.kind)

    @property
    def steepest(self) -> Fraction:
        """f'(0), the largest slope, which is varpi in (13)."""
        return {"linear": self.alpha, "log": self.alpha, "reciprocal": 1 / self.alpha**2, "poly": self.alpha / 2}[
            self.kind
        ]

    def value(self, amount: Fraction) -> Enclosure:
        """Return an enclosure of f(y) for y = ``amount`` >= 0."""
        a, y = self.alpha, Fraction(amount)
        if self.kind == "linear":
            return (a * y,) * 2
        if self.kind == "reciprocal":
            return (1 / a - 1 / (y + a),) * 2
        if self.kind == "log":
            return (y, y) if y == 0 else enclose(lambda ball: ball(a) * ball(y).log1p(), BITS)
        return (y, y) if y == 0 else enclose(lambda ball: ball(a * y) / ((1 + ball(y)).sqrt() + 1), BITS)

    def slope(self, amount: Fraction) -> Enclosure:
        """Return an enclosure of f'(y) for y = ``amount`` >= 0."""
        a, y = self.alpha, Fraction(amount)
        if self.kind == "linear":
            return a, a
        if self.kind == "log":
            return (a / (y + 1),) * 2
        if self.kind == "reciprocal":
            return (1 / (y + a) ** 2,) * 2
        return (a / 2, a / 2) if y == 0 else enclose(lambda ball: ball(a) / (2 * (1 + ball(y)).sqrt()), BITS)


def slopes(kind: np.ndarray, alpha: np.ndarray, amounts: np.ndarray) -> np.ndarray:
    """Return f' of each amount in doubles, without error bounds."""
    log, reciprocal, poly = alpha / (1 + amounts), 1 / (amounts + alpha) ** 2, alpha / (2 * np.sqrt(1 + amounts))
    return np.select([kind == LOG, kind == RECIPROCAL, kind == POLY], [log, reciprocal, poly], alpha)


def at_each(rules: Sequence[Rule], kind: np.ndarray, alpha: np.ndarray, amounts: np.ndarray) -> np.ndarray:
    """Apply the rule of each amount's kind.

    Kinds and alphas broadcast to the shape of the amounts.
    """
    result = np.empty_like(amounts)
    for code, rule in enumerate(rules):
        if (mine := kind == code).any():
            result[..., mine] = rule(alpha[mine], amounts[..., mine])
    return result
