"""Rows of small integers instead of ratios: hulls of integer points.

Whether worker-slots (a internal, b external) finish a job, a/c_i + b/c_e >= V, and whether s parameter servers serve n
workers, gamma s >= n, are questions on integer points. The facets of the points' convex hull answer these questions,
and are the tightest rows. Their coefficients are no larger than the counts, for any digits of c_i, c_e and gamma, so a
solver's tolerance cannot change the answer.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import pairwise
from math import gcd

from schedproof.core.base.numbers import ceil, common_denominator
from schedproof.instances.dmlrs import Job

Point = tuple[int, int]
Row = tuple[int, int, int]  # (p, q, r): p x + q y >= r


def finishing_rows(job: Job, limit: int) -> list[Row]:
    """Return the rows p a + q b >= r for worker-slots that complete the job.

    The numbers of its internal and external worker-slots are a and b.

    Parameters
    ----------
    limit
        The largest possible total of worker-slots. If no such total is enough, the only row is a > limit.
    """
    points = []
    for a in range(min(ceil(job.work * job.internal_time), limit) + 1):
        b = max(0, ceil((job.work - a / job.internal_time) * job.external_time))
        if a + b <= limit:
            points.append((a, b))
    return lower_left(points) if points else [(1, 0, limit + 1)]


def serving_rows(job: Job) -> list[Row]:
    """Return rows p n + q s >= r, p <= 0, equivalent to gamma s >= n for n <= F."""
    limit = job.batch_size
    rows = lower_left(
        (limit - n, job.ps_needed(n)) for n in range(limit + 1)
    )  # the needed servers decrease with the number of idle workers
    return [(-p, q, r - p * limit) for p, q, r in rows if q]


def lower_left(points: Iterable[Point]) -> list[Row]:
    """Rows, p and q >= 0, of the hull of all points right of and above a given point."""
    hull = corners(points)
    return [(1, 0, hull[0][0]), *(_row(a, b) for a, b in pairwise(hull)), (0, 1, hull[-1][1])]


def corners(points: Iterable[Point]) -> list[Point]:
    """Return the corners of the hull of `lower_left`, from left to right."""
    hull: list[Point] = []
    for x, y in sorted(points):
        if not hull or y < hull[-1][1]:
            while len(hull) > 1 and _above(hull[-2], hull[-1], (x, y)):
                hull.pop()
            hull.append((x, y))
    return hull


def _above(a: Point, b: Point, c: Point) -> bool:
    return (b[1] - a[1]) * (c[0] - a[0]) >= (c[1] - a[1]) * (b[0] - a[0])


def _row(a: Point, b: Point) -> Row:
    p, q = a[1] - b[1], b[0] - a[0]
    g = gcd(p, q)
    return p // g, q // g, (p * a[0] + q * a[1]) // g


def whole_row(coefficients: Iterable[Fraction], limit: Fraction) -> tuple[list[int], int]:
    """Scale sum c x <= limit, integer x >= 0, to coprime integers; round down."""
    row = list(coefficients)
    scale = common_denominator(row)
    whole = [int(c * scale) for c in row]
    divisor = gcd(*whole) or 1
    return [c // divisor for c in whole], (limit * scale / divisor).__floor__()
