"""Section III-C, after (52): whether the regret is the best that is known."""

from __future__ import annotations

from fractions import Fraction
from math import comb

from hypothesis import strategies as st

from schedproof.core.claim import (
    Answer,
    Claim,
    Domain,
    FalseVariant,
    Finding,
    Outside,
    Proof,
    Reading,
    Regime,
    Repair,
    with_settings,
)
from schedproof.families.multiserver import ZHAO24
from schedproof.proofs_checks.multiserver.shared import regimes
from schedproof.proofs_checks.strategies import multiserver_runs as draw
from schedproof.proofs_checks.strategies.multiserver_runs import HALF, ONE, Tight
from schedproof.reference import multiserver_oga as oga
from schedproof.reference.multiserver import ZERO
from schedproof.reference.multiserver_constants import diameter, diameter51, exact, proof_step


def any_policy(case: Tight, share: Fraction = Fraction(1, 12)) -> Answer:
    """On the node of `two_port_contention` no policy, even a randomised one, has a regret below sqrt(T/12); squares.

    Measured is (E|S|/2)^2, S the sum of T fair signs; E|S| = T C(T - 1, floor((T - 1)/2))/2^(T - 1).
    """
    if case.slots is None:
        return Outside("TODO")
    slots = case.slots
    mean = Fraction(slots * comb(slots - 1, (slots - 1) // 2), 2 ** (slots - 1))
    return Finding((mean / 2) ** 2, share * slots, "at least", "squares")


ANY_POLICY_PROOF = Proof(
    """
    In each slot let one job come, of either port with probability 1/2, whatever happened before. y(t) is chosen without
    it, so that the policy expects (y_1 + y_2)/2 <= 1/2 a slot, at most T/2 in all. The better of the two fixed
    allocations earns max(n_1, n_2) = T/2 + |S|/2. So the expected regret is at least E|S|/2, and some trajectory has as
    much. By Hoelder's inequality T = E S^2 <= (E|S|)^(2/3) (E S^4)^(1/3), and E S^4 = 3 T^2 - 2 T: E|S| >= sqrt(T/3).
    As (39) is 2 sqrt(T), no order of T is lost, only a factor of at most 4 sqrt(3).
    """,
    answers={"TODO": "TODO"},
)


@regimes.of_exact_runs
def no_smaller(case: Tight) -> Answer:
    """H_G is not larger than with diam(Y) itself in place of its bound (51): their squares."""
    if case.instance is None:
        return Outside("TODO")
    return Finding(diameter51(case.instance), diameter(case.instance), "at most", "(51) and diam(Y), squared")


@regimes.of_exact_runs
def with_constants(case: Tight, share: Fraction = ONE) -> Answer:
    """With eta = diam(Y)/(max |grad q| sqrt(T)), R <= diam(Y) max |grad q| sqrt(T) <= H_G sqrt(T); squares."""
    if case.instance is None or case.start is None:
        return Outside("TODO")
    run = oga.play(case.instance, case.start, oga.constant(proof_step(case.instance, exact)))
    wide, steep = exact(case.instance)
    return Finding(
        max(run.linear_regret, ZERO) ** 2,
        share**2 * wide * steep * case.instance.horizon,
        "at most",
        "squares of the regret's bound and of D G sqrt(T)",
    )


WITH_CONSTANTS_PROOF = Proof(
    """
    theorem1_constant's proof with D = diam(Y) and G = max |grad q| has this as its last step but one; (51) and (48) are
    upper bounds of the two. The quotient of the bounds has no limit: for a port with a = n on a node with c = 1, (51)
    is sqrt(2 n) and diam(Y) is 1.
    """,
    answers={"TODO": "TODO"},
)


def _squared(number: int) -> Tight:
    family = draw.two_port_contention(number**2)
    return Tight(family.instance, family.start)


SLOTS = st.integers(1, 200).map(lambda slots: Tight(slots=slots))
LINEAR = draw.started(slots=draw.fitting(exact), kind=Tight, kinds=("linear",))
IN_T = Reading("in T", "No policy has a regret of a smaller order in T.", any_policy, proof=ANY_POLICY_PROOF)
FIFTH = FalseVariant("T/5", with_settings(any_policy, share=Fraction(1, 5)))
DOMAIN = Domain(
    Tight,
    st.one_of(SLOTS, LINEAR),
    (
        *regimes.if_there((*regimes.RUNS, *regimes.MANY)),
        Regime[Tight]("many slots", lambda case: (case.slots or 0) > 100),
    ),
)
BEST = Claim(
    id="multiserver.best_regret",
    source=ZHAO24.at("section III-C, after (52)"),
    statement="To the best of our knowledge, O(H_G sqrt(T)) is the best regret for non-linear rewards.",
    readings=(
        IN_T,
        Reading("the factor", "No smaller factor than H_G has been shown, by the same proof at least.", no_smaller),
    ),
    domain=DOMAIN,
    false_variants=(FIFTH,),
    repair=Repair(
        statement="The regret is at most diam(Y) max |grad q| sqrt(T), which may be smaller than H_G sqrt(T) by any "
        "factor; no policy has a regret of a smaller order in T.",
        readings=(
            IN_T,
            Reading(
                "the factor",
                "The constants themselves, in the step as well.",
                with_constants,
                proof=WITH_CONSTANTS_PROOF,
            ),
        ),
        domain=DOMAIN.but(strategy=st.one_of(SLOTS, LINEAR, st.integers(2, 5).map(_squared))),
        false_variants=(FIFTH, FalseVariant("half of it", with_settings(with_constants, share=HALF))),
        small=True,
    ),
)
