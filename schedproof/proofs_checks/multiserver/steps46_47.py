"""The proof of Theorem 1, (46)-(47): the terms of one channel."""

from __future__ import annotations

from schedproof.core.claims.claim import Answer, Claim, Domain, Finding, worst
from schedproof.families.multiserver import ZHAO24
from schedproof.proofs_checks.strategies import multiserver as draw
from schedproof.proofs_checks.strategies.multiserver import Channel
from schedproof.reference.multiserver import ZERO

STEPS46_47 = Claim(
    "multiserver.steps46_47",
    ZHAO24.at("proof of Theorem 1, (46)-(47)"),
    "PART-B is at most (46), and (47) holds for the nodes of R_2.",
    Domain.of(
        Channel,
        draw.channels(),
        {
            "in R_1": lambda case: case.varpi <= 2 * case.beta,
            "in R_2": lambda case: case.varpi > 2 * case.beta,
            "another resource is steeper": lambda case: case.more > 0,
            "slope below beta": lambda case: case.slope * case.varpi < case.beta,
        },
    ),
)

PARTS_PROOF = """
s (s - 2 beta) is convex in s. So on [0, varpi] it is at most the larger of 0 and varpi^2 - 2 beta varpi. The larger
value is 0 on R_1 and varpi^2 - 2 beta varpi on R_2, which gives (46). On R_2, varpi > 2 beta >= beta, and t^2 - 2 beta
t increases in t for t >= beta. So varpi* >= varpi gives the first inequality of (47), and beta, varpi* >= 0 give the
second.
Coq, core: rows.v steps46_47. Outside: PART-B and the sums over R_1 and R_2. R_1 has the channels with varpi <= 2 beta,
and R_2 the channels with varpi > 2 beta.
- *varpi* may belong to another resource than k*.* The proof uses only varpi* >= varpi.
- *t^2 - 2 beta t is not monotone.* It is for t >= beta, and R_2 has varpi > 2 beta.
"""


@STEPS46_47.reading("one channel", "The inequality holds for each term of the sums.", PARTS_PROOF)
@STEPS46_47.false_variant("(47) in R_1, too", second_set_only=False)
def parts(case: Channel, second_set_only: bool = True) -> Answer:
    """(46) for one channel, and (47) where varpi > 2 beta (the set R_2).

    Here varpi* >= varpi.
    """
    slope, varpi, star, beta = case.slope * case.varpi, case.varpi, case.varpi + case.more, case.beta
    second = varpi > 2 * beta
    own, largest = varpi**2 - 2 * beta * varpi, star**2 - 2 * beta * star
    result = [Finding(slope * (slope - 2 * beta), own if second else ZERO, "at most", "(46)")]
    if second or not second_set_only:
        result += [
            Finding(own, largest, "at most", "(47), first"),
            Finding(largest, star**2, "at most", "(47), second"),
        ]
    return worst(result)
