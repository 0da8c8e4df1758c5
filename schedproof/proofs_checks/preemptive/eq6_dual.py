"""(6) and (11): are they the duals of relaxed (4) from the landing on?"""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claims.claim import Claim, Domain, Finding
from schedproof.families.preemptive import WANG22
from schedproof.proofs_checks.strategies import preemptive_details as draw
from schedproof.proofs_checks.strategies.preemptive_details import OneChunk
from schedproof.reference.simplex import solve

EQ6_DUAL = Claim(
    "preemptive.eq6_dual",
    WANG22.at("section IV-C, (6), and Appendix D, (11)"),
    "(6) is the dual of relaxed (4) without (4c), (4d), (4f) and (4g), and (11) is the dual at the slower "
    "speed: their optima agree.",
    Domain.of(
        OneChunk,
        draw.one_chunks(),
        {
            "a delay": lambda case: case.delay > 0,
            "no delay": lambda case: case.delay == 0,
            "several workers": lambda case: case.workers > 1,
        },
    ),
    severity="slip",
)
REPAIRED = EQ6_DUAL.repair(
    "With (6a) and (11a) for t >= r_j + Delta_js only, (6) and (11) are the duals of relaxed (4) without (4c)-(4g).",
    small=True,
)


@EQ6_DUAL.reading(
    "(6) as printed",
    "Rows (6a) for all t >= r_j, columns of (4) from r_j + Delta_js on, with one rate n_jsw for each job and server.",
)
@EQ6_DUAL.reading("(11) as printed", "The rows are (11a) for all t >= r_j.", slower=True)
@EQ6_DUAL.false_variant("columns from the arrival on", rows_from="landing", columns_from="arrival")
def optima_equal(
    case: OneChunk, rows_from: str = "arrival", columns_from: str = "landing", slower: bool = False
) -> Finding:
    """The optimum of (6) is that of relaxed (4) without (4c)-(4g).

    The optimum of (6) is computed by the simplex method, the optimum of (4) by filling the earliest slots.

    Parameters
    ----------
    slower
        (11) and relaxed (4) at the slower speed: chunk times (1 + eps) p.
    """
    time = case.time * (case.speed if slower else 1)
    starts = {"arrival": 0, "landing": case.delay}
    slots = range(case.delay + int(time) + 2)
    dual, primal = dual6(time, case.workers, slots, starts[rows_from]), primal4(time, case, starts[columns_from])
    return Finding(dual, primal, "equal", "optima of (6) and of relaxed (4)")


EQ6_DUAL.open_reading(
    "rates by zeta_j",
    "n_jsw as (1) defines it.",
    missing="the n_jsw in (6a) after (4f) and (4g), which fix zeta_j, are dropped",
)
COLUMN_BY_COLUMN = """
Relaxed (4) without (4c)-(4g) minimises sum c y over y >= 0 with c = n (t - r_j)/(E D B). Its rows are sum (n/(E B)) y
>= 1 for each chunk, which is (4a) divided by E B, and sum y <= 1 for each worker and slot. Its dual has alpha_jd >= 0
for the first rows, beta_sw(t) >= 0 for the second, and the objective sum alpha - sum beta. It has one row alpha n/(E
B) - beta <= c for each column (j, d, s, w, t); by (4h) the columns start at r_j + Delta_js. Both programs are feasible:
y fills later slots, and alpha = beta = 0. So the optima agree by strong duality. In (11) n is n/(1+eps) throughout.
- *(6a) for all t >= r_j only has extra rows.* Its points are feasible for the dual, so weak duality holds. But its
optimum may be lower. The paper shows that the alpha of section IV-C meets (6a), but it need not meet the extra rows
(lemma2).
- *n_jsw depends on zeta_j, and (4f), (4g) are dropped.* Then zeta_j is free and relaxed (4) is not a linear program;
the statement takes one rate for each job and server.
"""


@EQ6_DUAL.reading(
    "(6a) from the landing on",
    "Rows (6a) and columns of (4) from r_j + Delta_js on, with one rate n_jsw for each job and server.",
    COLUMN_BY_COLUMN,
    also=REPAIRED,
)
@EQ6_DUAL.reading(
    "(11a) from the landing on",
    "Rows (11a) and columns of (4) from r_j + Delta_js on, at the slower speed.",
    COLUMN_BY_COLUMN,
    slower=True,
    also=REPAIRED,
)
def optima_equal_from_landing(case: OneChunk, slower: bool = False) -> Finding:
    return optima_equal(case, rows_from="landing", slower=slower)


def dual6(time: Fraction | int, workers: int, slots: range, first: int) -> Fraction:
    """max alpha - workers * sum beta(t), alpha <= t + p beta(t) for t >= first.

    beta is the same on equal workers.
    """
    times = [t for t in slots if t >= first]
    rows = [[Fraction(1), *(-Fraction(time) * (t == u) for u in times)] for t in times]
    gains = [Fraction(1), *(-Fraction(workers) for _ in times)]
    point, _ = solve(gains, rows, [Fraction(t) for t in times])
    return point[0] - workers * sum(point[1:], Fraction(0))


def primal4(time: Fraction | int, case: OneChunk, first: int) -> Fraction:
    """The cost (3) of the earliest worker-slots from ``first`` on."""
    rest, cost, slot = Fraction(time), Fraction(0), first
    while rest:
        taken = min(rest, Fraction(case.workers))
        cost, rest, slot = cost + taken * slot / time, rest - taken, slot + 1
    return cost
