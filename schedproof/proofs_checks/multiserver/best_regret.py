"""Section III-C, after (52): is the regret the best known?"""

from __future__ import annotations

from fractions import Fraction
from math import comb

from hypothesis import strategies as st

from schedproof.core.base.untyped import Case
from schedproof.core.claims.claim import Answer, Claim, Domain, Finding, Outside, Premise, Regime
from schedproof.families.multiserver import ZHAO24
from schedproof.proofs_checks.multiserver.shared import regimes
from schedproof.proofs_checks.strategies import multiserver_runs as draw
from schedproof.proofs_checks.strategies.multiserver_runs import ONE, Started, Tight
from schedproof.reference import multiserver_oga as oga
from schedproof.reference.multiserver import ZERO
from schedproof.reference.multiserver_constants import exact

A_RUN: Premise[Tight] = Premise("the case has an instance", lambda case: case.instance is not None)

CONTENTION: Premise[Tight] = Premise("two ports that contend for one node", lambda case: case.slots is not None)

SLOTS = st.one_of(st.integers(1, 4), st.integers(1, 200)).map(lambda slots: Tight(slots=slots))

LINEAR = draw.started_cases(slots=draw.fitting(exact), kind=Tight, kinds=("linear",))


def _square_contention(number: int) -> Tight:
    family = draw.two_port_contention(number**2) if number > 1 else draw.single_port(1)
    return Tight(family.instance, family.start)


BEST: Claim[Case] = Claim(
    "multiserver.best_regret",
    ZHAO24.at("section III-C, after (52)"),
    "To the best of our knowledge, O(H_G sqrt(T)) is the best regret for non-linear rewards.",
)
REPAIRED = BEST.repair(
    "No policy has a regret of a smaller order in T: for two ports that contend for one node it is at "
    "least sqrt(T/8). The factor may be smaller: with its own constants in the step, the policy's regret is at "
    "most diam(Y) max |grad q| sqrt(T), which may be smaller than H_G sqrt(T) by any factor.",
    domain=Domain(
        Tight,
        st.one_of(SLOTS, LINEAR, st.integers(1, 5).map(_square_contention)),
        (
            *regimes.if_there((*regimes.RUNS, *regimes.MANY)),
            Regime[Tight]("many slots", lambda case: (case.slots or 0) > 100),
        ),
    ),
)

ANY_POLICY_PROOF = """
In each slot let one job come, of either port with probability 1/2, independently of the past. y(t) is chosen before it.
So the policy expects (y_1 + y_2)/2 <= 1/2 a slot, at most T/2 in total. The better of the two fixed allocations earns
max(n_1, n_2) = T/2 + |S|/2. So the expected regret is at least E |S|/2, and some trajectory has at least this regret.
For even T = 2 m, E |S| = m C(2 m, m)/2^(2 m - 1), and for T = 2 m + 1 it is (2 m + 1) C(2 m, m)/4^m. C(2 m, m)
sqrt(m)/4^m does not fall with m, as the square of the quotient of neighbours is 1 + 1/(4 m (m + 1)). It is 1/2 for m =
1. So E |S| >= sqrt(T/2), with equality for T = 2. (39) is 2 sqrt(T), so both have the same order in T, and their
quotient is at most 4 sqrt(2).
- *A randomised policy may guess.* y(t) is independent of the slot's job for every draw of the policy. So the policy
expects (y_1 + y_2)/2 <= 1/2.
- *The regret (11) is a supremum over trajectories, not a mean.* A supremum is at least each mean.
"""


@REPAIRED.reading("in T", "The policy may be deterministic or randomised.", ANY_POLICY_PROOF, where=(CONTENTION,))
@REPAIRED.false_variant("sqrt(T/7)", share=Fraction(1, 7))
def any_policy(case: Tight, share: Fraction = Fraction(1, 8)) -> Answer:
    """On `two_port_contention` no policy has a regret below sqrt(T/8).

    Randomised policies are included. The check compares squares. The measured value is (E |S|/2)^2, S the sum of T fair
    signs; E |S| = T C(T - 1, floor((T - 1)/2))/2^(T - 1).
    """
    if case.slots is None:
        return Outside(CONTENTION)
    slots = case.slots
    mean = Fraction(slots * comb(slots - 1, (slots - 1) // 2), 2 ** (slots - 1))
    return Finding((mean / 2) ** 2, share * slots, "at least", "squares")


WITH_CONSTANTS_PROOF = """
In the proof of theorem1_constant, with D = diam(Y) and G = max |grad q|, this bound is the last step but one. (51) and
(48) are upper bounds of D and G. The quotient of the bounds has no limit: for a port with a = n on a node with c = 1,
(51) is sqrt(2 n) and diam(Y) is 1.
- *diam(Y) is hard to compute.* In each row it is a maximum over vertices. diameter51_sharp and bound48_sharp are
bounds of the constants that are easy to compute.
- *'By any factor' means that H_G may be arbitrarily bad.* Only if demands exceed the nodes' capacities.
"""


def run_with_constants(case: Tight) -> oga.OgaRun:
    assert case.instance is not None and case.start is not None
    return regimes.ascent(Started(case.instance, case.start), exact)


@REPAIRED.reading(
    "the factor",
    "The constants diam(Y) and max |grad q| replace their bounds, also in the step.",
    WITH_CONSTANTS_PROOF,
    where=(A_RUN, regimes.exact(run_with_constants)),
)
@REPAIRED.false_variant("nine tenths of it", share=Fraction(9, 10))
@regimes.of_exact_runs
def with_constants(case: Tight, share: Fraction = ONE) -> Answer:
    if case.instance is None or case.start is None:
        return Outside(A_RUN)
    wide, steep = exact(case.instance)
    return Finding(
        max(run_with_constants(case).linear_regret, ZERO) ** 2,
        share**2 * wide * steep * case.instance.horizon,
        "at most",
        "squares of the regret's bound and of D G sqrt(T)",
        relative=True,
    )


BEST.open_reading(
    "as printed",
    "A statement about the literature.",
    "the best known regret at the time, and whether the order in T, the order in |L| or the factor H_G is meant",
)
