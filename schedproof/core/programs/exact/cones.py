"""Cones of a program's rows, and the dual cones of their multipliers.

The second-order cone, its first entry at least the norm of the others, is self-dual. The exponential cone is the
closure of all (x, y, z) with y > 0 and y exp(x / y) <= z. Its dual is the closure of all (u, v, w) with u < 0 and -u
exp(v / u - 1) <= w; if u = 0, then v, w >= 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import Literal

from schedproof.core.base.balls import enclose, in_balls
from schedproof.core.base.untyped import Ball

Kind = Literal["second_order", "exponential"]
ZERO = Fraction(0)
BITS = 128  # norms and exponentials are rounded to multiples of 2^-BITS
PRECISIONS = (64, 256, 1024, 4096)  # bits in which two numbers are told apart


@dataclass(frozen=True)
class Cone:
    """Rows that lie in a cone together, each minus its lower side.

    Attributes
    ----------
    rows
        Row numbers: three for an exponential cone, otherwise at least one.
    """

    kind: Kind
    rows: tuple[int, ...]

    def __post_init__(self) -> None:
        if not self.rows or (self.kind == "exponential" and len(self.rows) != 3):
            raise ValueError(f"expected the rows of a {self.kind} cone, found {len(self.rows)}")

    @property
    def raised(self) -> int:
        """The row whose multiplier `push` raises."""
        return self.rows[0] if self.kind == "second_order" else self.rows[-1]

    def contains(self, entries: Sequence[Fraction]) -> bool:
        """Whether entries are in the cone; False if that needs more than 4096 bits."""
        if self.kind == "second_order":
            return self.pays(entries)
        x, y, z = entries
        if y <= 0 or z <= 0:
            return y == 0 and x <= 0 <= z
        return _at_most_log(x / y, z / y)

    def pays(self, multipliers: Sequence[Fraction]) -> bool:
        """Whether multipliers are in the dual cone; False beyond 4096 bits."""
        if self.kind == "second_order":
            head, *tail = multipliers
            return head >= 0 and head**2 >= sum(x**2 for x in tail)
        u, v, w = multipliers
        if u >= 0 or w <= 0:
            return u == 0 and min(v, w) >= 0
        return v / u - 1 <= 0 <= w + u or _at_most_log(v / u - 1, -w / u)

    def push(self, multipliers: Sequence[Fraction], more: Fraction) -> tuple[Fraction, ...]:
        """Raise one multiplier until all are in the dual cone.

        The last entry is raised; in a second-order cone, the first entry.

        Parameters
        ----------
        more
            Additional relative increase of the raised entry.
        """
        if self.kind == "second_order":
            head, *tail = multipliers
            return max(head, _norm(tail) * (1 + more)), *tail
        u, v, w = multipliers
        if u >= 0:
            return ZERO, max(v, ZERO), max(w, ZERO)
        _, high = enclose(lambda ball: -ball(u) * (ball(v / u) - 1).exp(), BITS)
        return u, v, max(w, high * (1 + more))


def _norm(entries: Sequence[Fraction]) -> Fraction:
    """Return the Euclidean norm, exact or rounded up to a multiple of 2^-BITS."""
    squares = sum((x**2 for x in entries), ZERO)
    scaled = -((-squares.numerator << 2 * BITS) // squares.denominator)
    root = isqrt(scaled)
    return Fraction(root + (root**2 < scaled), 1 << BITS)


def _at_most_log(exponent: Fraction, number: Fraction) -> bool:
    if not exponent:
        return number >= 1

    def rest(ball: Ball) -> Ball:
        return ball(number).log() - ball(exponent)

    for precision in PRECISIONS:
        difference = in_balls(rest, precision)
        if difference > 0 or difference < 0:
            return bool(difference > 0)
    return False
