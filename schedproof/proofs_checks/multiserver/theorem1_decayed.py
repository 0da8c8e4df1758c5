"""Theorem 1 for the steps eta_0 lambda^(t-1) of Algorithm 1."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from hypothesis import strategies as st

from schedproof.core.claims.claim import Answer, Claim, Domain, Finding, Outside, Premise, Regime
from schedproof.families.multiserver import ZHAO24
from schedproof.proofs_checks.multiserver.shared import regimes
from schedproof.proofs_checks.multiserver.theorem1 import ROUNDED
from schedproof.proofs_checks.strategies import multiserver_runs as draw
from schedproof.proofs_checks.strategies.multiserver_runs import ONE, Decaying, Started
from schedproof.reference import multiserver_oga as oga
from schedproof.reference.multiserver import ZERO
from schedproof.reference.multiserver_constants import bound39, bounds, proof_step

A_RUN: Premise[Decaying] = Premise(
    "the case is a run with its eta_0", lambda case: case.instance is not None and case.step is not None
)
A_RUN_OF_ANY_START: Premise[Decaying] = Premise(
    "the case is a run, or gives how often two ports come", lambda case: case.slots is None
)
LONG_RUN: Premise[Decaying] = Premise("the case has the numbers of a long run", lambda case: case.slots is not None)

RUNS = (*regimes.RUNS, *regimes.MANY)

DECAYED = Claim(
    "multiserver.theorem1_decayed",
    ZHAO24.at("section III-C, Theorem 1, for Algorithm 1, line 33; section IV-A for lambda in [0.995, 0.9999]"),
    "With eta_t = eta_0 lambda^(t-1), lambda in [0.995, 0.9999], the regret (11) is at most (39).",
    Domain(
        Decaying,
        st.one_of(draw.decaying(), draw.decaying(), draw.LONG_DECAYS),
        (*regimes.if_there(RUNS), Regime("more than 4000 slots", lambda case: (case.slots or 0) > 4000)),
    ),
    severity="false theorem",
)
REPAIRED = DECAYED.repair(
    "With eta_t = eta_0 lambda^(t-1), 0 < lambda < 1, R <= D^2/(2 eta_0 lambda^(T-1)) + eta_0 G^2 (1 - "
    "lambda^T)/(2 (1 - lambda)), D of (51), G of (48). For the best eta_0 this is sqrt((1 - lambda^T)/(T (1 - "
    "lambda) lambda^(T-1))) times (39), and sublinear if lambda^T does not tend to 0.",
    domain=Domain(Decaying, draw.decaying(), RUNS, (A_RUN,)),
    source=ZHAO24.at("section III-C, Theorem 1, for Algorithm 1, line 33, repaired"),
)


@lru_cache(maxsize=4)  # a run of a thousand slots takes seconds: the powers of lambda are long
def decaying_run(case: Decaying, first: Fraction) -> oga.OgaRun:
    assert case.instance is not None and case.start is not None
    return oga.play(case.instance, case.start, oga.decaying_step(first, case.decay))


def run_as_given(case: Decaying) -> oga.OgaRun:
    assert case.step is not None
    return decaying_run(case, case.step)


def run_from_proof(case: Decaying) -> oga.OgaRun:
    if case.first is not None and case.second is not None:
        family = _port_switch(case.first, case.second)
        case = Decaying(case.decay, family.instance, family.start)
    assert case.instance is not None
    return decaying_run(case, proof_step(case.instance))


def run_from_best(case: Decaying) -> oga.OgaRun:
    """The run with the eta_0 that equates the bound's terms, rounded down."""
    assert case.instance is not None
    wide, steep = bounds(case.instance)
    decay, slots = case.decay, case.instance.horizon
    first = oga.root_below(wide / (steep * _series(decay, slots) * decay ** (slots - 1))) if steep else ZERO
    return decaying_run(case, first)


def _series(decay: Fraction, slots: int) -> Fraction:
    return (1 - decay**slots) / (1 - decay)


@DECAYED.reading(
    "any eta_0",
    "eta_0 is arbitrary: Algorithm 1 only states that it is initialised.",
    where=(A_RUN, regimes.exact(run_as_given)),
)
@DECAYED.false_variant("a fifth of it", share=Fraction(1, 5))
@regimes.of_exact_runs
def any_start(case: Decaying, share: Fraction = ONE) -> Answer:
    return _within39(run_as_given(case), share) if A_RUN.met(case) else Outside(A_RUN)


@DECAYED.reading(
    "the proof's step",
    "eta_0 = (51)/((48) sqrt(T)).",
    where=(A_RUN_OF_ANY_START, regimes.exact(run_from_proof)),
)
def constant_start(case: Decaying) -> Answer:
    """R <= (39) for eta_0 = (51)/((48) sqrt(T)), the step of the theorem's proof.

    eta_0 is rational in these cases. A case without an instance has the numbers of `one_then_the_other`.
    """
    return _within39(run_from_proof(case), ONE)


