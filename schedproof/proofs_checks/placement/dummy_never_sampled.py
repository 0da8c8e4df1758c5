"""Below (10): dummy entities have score 0 and are never sampled."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claims.claim import Answer, Claim, Domain, Finding, Premise
from schedproof.families.placement import LI23
from schedproof.proofs_checks.strategies import placement_network as draw
from schedproof.proofs_checks.strategies.placement_network import PendingSet

SOME_TASK: Premise[PendingSet] = Premise(
    "some task of the pending set is not a dummy, else (10) divides 0 by 0",
    lambda case: any(weight is not None for weight in case.weights),
)

DUMMY: Claim[PendingSet] = Claim(
    "placement.dummy_never_sampled",
    LI23.at("below (10): 'the corresponding z^ will be 0 and thus the dummy entities will never be sampled'"),
    "With u = -inf the scores of the dummy entities are 0, and no dummy is sampled.",
    Domain.of(
        PendingSet,
        draw.pending_sets(),
        {
            "a dummy among tasks": lambda case: None in case.weights and any(case.weights),
            "no dummy": lambda case: None not in case.weights,
        },
        premises=(SOME_TASK,),
    ),
)

SOME_PROOF = """
exp(-inf) = 0, so a dummy's term of the softmax is 0. The denominator is the sum over all other entities; at least one
exists, so the sum is positive. So a dummy's score is 0, and the scores of all other entities add up to 1.
Coq: placement.v dummies. Objects: softmax. In words: exp(-inf) = 0, and exp is positive.
- *And if all are dummies?* Each score is 0/0; in floating point, exp(-inf - (-inf)) is NaN, and sampling fails or
returns any index. Section IV-B pads a pending set that has tasks; the paper does not treat an empty pending set.
- *The paper skips idle timesteps.* 'the edge clusters may either be idle': timesteps in which no agent has a task. With
several agents, one agent may have no task. The released code excludes such agents from the pointer.
"""


@DUMMY.reading("softmax", "exp(-inf) = 0; a dummy is never sampled if some other task always is.", SOME_PROOF)
@DUMMY.false_variant("without -inf", masked=False)
def real(case: PendingSet, masked: bool = True) -> Answer:
    weights = [(0 if masked else 1) if weight is None else weight for weight in case.weights]
    total = sum(weights)
    tasks = sum(weight for weight in case.weights if weight is not None)
    if not total:
        return Finding(Fraction(0), Fraction(1), "equal", "every score is 0/0")
    return Finding(Fraction(tasks, total), Fraction(1), "equal", "probability of a task that is no dummy")
