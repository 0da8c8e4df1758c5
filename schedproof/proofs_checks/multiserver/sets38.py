"""Section III-B: the three sets of ports at the projection, and (38)."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claims.claim import Claim, Domain, Finding
from schedproof.families.multiserver import ZHAO24
from schedproof.proofs_checks.multiserver.kkt34_37 import Point, solve
from schedproof.proofs_checks.multiserver.shared import regimes
from schedproof.proofs_checks.strategies import multiserver as draw
from schedproof.proofs_checks.strategies.multiserver import OneRow
from schedproof.reference.multiserver_projection import ZERO

REGIMES = (regimes.BELOW, regimes.TWO_ABOVE, regimes.NOT_FIRST, regimes.EQUAL_POINTS)

SETS38 = Claim(
    "multiserver.sets38",
    ZHAO24.at("section III-B, B1, B2, B3 and (38)"),
    "B1, B2 and B3 are disjoint, and rho is (38), for all r, k.",
    Domain(OneRow, draw.any_rows(), REGIMES),
)
SETS38.repair(domain=Domain(OneRow, draw.rows(5, crowded=True), REGIMES))


@SETS38.reading("disjoint", "The three sets are as printed, at the projection.")
def disjoint(case: OneRow) -> Finding:
    one, two, three = sets(solve(case))
    return Finding(Fraction(len(one & two | one & three | two & three)), ZERO, "at most", "ports in two sets")


@SETS38.reading("(38)", "B3 without the ports in B1 or B2.")
@SETS38.false_variant("without the demands of B1", demands=False)
def equation38(case: OneRow, demands: bool = True) -> Finding:
    point = solve(case)
    one, two, three = sets(point)
    free = three - one - two
    if not free:
        return Finding(Fraction(1), ZERO, "equal", "(38) divides by |B3| = 0")
    held = sum((case.a[m] for m in one), ZERO) if demands else ZERO
    value = 2 * (sum((case.z[m] for m in free), ZERO) - case.c + held) / len(free)
    return Finding(value, point.rho, "equal", "(38), rho")


REGULAR_PROOF = """
As no demand is 0, no port is in both B1 and B2. A port at a bound has 2 (y - z) + rho = lambda - mu /= 0, and is not in
B3. A port strictly between has lambda = mu = 0 and is only in B3. Sum 2 (y - z) + rho = 0 over B3 and use sum_B3 y =
c - sum_B1 a, which is (6) with equality. The result is |B3| rho = 2 (sum_B3 z - c + sum_B1 a). As B3 is not empty, this
is (38).
Coq: rows.v sets38. Objects: optimal_row, strict, B1, B2, B3. In words: the multipliers are those of kkt34_37_repaired.
- *B3 as printed has ports at a bound if their multiplier is 0.* The assumption excludes them; the witness shows that
they exist.
- *How could a policy know the sets in advance?* It cannot: (38) is a condition on the solution, from which Algorithm 1
iterates.
"""


@SETS38.assume(
    "regular row",
    "the row is full, a port is strictly between its bounds, no port is at a bound with multiplier 0, no demand is 0",
    REGULAR_PROOF,
)
def regular(case: OneRow) -> bool:
    """Whether the row is full and the ports are in general position.

    Some port is strictly between its bounds, each port at a bound has a positive multiplier, and no demand is 0.
    """
    point = solve(case)
    bounds = [s for y, a, s in zip(point.y, case.a, point.rest, strict=True) if y in (0, a)]
    return sum(point.y) == case.c and len(bounds) < len(point.y) and all(bounds) and min(case.a) > 0


def sets(point: Point) -> tuple[set[int], set[int], set[int]]:
    ports = range(len(point.y))
    return (
        {m for m in ports if point.y[m] == point.row.a[m]},
        {m for m in ports if point.y[m] == 0},
        {m for m in ports if point.rest[m] == 0},
    )
