"""(13): the mean of the scores, which a critic requires to be 0."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claims.claim import Answer, Claim, Finding, worst
from schedproof.families.placement import LI23
from schedproof.proofs_checks.placement.factor_m13 import GAMES
from schedproof.proofs_checks.placement.shared.gradients import Keep, both, expectation, printed13, winners
from schedproof.proofs_checks.strategies.placement_network import Game

SCORES = Claim(
    "placement.pg_scores",
    LI23.at("(13)-(14) and the actor-critic of section IV; a statement of ours"),
    "For actions sampled from Pr(j|n) Pr*(x|j, n) the scores d log pi of (13) have mean 0. So subtracting "
    "a critic's value of the state does not change the expected gradient.",
    GAMES,
)

MEAN_PROOF = """
Given the other agents' tasks, the score of (13) is d log Pr(j|n) + m d log Pr*(x|j, n), and actions are sampled from
Pr(j|n) Pr*(x|j, n). The mean of the first part is the sum over j of d Pr(j|n) = 0. Given j, m is a constant. The mean
of the second part is m times the sum over x of d Pr*(x|j, n) = 0.
Coq: placement.v pg_scores. Objects: sampled, moved, log_derivative. In words: t is one logit of one agent; the other
agents' actions do not depend on it. Tasks and allocations of probability 0 are left out.
- *What is the use?* Any number that does not depend on the agent's action may be subtracted from the return, for
example the critic's value of the state. With m on the selection factor as well this is not valid.
- *A critic that sees the other agents' actions?* Given these the mean is 0 as well, as the proof conditions on them.
- *GAE with lambda below 1?* It is biased for another reason; the claim does not state that it is exact.
"""


@SCORES.reading("(13)", "m is as printed in (14).", MEAN_PROOF)
@SCORES.reading("both factors", "m is always 1.", MEAN_PROOF, keep=both)
@SCORES.false_variant("m on both factors", keep=winners)
def mean_zero(case: Game, keep: Keep = printed13) -> Answer:
    result = ((logit, expectation(case, keep, logit, lambda actions: 1)) for logit in case.logits())
    return worst(Finding(abs(slope), Fraction(0), "equal", f"logit {logit}") for logit, slope in result)
