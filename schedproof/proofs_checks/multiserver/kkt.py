"""The optimality conditions of the projection: claims kkt34_37 and sets38."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from schedproof.core.claim import Assumption, Case, Claim, Finding, Planted, Reading
from schedproof.proofs_checks.multiserver import regimes
from schedproof.proofs_checks.multiserver.house import WITNESSES
from schedproof.proofs_checks.multiserver.rows import Numbers, project_row, shift
from schedproof.proofs_checks.strategies import multiserver as draw
from schedproof.proofs_checks.writing import restricted, table

ZERO = Fraction(0)


@dataclass(frozen=True)
class Point:
    """The projection of a row with its multipliers, as far as (34) leaves them: lambda for 0 <= y, mu for y <= a.

    Attributes
    ----------
    unique
        Whether no others satisfy (34): no demand is 0, and rho is 0 or told by a port strictly between its bounds.
    """

    y: Numbers
    a: Numbers
    c: Fraction
    rho: Fraction
    rest: Numbers  # 2 (y - z) + rho = lambda - mu

    @property
    def unique(self) -> bool:
        between = any(0 < y < a for y, a in zip(self.y, self.a, strict=True))
        return min(self.a) > 0 and (between or sum(self.y) < self.c)

    @property
    def tight(self) -> list[Fraction]:
        """The multipliers of the constraints that hold with equality."""
        ports = list(zip(self.y, self.a, self.rest, strict=True))
        full = [self.rho] if sum(self.y) == self.c else []
        return full + [max(s, ZERO) for y, _, s in ports if y == 0] + [max(-s, ZERO) for y, a, s in ports if y == a]


def solve(case: Case) -> Point:
    """The projection of the case's row."""
    z, a, c = (case.data[part] for part in "zac")
    y, rho = project_row(z, a, c), 2 * shift(z, a, c)
    return Point(y, a, c, rho, [2 * (u - v) + rho for u, v in zip(y, z, strict=True)])


# --- (34)-(37) -------------------------------------------------------------------------------------------------------


def all_at_once(case: Case) -> Finding:
    """(36) and (37) for every l, r, k: y = a and y = 0; whatever y is, |y - a| + |y| is at least a."""
    return Finding(sum(case.data["a"], ZERO), ZERO, "at most", "least sum of |y - a| + |y - 0|")


def tight_positive(case: Case) -> Finding | None:
    """Each of (5), (6) that holds with equality has a positive multiplier."""
    point = solve(case)
    if not point.unique:
        return None
    return Finding(Fraction(point.tight.count(ZERO)), ZERO, "at most", "equalities with multiplier 0")


def complementary(case: Case, half: bool = False) -> Finding:
    """(34), and each of rho, mu, lambda >= 0 is 0 or its constraint in (5), (6) holds with equality.

    Proof
    -----
    (32) minimises a strictly convex quadratic over affine constraints, so a feasible y is its solution exactly if there
    are multipliers >= 0 with (34) and with product 0 with their constraint's slack. With y = clip(z - tau), rho = 2 tau
    is 0 unless sum y = c, and s = 2 (y - z) + rho is 0 for 0 < y < a, not negative at y = 0 and not positive at y = a:
    lambda = max(s, 0) and mu = max(-s, 0) will do.
    """
    point = solve(case)
    rho = point.rho / 2 if half else point.rho
    rest = [s - point.rho + rho for s in point.rest]
    products = [max(s, ZERO) * y + max(-s, ZERO) * (a - y) for s, y, a in zip(rest, point.y, point.a, strict=True)]
    return Finding(sum(products, rho * (point.c - sum(point.y))), ZERO, "at most", "sum of multiplier times slack")


