"""theorem3_ilp_fluid fails at eps = 1: a knockout of servers that stop one by one, summed up in whole numbers.

All jobs are equal, have one chunk and come at 0. The servers that hold k jobs are put into groups of m_k + 1, of which
one stops there: m_k jobs come that may go to it, each also to one of the others, which A_online takes, as a short job
on the first makes that the fuller one. So the share A_k = A_(k-1) m_k/(m_k + 1) of the servers gets the (k+1)-st
job. In (4) that job costs k + 1/2 times its time at speed 1 + eps; A_online costs sum (2 k + 1) A_k/(2 (1 + eps)).
Where all jobs of a group go to the server that stops, the cost is sum m_k A_k/2, but for the short
jobs, of which nothing is left where a chunk is long. At eps = 1 the theorem allows a quotient of 4 of the two sums.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import isqrt

ONE = 1 << 256  # of the fixed point


def stops(target: Fraction) -> list[int]:
    """The m_k that pass a quotient as early as possible, to the digits of the fixed point; none of them is claimed.

    A price L_k for each server that holds k jobs, m L_k <= r_k + target m^2 for all m, proves the quotient ``target``
    as long as r_k = L_0 + ... + L_(k-1) - k^2 is not negative. The m where the largest such L_k is met is taken.
    """
    rest, result, goal = 0, list[int](), int(target * ONE)
    while rest >= 0:
        near = isqrt(rest // goal)
        price, m = min((rest // m + goal * m, m) for m in range(max(1, near - 1), near + 3))
        rest += price - (2 * len(result) + 1) * ONE
        result.append(m)
    return result


def quotient(counts: Sequence[int]) -> Fraction:
    """At most sum (2 k + 1) A_k over sum m_k A_k."""
    low, high, online, shown = ONE, ONE, 0, 0
    for k, m in enumerate(counts):
        low, high = low * m // (m + 1), -(-high * m // (m + 1))
        online, shown = online + (2 * k + 1) * low, shown + m * high
    return Fraction(online, shown)


if __name__ == "__main__":
    for target in ("4", "4.001", "4.008"):
        counts = stops(Fraction(target))
        value = quotient(counts)
        print(f"{len(counts):,} levels: {float(value):.9f}, above {target}: {value > Fraction(target)}")
