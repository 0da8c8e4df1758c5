"""Theorem 1 with a step that needs no horizon."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claim import Claim, FalseVariant, Finding, Reading, with_settings
from schedproof.families.multiserver import ZHAO24
from schedproof.proofs_checks.multiserver.shared.exact_runs import ANY_RUN, of_exact_runs
from schedproof.proofs_checks.strategies.multiserver_runs import ONE, Started
from schedproof.reference import multiserver_oga as oga
from schedproof.reference.multiserver import ZERO
from schedproof.reference.multiserver_constants import diameter51


@of_exact_runs
def any_time_step(case: Started, share: Fraction = ONE) -> Finding | None:
    """With eta_t = D/sqrt(2 sum over s <= t of |g_s|^2), D = (51): R <= D sqrt(2 sum |g_t|^2) <= sqrt(2) (39).

    No T is in the step: this holds after each slot. Measured is sum_t g_t (y - y(t)) for the best y in Y; steps rounded
    down to not less than b times this, and not growing, cost a factor (1 + 1/b)/2; here b = 1 - 2^-20.

    Proof
    -----
    With d_t = ||y(t) - y*||^2 <= D^2 and S_t = sum over s <= t of |g_s|^2, as in the proof for the largest norm: sum_t
    g_t (y* - y(t)) <= D^2/(2 eta_T) + sum eta_t |g_t|^2/2. The first is at most D sqrt(S_T/2)/b. As a/sqrt(S) <= 2
    (sqrt(S) - sqrt(S - a)) for 0 <= a <= S, sum |g_t|^2/sqrt(S_t) <= 2 sqrt(S_T), and the second is at most D
    sqrt(S_T/2). With b = 1 their sum is D sqrt(2 S_T), and S_T <= T (48).
    """
    run = oga.play(case.instance, case.start, oga.anytime(diameter51(case.instance)))
    most = oga.root_above(2 * diameter51(case.instance) * sum(run.norms, ZERO))
    return Finding(
        run.linear_regret, share * (1 + 1 / oga.SHORT) / 2 * most, "at most", "the regret's bound, D sqrt(2 S)"
    )


ANY_TIME = Claim(
    id="multiserver.theorem1_anytime",
    source=ZHAO24.at("section III-C, (53), for a horizon that is not known"),
    statement="With eta_t = D/sqrt(2 sum over s <= t of |grad q|^2), D of (51), the regret is at most sqrt(2) (39).",
    readings=(Reading("from any y(1)", "After each slot T; no step before the first gradient.", any_time_step),),
    domain=ANY_RUN,
    false_variants=(FalseVariant("a quarter of it", with_settings(any_time_step, share=Fraction(1, 4))),),
)
