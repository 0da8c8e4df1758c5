"""The proof of Theorem 1, after (44) and (45): sums over a right d-regular graph."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from schedproof.core.claims.claim import Answer, Claim, Domain, Finding, Outside, Premise, Regime, worst
from schedproof.families.multiserver import ZHAO24
from schedproof.proofs_checks.multiserver.shared import regimes
from schedproof.proofs_checks.strategies import multiserver as draw
from schedproof.proofs_checks.strategies.multiserver import OfInstance
from schedproof.reference.multiserver import ZERO, Network, network

REGULAR: Premise[Any] = Premise("right d-regular", lambda case: degree(network(case.instance)) is not None)


def degree(net: Network) -> int | None:
    """The common number d of ports of all nodes, if they agree."""
    result = {len(edges) for edges in net.of_node}
    return result.pop() if len(result) == 1 else None


def steepest(net: Network) -> list[Fraction]:
    return [max(f.steepest for f in row) ** 2 for row in net.channel]


DOMAIN = Domain(
    OfInstance,
    st.one_of(draw.regular(), draw.regular(), draw.instances().map(OfInstance)),
    (
        *regimes.SHAPES[:3],
        Regime[OfInstance]("d below |L|", lambda c: (degree(network(c.instance)) or 9) < len(c.instance.ports)),
        Regime[OfInstance]("nodes of two slopes", lambda c: len(set(steepest(network(c.instance)))) > 1),
    ),
)

OVERHEADS = Claim(
    "multiserver.regular_44",
    ZHAO24.at("proof of Theorem 1, after (44)"),
    "If G is right d-regular, the bound (44) reduces to d |R| (beta*)^2.",
    DOMAIN,
)

ONE = Fraction(1)

NOT_REGULAR = Outside(REGULAR)

OF_OVERHEADS_PROOF = """
A right d-regular graph has d |R| channels, and each adds beta*^2.
Coq, core: rows.v regular_44. Outside: the bound (44) as a sum over the edges of G. Right d-regular means d
ports at each node.
- *(44) is an upper bound.* The right side reduces; the left side is at most that.
- *d may be 0.* Then both sides are 0.
"""


@OVERHEADS.reading("the right side", "The bound is the right side of (44).", OF_OVERHEADS_PROOF, where=(REGULAR,))
@OVERHEADS.false_variant("nine tenths of it", share=Fraction(9, 10))
def of_overheads(case: OfInstance, share: Fraction = ONE) -> Answer:
    net = network(case.instance)
    d, beta = degree(net), max(net.overhead) ** 2
    if d is None:
        return NOT_REGULAR
    measured = sum((beta for _ in net.edges), ZERO)
    return Finding(measured, share * d * len(net.capacity) * beta, "equal", "(44), d |R| beta*^2")


SLOPES = Claim(
    "multiserver.regular_45",
    ZHAO24.at("proof of Theorem 1, after (45)"),
    "If G is right d-regular, the bound (45) reduces to d |R| (K - 1) (varpi_r*)^2.",
    DOMAIN,
    severity="slip",
)
REPAIRED = SLOPES.repair("If G is right d-regular, (45) is d (K - 1) sum_r (varpi_r*)^2.", small=True)


@SLOPES.reading("any r", "As printed, no sum binds r.", where=(REGULAR,))
@REPAIRED.false_variant("as printed")
def of_each_node(case: OfInstance) -> Answer:
    net = network(case.instance)
    d, sum45 = degree(net), bound45(net)
    if d is None:
        return NOT_REGULAR
    factor = d * len(net.capacity) * (len(net.overhead) - 1)
    return worst(
        Finding(sum45, factor * w, "equal", f"(45), and the formula with r = {r}") for r, w in enumerate(steepest(net))
    )


OF_THE_STEEPEST_PROOF = """
A right d-regular graph has d |R| channels, and each adds (K - 1) (varpi_r*)^2 of its node, at most (K - 1) times the
largest.
- *(45) does not reduce to a larger bound.* True; with this reading the proof remains right.
- *K may be 1.* Then both are 0.
"""


@SLOPES.reading("the largest", "varpi_r* of the steepest node, as a bound.", OF_THE_STEEPEST_PROOF, where=(REGULAR,))
@SLOPES.false_variant("nine tenths of it, the largest", share=Fraction(9, 10))
def of_the_steepest(case: OfInstance, share: Fraction = ONE) -> Answer:
    net = network(case.instance)
    d = degree(net)
    if d is None:
        return NOT_REGULAR
    limit = d * len(net.capacity) * (len(net.overhead) - 1) * max(steepest(net))
    return Finding(bound45(net), share * limit, "at most", "(45), and the formula with the largest")


OF_ALL_NODES_PROOF = """
Each node has d channels, and each of them adds (K - 1) (varpi_r*)^2.
Coq, core: rows.v regular_45. Outside: the bound (45) as a sum over the edges of G. Right d-regular means d
ports at each node.
- *Is this d |R| (K - 1) (varpi_r*)^2 after all?* The numbers are equal exactly if all nodes have the same varpi_r*, or
d (K - 1) = 0.
- *Does the proof of Theorem 1 use the reduction?* No; (48) has the sum.
"""


@REPAIRED.reading("over all nodes", "The sum over r is kept.", OF_ALL_NODES_PROOF, where=(REGULAR,))
@REPAIRED.false_variant("nine tenths of it", share=Fraction(9, 10))
def of_all_nodes(case: OfInstance, share: Fraction = ONE) -> Answer:
    net = network(case.instance)
    d = degree(net)
    if d is None:
        return NOT_REGULAR
    total = d * (len(net.overhead) - 1) * sum(steepest(net), ZERO)
    return Finding(bound45(net), share * total, "equal", "(45), and d (K - 1) sum_r (varpi_r*)^2")


def bound45(net: Network) -> Fraction:
    squares = steepest(net)
    return sum(((len(net.overhead) - 1) * squares[r] for _, r in net.edges), ZERO)