KKT = Claim(
    id="multiserver.kkt34_37",
    source="paper 002, section III-B, (34)-(37)",
    statement="The optimality conditions of (32) are (34) and, for every l, r, k, (35), (36), (37).",
    readings=(
        Reading("all at once", "'&' and 'for every' as printed: (36) and (37) hold for the same l, r, k.", all_at_once),
        Reading("tight and positive", "Where a constraint is tight its multiplier is positive.", tight_positive),
        Reading("tight or 0", "Each multiplier is 0, or its constraint is tight.", complementary),
    ),
    regimes=regimes.ROWS,
    strategy=draw.any_rows(),
    planted=(Planted("half of rho", lambda case: complementary(case, half=True)),),
    witnesses=WITNESSES,
    repaired_by="multiserver.kkt34_37_repaired",
    small_repair=True,
)
KKT_REPAIRED = Claim(
    id="multiserver.kkt34_37_repaired",
    source="paper 002, section III-B, (34)-(37), repaired",
    statement=(
        "The optimality conditions of (32) are (5), (6), (34), rho, mu, lambda >= 0, and: rho = 0 or sum y = c; mu = 0 "
        "or y = a; lambda = 0 or y = 0."
    ),
    readings=KKT.readings[2:],
    regimes=regimes.ROWS,
    strategy=draw.any_rows(),
    planted=KKT.planted,
)

# --- the three sets --------------------------------------------------------------------------------------------------


def sets(point: Point) -> tuple[set[int], set[int], set[int]]:
    """B1, B2, B3 as printed."""
    ports = range(len(point.y))
    return (
        {m for m in ports if point.y[m] == point.a[m]},
        {m for m in ports if point.y[m] == 0},
        {m for m in ports if point.rest[m] == 0},
    )


def disjoint(case: Case) -> Finding:
    """No port is in two of B1, B2, B3 as printed, at the projection."""
    one, two, three = sets(solve(case))
    return Finding(Fraction(len(one & two | one & three | two & three)), ZERO, "at most", "ports in two sets")


def equation38(case: Case, demands: bool = True) -> Finding:
    """rho is (38), with B3 the ports that are in neither B1 nor B2; it is undefined where there are none."""
    point = solve(case)
    one, two, three = sets(point)
    free = three - one - two
    if not free:
        return Finding(Fraction(1), ZERO, "equal", "(38) divides by |B3| = 0")
    z = case.data["z"]
    held = sum((point.a[m] for m in one), ZERO) if demands else ZERO
    value = 2 * (sum((z[m] for m in free), ZERO) - point.c + held) / len(free)
    return Finding(value, point.rho, "equal", "(38), rho")


def regular(case: Case) -> bool:
    """The row is full, a port is strictly between its bounds, none is at a bound with multiplier 0; no demand is 0.

    Proof
    -----
    As no demand is 0, no port is in B1 and B2. A port at a bound has 2 (y - z) + rho = lambda - mu other than 0, so it
    is not in B3; a port strictly between has lambda = mu = 0 and is in B3 alone. Sum 2 (y - z) + rho = 0 over B3 and
    use sum_B3 y = c - sum_B1 a, which is (6) with equality: |B3| rho = 2 (sum_B3 z - c + sum_B1 a), and that is (38),
    as B3 is not empty.
    """
    point = solve(case)
    bounds = [s for y, a, s in zip(point.y, point.a, point.rest, strict=True) if y in (0, a)]
    return sum(point.y) == point.c and len(bounds) < len(point.y) and all(bounds) and min(point.a) > 0


SETS38 = Claim(
    id="multiserver.sets38",
    source="paper 002, section III-B, B1, B2, B3 and (38)",
    statement="B1, B2 and B3 are disjoint, and rho is (38), for all r, k.",
    readings=(
        Reading("disjoint", "The three sets as printed, at the projection.", disjoint),
        Reading("(38)", "B3 without what is in B1 or B2.", equation38),
    ),
    regimes=(regimes.BELOW, regimes.TWO_ABOVE, regimes.NOT_FIRST, regimes.EQUAL_POINTS),
    strategy=draw.any_rows(),
    planted=(Planted("without the demands of B1", lambda case: equation38(case, demands=False)),),
    witnesses=WITNESSES,
    assumption=Assumption(
        "regular row",
        "the row is full, a port is strictly between its bounds, none is at one with multiplier 0, no demand is 0",
        regular,
        regular,
    ),
    repaired_by="multiserver.sets38_repaired",
)
SETS38_REPAIRED = restricted(SETS38, strategy=draw.rows(5, crowded=True), witnesses=None)

CLAIMS = table(KKT, KKT_REPAIRED, SETS38, SETS38_REPAIRED)
