"""Exact test: can one server meet all its deadlines, and with which resources?

Job k with D GB on the server needs compute r_k^c and bandwidth r_k^b with c_k/r_k^c + b_k/r_k^b <= 1. Here c_k = a D is
the compute that job k needs if computing takes all the time; b_k = b D is the bandwidth that job k needs if
communication takes all the time. With u_k = r_k^c - c_k and v_k = r_k^b - b_k this is the cone u_k v_k >= c_k b_k, u_k,
v_k >= 0. Let u and v be the server's compute and bandwidth less the sums of c_k and b_k. There are such u_k and v_k
with sums at most u and v if and only if

    u >= 0,  v >= 0  and  sqrt(u v) >= sum_k sqrt(c_k b_k).

*Necessary* by Cauchy and Schwarz: (sum u_k)(sum v_k) >= (sum sqrt(u_k v_k))^2. *Sufficient*: divide u and v in
proportion to sqrt(c_k b_k); if all these roots are 0, all u_k and v_k are 0. If the test holds with equality and some
c_k b_k > 0,
these shares are rational, because square roots that are not rational multiples of each other are linearly independent
over the rationals. If the test holds strictly, nearby rational shares suffice. Every feasible server thus has rational
resources.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from math import fsum, sqrt
from typing import Any

from schedproof.core.base.balls import in_balls
from schedproof.core.base.radicals import root, root_below

Need = tuple[Fraction, Fraction]  # (c, b) of a job on the server, GFLOP/s and Gbit/s
CLEAR = 1e-9  # relative: doubles decide if the sums of roots differ by more than this
SAFE = 1e-100, 1e100  # the square root of a number between these is a normal double


def fits(compute: Fraction, bandwidth: Fraction, needs: Sequence[Need]) -> bool:
    """Return whether the server can meet all these needs in time."""
    u, v = _spare(compute, bandwidth, needs)
    return u >= 0 and v >= 0 and _roots_within(u * v, [c * b for c, b in needs if c and b])


def resources(compute: Fraction, bandwidth: Fraction, needs: Sequence[Need]) -> list[tuple[Fraction, Fraction]]:
    """Return rational (r^c, r^b) for each need, within the server's capacity.

    Raises
    ------
    ValueError
        If the server cannot meet all needs.
    """
    if not fits(compute, bandwidth, needs):
        raise ValueError("the server cannot meet all these needs in time")
    u, v = _spare(compute, bandwidth, needs)
    bits = 32
    while True:
        weights = _weights([c * b for c, b in needs], bits)
        total = sum(weights) or Fraction(1)
        shares = [(c + u * w / total, b + v * w / total) for (c, b), w in zip(needs, weights, strict=True)]
        if all((r - c) * (s - b) >= c * b for (r, s), (c, b) in zip(shares, needs, strict=True)):
            return shares
        bits *= 2


def _spare(compute: Fraction, bandwidth: Fraction, needs: Sequence[Need]) -> tuple[Fraction, Fraction]:
    return compute - sum(c for c, _ in needs), bandwidth - sum(b for _, b in needs)


def _weights(squares: Sequence[Fraction], bits: int) -> list[Fraction]:
    """Return weights in proportion to square roots: exact, or rounded to ``bits``."""
    first = next((square for square in squares if square), Fraction(1))
    ratios = [square / first for square in squares]
    return [root(ratio) or root_below(ratio, bits) for ratio in ratios]


def _roots_within(square: Fraction, parts: Sequence[Fraction]) -> bool:
    """Return whether sqrt(square) >= the sum of the parts' square roots, all positive."""
    if not parts:
        return True
    if not square:
        return False
    if all(SAFE[0] < part < SAFE[1] for part in (square, *parts)):
        rest, right = sqrt(square), fsum(map(sqrt, parts))
        if abs(rest - right) > CLEAR * rest:
            return rest > right
    ratios = [ratio for ratio in (root(part / square) for part in parts) if ratio is not None]
    if len(ratios) == len(parts):
        return sum(ratios) <= 1
    bits = 128
    while True:  # the two sums differ, by linear independence, so some precision separates them
        rest, right = (in_balls(partial(_sum_of_roots, some), bits) for some in ([square], parts))
        if rest > right or rest < right:
            return bool(rest > right)
        bits *= 2


def _sum_of_roots(squares: Sequence[Fraction], ball: Callable[[Fraction], Any]) -> Any:
    return sum((ball(square).sqrt() for square in squares), ball(Fraction(0)))
