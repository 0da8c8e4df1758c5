"""The proof of Theorem 1, (49)-(51): the diameter of Y."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from hypothesis import strategies as st

from schedproof.core.claims.claim import Claim, Domain, Finding
from schedproof.families.multiserver import ZHAO24
from schedproof.instances.multiserver import Instance
from schedproof.proofs_checks.multiserver.shared import regimes
from schedproof.proofs_checks.strategies import multiserver as draw
from schedproof.proofs_checks.strategies.multiserver import Pair
from schedproof.reference import multiserver_constants as constants
from schedproof.reference.multiserver import ZERO
from schedproof.reference.multiserver_projection import distance

FAR = Domain(
    Pair,
    st.one_of(draw.pairs_of_points(), draw.corners(), draw.corners(busy=True, full=True)),
    (*regimes.SHAPES, regimes.CONTENDED, regimes.NOTHING),
)

DIAMETER51 = Claim(
    "multiserver.diameter51",
    ZHAO24.at("proof of Theorem 1, (49)-(51)"),
    "diam(Y)^2 <= 2 sum_k a^k sum_r c_r^k, a^k the largest demand.",
    FAR,
)

ANY_GRAPH = "The statement includes demands and capacities of 0, and ports and nodes without channels."

APART_PROOF = """
By (5), |y - z| <= a_l^k <= a^k in each channel, so (y - z)^2 <= a^k |y - z| <= a^k (y + z), as y, z >= 0. Sum over the
ports of a node, and use (6) for y and for z. The sum is at most 2 a^k c_r^k. Nodes without ports add 0 on the left, and
ports without nodes only raise a^k. For the sharper bound let m_l = min(a_l, c). Then also |y - z| <= m_l, so the sum of
a row is at most sum m_l^2. It is also at most max m_l sum (y + z) <= 2 max m_l min(c, sum m_l).
Coq: multiserver.v diameter51, diameter51_sharp. Objects: graph, Y, total. In words: the diameter is the largest
distance, whose square is bounded.
- *A demand may exceed the capacity.* That only makes (51) larger. The proof uses only 0 <= y, z <= a and (6).
- *If the demands do not fill the node, sum y is not c.* It is at most min(c, sum m_l), as in the sharper bound.
"""

DIAMETER51_SHARP = Claim(
    "multiserver.diameter51_sharp",
    ZHAO24.at("proof of Theorem 1, (49)-(51), sharper"),
    "diam(Y)^2 <= sum_(r, k) min(sum_l m^2, 2 max_l m min(c, sum_l m)) with m = min(a_l^k, c_r^k), l in L_r.",
    FAR,
)


@DIAMETER51.reading("any graph", ANY_GRAPH, APART_PROOF)
@DIAMETER51.false_variant("nine tenths of it", share=Fraction(9, 10))
@DIAMETER51_SHARP.reading("any graph", ANY_GRAPH, APART_PROOF, most=constants.sharp_diameter)
@DIAMETER51_SHARP.false_variant("nine tenths of it", most=constants.sharp_diameter, share=Fraction(9, 10))
def apart(
    case: Pair, most: Callable[[Instance], Fraction] = constants.diameter51, share: Fraction = Fraction(1)
) -> Finding:
    measured = sum((distance(*row) for row in zip(*case.ys, strict=True)), ZERO)
    return Finding(measured, share * most(case.instance), "at most", "squared distance")
