"""Section III-D: what (6) says of a data node."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claim import Answer, Claim, Domain, FalseVariant, Finding, Outside, Proof, Reading, Regime, Repair
from schedproof.families.jrp import WANG19
from schedproof.proofs_checks.strategies import jrp_model as draw
from schedproof.proofs_checks.strategies.jrp_model import OneDataNode


def workers(case: OneDataNode) -> Answer:
    """With (6), (11) and (12), the data node has y_k workers: one if its job is accepted, else none."""
    return any_sum(case) if sum(case.x[j] for j in case.assignable) == case.y else Outside("TODO")


def assignable_workers(case: OneDataNode) -> Answer:
    """The same with x_i^j = 0 for the servers outside A_i."""
    outside = any(x for j, x in enumerate(case.x) if j not in case.assignable)
    return Outside("TODO") if outside else workers(case)


ASSIGNABLE_WORKERS_PROOF = Proof(
    """
    The sum over all servers is then the sum over A_i, which is y_k by (6); x is binary, so that exactly one of them is
    1 if y_k = 1, and none if y_k = 0.
    """,
    answers={"TODO": "TODO"},
)


def any_sum(case: OneDataNode) -> Finding:
    """A false variant: whatever x, there are y_k workers."""
    return Finding(Fraction(sum(case.x)), Fraction(case.y), "equal", "workers, y")


INSIDE: Reading[OneDataNode] = Reading(
    "x for j in A_i",
    "x_i^j stands for assignable servers only, or is 0 elsewhere.",
    assignable_workers,
    proof=ASSIGNABLE_WORKERS_PROOF,
)

ASSIGNMENT = Claim(
    id="jrp.assignment6",
    source=WANG19.at("section III-D, after (13)"),
    statement="By (6), a data node of an accepted job has one and only one worker; of a rejected job it has none.",
    readings=(Reading("x for j in M", "As (12) has it: x_i^j is a variable for every server.", workers), INSIDE),
    domain=Domain(
        OneDataNode,
        draw.data_nodes(),
        (
            Regime("accepted", lambda case: case.y == 1),
            Regime("rejected", lambda case: case.y == 0),
            Regime("every server assignable", lambda case: len(case.assignable) == len(case.x)),
            Regime("some servers assignable", lambda case: 0 < len(case.assignable) < len(case.x)),
            Regime("no server assignable", lambda case: not case.assignable),
        ),
    ),
    false_variants=(FalseVariant("without (6)", any_sum),),
    repair=Repair(
        statement="By (6) and x_i^j = 0 for j outside A_i, a data node has exactly y_k workers.",
        readings=(INSIDE,),
        false_variants=(FalseVariant("x for j in M", workers),),
        small=True,
    ),
)
