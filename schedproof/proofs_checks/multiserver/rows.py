"""One row of the feasible set, a node's resource, in rationals: 0 <= y <= a, sum y <= c; what is nearest to a point.

A row is three things: a point (z_l), the demands (a_l) and the capacity c, in the order of the ports of L_r.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

Numbers = Sequence[Fraction]
ZERO = Fraction(0)


def clip(point: Numbers, demand: Numbers, shift: Fraction = ZERO) -> tuple[Fraction, ...]:
    """max(0, min(z_l - shift, a_l)) for each port."""
    return tuple(max(ZERO, min(z - shift, a)) for z, a in zip(point, demand, strict=True))


def project_row(point: Numbers, demand: Numbers, capacity: Fraction) -> tuple[Fraction, ...]:
    """The nearest point of the row, the projection (32).

    It is clip(z - tau) with tau = 0 if that is within c, else the tau with sum clip(z - tau) = c: between two of the
    breakpoints z_l and z_l - a_l the sum is affine in tau.
    """
    return clip(point, demand, shift(point, demand, capacity))


def shift(point: Numbers, demand: Numbers, capacity: Fraction) -> Fraction:
    """tau, half of the multiplier rho_r^k of (6)."""

    def given(tau: Fraction) -> Fraction:
        return sum(clip(point, demand, tau), ZERO)

    if given(ZERO) <= capacity:
        return ZERO
    breaks = {end for z, a in zip(point, demand, strict=True) for end in (z, z - a) if end > 0}
    for low, high in pairwise(sorted({ZERO, *breaks})):
        if given(high) <= capacity:
            return low + (given(low) - capacity) / (given(low) - given(high)) * (high - low)
    raise ValueError(f"expected a capacity >= 0, got {capacity}")


def outside(row: Numbers, demand: Numbers, capacity: Fraction) -> Fraction:
    """By how much an allocation misses (5) or (6) of the row, at most; 0 if it meets them."""
    beyond = (max(-y, y - a) for y, a in zip(row, demand, strict=True))
    return max(ZERO, sum(row, ZERO) - capacity, *beyond)


def distance(one: Numbers, other: Numbers) -> Fraction:
    """The squared Euclidean distance."""
    return sum(((a - b) ** 2 for a, b in zip(one, other, strict=True)), ZERO)


def gap(point: Numbers, answer: Numbers, demand: Numbers, capacity: Fraction) -> Fraction:
    """The largest (z - p)(y - p) over the row's y, for an answer p in the row: 0 exactly when p is the projection.

    The maximum of a linear function over the row fills the ports greedily, by decreasing weight z_l - p_l > 0.
    """
    weight = [z - p for z, p in zip(point, answer, strict=True)]
    most, left = ZERO, capacity
    for w, a in sorted(zip(weight, demand, strict=True), reverse=True):
        if w <= 0:
            break
        most += w * min(a, left)
        left -= min(a, left)
    return most - sum((w * p for w, p in zip(weight, answer, strict=True)), ZERO)
