"""Definition 1, (12)-(13): are the four utilities (54) a nice setup?"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from schedproof.core.claims.claim import Answer, Claim, Domain, Finding, Outside, Premise, worst
from schedproof.families.multiserver import ZHAO24
from schedproof.instances.multiserver import Utility
from schedproof.proofs_checks.strategies import multiserver as draw
from schedproof.proofs_checks.strategies.multiserver import OfUtilities
from schedproof.reference.multiserver import ZERO, Interval, plus

POSITIVE: Premise[Any] = Premise("both amounts are positive", lambda case: all(case.amounts))

NICE = Claim(
    "multiserver.utilities_nice",
    ZHAO24.at("Definition 1, (12)-(13) and section IV, (54); Table II, alpha > 0"),
    "The utilities (54) make a nice setup: zero start-up, concave, with a bounded slope, and (12) holds.",
    Domain.of(
        OfUtilities,
        draw.utilities(),
        {
            "a linear utility": lambda case: "linear" in node_kinds(case),
            "a log utility": lambda case: "log" in node_kinds(case),
            "a reciprocal utility": lambda case: "reciprocal" in node_kinds(case),
            "a poly utility": lambda case: "poly" in node_kinds(case),
            "an amount of 0": lambda case: 0 in case.amounts,
            "the same utility everywhere": lambda case: all(row == case.total for row in case.nodes),
            "linear, two alphas": lambda case: node_kinds(case) == {"linear"} and case.nodes[0] != case.nodes[1],
            "a slope above 1": lambda case: any(kind == "reciprocal" and alpha < 1 for kind, alpha in case.nodes),
        },
    ),
    severity="slip",
)
REPAIRED = NICE.repair(
    "The utilities (54) have zero start-up, are concave, and 0 <= f' <= f'(0). As an equation, (12) "
    "holds at a port with several nodes exactly if f_k and its f_r^k are linear with one alpha.",
    small=True,
    source=ZHAO24.at("Definition 1 and (54), repaired"),
)


@NICE.reading("(54) is f_k", "(12) is an equation, for some f_r^k; a port with two nodes.")
@REPAIRED.false_variant("(12) for each utility")
def any_parts(case: OfUtilities) -> Finding:
    """(12) for f_k of (54) and some functions f_1, f_2.

    (12) implies f_k(u) + f_k(v) = f_k(u + v) + f_k(0): at (u, 0), (0, v), (u, v) and (0, 0) it reads f_k(u) = f_1(u) +
    f_2(0), f_k(v) = f_1(0) + f_2(v), f_k(u + v) = f_1(u) + f_2(v), f_k(0) = f_1(0) + f_2(0). So if the two sides
    differ, (12) fails at one of these points for all f_1 and f_2.
    """
    f, (u, v) = Utility(*case.total), case.amounts
    sides = plus((f.value(u), f.value(v))), plus((f.value(u + v), f.value(ZERO)))
    return Finding(apart(*sides), ZERO, "at most", f"f_k({u}) + f_k({v}) and f_k({u + v}) + f_k(0)")


@NICE.reading("(54) is f_r^k", "(12) is an equation, for some f_k; a port with two nodes.")
def any_total(case: OfUtilities) -> Answer:
    """(12) for f_1, f_2 of (54) and some f_k: f_1(y) + f_2(y') depends on y + y' only."""
    (f, g), (u, v) = node_utilities(case), case.amounts
    total = u + v
    splits = {(u, v), (v, u), (total, ZERO), (ZERO, total)}
    values = {split: plus((f.value(split[0]), g.value(split[1]))) for split in sorted(splits)}
    return worst(
        Finding(apart(one, other), ZERO, "at most", f"f_1 + f_2 at ({a[0]}, {a[1]}) and ({b[0]}, {b[1]})")
        for a, one in values.items()
        for b, other in values.items()
    )


PROPERTIES_PROOF = """
For alpha > 0: a*0 = a ln 1 = 1/a - 1/a = a sqrt(1) - a = 0. The derivatives are a, a/(y + 1), 1/(y + a)^2 and a/(2
sqrt(y + 1)): continuous for y >= 0, nonnegative, not increasing, and at 0 equal to a, a, 1/a^2 and a/2. So varpi =
f'(0) satisfies (13). If the gain is defined as the right side of (12), (12) requires no property of f_r^k.
- *f_k of (7) takes the port's total.* Under (12) the gain is the right side of (12). With f_k of the total the bounds
hold as well (`bound48`).
- *Table II has only alpha in [1, 1.5].* The derivation needs alpha > 0.
"""


@NICE.reading(
    "(12) defines the gain",
    "A port earns the right side of (12); f_k is not used elsewhere.",
    PROPERTIES_PROOF,
    also=REPAIRED,
)
@NICE.false_variant("varpi is alpha / 2", steepest=lambda f: f.alpha / 2, also=REPAIRED)
@NICE.false_variant("reciprocal slope 1 / alpha", steepest=lambda f: min(f.steepest, 1 / f.alpha), also=REPAIRED)
def properties(case: OfUtilities, steepest: Callable[[Utility], Fraction] = lambda f: f.steepest) -> Answer:
    u, v = sorted(case.amounts)
    result = []
    for f in node_utilities(case):
        low, high = f.slope(u), f.slope(v)
        result += [
            Finding(abs(f.value(ZERO)[0]), ZERO, "at most", f"|f(0)|, {f.kind}"),
            Finding(low[0], steepest(f), "at most", f"f'({u}) and varpi, {f.kind}"),
            Finding(high[0], low[1], "at most", f"f'({v}) and f'({u}), {f.kind}"),
            Finding(-high[1], ZERO, "at most", f"-f'({v}), {f.kind}"),
        ]
    return worst(result)


EXACTLY_LINES_PROOF = """
alpha (y + y') = alpha y + alpha y'. Conversely, let (12) hold for all y, y' >= 0 at a port with two nodes. With y' = 0
and f_1(0) = f_2(0) = 0, f_k = f_1; in the same way f_k = f_2. So f_k(y + y') = f_k(y) + f_k(y'). This is Cauchy's
equation, whose concave solutions are linear. Of (54) only the linear utilities with one alpha remain. A port with one
node only needs f_k = f_r^k.
- *Cauchy's equation has wild solutions.* Such functions are not concave, and not among (54).
- *With one node (12) is no restriction.* It requires f_k = f_r^k; the statement is for several nodes.
"""


@REPAIRED.reading(
    "(12) is an equation",
    "The statement is for all amounts, at a port with two nodes.",
    EXACTLY_LINES_PROOF,
    where=(POSITIVE,),
)
@REPAIRED.false_variant("linear with any alphas", one_alpha=False)
def exactly_lines(case: OfUtilities, one_alpha: bool = True) -> Answer:
    """(12) holds for f_k, f_1, f_2 of (54) exactly if all are linear with one alpha.

    The measured value is whether (12) holds at (u, 0), (2 u, 0), (0, v), (0, 2 v) and (u, v), u, v > 0. If it does,
    f_k(u + v) = f_k(u) + f_k(v) makes f_k linear, because the other functions of (54) are strictly concave. A strictly
    concave f_1 or f_2 would meet that line at one positive amount at most.
    """
    f, (g, h), (u, v) = Utility(*case.total), node_utilities(case), case.amounts
    if not (u and v):
        return Outside(POSITIVE)
    apart_by = [
        apart(f.value(a + b), plus((g.value(a), h.value(b))))
        for a, b in ((u, ZERO), (2 * u, ZERO), (ZERO, v), (ZERO, 2 * v), (u, v))
    ]
    kinds = {row if one_alpha else row[0] for row in (case.total, *case.nodes)}
    lines = case.total[0] == "linear" and len(kinds) == 1
    return Finding(Fraction(not any(apart_by)), Fraction(lines), "equal", "whether (12) holds, whether it should hold")


def apart(one: Interval, other: Interval) -> Fraction:
    return max(ZERO, one[0] - other[1], other[0] - one[1])


def node_utilities(case: OfUtilities) -> list[Utility]:
    return [Utility(*row) for row in case.nodes]


def node_kinds(case: OfUtilities) -> set[str]:
    return {kind for kind, _ in case.nodes}
