"""Section III-D: what (6) implies for a data node."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claims.claim import Claim, Domain, Finding, Premise
from schedproof.families.jrp import WANG19
from schedproof.proofs_checks.strategies import jrp_model as draw
from schedproof.proofs_checks.strategies.jrp_model import OneDataNode

ASSIGNMENT = Claim(
    "jrp.assignment6",
    WANG19.at("section III-D, after (13), with section III-A"),
    "A data node can only be assigned to one of its assignable edge servers. By (6), a data node of an "
    "accepted job has one and only one worker; of a rejected job it has none.",
    Domain.of(
        OneDataNode,
        draw.data_nodes(),
        {
            "accepted": lambda case: case.y == 1,
            "rejected": lambda case: case.y == 0,
            "every server assignable": lambda case: len(case.assignable) == len(case.x),
            "some servers assignable": lambda case: 0 < len(case.assignable) < len(case.x),
            "no server assignable": lambda case: not case.assignable,
        },
        premises=(
            Premise("(6): the x of A_i sum up to y", lambda case: sum(case.x[j] for j in case.assignable) == case.y),
            Premise(
                "x is 1 for assignable servers only",
                lambda case: not any(x for j, x in enumerate(case.x) if j not in case.assignable),
            ),
        ),
    ),
)
ONE_SUM = """
The sum over all servers is then the sum over A_i, which is y_k by (6). x is binary. So exactly one x is 1 if y_k = 1,
and every x is 0 if y_k = 0.
Coq, core: jrp.v assignment6. Outside: that x is 0 for servers outside A_i. Section III-A states this in words.
- *(12) has a variable x_i^j for every server, and no row makes those outside A_i 0.* The program as printed admits a
second worker there, which no row counts. The text of section III-A forbids such a worker. Setting such x to 0 costs no
throughput: (6) does not contain them, and (7) to (10) only gain slack.
"""


@ASSIGNMENT.reading("x for j in A_i", "x_i^j is 0 for servers outside A_i.", ONE_SUM)
def workers(case: OneDataNode) -> Finding:
    return Finding(Fraction(sum(case.x)), Fraction(case.y), "equal", "workers, y")


ASSIGNMENT.false_variant("without (6)")(lambda case: workers(OneDataNode((0, 1), (1, 1), 1)))
ASSIGNMENT.false_variant("x for j in M")(lambda case: workers(OneDataNode((0,), (1, 1), 1)))
