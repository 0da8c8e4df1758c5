"""Section III-B, (34)-(37): the optimality conditions of the projection."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from schedproof.core.claims.claim import Answer, Claim, Finding, Outside, Premise
from schedproof.families.multiserver import ZHAO24
from schedproof.proofs_checks.multiserver.shared.regimes import ANY_ROW
from schedproof.proofs_checks.strategies.multiserver import OneRow
from schedproof.reference.multiserver_projection import ZERO, Numbers, project_row, shift

UNIQUE: Premise[Any] = Premise("(34) leaves one choice of multipliers", lambda case: solve(case).unique)

KKT = Claim(
    "multiserver.kkt34_37",
    ZHAO24.at("section III-B, (34)-(37)"),
    "The optimality conditions of (32) are (34) and, for every l, r, k, (35), (36), (37).",
    ANY_ROW,
    severity="slip",
)
REPAIRED = KKT.repair(
    "The optimality conditions of (32) are (5), (6), (34), rho, mu, lambda >= 0, and: rho = 0 or sum y "
    "= c; mu = 0 or y = a; lambda = 0 or y = 0.",
    small=True,
)


@KKT.reading("all at once", "'&' and 'for every' as printed: (36) and (37) hold for the same l, r, k.")
def all_at_once(case: OneRow) -> Finding:
    """(36) and (37) for every l, r, k require y = a and y = 0.

    But |y - a| + |y| >= a for every y.
    """
    return Finding(sum(case.a, ZERO), ZERO, "at most", "least sum of |y - a| + |y - 0|")


@KKT.reading(
    "tight and positive",
    "If a constraint is tight, its multiplier is positive.",
    where=(UNIQUE,),
)
def tight_positive(case: OneRow) -> Answer:
    point = solve(case)
    if not point.unique:
        return Outside(UNIQUE)
    return Finding(Fraction(point.tight.count(ZERO)), ZERO, "at most", "equalities with multiplier 0")


COMPLEMENTARY_PROOF = """
(32) minimises a strictly convex quadratic over affine constraints. So a feasible y is its solution exactly if
multipliers >= 0 exist that satisfy (34) and whose product with their constraint's slack is 0. Let y = clip(z - tau).
Then rho = 2 tau is 0 unless sum y = c. Let s = 2 (y - z) + rho. It is 0 for 0 < y < a, nonnegative at y = 0 and
nonpositive at y = a. So lambda = max(s, 0) and mu = max(-s, 0) are such multipliers.
Coq, core: rows.v kkt34_37, clip_is_projection, tau_exists. Outside: that (32) separates into rows. (32) and Y are taken
row by row. `mul` is mu, and `lam` is lambda.
- *Multipliers need not be unique.* The claim is that some exist; the check uses those of the proof.
- *Why is rho twice tau?* (33) has the squares without a factor 1/2.
"""


@KKT.reading("tight or 0", "Each multiplier is 0, or its constraint is tight.", COMPLEMENTARY_PROOF, also=REPAIRED)
@KKT.false_variant("half of rho", half=True)
def complementary(case: OneRow, half: bool = False) -> Finding:
    point = solve(case)
    rho = point.rho / 2 if half else point.rho
    rest = [s - point.rho + rho for s in point.rest]
    products = [max(s, ZERO) * y + max(-s, ZERO) * (a - y) for s, y, a in zip(rest, point.y, case.a, strict=True)]
    return Finding(sum(products, rho * (case.c - sum(point.y))), ZERO, "at most", "sum of multiplier times slack")


def solve(case: OneRow) -> Point:
    y, rho = project_row(case.z, case.a, case.c), 2 * shift(case.z, case.a, case.c)
    return Point(case, y, rho, [2 * (u - v) + rho for u, v in zip(y, case.z, strict=True)])


@dataclass(frozen=True)
class Point:
    """The projection of a row with its multipliers: lambda for 0 <= y, mu for y <= a.

    (34) may leave the multipliers open.

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
        """Whether (34) determines the multipliers.

        The multipliers are determined if no demand is 0, and if rho is 0 or some port is strictly between its bounds.
        """
        between = any(0 < y < a for y, a in zip(self.y, self.row.a, strict=True))
        return min(self.row.a) > 0 and (between or sum(self.y) < self.row.c)

    @property
    def tight(self) -> list[Fraction]:
        ports = list(zip(self.y, self.row.a, self.rest, strict=True))
        full = [self.rho] if sum(self.y) == self.row.c else []
        return full + [max(s, ZERO) for y, _, s in ports if y == 0] + [max(-s, ZERO) for y, a, s in ports if y == a]
