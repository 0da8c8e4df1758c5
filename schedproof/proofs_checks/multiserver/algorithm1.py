"""Algorithm 1, lines 6-31: the fast projection."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from schedproof.core.claims.claim import Answer, Claim, Domain, Finding, Outside, Premise
from schedproof.families.multiserver import ZHAO24
from schedproof.proofs_checks.multiserver.shared import regimes
from schedproof.proofs_checks.strategies import multiserver as draw
from schedproof.proofs_checks.strategies.multiserver import OneRow
from schedproof.reference import multiserver_projection as rows
from schedproof.reference.multiserver_projection import ZERO, Numbers

LARGE_DEMANDS: Premise[Any] = Premise("no demand is below the capacity", lambda case: min(case.a) >= case.c)
ALL_WANTED: Premise[Any] = Premise("the ports ask for it all", lambda case: sum(max(u, ZERO) for u in case.z) >= case.c)

ALGORITHM1 = Claim(
    "multiserver.algorithm1_projection",
    ZHAO24.at("Algorithm 1, lines 6-31, and (32)"),
    "Lines 6-31 of Algorithm 1 compute the projection (32).",
    regimes.ANY_ROW,
    severity="false theorem",
)
REPAIRED = ALGORITHM1.repair(
    "A row that clip(z) does not overfill is done. Otherwise tau is found among the breakpoints z_l and "
    "z_l - a_l, or by the three sets: B1 or B2 takes all ports beyond its bound, on the side with the "
    "larger total excess.",
    source=ZHAO24.at("Algorithm 1 and (32), repaired"),
)


@ALGORITHM1.reading("B2 set to 0", "S is emptied in each repeat, and ports that enter B2 get 0, as B2 requires.")
@ALGORITHM1.reading(
    "rho at least 0",
    "S is emptied in each repeat, ports that enter B2 get 0, and a negative rho counts as 0.",
    floored=True,
)
@ALGORITHM1.reading(
    "B2 left as it is", "S is emptied in each repeat; a port that enters B2 keeps its value of line 25.", zeroed=False
)
@ALGORITHM1.reading("S kept", "S is never emptied, as no line empties it.", emptied=False)
def projects(case: OneRow, **interpretation: bool) -> Finding:
    z, a, c = case.z, case.a, case.c
    answer = rows.algorithm1(z, a, c, rows.Interpretation(**interpretation))
    if answer is None:
        return Finding(Fraction(1), ZERO, "at most", "the repeat loop does not end; counted as distance 1")
    nearest = rows.project_row(z, a, c)
    place = f"squared distance of {rows.in_words(answer)} from {rows.in_words(nearest)}"
    place += f"; it is outside Y by {rows.outside(answer, a, c)}"
    return Finding(rows.distance(answer, nearest), ZERO, "at most", place)


BREAKPOINTS_PROOF = """
sum clip(z - tau) is continuous and not increasing in tau, and 0 for large tau, so tau >= 0 exists. Between two
neighbouring breakpoints among z_l and z_l - a_l the sum is affine, which gives tau exactly. Let p = clip(z - tau). For
y in the row, (z_l - tau - p_l)(y_l - p_l) <= 0 for each l. The reason is that the first factor is 0 if 0 < p_l < a_l,
not positive if p_l = 0 and not negative if p_l = a_l. Summed over l: (z - p)(y - p) <= tau sum_l (y_l - p_l), which is
0 if tau = 0 and tau (sum y - c) <= 0 otherwise. So |z - y|^2 >= |z - p|^2 + |p - y|^2.
Coq: oga_regret.v project_nearest. Objects: project, threshold, breakpoints, row, square_distance. In words: the last
breakpoint at which the sum reaches c has tau on its right.
- *tau need not be unique.* The last step holds for each such tau, and the nearest point of a closed convex set is
unique.
- *A capacity of 0 leaves no amount to divide.* Then tau is the largest z, if that is positive, and p = 0, the only
point of the row.
"""


@REPAIRED.reading("breakpoints", "tau lies between two breakpoints.", BREAKPOINTS_PROOF)
def breakpoints(case: OneRow) -> Finding:
    """clip(z - tau) is the projection.

    tau = 0 if sum clip(z) <= c, else sum clip(z - tau) = c.
    """
    return optimality_gap(case, rows.project_row)


SETS_REPAIRED_PROOF = """
If sum clip(z) <= c, clip(z) is the projection. Otherwise let tau* > 0 be the root of sum clip(z - tau) = c. In a round
let tau = rho/2 of (38), so that sum_B3 (z - tau) + sum_B1 a = c. Let the ports of B1 and B2 be at their bounds for
tau*. Let over and under be the sums of the parts above a and below 0. Then sum_B3 clip(z - tau) + sum_B1 a = c +
under - over. If over > under, this sum is less than c, so tau* < tau. Then each port that is above a for tau is at a
for tau*, and it may join B1. If over < under, then in the same way tau* > tau, and the ports below 0 join B2. If over =
under, tau = tau*. Each round that does not end fixes a port. B3 does not become empty: otherwise the sum for tau* would
be the sum for tau, which is not c.
Coq, core: rows.v three_sets, clip_is_projection. Outside: the rounds, in which ports join B1 or B2 until over = under.
Over and under are the sums defined above.
- *(38) divides by |B3|, which may become 0.* Not before the end: with no free port the sum for tau* would be the sum
for tau, which is not c.
- *A port that has joined B1 might have to leave it.* It joins only if it is at its demand for tau*, the final shift,
and never leaves.
"""


@REPAIRED.reading("three sets", "Algorithm 1 with its sets, without sorting.", SETS_REPAIRED_PROOF)
def sets_repaired(case: OneRow) -> Finding:
    """The repaired three-set iteration computes the projection.

    The iteration keeps rho >= 0 and fixes the ports at one bound at a time.
    """
    return optimality_gap(case, rows.three_sets)


SIMPLEX = Claim(
    "multiserver.algorithm1_simplex",
    ZHAO24.at("Algorithm 1, lines 6-31: a case in which they compute (32)"),
    "If no demand is below the capacity and the ports ask for it all, lines 6-31 compute (32).",
    Domain(
        OneRow,
        draw.rows(tight=True),
        (regimes.ONE_PORT, regimes.BINDING, regimes.BELOW, regimes.EQUAL_POINTS, regimes.EMPTY_ROW),
    ),
)


def _one_shift(z: Numbers, a: Numbers, c: Fraction) -> tuple[Fraction, ...]:
    half = (sum(z, ZERO) - c) / len(z)
    return tuple(max(u - half, ZERO) for u in z)


@ALGORITHM1.false_variant("the capacity ignored", route=lambda z, a, c: rows.clip(z, a))
@REPAIRED.false_variant("Algorithm 1 as printed", route=lambda z, a, c: rows.algorithm1(z, a, c) or z)
@SIMPLEX.false_variant("without the inner loop", route=_one_shift)
def optimality_gap(case: OneRow, route: Callable[[Numbers, Numbers, Fraction], Numbers]) -> Finding:
    """The optimality gap of a method's answer p.

    The gap is the violation of Y, or the largest (z - p)(y - p) over y in Y.
    """
    z, a, c = case.z, case.a, case.c
    answer = route(z, a, c)
    return Finding(rows.outside(answer, a, c) or rows.gap(z, answer, a, c), ZERO, "at most", rows.in_words(answer))


SIMPLEX_PROOF = """
No demand can bind, so the projection is max(z - tau*, 0) with sum max(z - tau*, 0) = c and tau* >= 0. Suppose that the
ports outside B3 are 0 in the projection. As sum_B3 max(z - rho/2, 0) >= sum_B3 (z - rho/2) = c, rho/2 <= tau*. So each
port with z < rho/2 is 0 in the projection too. As the ports are sorted, line 27 cuts off exactly these ports. It never
cuts the first port of B3, because the mean of z - rho/2 over B3 is c/|B3| >= 0. When no port is below 0, rho/2 = tau*.
Each y is then at most c <= a_1, and line 18 breaks.
- *(38) may be negative in an early turn, if some z are.* The argument does not use its sign: the cut ports are 0
because rho/2 <= tau*.
- *With c = 0 the sum does not determine tau*.* Then all ports of B3 have y >= 0 with sum 0, so y = 0, which is the only
point of the row.
"""


@SIMPLEX.reading(
    "B2 set to 0",
    "S is emptied in each repeat, and ports that enter B2 get 0.",
    SIMPLEX_PROOF,
    where=(LARGE_DEMANDS, ALL_WANTED),
)
def simplex(case: OneRow) -> Answer:
    if min(case.a) < case.c:
        return Outside(LARGE_DEMANDS)
    if sum(max(u, ZERO) for u in case.z) < case.c:
        return Outside(ALL_WANTED)
    return projects(case)
