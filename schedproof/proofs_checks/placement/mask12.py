"""(12): the allocations that the mask leaves."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claims.claim import Answer, Claim, Domain, Finding
from schedproof.families.placement import LI23
from schedproof.proofs_checks.strategies import placement_binary as draw
from schedproof.proofs_checks.strategies.placement_binary import OneAllocation

MASK = Claim(
    "placement.mask12",
    LI23.at("(12) and section IV-C, Invalid action masking: 'identify and mask all the invalid actions'"),
    "MASK(Pr(x|j, n), b_jr, C_rn) leaves exactly the allocations with which the task can start.",
    Domain.of(
        OneAllocation,
        draw.allocations(),
        {
            "all is free": lambda case: case.free == case.capacity,
            "part of it is in use": lambda case: case.free != case.capacity,
            "less than the minimum": lambda case: any(x < b for x, b in zip(case.amounts, case.needs, strict=True)),
            "feasible": lambda case: feasible(case),
        },
    ),
    severity="slip",
)
REPAIRED = MASK.repair(
    "MASK(Pr(x|j, n), b_jr, B_rnt), with the free amounts now, leaves exactly the allocations with which "
    "the task can start.",
    small=True,
)


@MASK.reading("the capacity", "C_rn is the capacity, as everywhere else in the paper.")
@REPAIRED.false_variant("the capacity")
def by_capacity(case: OneAllocation) -> Answer:
    return Finding(Fraction(leaves(case, case.capacity)), Fraction(feasible(case)), "equal", f"x = {case.amounts}")


FREE_PROOF = """
By (2) the cluster starts no other task in this timestep. The running tasks hold C_rn - B_rnt of resource r now and no
more later, as no later starts are planned. So (5) holds with x exactly if x_r <= B_rnt for each r, and b_jr <= x_r is
the minimum.
Coq, core: placement.v mask12. Outside: that the cluster starts no other task in the slot, and that running tasks hold
C - B. By (2) the cluster starts no other task in the slot, and the running tasks there hold C - B now and no more
later.
- *(8) allows x_r = 0, too.* The mask follows the text, 'less than the minimum required amount'. `requirements8` is
about the 0 that (8) allows.
- *A later start may need the room.* The mask concerns feasibility; the policy decides whether an allocation is good.
- *What if no allocation remains?* Then the softmax over the rest is 0/0, as in `dummy_never_sampled`: the agent must
be able to pass. The paper skips timesteps in which clusters 'lack resources'; with several agents this may be true of
only some of them.
"""


@MASK.reading("what is free", "C_rn is the free amount now, B_rnt of section III-A.", FREE_PROOF)
@REPAIRED.reading("what is free", "The mask uses the free amount, as stated.", FREE_PROOF)
def by_free(case: OneAllocation) -> Answer:
    return Finding(Fraction(leaves(case, case.free)), Fraction(feasible(case)), "equal", f"x = {case.amounts}")


@MASK.false_variant("the minimum alone", also=REPAIRED)
def by_minimum(case: OneAllocation) -> Answer:
    return Finding(Fraction(leaves(case, case.amounts)), Fraction(feasible(case)), "equal")


def leaves(case: OneAllocation, most: tuple[int, ...]) -> bool:
    return all(b <= x <= limit for x, b, limit in zip(case.amounts, case.needs, most, strict=True))


def feasible(case: OneAllocation) -> bool:
    """Whether the task can start now: it has its minimum, and (5) holds.

    (5) counts the allocations that are in use.
    """
    used = [c - free for c, free in zip(case.capacity, case.free, strict=True)]
    rows = zip(case.amounts, case.needs, case.capacity, used, strict=True)
    return all(x >= b and x + u <= c for x, b, c, u in rows)
