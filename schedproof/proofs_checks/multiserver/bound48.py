"""The proof of Theorem 1, (43)-(48): the largest norm of a gradient."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from hypothesis import strategies as st

from schedproof.core.claims.claim import Claim, Domain, Finding
from schedproof.families.multiserver import ZHAO24
from schedproof.instances.multiserver import Instance
from schedproof.proofs_checks.multiserver.shared import regimes
from schedproof.proofs_checks.strategies import multiserver as draw
from schedproof.proofs_checks.strategies.multiserver import Placed
from schedproof.reference.multiserver import ZERO, Gain, Gradient, Tie, every, network, smallest, supergradient
from schedproof.reference.multiserver_constants import norm48, sharp_norm

Bound = Callable[[Instance, Gain], Fraction]

NORM_PROOF = """
Consider one channel with the slopes f_k in [0, varpi_k] and one k*. The sum of squares is (f_k* - beta_k*)^2 + sum_(k
/= k*) f_k^2. Let varpi* be the largest of the channel's varpi_k. The first term is convex in f_k*, so it is at most
max(beta_k*^2, (varpi_k* - beta_k*)^2) <= max(beta*^2, varpi*^2). The other terms are at most (K - 1) varpi*^2. Together
this is at most beta*^2 + K varpi*^2, also for slopes below beta. Channels of absent ports have 0. Slopes are largest at
0 because the utilities are concave. For the gain of the total, f_k and varpi_k = f_k'(0) replace f_r^k and varpi_r^k in
every channel. Without the second estimate this is the sharper bound, as the dominant resource of a port is the same for
all its channels.
Coq: oga_regret.v bound48_of_gains, bound48_sharp_of_gains. Objects: graph, gradient30, concave_gain. In words: slopes
are taken at u, which is the channel's amount or the port's total; varpi is the slope at 0.
- *A slope below its overhead makes an entry negative, and its square may exceed varpi^2.* Then its square is at most
beta^2, and the bound contains beta*^2.
- *k* changes with y.* The bound of a channel is the same for each k*. The sharper bound takes the maximum over k for
each port.
"""

STEEP = draw.idle(busy=True, full=True, kinds=("linear", "poly"), alphas=(draw.ALPHAS[-2],), resources=3)
PLACED = Domain(
    Placed,
    st.one_of(draw.placed_cases(), draw.placed_cases(busy=True, full=True), STEEP),
    (*regimes.SHAPES, *regimes.KINDS, regimes.OWN_UTILITY, regimes.FLAT, regimes.TIE),
)


def _bound(name: str, part: str, statement: str, most: Bound) -> Claim[Placed]:
    claim = Claim(f"multiserver.{name}", ZHAO24.at(f"proof of Theorem 1, {part}"), statement, PLACED)

    @claim.reading("gain per node", "varpi_r^k = (f_r^k)'(0); one maximiser k* per port.", NORM_PROOF)
    @claim.reading("gain of the total", "varpi_r^k = f_k'(0) for all r.", NORM_PROOF, gain="total")
    @claim.false_variant("beta subtracted at every maximiser", tie=every)
    @claim.false_variant("without beta*", limit=_without_beta)
    @claim.false_variant("nine tenths of it", share=Fraction(9, 10))
    def norm(
        case: Placed, tie: Tie = smallest, gain: Gain = "node", limit: Bound = most, share: Fraction = Fraction(1)
    ) -> Finding:
        there = [1] * len(network(case.instance).demand)
        measured = square(supergradient(case.instance, there, case.y, tie, gain))
        return Finding(
            measured, share * limit(case.instance, gain), "at most", "squared norm when all ports have a job"
        )

    return claim


def square(gradient: Gradient) -> Fraction:
    return sum((max(low, -high, ZERO) ** 2 for row in gradient for low, high in row), ZERO)


def _without_beta(instance: Instance, gain: Gain) -> Fraction:
    net = network(instance)
    return norm48(instance, gain) - len(net.edges) * max(net.overhead) ** 2


BOUND48 = _bound("bound48", "(43)-(48)", "|grad q|^2 <= sum_l sum_(r in R_l) ((beta*)^2 + K (varpi_r*)^2).", norm48)
BOUND48_SHARP = _bound(
    "bound48_sharp",
    "(43), sharper",
    "|grad q|^2 <= sum_l max_k sum_(r in R_l) (sum_(k' /= k) (varpi_r^k')^2 + max(beta_k^2, (varpi_r^k - beta_k)^2)).",
    sharp_norm,
)
