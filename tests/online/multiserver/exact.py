"""The projection of a row in rationals, and what makes an answer the projection; nothing of the kernel is in here."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

Row = Sequence[Fraction]


def clipped(z: Row, a: Row, tau: Fraction) -> list[Fraction]:
    """clip(z - tau, 0, a)."""
    return [min(max(x - tau, Fraction(0)), most) for x, most in zip(z, a, strict=True)]


def project(z: Row, a: Row, c: Fraction) -> list[Fraction]:
    """The projection: sort the breakpoints, find the two between which the sum passes c, and interpolate."""
    free = clipped(z, a, Fraction(0))
    if sum(free) <= c:
        return free
    points = sorted({Fraction(0), *(x for x in (*z, *(x - most for x, most in zip(z, a, strict=True))) if x > 0)})
    low, high = 0, len(points) - 1  # the sum is above c at points[low], and at most c at points[high]
    while high - low > 1:
        middle = (low + high) // 2
        if sum(clipped(z, a, points[middle])) > c:
            low = middle
        else:
            high = middle
    above, below = (sum(clipped(z, a, points[i])) for i in (low, high))
    share = (above - c) / (above - below)
    return clipped(z, a, points[low] + share * (points[high] - points[low]))


def broken(z: Row, a: Row, c: Fraction, y: Row, slack: Fraction = Fraction(0)) -> list[str]:
    """Which optimality conditions of min |y - z|^2 over 0 <= y <= a, sum y <= c an answer breaks.

    y is optimal when it is feasible and there is a tau >= 0 with y = clip(z - tau, 0, a), and tau = 0 or sum y = c.
    With a slack, y may be so far from clip(z - tau, 0, a), entry by entry, and the sum from c; feasible it has to be.
    """
    found = []
    if any(not 0 <= amount <= most for amount, most in zip(y, a, strict=True)):
        found.append("demand")
    if sum(y) > c:
        found.append("capacity")
    floors = [x - amount - slack for x, most, amount in zip(z, a, y, strict=True) if amount + slack < most]
    ceilings = [x - amount + slack for x, amount in zip(z, y, strict=True) if amount - slack > 0]
    least = max([Fraction(0), *floors])  # that tau can be
    if any(tau < least for tau in ceilings):
        found.append("tau")
    if least > 0 and sum(y) < c - slack:
        found.append("complementary")
    return found
