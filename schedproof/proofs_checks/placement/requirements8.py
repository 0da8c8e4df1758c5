"""(7)-(8): does a scheduled task have its minimum of each resource?"""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claims.claim import Claim, Domain, Finding, Premise
from schedproof.families.placement import LI23
from schedproof.proofs_checks.strategies import placement_binary as draw
from schedproof.proofs_checks.strategies.placement_binary import OneAllocation

CASES = Domain.of(
    OneAllocation,
    draw.allocations(),
    {
        "scheduled": lambda case: case.scheduled and is_allowed(case),
        "not scheduled": lambda case: not case.scheduled and is_allowed(case),
        "two resources": lambda case: len(case.needs) > 1 and is_allowed(case),
    },
    premises=(Premise("x and y satisfy (7) and (8)", lambda case: is_allowed(case)),),
)
SCHEDULED: Premise[OneAllocation] = Premise("it is a scheduled task", lambda case: case.scheduled)
ROW: Premise[OneAllocation] = Premise(
    "x_jrn >= b_jr sum_t y_jnt", lambda case: not case.scheduled or not missing(case, of_all=True)
)
POSITIVE: Premise[OneAllocation] = Premise("some x_jrn > 0", lambda case: any(case.amounts))

REQUIREMENTS = Claim(
    "placement.requirements8",
    LI23.at("section III-C, before (1): 'while satisfying [...] the tasks' resource requirements'"),
    "A scheduled task has at least b_jr of each resource, if x and y satisfy (7) and (8).",
    CASES,
    severity="slip",
)
REPAIRED = REQUIREMENTS.repair(
    "With x_jrn >= b_jr sum_t y_jnt a scheduled task has at least b_jr of each resource, if x and y "
    "satisfy (7) and (8).",
    domain=CASES.but(regimes=(CASES.regimes[0], CASES.regimes[2])),
    small=True,
)

ROW_PROOF = """
With y = 1 the row is x_jrn >= b_jr for each r.
Coq, core: placement.v requirements8. Outside: the rows (7) and (8). `scheduled` is sum_t y_jnt.
- *Does it cut off other points?* No: with y = 0 it is x >= 0, and (7) gives x = 0.
"""


@REQUIREMENTS.reading("y = 1", "The statement is for each task with y_jnt = 1.", where=(SCHEDULED,))
@REPAIRED.reading(
    "y = 1", "The statement is for each task with y_jnt = 1, as printed.", ROW_PROOF, where=(SCHEDULED, ROW)
)
@REPAIRED.false_variant("without it")
def once_scheduled(case: OneAllocation) -> Finding:
    return Finding(Fraction(missing(case, of_all=True)), Fraction(0), "at most", "resources short of b_jr")


@REQUIREMENTS.reading(
    "some x > 0",
    "The statement is for each task with some x_jrn > 0, if x and y satisfy (7) and (8).",
    where=(POSITIVE,),
)
def once_positive(case: OneAllocation) -> Finding:
    return Finding(Fraction(missing(case, of_all=True)), Fraction(0), "at most", "resources short of b_jr")


EACH_PROOF = """
By (8), x_jrn is 0 or in [b_jr, C_rn].
- *Which other meaning is possible?* The problem is to satisfy 'the tasks' resource requirements'. b_jr is 'the minimum
amount of type-r resource required by task j'. The mask (12) removes allocations with less than that of any resource. A
task that has 2 CPUs and no GPU does not satisfy a requirement of 1 GPU.
"""


@REQUIREMENTS.reading(
    "each x > 0", "Each x_jrn is at least b_jr if positive, if x and y satisfy (7) and (8).", EACH_PROOF
)
@REQUIREMENTS.false_variant("also where x = 0", of_all=True)
def each_positive(case: OneAllocation, of_all: bool = False) -> Finding:
    return Finding(Fraction(missing(case, of_all)), Fraction(0), "at most", "resources short of b_jr")


def is_allowed(case: OneAllocation) -> bool:
    rows = zip(case.amounts, case.needs, case.capacity, strict=True)
    return all(x <= c * case.scheduled and (x == 0 or b <= x <= c) for x, b, c in rows)


def missing(case: OneAllocation, of_all: bool) -> int:
    """The number of resources below the task's minimum.

    All resources are counted, or only resources of which the task has a positive amount.
    """
    rows = zip(case.amounts, case.needs, strict=True)
    return sum(x < b for x, b in rows if of_all or x > 0)