@DECAYED.reading(
    "the best eta_0",
    "One eta_0, chosen for T and lambda, serves all arrivals.",
    where=(LONG_RUN,),
)
def best_start(case: Decaying) -> Answer:
    """R <= (39) for the best eta_0, which may depend on T; lambda is fixed.

    On the node of `two_port_contention` with y(1) = 0, (39) is 2 sqrt(T). Let N be the number of slots with eta_t >=
    2; any N is possible by the choice of eta_0.

    (a) In the first min(N + 1, T) slots the port with no allocation comes. A step of 2 or more gives the node to the
    last port that came, so the policy earns 0. One of the ports came in half of these slots, so the regret is at least
    (N + 1)/2, which grows with N.

    (b) The first port comes in slots 1..N + m, the second in the T - N - m that follow. The second port's steps are
    below 2 lambda^m and add up to at most b = 2 lambda^m/(1 - lambda), so the port never has more than b. So the policy
    earns at most N + m + b (T - N - m), and the regret falls with N.

    The measured value is the regret at the crossing of (a) and (b); b is rounded up to 1/1000.
    """
    if case.slots is None or case.wait is None:
        return Outside(LONG_RUN)
    slots, decay, wait = case.slots, case.decay, case.wait
    part = min(ONE, -_down(-2 * decay**wait / (1 - decay)))
    limit = ((slots - wait) * (1 - part) - wait - Fraction(1, 2)) / (Fraction(5, 2) - part)
    least = (max(limit, ZERO) + 1) / 2
    return Finding(least, oga.root_above(Fraction(4 * slots)), "at most", "the least regret for any eta_0, and (39)")


ANY_DECAY_PROOF = """
Let y* be in Y and d_t = ||y(t) - y*||^2 <= D^2. As for (41), g_t (y* - y(t)) <= (d_t - d_(t+1))/(2 eta_t) + eta_t
|g_t|^2/2. The steps do not grow. So by summation by parts the first terms add up to at most D^2/(2 eta_T). As |g_t| <=
G, the second terms add up to at most (G^2/2) sum eta_t, a geometric series.
Coq: oga_regret.v oga_decayed. Objects: instance, oga, next, project, gradient, oga_regret, concave_gain, decayed_bound,
D51, G48. In words: slots are numbered from 0, so T slots are those up to T - 1.
- *lambda = 1 divides by 0.* 0 < lambda < 1 is in the statement; for lambda = 1 the series is T, and this is (42).
- *Do the distances telescope with varying steps?* Yes, by parts: each d_t has the factor 1/eta_t - 1/eta_(t-1) >= 0,
and d_t <= D^2.
"""


@REPAIRED.reading(
    "any eta_0", "The run starts from any y(1) in Y.", ANY_DECAY_PROOF, where=(regimes.exact(run_as_given),)
)
@REPAIRED.false_variant("two fifths of it", share=Fraction(2, 5))
@regimes.of_exact_runs
def any_decay(case: Decaying, share: Fraction = ONE) -> Answer:
    """The measured value is sum_t g_t (y - y(t)) for the best y in Y, at least R."""
    assert case.step is not None
    run, eta = run_as_given(case), case.step
    (wide, steep), decay = bounds(run.instance), case.decay
    last = decay ** (run.instance.horizon - 1)
    limit = wide / (2 * eta * last) + eta * steep * (1 - last * decay) / (2 * (1 - decay))
    return Finding(run.linear_regret, share * limit, "at most", "the regret's bound, and the two terms", relative=True)


TUNED_PROOF = """
For this eta_0 the two terms of the bound are equal, and their sum is D G sqrt((1 - lambda^T)/((1 - lambda)
lambda^(T-1))); (39) is D G sqrt(T). With b eta_0, b < 1, the first term grows by the factor 1/b, and the second
shrinks. If D or G is 0, no y is better than another, and R = 0.
Coq: oga_regret.v oga_decayed, oga_decayed_best. Objects: instance, oga, next, project, gradient, oga_regret,
concave_gain, decayed_bound, D51, G48. In words: slots are numbered from 0, so T slots are those up to T - 1. If
lambda^T does not fall below c, the factor is at most 1/sqrt(c).
- *The best eta_0 depends on T.* The step of Theorem 1 depends on T too; the claim states this.
- *If D or G is 0, no such eta_0 exists.* Then no y is better than another, and R = 0 with any step.
"""


@REPAIRED.reading(
    "the best eta_0", "The eta_0 that makes the two terms equal.", TUNED_PROOF, where=(regimes.exact(run_from_best),)
)
@REPAIRED.false_variant("two fifths of it, best eta_0", share=Fraction(2, 5))
@regimes.of_exact_runs
def best_first_step(case: Decaying, share: Fraction = ONE) -> Answer:
    """The bound of `any_decay` at the best eta_0.

    If the step is rounded down to at least b eta_0, the bound grows by the factor (1 + 1/b)/2; here b = 1 - 2^-20.
    """
    assert case.instance is not None
    wide, steep = bounds(case.instance)
    decay, slots = case.decay, case.instance.horizon
    limit = oga.root_above(wide * steep * _series(decay, slots) / decay ** (slots - 1))
    return Finding(
        run_from_best(case).linear_regret,
        share * ROUNDED * limit,
        "at most",
        "the regret's bound, factor (39)",
        relative=True,
    )


def _within39(run: oga.OgaRun, share: Fraction) -> Finding:
    limit = share * oga.root_above(bound39(run.instance))
    return Finding(_down(run.least_regret), limit, "at most", "the regret, rounded down to 1/1000, and (39)")


@lru_cache(maxsize=4)
def _port_switch(first: int, second: int) -> Started:
    return draw.one_then_the_other(first, second)


def _down(value: Fraction) -> Fraction:
    return Fraction(value * 1000 // 1, 1000)
