"""Algorithm 1, lines 6-31, line by line for one (r, k), and the iteration that repairs it.

What the print leaves open is a parameter; in all readings the ports are numbered anew in the order of line 7 (ties by
their own number), line 20 is (38), for (39) is the regret bound, and (38) is not evaluated where B3 is empty.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from schedproof.proofs_checks.multiserver.rows import Numbers, clip

ZERO = Fraction(0)


@dataclass(frozen=True)
class Letter:
    """What the print leaves open.

    Attributes
    ----------
    emptied
        S is emptied at the head of each repeat; no line does it.
    zeroed
        The y of ports that enter B2 is set to 0, as B2 is defined; no line does it.
    floored
        rho is at least 0, as (35) asks of a multiplier; (38) may be negative.
    rounds
        Turns of the while loop before the result is taken, all if None.
    """

    emptied: bool = True
    zeroed: bool = True
    floored: bool = False
    rounds: int | None = None


def algorithm1(
    point: Numbers, demand: Numbers, capacity: Fraction, letter: Letter = Letter()
) -> tuple[Fraction, ...] | None:
    """The allocation when line 18 breaks, in the ports' own order; None if the repeat loop does not end."""
    order = sorted(range(len(point)), key=lambda port: -point[port])  # 7
    z, a = [point[port] for port in order], [demand[port] for port in order]
    ports, turn = range(len(z)), 0
    y = [ZERO for _ in ports]
    while turn != letter.rounds:  # 9
        if turn and not (y and y[0] > a[0]):  # 15
            break
        at_demand = {0} if turn else set()  # 16, 12: B1
        free = set(ports) - at_demand  # B3
        if not _repeat(z, a, capacity, letter, y, at_demand, free):  # 19-31
            return None
        turn += 1
    return tuple(y[order.index(port)] for port in ports)


def _repeat(z: Numbers, a: Numbers, c: Fraction, letter: Letter, y: list[Fraction], b1: set[int], b3: set[int]) -> bool:
    """Lines 19-31; whether they end."""
    b2: set[int] = set()  # 10
    cut: set[int] = set()
    while True:
        before = (set(cut), set(b3))
        if letter.emptied:
            cut = set()
        rho = 2 * (sum((z[m] for m in b3), -c) + sum(a[m] for m in b1)) / len(b3) if b3 else ZERO  # 20
        rho = max(rho, ZERO) if letter.floored else rho
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
        for m in b2 if letter.zeroed else ():
            y[m] = ZERO
        if not cut:  # 31
            return True
        if before == (cut, b3):
            return False


def three_sets(point: Numbers, demand: Numbers, capacity: Fraction) -> tuple[Fraction, ...]:
    """Algorithm 1 repaired, without sorting.

    A row that clip(z) does not overfill is done. Otherwise, with tau = rho/2 of (38) in each round, the free ports
    above their demand join B1 if together they are above by more than the ports below 0 are below, else those join B2.
    """
    if sum(clip(point, demand)) <= capacity:
        return clip(point, demand)
    left, free = capacity, set(range(len(point)))
    while True:
        tau = (sum(point[m] for m in free) - left) / len(free)
        above = {m: point[m] - tau - demand[m] for m in free if point[m] - tau > demand[m]}
        below = {m: tau - point[m] for m in free if point[m] < tau}
        over, under = sum(above.values()), sum(below.values())
        if over == under:
            return clip(point, demand, tau)
        fixed: Sequence[int] = list(above) if over > under else list(below)
        left -= sum(demand[m] for m in fixed) if over > under else ZERO
        free -= set(fixed)
