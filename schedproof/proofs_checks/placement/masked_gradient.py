"""(12): the gradient of training at the logits of masked allocations."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claims.claim import Answer, Claim, Domain, Finding, Premise, worst
from schedproof.families.placement import LI23
from schedproof.proofs_checks.placement.shared.dual import exponentials, total
from schedproof.proofs_checks.strategies import placement_network as draw
from schedproof.proofs_checks.strategies.placement_network import Masked

MASKED = Claim(
    "placement.masked_gradient",
    LI23.at("(12) and section IV-C, Invalid action masking, after its reference [41]; a statement of ours"),
    "With the softmax over the valid allocations, the logits of masked allocations get no gradient from "
    "log Pr*; the logits of valid ones get the gradient of the softmax.",
    Domain.of(
        Masked,
        draw.masked_cases(),
        {
            "some are masked": lambda case: not all(case.valid),
            "one is valid": lambda case: sum(case.valid) == 1,
            "several are valid": lambda case: sum(case.valid) > 1,
        },
    ),
)

ZERO_PROOF = """
With w = exp(u), Pr*(x) = w_x/sum of w over the valid allocations. The logit of a masked allocation occurs in neither
term, so its derivative is 0. For a valid k: d log Pr*(x)/d u_k = [k = x] - w_k/sum.
Coq: placement.v masked_gradient. Objects: at_logit. In words: only that u are the logits and `valid` the unmasked
allocations.
- *The network's parameters are shared by all logits.* By the chain rule a masked logit contributes 0. It changes the
parameters only through other states, in which it is valid.
- *'We assign 0 probability' may mean: after a softmax over all.* Then the probabilities do not add up to 1, and the
masked logits have the derivative -Pr(k) of that softmax. The false variant has this form.
- *In code the mask is a large negative number, not -inf.* Then exp is 0 in floating point, and so is the derivative.
"""


@MASKED.reading(
    "masked",
    "The derivative is by each masked logit.",
    ZERO_PROOF,
    where=(Premise("some allocation is masked", lambda case: not all(case.valid)),),
)
@MASKED.false_variant("without a new sum", renormalised=False)
@MASKED.false_variant("nor do valid ones", of_masked=False)
def zero(case: Masked, renormalised: bool = True, of_masked: bool = True) -> Answer:
    """The derivatives at masked allocations are 0.

    Parameters
    ----------
    renormalised
        Whether the softmax is over the valid allocations only, instead of over all with masked ones set to 0.
    of_masked
        Whether to take the masked allocations or the valid ones.
    """
    there = [k for k, valid in enumerate(case.valid) if valid != of_masked]
    result = [Finding(derivative(case, k, renormalised), Fraction(0), "equal", f"allocation {k}") for k in there]
    return worst(result)


@MASKED.reading("valid", "The derivative is by each valid logit.", ZERO_PROOF)
def of_valid(case: Masked) -> Answer:
    room = sum(w for w, valid in zip(case.weights, case.valid, strict=True) if valid)
    result = []
    for k, valid in enumerate(case.valid):
        if valid:
            claimed = (k == case.action) - Fraction(case.weights[k], room)
            result.append(Finding(derivative(case, k), claimed, "equal", f"allocation {k}"))
    return worst(result)


def derivative(case: Masked, k: int, renormalised: bool = True) -> Fraction:
    numbers = exponentials(case.weights, k)
    there = [number for number, valid in zip(numbers, case.valid, strict=True) if valid or not renormalised]
    chance = numbers[case.action].over(total(there))
    return chance.slope / chance.value
