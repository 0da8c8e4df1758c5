"""Section III-C, after (51): is the gap "of Theta(H_G sqrt(T))"?"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from itertools import product

from hypothesis import strategies as st

from schedproof.core.claims.claim import Answer, Claim, Domain, Finding, Outside, Premise, Regime
from schedproof.families.multiserver import ZHAO24
from schedproof.proofs_checks.multiserver.shared import regimes
from schedproof.proofs_checks.strategies import multiserver_runs as draw
from schedproof.proofs_checks.strategies.multiserver_runs import HALF, Tight
from schedproof.reference import multiserver_oga as oga
from schedproof.reference.multiserver import ZERO
from schedproof.reference.multiserver_constants import bound39, bounds, proof_step

A_RUN: Premise[Tight] = Premise("the case has an instance", lambda case: case.instance is not None)
FEW_TRAJECTORIES: Premise[Tight] = Premise(
    "there are 64 trajectories at most",
    lambda case: case.instance is not None and case.instance.horizon * len(case.instance.ports) <= 6,
)
CONTENTION: Premise[Tight] = Premise("two ports on one node", lambda case: case.number is not None)

FEW = draw.started_cases(slots=lambda i, most: draw.fitting(bounds)(i, 3), kind=Tight, ports=2, resources=1)

FALLING = draw.single_port(2, alpha=Decimal("0.28"), beta=Decimal("0.96"))

NUMBERS = st.integers(2, 8).map(lambda m: Tight(number=m))


def _nothing_wanted(case: Tight) -> bool:
    i = case.instance
    return i is not None and all(i.utilities[name].steepest <= i.overhead[name] for name in i.resources)


THETA = Claim(
    "multiserver.theta_gap",
    ZHAO24.at("section III-C, after (51)"),
    "The suboptimality gap between OGASched and the offline optimum is of Theta(H_G sqrt(T)).",
    Domain(
        Tight,
        st.one_of(FEW, FEW, st.just(Tight(FALLING.instance, FALLING.start)), NUMBERS),
        (
            *regimes.if_there((regimes.MANY_PORTS, regimes.STARTED)),
            Regime("nothing is worth its overhead", _nothing_wanted),
            Regime("a family in T", lambda case: case.number is not None),
        ),
    ),
    severity="slip",
)
REPAIRED = THETA.repair(
    "For each T >= 4 the regret is at least H_G sqrt(T)/2 on some instance: two ports on one node, from a"
    " y(1) that gives the whole node to the port that does not come. (On each instance it is at most H_G "
    "sqrt(T).)",
    domain=Domain.of(
        Tight, NUMBERS, {"many slots": lambda case: case.number > 5, "few slots": lambda case: case.number < 4}
    ),
    small=True,
)

SMALL = Fraction(1, 100)  # a constant of the Omega


@lru_cache(maxsize=4)
def largest_regret(case: Tight) -> Fraction:
    """The largest of sum_t g_t (y - y(t)) and 0 over all trajectories.

    The step is the step of the proof.
    """
    assert case.instance is not None and case.start is not None
    width, regrets = len(case.instance.ports), [ZERO]
    for row in product((0, 1), repeat=case.instance.horizon * width):
        instance = draw.with_arrivals(case.instance, [row[n : n + width] for n in range(0, len(row), width)])
        regrets.append(oga.play(instance, case.start, oga.constant(proof_step(instance))).linear_regret)
    return max(regrets)


@THETA.reading(
    "each graph",
    "The regret is at least a constant share of (39) on each instance.",
    where=(A_RUN, FEW_TRAJECTORIES, regimes.exact(largest_regret)),
)
def every_graph(case: Tight, share: Fraction = SMALL) -> Finding:
    """On each instance, the regret (11) is at least a hundredth of (39).

    The check compares squares. The step is the step of the proof. The measured value is the largest of sum_t g_t (y -
    y(t)) over all trajectories of so many slots, an upper bound on (11).
    """
    assert case.instance is not None
    claimed = share**2 * bound39(case.instance)
    return Finding(largest_regret(case) ** 2, claimed, "at least", "squares of the regret and of its share of (39)")


SOME_GRAPH_PROOF = """
(51) and (48) are both sqrt(2), so eta = 1/sqrt(T). In each slot the step raises the first port by eta, and the
projection lowers both ports by eta/2 to fit the node. So the first port has min(t eta/2, 1) after t slots. The fixed
allocation that gives it the whole node earns 1 in each slot. So the regret is the sum over t = 0, ..., T - 1 of max(0,
1 - t eta/2). As 2/eta = 2 sqrt(T) <= T, this is at least the integral from 0 to 2/eta, which is 1/eta = sqrt(T). (39)
is 2 sqrt(T). (T need not be a square.)
- *The start is deliberately bad.* Theorem 1 is for any y(1) in Y. From y(1) = 0 the first port would rise by eta a
slot, and the loss would be half as large.
- *Theta is a statement on each instance.* In that reading the claim fails; in this reading it holds.
"""


@THETA.reading(
    "some graph",
    "The regret is at least half of (39) for each T >= 4 on some instance: two ports on one node, of which one comes.",
    SOME_GRAPH_PROOF,
    where=(CONTENTION,),
)
@REPAIRED.reading("some graph", "The instance is two ports on one node.", SOME_GRAPH_PROOF, where=(CONTENTION,))
@THETA.false_variant("all of it", share=Fraction(1))
@REPAIRED.false_variant("eleven tenths of it", share=Fraction(11, 20))
def some_graph(case: Tight, share: Fraction = HALF) -> Answer:
    if case.number is None:
        return Outside(CONTENTION)
    family = draw.two_port_contention(case.number**2)
    regret = oga.play(family.instance, family.start, oga.constant(Fraction(1, case.number))).least_regret
    limit = oga.exact_root(bound39(family.instance))
    return Finding(regret, share * limit, "at least", "the regret and its share of (39)")
