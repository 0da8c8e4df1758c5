"""Theorem 1 with its constant step, the step (53), and an any-time step."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Any

from hypothesis import strategies as st

from schedproof.core.claims.claim import Answer, Claim, Domain, Finding, Premise, Regime
from schedproof.families.multiserver import ZHAO24
from schedproof.instances.multiserver import Instance
from schedproof.proofs_checks.multiserver.shared import regimes
from schedproof.proofs_checks.multiserver.shared.regimes import ascent
from schedproof.proofs_checks.strategies import multiserver_runs as draw
from schedproof.proofs_checks.strategies.multiserver_runs import ONE, Started
from schedproof.reference import multiserver_oga as oga
from schedproof.reference.multiserver import ZERO, Gain
from schedproof.reference.multiserver_constants import (
    Constants,
    bound39,
    bounds,
    diameter,
    diameter51,
    exact,
)

FROM_NOTHING: Premise[Any] = Premise(
    "the run starts with nothing allocated", lambda case: not any(map(any, case.start))
)

SQUARES = [draw.single_port(n) for n in (1, 2, 8, 18)] + [draw.two_port_contention(m * m) for m in (2, 3, 5)]

THEOREM1_CONSTANT = Claim(
    "multiserver.theorem1_constant",
    ZHAO24.at("section III-C, Theorem 1, with the step of its proof"),
    "With eta = diam(Y)/(max |grad q| sqrt(T)) the regret (11) is at most (39), from any y(1) in Y.",
    Domain(
        Started,
        st.one_of(
            draw.started_cases(slots=draw.fitting(exact), kinds=("linear",)),
            draw.started_cases(slots=draw.fitting(bounds)),
            draw.started_cases(slots=draw.fitting(bounds), resources=1, full=True),
            st.sampled_from(SQUARES),
        ),
        (
            *regimes.RUNS,
            *regimes.MANY,
            regimes.CURVED,
            Regime("Y is a point", lambda case: not diameter51(case.instance)),
        ),
    ),
)

THEOREM1_PROOF = """
Let y* be the optimum of a trajectory. Each f is concave and differentiable, so f(y*) - f(y) <= f'(y)(y* - y). Also
max_k beta_k s_k of y* is at least beta_k* s_k* of y*, for every maximiser k* of y that the tie rule may take. So q(x,
y*) - q(x, y) <= g (y* - y) with g of (30), and R <= sum_t g_t (y* - y(t)). Let D >= diam(Y) and G >= max |grad q|. By
(41), repaired, R is at most ||y(1) - y*||^2/(2 eta) + (eta/2) sum ||g_t||^2 <= D^2/(2 eta) + eta T G^2/2, for every
y(1) in Y. This is D G sqrt(T) for eta = D/(G sqrt(T)). (51) and (48) bound the two constants. First, (y - z)^2 <= a
|y - z| <= a (y + z), whose sum over the ports of (r, k) is at most 2 max(a) c. Second, slopes are in [0, varpi]. So one
of the K squared entries of a channel is at most max(varpi, beta)^2 <= varpi*^2 + beta*^2, and the other entries are at
most varpi*^2. With f_k of the total only the slopes' arguments differ. So D G sqrt(T) <= (39) for both constants. If D
or G is 0, no y is better than another, and R = 0 with any step.
Coq: oga_regret.v oga_sched_regret, oga_sched_regret_constants; oga_utilities.v oga_sched_regret_file. Objects:
instance, oga, next, project, gradient, earns, oga_regret, concave_gain, D51, G48. In words: the regret is against each
allocation of Y, so against the best. Slots are numbered from 0, and varpi is the slope at 0.
- *(30) is not the gradient if (27) has several maximisers.* The proof uses only a supergradient, and (30) is a
supergradient with any tie-breaking.
- *(41) drops the wrong distance.* With y(T + 1) it is right, and the proof drops that distance anyway (`inequality41`).
- *(46)-(47) treat only slopes above 2 beta.* This proof of (48) does not use them and holds for all slopes.
"""


@THEOREM1_CONSTANT.reading(
    "the constants",
    "diam(Y) and max |grad q| themselves; gain per node.",
    THEOREM1_PROOF,
    constants=exact,
    where=(regimes.exact(ascent, constants=exact),),
)
@THEOREM1_CONSTANT.reading(
    "their bounds",
    "(51) and (48) replace diam(Y) and max |grad q|; gain per node.",
    THEOREM1_PROOF,
    where=(regimes.exact(ascent),),
)
@THEOREM1_CONSTANT.reading(
    "gain per total",
    "(51) and (48); f_k of the total, varpi_k = f_k'(0).",
    THEOREM1_PROOF,
    gain="total",
    where=(regimes.exact(ascent, gain="total"),),
)
@THEOREM1_CONSTANT.false_variant("three fifths of it", share=Fraction(3, 5))
@THEOREM1_CONSTANT.false_variant("seven tenths of it, with the constants", constants=exact, share=Fraction(7, 10))
@regimes.of_exact_runs
def theorem1(case: Started, constants: Constants = bounds, gain: Gain = "node", share: Fraction = ONE) -> Answer:
    """R <= sum_t g_t (y - y(t)) <= (39) for the best y in Y and the constant step.

    The step is diam(Y)/(max |grad q| sqrt(T)), rational in these cases. The measured value is the square of the sum,
    the claimed value that of (39).
    """
    run = ascent(case, constants, gain)
    limit = share**2 * bound39(case.instance, gain)
    return Finding(
        max(run.linear_regret, ZERO) ** 2, limit, "at most", "squares of the regret's bound and of (39)", relative=True
    )


CONTENTION = st.integers(1, 5).map(lambda m: draw.two_port_contention(m * m))

ANY_RUN = Domain(
    Started,
    st.one_of(
        draw.started_cases(),
        draw.started_cases(full=True, nodes=1),
        draw.one_at_a_time(),
        CONTENTION,
        st.just(draw.one_then_the_other(9, 11)),
        st.just(draw.one_by_one(4, ONE, ONE, ZERO)),
    ),
    (*regimes.RUNS, *regimes.MANY, regimes.LENGTHS),
)

STEP53 = Claim(
    "multiserver.theorem1_step53",
    ZHAO24.at("section III-C, (53)"),
    "With eta_t = diam(Y)/(|grad q(x(t), y(t))| sqrt(T)) the regret (11) is at most (39).",
    Domain(
        Started,
        st.one_of(draw.one_at_a_time(), draw.one_at_a_time(), st.integers(1, 10).map(draw.drift), CONTENTION),
        (*regimes.RUNS, regimes.LENGTHS, Regime("more than 50 slots", lambda case: case.instance.horizon > 50)),
    ),
    severity="false theorem",
)
REPAIRED = STEP53.repair(
    "With eta_t = D/(max over s <= t of |grad q(x(s), y(s))| sqrt(T)), D of (51), the regret (11) is "
    "at most D max_t |grad q(x(t), y(t))| sqrt(T), and so at most (39), from any y(1) in Y.",
    domain=ANY_RUN,
    small=True,
)

Width = Callable[[Instance], Fraction]


@lru_cache(maxsize=4)
def run53(case: Started, wide: Width = diameter51) -> oga.OgaRun:
    return oga.play(case.instance, case.start, oga.step53(wide(case.instance), case.instance.horizon))


@lru_cache(maxsize=4)
def run_largest(case: Started) -> oga.OgaRun:
    return oga.play(case.instance, case.start, oga.largest_so_far(diameter51(case.instance), case.instance.horizon))


@lru_cache(maxsize=4)
def run_anytime(case: Started) -> oga.OgaRun:
    return oga.play(case.instance, case.start, oga.anytime(diameter51(case.instance)))


ROUNDED = (1 + 1 / oga.SHORT) / 2  # what a step that is rounded down costs


@STEP53.reading(
    "any y(1)",
    "diam(Y) by its bound (51), any y(1) in Y; no step in a slot without arrivals.",
    where=(regimes.exact(run53),),
)
@STEP53.reading(
    "the diameter", "The bound uses diam(Y) itself.", wide=diameter, where=(regimes.exact(run53, wide=diameter),)
)
@STEP53.reading(
    "y(1) = 0",
    "The run starts with y(1) = 0.",
    where=(FROM_NOTHING, regimes.exact(run53)),
)
@STEP53.false_variant("a fifth of it", share=Fraction(1, 5))
@regimes.of_exact_runs
def step53(case: Started, wide: Width = diameter51, share: Fraction = ONE) -> Answer:
    """R <= (39) for the step diam(Y)/(|grad q(x(t), y(t))| sqrt(T)).

    If the gradient is 0 the step has no effect.

    Parameters
    ----------
    wide
        diam(Y) squared, or its bound (51).
    """
    limit = share * oga.root_above(bound39(case.instance))
    return Finding(run53(case, wide).least_regret, limit, "at most", "the regret, and (39)")


LARGEST_SO_FAR_PROOF = """
Let the step be b times that of the statement. Let y* be in Y, d_t = ||y(t) - y*||^2 <= D^2 and G = max |g_t|. As for
(41), g_t (y* - y(t)) <= (d_t - d_(t+1))/(2 eta_t) + eta_t |g_t|^2/2. Slots before the first nonzero gradient add 0. The
steps do not grow. So by summation by parts the first terms add up to at most D^2/(2 eta_T) <= D G sqrt(T)/(2 b). In the
second terms |g_t| <= max over s <= t of |g_s|. So each is at most b D |g_t|/(2 sqrt(T)) <= b D G/(2 sqrt(T)), and their
sum is at most b D G sqrt(T)/2. With b = 1 this is D G sqrt(T); and G <= (48).
Coq: oga_regret.v oga_largest_norm_step. Objects: instance, oga, next, project, gradient, oga_regret, concave_gain,
longest, D51, G48. In words: slots are numbered from 0. The run determines its steps slot by slot; before the first
gradient they are arbitrary.
- *The step depends on gradients, which the adversary controls.* The proof does not use that steps are chosen in
advance, only that they do not grow.
- *A late long gradient makes the earlier steps too long.* The earlier steps match the largest norm of their time: each
term is at most D |g_t|/(2 sqrt(T)).
"""


@REPAIRED.reading(
    "largest norm so far",
    "There is no step before the first nonzero gradient.",
    LARGEST_SO_FAR_PROOF,
    where=(regimes.exact(run_largest),),
)
@REPAIRED.false_variant("seven tenths of it", share=Fraction(7, 10))
@regimes.of_exact_runs
def largest_so_far(case: Started, share: Fraction = ONE) -> Answer:
    """R <= D max |g_t| sqrt(T) <= (39) with the largest norm so far in the step.

    eta_t = D/(max over s <= t of |g_s| sqrt(T)), D = (51). The measured value is sum_t g_t (y - y(t)) for the best y
    in Y, at least R. If non-increasing steps are rounded down to at least b times these values, the bound grows by the
    factor (1 + 1/b)/2; here b = 1 - 2^-20.
    """
    run = run_largest(case)
    limit = oga.root_above(diameter51(case.instance) * max(run.norms) * case.instance.horizon)
    return Finding(
        run.linear_regret, share * ROUNDED * limit, "at most", "the regret's bound, D G sqrt(T)", relative=True
    )


ANY_TIME = Claim(
    "multiserver.theorem1_anytime",
    ZHAO24.at("section III-C, (53), for an unknown horizon"),
    "With eta_t = D/sqrt(2 sum_(s <= t) |grad q|^2), D of (51), the regret is at most sqrt(2) (39).",
    ANY_RUN,
)

ANY_TIME_STEP_PROOF = """
Let the step be b times that of the statement. Let d_t = ||y(t) - y*||^2 <= D^2 and S_t = sum_(s <= t) |g_s|^2. As
in the proof for the largest norm, sum_t g_t (y* - y(t)) <= D^2/(2 eta_T) + sum eta_t |g_t|^2/2. The first term is at
most D sqrt(S_T/2)/b. As a/sqrt(S) <= 2 (sqrt(S) - sqrt(S - a)) for 0 <= a <= S, sum |g_t|^2/sqrt(S_t) <= 2 sqrt(S_T).
So the second term is at most b D sqrt(S_T/2). With b = 1 their sum is D sqrt(2 S_T), and S_T <= T (48)^2.
Coq: oga_regret.v oga_anytime_step. Objects: instance, oga, next, project, gradient, oga_regret, concave_gain, squares,
D51, G48. In words: slots are numbered from 0. The run determines its steps slot by slot; before the first gradient they
are arbitrary.
- *The step has no horizon; is the bound for only one T?* The proof holds for each T, with the steps up to it.
- *The sum of squares may grow by a large last term.* a/sqrt(S) <= 2 (sqrt(S) - sqrt(S - a)) holds for each 0 <= a <= S,
large or not.
"""


@ANY_TIME.reading(
    "from any y(1)",
    "After each slot T; no step before the first gradient.",
    ANY_TIME_STEP_PROOF,
    where=(regimes.exact(run_anytime),),
)
@ANY_TIME.false_variant("49/100 of it", share=Fraction(49, 100))
@regimes.of_exact_runs
def any_time_step(case: Started, share: Fraction = ONE) -> Answer:
    """R <= D sqrt(2 sum |g_t|^2) <= sqrt(2) (39) with the any-time step.

    eta_t = D/sqrt(2 sum_(s <= t) |g_s|^2), D = (51). The step does not depend on T, so the bound holds after
    each slot. The measured value is sum_t g_t (y - y(t)) for the best y in Y. Rounding gives a factor (1 + 1/b)/2 as
    in `largest_so_far`.
    """
    run = run_anytime(case)
    limit = oga.root_above(2 * diameter51(case.instance) * sum(run.norms, ZERO))
    return Finding(
        run.linear_regret, share * ROUNDED * limit, "at most", "the regret's bound, D sqrt(2 S)", relative=True
    )
