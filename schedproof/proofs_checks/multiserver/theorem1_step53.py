"""Theorem 1 with the step (53)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from hypothesis import strategies as st

from schedproof.core.claim import Claim, Domain, FalseVariant, Finding, Reading, Regime, Repair, with_settings
from schedproof.families.multiserver import ZHAO24
from schedproof.instances.multiserver import Instance
from schedproof.proofs_checks.multiserver.shared import regimes
from schedproof.proofs_checks.multiserver.shared.exact_runs import ANY_RUN, SQUARES, of_exact_runs
from schedproof.proofs_checks.strategies import multiserver_runs as draw
from schedproof.proofs_checks.strategies.multiserver_runs import ONE, Started
from schedproof.reference import multiserver_oga as oga
from schedproof.reference.multiserver_constants import bound39, diameter, diameter51


@of_exact_runs
def step53(
    case: Started, wide: Callable[[Instance], Fraction] = diameter51, zero: bool = False, share: Fraction = ONE
) -> Finding | None:
    """R <= (39) for the step diam(Y)/(|grad q(x(t), y(t))| sqrt(T)); where the gradient is 0 no step matters.

    Parameters
    ----------
    wide
        diam(Y) squared, or its bound (51).
    zero
        Only runs from y(1) = 0.
    """
    instance = case.instance
    if zero and any(map(any, case.start)):
        return None
    run = oga.play(instance, case.start, oga.step53(wide(instance), instance.horizon))
    return Finding(run.least_regret, share * oga.root_above(bound39(instance)), "at most", "the regret, and (39)")


@of_exact_runs
def largest_so_far(case: Started, share: Fraction = ONE) -> Finding | None:
    """With eta_t = D/(max over s <= t of |g_s| sqrt(T)), D = (51): R <= D max |g_t| sqrt(T) <= (39).

    Measured is sum_t g_t (y - y(t)) for the best y in Y, which is at least R. Steps that are rounded down to not less
    than b times this, and do not grow, cost a factor (1 + 1/b)/2; here b = 1 - 2^-20.

    Proof
    -----
    Let y* be in Y, d_t = ||y(t) - y*||^2 <= D^2 and G = max |g_t|. As for (41), g_t (y* - y(t)) <= (d_t - d_(t+1))/(2
    eta_t) + eta_t |g_t|^2/2. Slots before the first gradient other than 0 add 0. The steps do not grow, so that the
    first terms sum up, by parts, to at most D^2/(2 eta_T) <= D G sqrt(T)/(2 b). In the second, |g_t| <= max over s <= t
    of |g_s|, so that each is at most D |g_t|/(2 sqrt(T)) <= D G/(2 sqrt(T)), and their sum D G sqrt(T)/2. With b = 1
    this is D G sqrt(T); and G <= (48).
    """
    instance = case.instance
    run = oga.play(instance, case.start, oga.largest_so_far(diameter51(instance), instance.horizon))
    most = oga.root_above(diameter51(instance) * max(run.norms) * instance.horizon)
    return Finding(
        run.linear_regret, share * (1 + 1 / oga.SHORT) / 2 * most, "at most", "the regret's bound, D G sqrt(T)"
    )


STEP53 = Claim(
    id="multiserver.theorem1_step53",
    source=ZHAO24.at("section III-C, (53)"),
    statement="With eta_t = diam(Y)/(|grad q(x(t), y(t))| sqrt(T)) the regret (11) is at most (39).",
    readings=(
        Reading("any y(1)", "diam(Y) by its bound (51), any y(1) in Y; no step where nobody arrives.", step53),
        Reading("the diameter", "diam(Y) itself.", with_settings(step53, wide=diameter)),
        Reading("y(1) = 0", "The run starts with nothing allocated.", with_settings(step53, zero=True)),
    ),
    domain=Domain(
        Started,
        st.one_of(draw.one_at_a_time(), draw.one_at_a_time(), st.integers(1, 10).map(draw.drift), SQUARES),
        (
            *regimes.RUNS,
            regimes.LENGTHS,
            Regime("more than 50 slots", lambda case: case.instance.horizon > 50),
        ),
    ),
    false_variants=(FalseVariant("a fifth of it", with_settings(step53, share=Fraction(1, 5))),),
    repair=Repair(
        statement=(
            "With eta_t = D/(max over s <= t of |grad q(x(s), y(s))| sqrt(T)), D of (51), the regret (11) is at most D "
            "max_t |grad q(x(t), y(t))| sqrt(T), and so at most (39), from any y(1) in Y."
        ),
        readings=(Reading("largest norm so far", "No step before the first gradient other than 0.", largest_so_far),),
        domain=ANY_RUN,
        false_variants=(FalseVariant("two fifths of it", with_settings(largest_so_far, share=Fraction(2, 5))),),
        small=True,
    ),
)
