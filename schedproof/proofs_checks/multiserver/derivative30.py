"""Section III-A, (30): the derivative of the reward."""

from __future__ import annotations

from schedproof.core.claims.claim import Claim, Finding
from schedproof.families.multiserver import ZHAO24
from schedproof.proofs_checks.multiserver.gradient30 import PAIRS
from schedproof.proofs_checks.strategies.multiserver import Pair
from schedproof.reference.multiserver import ZERO, maximisers, network, present, totals

DERIVATIVE30 = Claim(
    "multiserver.derivative30",
    ZHAO24.at("section III-A, (30)"),
    "The derivative of q(x, .) at y is (30).",
    PAIRS.but(regimes=PAIRS.regimes[:-2]),
)
DERIVATIVE30.repair()


@DERIVATIVE30.reading("smallest maximiser", "Of several maximisers of (27), k* is the first.")
def derivative(case: Pair) -> Finding:
    """The one-sided derivative of q at y towards z is g . (z - y), with g of (30).

    The gains are differentiable, so their parts agree. q also has a maximum over k of linear functions. The derivative
    of this maximum towards z is the maximum, over the maximisers k of (27), of beta_k sum_r (z - y)^k. Instead, (30)
    takes a single k*.
    """
    instance, (y, z) = case.instance, case.ys
    net, true, printed = network(instance), ZERO, ZERO
    for copy in (copy for copy, n in enumerate(present(instance, 0)) if n):
        before, after = totals(instance, y, copy), totals(instance, z, copy)
        tied = maximisers(instance, y, copy)
        growth = {k: net.overhead[k] * (after[k] - before[k]) for k in tied}
        true, printed = true + max(growth.values()), printed + growth[tied[0]]
    return Finding(printed, true, "equal", "growth of the penalty by (30), and the true one")


NO_TIE_PROOF = """
Let only one of finitely many linear functions attain the maximum at a point. Near that point the maximum is that
function. So its derivative is beta_k* for the channels of k* and 0 elsewhere. The gains are differentiable. Together
this is (30).
- *At y = 0 there is no derivative from the left.* The claim compares one-sided derivatives into Y. In Definition 1 f is
differentiable on [0, oo), at 0 from the right.
- *A port without a job may have ties.* Its reward is 0 for every allocation, and its row of (30) is 0.
"""


@DERIVATIVE30.assume("no tie", "(27) has one maximiser at each port with a job", NO_TIE_PROOF)
def no_tie(case: Pair) -> bool:
    there = [copy for copy, n in enumerate(present(case.instance, 0)) if n]
    return all(len(maximisers(case.instance, case.ys[0], copy)) == 1 for copy in there)


DERIVATIVE30.false_variant("beta is not subtracted")(lambda case: Finding(ZERO, derivative(case).claimed, "equal"))
