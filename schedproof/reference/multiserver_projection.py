"""The projection (32) of a row in rationals; Algorithm 1, lines 6-31, repaired.

A row (a resource of a node) has a point (z_l), demands (a_l) and a capacity c, in the order of the ports of L_r. Its
feasible region is 0 <= y <= a, sum y <= c.

The open points of Algorithm 1 are parameters. In all readings the ports are renumbered in the order of line 7 (ties by
number), line 20 refers to (38), because (39) is the regret bound, and (38) is not evaluated if B3 is empty.

Versions of this algorithm: docs/architecture.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

Numbers = Sequence[Fraction]
ZERO = Fraction(0)


def clip(point: Numbers, demand: Numbers, shift: Fraction = ZERO) -> tuple[Fraction, ...]:
    """Return max(0, min(z_l - shift, a_l)) for each port."""
    return tuple(max(ZERO, min(z - shift, a)) for z, a in zip(point, demand, strict=True))


def project_row(point: Numbers, demand: Numbers, capacity: Fraction) -> tuple[Fraction, ...]:
    """Return the projection (32), the nearest point of the row.

    The projection is clip(z - tau) with tau = 0 if the sum of clip(z) is at most c, else with sum clip(z - tau) = c.
    The sum is affine in tau between two of the breakpoints z_l and z_l - a_l.
    """
    return clip(point, demand, shift(point, demand, capacity))


def shift(point: Numbers, demand: Numbers, capacity: Fraction) -> Fraction:
    """Return tau, half of the multiplier rho_r^k of (6)."""

    def sum_at(tau: Fraction) -> Fraction:
        return sum(clip(point, demand, tau), ZERO)

    if sum_at(ZERO) <= capacity:
        return ZERO
    breaks = {end for z, a in zip(point, demand, strict=True) for end in (z, z - a) if end > 0}
    for low, high in pairwise(sorted({ZERO, *breaks})):
        if sum_at(high) <= capacity:
            return low + (sum_at(low) - capacity) / (sum_at(low) - sum_at(high)) * (high - low)
    raise ValueError(f"expected a capacity >= 0, got {capacity}")


def outside(row: Numbers, demand: Numbers, capacity: Fraction) -> Fraction:
    """Return the largest violation of (5) or (6) in the row; 0 if feasible."""
    beyond = (max(-y, y - a) for y, a in zip(row, demand, strict=True))
    return max(ZERO, sum(row, ZERO) - capacity, *beyond)


def distance(one: Numbers, other: Numbers) -> Fraction:
    return sum(((a - b) ** 2 for a, b in zip(one, other, strict=True)), ZERO)


def gap(point: Numbers, answer: Numbers, demand: Numbers, capacity: Fraction) -> Fraction:
    """Return the largest (z - p)(y - p) over y in the row, for a feasible answer p.

    The result is 0 iff p is the projection. The maximum of a linear function over the row fills the ports greedily, by
    decreasing weight z_l - p_l > 0.
    """
    weight = [z - p for z, p in zip(point, answer, strict=True)]
    best, rest = ZERO, capacity
    for w, a in sorted(zip(weight, demand, strict=True), reverse=True):
        if w <= 0:
            break
        best += w * min(a, rest)
        rest -= min(a, rest)
    return best - sum((w * p for w, p in zip(weight, answer, strict=True)), ZERO)


def in_words(numbers: Numbers) -> str:
    return "(" + ", ".join(map(str, numbers)) + ")"


@dataclass(frozen=True)
class Interpretation:
    """A reading of Algorithm 1.

    Attributes
    ----------
    emptied
        S is emptied at the begin of each repeat; no printed line does it.
    zeroed
        The y of ports that enter B2 is set to 0, the definition of B2; no printed line does it.
    floored
        rho is at least 0, as (35) requires of a multiplier; (38) may be negative.
    rounds
        The iterations of the while loop before the result is taken; None: all.
    """

    emptied: bool = True
    zeroed: bool = True
    floored: bool = False
    rounds: int | None = None


AS_PRINTED = Interpretation()


def algorithm1(
    point: Numbers, demand: Numbers, capacity: Fraction, reading: Interpretation = AS_PRINTED
) -> tuple[Fraction, ...] | None:
    """Return the allocation at the break in line 18, in the ports' order, or ``None``.

    ``None`` means that the repeat loop does not end.
    """
    order = sorted(range(len(point)), key=lambda port: -point[port])  # 7
    z, a = [point[port] for port in order], [demand[port] for port in order]
    ports, turn = range(len(z)), 0
    y = [ZERO for _ in ports]
    while turn != reading.rounds:  # 9
        if turn and not (y and y[0] > a[0]):  # 15
            break
        at_demand = {0} if turn else set()  # 16, 12: B1
        free = set(ports) - at_demand  # B3
        if not _repeat(z, a, capacity, reading, y, at_demand, free):  # 19-31
            return None
        turn += 1
    return tuple(y[order.index(port)] for port in ports)


def _repeat(
    z: Numbers, a: Numbers, c: Fraction, reading: Interpretation, y: list[Fraction], b1: set[int], b3: set[int]
) -> bool:
    b2: set[int] = set()  # 10
    cut: set[int] = set()
    while True:
        before = (set(cut), set(b3))
        if reading.emptied:
            cut = set()
        rho = 2 * (sum((z[m] for m in b3), -c) + sum(a[m] for m in b1)) / len(b3) if b3 else ZERO  # 20
        rho = max(rho, ZERO) if reading.floored else rho
        for m in range(len(z)):  # 21
            if m in b1:
                y[m] = a[m]
            elif m in b3:
                y[m] = z[m] - rho / 2  # 25
                if y[m] < 0:
                    cut = set(range(m, len(z)))  # 27
                    break
        b2 |= cut  # 30
        b3 -= cut
        for m in b2 if reading.zeroed else ():
            y[m] = ZERO
        if not cut:  # 31
            return True
        if before == (cut, b3):
            return False


def three_sets(point: Numbers, demand: Numbers, capacity: Fraction) -> tuple[Fraction, ...]:
    """Run the repaired Algorithm 1, without sorting.

    If clip(z) does not exceed the capacity, it is the result. Otherwise each round uses tau = rho/2 of (38). The free
    ports above their demand join B1 if their total excess is larger than the deficit of the ports below 0; otherwise
    the ports below 0 join B2.
    """
    if sum(clip(point, demand)) <= capacity:
        return clip(point, demand)
    rest, free = capacity, set(range(len(point)))
    while True:
        tau = (sum(point[m] for m in free) - rest) / len(free)
        above = {m: point[m] - tau - demand[m] for m in free if point[m] - tau > demand[m]}
        below = {m: tau - point[m] for m in free if point[m] < tau}
        over, under = sum(above.values()), sum(below.values())
        if over == under:
            return clip(point, demand, tau)
        fixed: Sequence[int] = list(above) if over > under else list(below)
        rest -= sum(demand[m] for m in fixed) if over > under else ZERO
        free -= set(fixed)
