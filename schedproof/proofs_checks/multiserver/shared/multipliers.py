"""The projection of a row with its multipliers."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from schedproof.proofs_checks.strategies.multiserver import OneRow
from schedproof.reference.multiserver_projection import ZERO, Numbers, project_row, shift


@dataclass(frozen=True)
class Point:
    """The projection of a row with its multipliers, as far as (34) leaves them: lambda for 0 <= y, mu for y <= a.

    Attributes
    ----------
    rest
        2 (y - z) + rho = lambda - mu of each port.
    """

    row: OneRow
    y: Numbers
    rho: Fraction
    rest: Numbers

    @property
    def unique(self) -> bool:
        """Whether no others satisfy (34): no demand is 0, and rho is 0 or some port strictly between bounds."""
        between = any(0 < y < a for y, a in zip(self.y, self.row.a, strict=True))
        return min(self.row.a) > 0 and (between or sum(self.y) < self.row.c)

    @property
    def tight(self) -> list[Fraction]:
        """The multipliers of the constraints that hold with equality."""
        ports = list(zip(self.y, self.row.a, self.rest, strict=True))
        full = [self.rho] if sum(self.y) == self.row.c else []
        return full + [max(s, ZERO) for y, _, s in ports if y == 0] + [max(-s, ZERO) for y, a, s in ports if y == a]


def solve(case: OneRow) -> Point:
    """The projection of the case's row."""
    y, rho = project_row(case.z, case.a, case.c), 2 * shift(case.z, case.a, case.c)
    return Point(case, y, rho, [2 * (u - v) + rho for u, v in zip(y, case.z, strict=True)])
