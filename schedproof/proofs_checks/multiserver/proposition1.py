"""Proposition 1: Y is convex, and the single-slot reward is concave."""

from __future__ import annotations

from schedproof.core.claims.claim import Claim, Domain, Finding
from schedproof.families.multiserver import ZHAO24
from schedproof.proofs_checks.multiserver.shared import regimes
from schedproof.proofs_checks.strategies import multiserver as draw
from schedproof.proofs_checks.strategies.multiserver import Segment
from schedproof.reference.multiserver import ZERO, Gain, Matrix, excess, present, reward

CONVEX = Claim(
    "multiserver.proposition1_convex",
    ZHAO24.at("Proposition 1 (i)"),
    "The feasible solution space Y is convex.",
    Domain(Segment, draw.segments(), (*regimes.SHAPES, regimes.CONTENDED)),
)

MIXTURE_ALLOWED_PROOF = """
(5) and (6) are finitely many inequalities that are affine in y, for any graph, ports without nodes and nodes without
ports included. With weights w and 1 - w >= 0 the inequalities of y and z add up to those of the mixture.
Coq: multiserver.v proposition1_convex. Objects: graph, Y. In words: only that Y is (5) and (6) of a graph.
- *The printed proof is for complete graphs.* Convexity of (5) and (6) does not depend on the set of variables.
- *An empty set is convex trivially.* Y contains 0, as demands and capacities are nonnegative.
"""


@CONVEX.reading("any graph", "The proof treats complete graphs; the statement is for any graph.", MIXTURE_ALLOWED_PROOF)
def mixture_allowed(case: Segment) -> Finding:
    """w y + (1 - w) z meets (5) and (6) for y, z in Y and 0 <= w <= 1."""
    return Finding(excess(case.instance, between(case)), ZERO, "at most", "the mixture's excess")


@CONVEX.false_variant("y + z is in Y")
def _sum_allowed(case: Segment) -> Finding:
    both = tuple(tuple(a + b for a, b in zip(*row, strict=True)) for row in zip(*case.ys, strict=True))
    return Finding(excess(case.instance, both), ZERO, "at most")


def between(case: Segment) -> Matrix:
    w = case.weight
    return tuple(tuple(w * a + (1 - w) * b for a, b in zip(*row, strict=True)) for row in zip(*case.ys, strict=True))


CONCAVE = Claim(
    "multiserver.proposition1_concave",
    ZHAO24.at("Proposition 1 (ii)"),
    "With a nice setup, the single-slot reward q(x, y) is a concave function of y.",
    Domain(
        Segment, draw.segments(), (*regimes.SHAPES, *regimes.KINDS, regimes.OWN_UTILITY, regimes.ABSENT, regimes.TIE)
    ),
)

CONCAVE_PROOF = """
For the node gain each f_r^k(y) is concave. For the total gain f_k of a linear function of y is concave. Each beta_k
sum_r y is linear, so their maximum over k is convex, and the negative of the penalty is concave, for every k that
attains it. A port's reward is the sum of these, and q is the sum of the ports' rewards with weights x_l >= 0.
Coq: multiserver.v concave_per_node, concave_of_total. Objects: graph, Y, concave, penalties, reward, gain_per_node,
gain_of_total. In words: only that q is (7) with (12) or with f_k of the total.
- *The printed proof fixes k* = 1.* That is not needed: a maximum of linear functions is convex for every k that attains
it.
- *Utilities are only defined for y >= 0.* Y has only such points, and the segment between two of its points is in Y.
"""


@CONCAVE.reading("gain per node", "The gain is the right side of (12), the sum over nodes of f_r^k.", CONCAVE_PROOF)
@CONCAVE.reading("gain of the total", "The gain is that of (7), f_k of the port's total.", CONCAVE_PROOF, gain="total")
def concave(case: Segment, gain: Gain = "node") -> Finding:
    """w q(y) + (1 - w) q(z) is at most q(w y + (1 - w) z)."""
    x, w, (y, z) = present(case.instance, 0), case.weight, case.ys
    chord = w * reward(case.instance, x, y, gain)[0] + (1 - w) * reward(case.instance, x, z, gain)[0]
    return Finding(chord, reward(case.instance, x, between(case), gain)[1], "at most", "chord, value between")


@CONCAVE.false_variant("q is convex")
def _affine(case: Segment) -> Finding:
    x, w, (y, z) = present(case.instance, 0), case.weight, case.ys
    chord = w * reward(case.instance, x, y)[1] + (1 - w) * reward(case.instance, x, z)[1]
    return Finding(chord, reward(case.instance, x, between(case))[0], "at least")
