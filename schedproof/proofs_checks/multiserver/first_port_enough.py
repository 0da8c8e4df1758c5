"""Section III-B, lines 15-18: is the check of the first port's demand enough?"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from schedproof.core.claims.claim import Answer, Claim, Finding, Outside, Premise
from schedproof.families.multiserver import ZHAO24
from schedproof.proofs_checks.multiserver.shared.regimes import ANY_ROW
from schedproof.proofs_checks.strategies.multiserver import OneRow
from schedproof.reference.multiserver_projection import ZERO, Interpretation, Numbers, algorithm1, in_words

ONCE = Interpretation(rounds=1)


def is_first_within(case: OneRow) -> bool:
    answer, first = algorithm1(case.z, case.a, case.c, ONCE), case.z.index(max(case.z))
    return answer is not None and answer[first] <= case.a[first]


LOOP_ENDS: Premise[OneRow] = Premise("the while loop ends", lambda case: algorithm1(case.z, case.a, case.c) is not None)
FIRST_WITHIN: Premise[OneRow] = Premise("the first port is within its demand in the first turn", is_first_within)

FIRST_PORT = Claim(
    "multiserver.first_port_enough",
    ZHAO24.at("section III-B, on lines 15-18 of Algorithm 1"),
    "Only l = 1 needs to be checked against its demand, since the elements of z are sorted.",
    ANY_ROW,
    severity="false proof step",
)
REPAIRED = FIRST_PORT.repair(
    "With the ports of B3 sorted by z - a, only the first of them needs to be checked against its demand.", small=True
)


@FIRST_PORT.reading("at the end", "When the while loop ends, every port is within its demand.", where=(LOOP_ENDS,))
def at_the_end(case: OneRow) -> Answer:
    answer = algorithm1(case.z, case.a, case.c)
    if answer is None:
        return Outside(LOOP_ENDS)
    return Finding(_beyond(answer, case.a), ZERO, "at most", in_words(answer))


@FIRST_PORT.reading(
    "at the first test",
    "If the first port is within its demand in the first turn, all ports are.",
    where=(FIRST_WITHIN,),
)
def at_the_test(case: OneRow) -> Answer:
    answer = algorithm1(case.z, case.a, case.c, ONCE)
    if answer is None:
        return Outside(FIRST_WITHIN)
    return Finding(_beyond(answer, case.a), ZERO, "at most", in_words(answer))


BY_MARGIN_PROOF = """
y_l - a_l = (z_l - a_l) - rho/2 with one rho for all ports of B3. So it is largest for the largest z_l - a_l. The ports
of B2 have 0 <= a_l, and the ports of B1 have a_l.
Coq, core: rows.v first_port_enough. Outside: the sets and the order of Algorithm 1. Ports of B3 get z_l - rho/2, and
are sorted by z - a. All other ports get 0 or a.
- *B3 changes from turn to turn.* The order by z - a is also the order of any subset, and rho is one number in each
turn.
- *Then lines 26-28 have no order by z.* These lines need the order by z for their suffix, while the test against the
demands needs the order by z - a (`algorithm1_projection`).
"""


@REPAIRED.reading("any rho", "The statement is for each turn, every rho and every B1.", BY_MARGIN_PROOF)
def by_margin(case: OneRow) -> Finding:
    """Sorted by z - a, descending: if y_1 <= a_1, then each y_l <= a_l.

    y_l = z_l - rho/2.
    """
    return _first_port(case, lambda z, a: z - a)


@FIRST_PORT.false_variant("by demand", key=lambda z, a: a)
@REPAIRED.false_variant("by z, as printed", key=lambda z, a: z)
def _first_port(case: OneRow, key: Callable[[Fraction, Fraction], Fraction]) -> Finding:
    """The excess of the first port over its demand, and the largest excess.

    The check sets rho = 0, since rho shifts all ports equally.
    """
    z, a = case.z, case.a
    first = max(range(len(z)), key=lambda port: key(z[port], a[port]))
    return Finding(_beyond(z, a), z[first] - a[first], "at most", "the largest excess, the first port's")


def _beyond(answer: Numbers, demand: Numbers) -> Fraction:
    return max(y - a for y, a in zip(answer, demand, strict=True))
