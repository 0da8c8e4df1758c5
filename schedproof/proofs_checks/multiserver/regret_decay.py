"""Theorem 1 for the steps eta_0 lambda^(t-1) of Algorithm 1. Claim theorem1_decayed."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Any

from schedproof.core.claim import Case, Claim, Finding, Planted, Reading
from schedproof.instances.multiserver import Instance
from schedproof.proofs_checks.multiserver.house import WITNESSES
from schedproof.proofs_checks.multiserver.model import Matrix
from schedproof.proofs_checks.multiserver.oga import ZERO, Run, decayed, play
from schedproof.proofs_checks.multiserver.regret_bounds import bound39, diameter51, norm48
from schedproof.proofs_checks.multiserver.regret_cases import (
    MANY,
    ONE,
    SHAPES,
    climb,
    hand_over,
    if_there,
    started,
    switch,
)
from schedproof.proofs_checks.multiserver.roots import SHORT, NoRun, exact_root, root_above, root_below
from schedproof.proofs_checks.strategies.multiserver import st
from schedproof.proofs_checks.writing import at, of_data, table

DECAYS = tuple(Fraction(d) for d in ("0.995", "0.999", "0.9999"))  # what section IV-A calls the best range


def played(case: Case, first: Fraction) -> Run | None:
    """The run of the case with eta_1 = first."""
    start = tuple(map(tuple, case.data["start"]))
    return _played(case.instance, start, first, case.data["decay"])


@lru_cache(maxsize=4)  # a run of a thousand slots takes seconds: the powers of lambda are long
def _played(instance: Instance, start: Matrix, first: Fraction, decay: Fraction) -> Run | None:
    try:
        return play(instance, start, decayed(first, decay))
    except NoRun:
        return None


def any_start(case: Case, share: Fraction = ONE) -> Finding | None:
    """R <= (39) whatever eta_0 > 0 Algorithm 1 is started with."""
    run = played(case, case.data["step"]) if "step" in case.data else None
    return None if run is None else _within39(run, share)


def constant_start(case: Case) -> Finding | None:
    """R <= (39) for eta_0 = (51)/((48) sqrt(T)), the step of the theorem's proof, where it is rational.

    A case without an instance has the numbers of `switch`.
    """
    if "slots" in case.data:
        return None
    if case.instance is None:
        case = Case(*_switched(case.data["first"], case.data["second"], case.data["decay"]))
    instance = case.instance
    try:
        first = exact_root(diameter51(instance) / (norm48(instance) * instance.horizon)) if norm48(instance) else ZERO
    except NoRun:
        return None
    run = played(case, first)
    return None if run is None else _within39(run, ONE)


@lru_cache(maxsize=4)
def _switched(first: int, second: int, decay: Fraction) -> tuple[Instance, dict[str, Any]]:
    case = switch(first, second)
    return case.instance, {**case.data, "decay": decay}


def _within39(run: Run, share: Fraction) -> Finding:
    most = share * root_above(bound39(run.instance))
    return Finding(_down(run.shown_regret), most, "at most", "the regret, rounded down to 1/1000, and (39)")


def _down(value: Fraction) -> Fraction:
    return Fraction(value * 1000 // 1, 1000)


def best_start(case: Case) -> Finding | None:
    """R <= (39) for the best eta_0 that there is, which may depend on T; lambda is given.

    On the node of `hand_over`, y(1) = 0, (39) is 2 sqrt(T). Let N be the number of slots with eta_t >= 2, any number by
    the choice of eta_0. (a) In the first min(N + 1, T) slots the port comes that has nothing: a step of 2 or more gives
    the node to the last that came, so that the policy earns nothing, and one of the ports came in half of the slots.
    (b) The first port comes in slots 1..N + m, the second in the T - N - m that follow. Its steps are below 2 lambda^m,
    and sum up to b = 2 lambda^m/(1 - lambda) at most, more than which it never has: the policy earns at most N + m + b
    (T - N - m). (a) is (N + 1)/2 or more and grows with N, (b) falls; measured is where they cross. b is rounded up to
    1/1000.
    """
    if "slots" not in case.data:
        return None
    slots, decay, wait = case.data["slots"], case.data["decay"], case.data["wait"]
    part = min(ONE, -_down(-2 * decay**wait / (1 - decay)))
    most = ((slots - wait) * (1 - part) - wait - Fraction(1, 2)) / (Fraction(5, 2) - part)
    least = (max(most, ZERO) + 1) / 2
    return Finding(least, root_above(Fraction(4 * slots)), "at most", "the least regret for any eta_0, and (39)")


def any_decay(case: Case, share: Fraction = ONE) -> Finding | None:
    """R <= D^2/(2 eta_0 lambda^(T-1)) + eta_0 G^2 (1 - lambda^T)/(2 (1 - lambda)), D of (51), G of (48).

    0 < lambda < 1. Measured is sum_t g_t (y - y(t)) for the best y in Y, which is at least R.

    Proof
    -----
    Let y* be in Y and d_t = ||y(t) - y*||^2 <= D^2. As for (41), g_t (y* - y(t)) <= (d_t - d_(t+1))/(2 eta_t) + eta_t
    |g_t|^2/2. The steps do not grow, so that the first terms sum up, by parts, to at most D^2/(2 eta_T). As |g_t| <= G,
    the others sum up to at most (G^2/2) sum eta_t, a geometric series.
    """
    eta = case.data["step"]
    run = played(case, eta)
    if run is None:
        return None
    wide, steep, decay = diameter51(run.instance), norm48(run.instance), case.data["decay"]
    last = decay ** (run.instance.horizon - 1)
    most = wide / (2 * eta * last) + eta * steep * (1 - last * decay) / (2 * (1 - decay))
    return Finding(run.linear_regret, share * most, "at most", "the regret's bound, and the two terms")


def tuned(case: Case, share: Fraction = ONE) -> Finding | None:
    """For eta_0 = (D/G) sqrt((1 - lambda)/((1 - lambda^T) lambda^(T-1))), R <= sqrt((1 - lambda^T)/(T (1 - lambda)
    lambda^(T-1))) times (39).

    A step that is rounded down to not less than b times eta_0 costs a factor (1 + 1/b)/2; here b = 1 - 2^-20.

    Proof
    -----
    The two terms of the bound for any eta_0 are equal for this one, and their sum is D G sqrt((1 - lambda^T)/((1 -
    lambda) lambda^(T-1))); (39) is D G sqrt(T). With b eta_0 the first term grows to 1/b of it and the second shrinks.
    """
    wide, steep = diameter51(case.instance), norm48(case.instance)
    if not (wide and steep):
        return None
    decay, slots = case.data["decay"], case.instance.horizon
    series = (1 - decay**slots) / (1 - decay)
    run = played(case, root_below(wide / (steep * series * decay ** (slots - 1))))
    if run is None:
        return None
    most = root_above(wide * steep * series / decay ** (slots - 1))
    return Finding(run.linear_regret, share * (1 + 1 / SHORT) / 2 * most, "at most", "the regret's bound, factor (39)")


@st.composite
def _decaying(pick: Any) -> Case:
    """A tiny instance or one of the families, a decay and a first step."""
    squares = [hand_over(16), climb(8), climb(18), switch(12, 13), climb(4)]
    case = pick(st.one_of(started(), started(), st.sampled_from(squares)))
    eta = pick(st.sampled_from([Fraction(1, 100), Fraction(1, 4), ONE, Fraction(25)]))
    return Case(case.instance, {"start": case.data["start"], "decay": pick(st.sampled_from(DECAYS)), "step": eta})


_LONG = st.sampled_from(
    [
        Case(None, {"decay": decay, "slots": slots, "wait": wait})
        for decay, slots, wait in ((DECAYS[0], 400, 100), (DECAYS[0], 5000, 1500), (DECAYS[1], 36000, 9600))
    ]
)

DECAYED = Claim(
    id="multiserver.theorem1_decayed",
    source="paper 002, section III-C, Theorem 1, for Algorithm 1, line 33; section IV-A for lambda in [0.995, 0.9999]",
    statement="With eta_t = eta_0 lambda^(t-1), lambda in [0.995, 0.9999], the regret (11) is at most (39).",
    readings=(
        Reading("any eta_0", "Algorithm 1 says no more of it than that it is initialised.", any_start),
        Reading("the proof's step", "eta_0 = (51)/((48) sqrt(T)).", constant_start),
        Reading("the best eta_0", "Some eta_0, chosen for T and lambda, whatever arrives.", best_start),
    ),
    regimes=(*if_there((*SHAPES, *MANY)), of_data("more than 4000 slots", lambda d: d.get("slots", 0) > 4000)),
    strategy=st.one_of(_decaying(), _decaying(), _LONG),
    planted=(Planted("a fifth of it", at(any_start, share=Fraction(1, 5))),),
    witnesses=WITNESSES,
    repaired_by="multiserver.theorem1_decayed_repaired",
)
DECAYED_REPAIRED = Claim(
    id="multiserver.theorem1_decayed_repaired",
    source="paper 002, section III-C, Theorem 1, for Algorithm 1, line 33, repaired",
    statement=(
        "With eta_t = eta_0 lambda^(t-1), 0 < lambda < 1, R <= D^2/(2 eta_0 lambda^(T-1)) + eta_0 G^2 (1 - lambda^T)/"
        "(2 (1 - lambda)), D of (51), G of (48). For the best eta_0 this is sqrt((1 - lambda^T)/(T (1 - lambda) "
        "lambda^(T-1))) times (39), and sublinear if lambda^T does not tend to 0."
    ),
    readings=(
        Reading("any eta_0", "From any y(1) in Y.", any_decay),
        Reading("the best eta_0", "That which makes the two terms equal.", tuned),
    ),
    regimes=(*SHAPES, *MANY),
    strategy=_decaying(),
    planted=(
        Planted("two fifths of it", at(any_decay, share=Fraction(2, 5))),
        Planted("two fifths of it, best eta_0", at(tuned, share=Fraction(2, 5))),
    ),
)

CLAIMS = table(DECAYED, DECAYED_REPAIRED)
