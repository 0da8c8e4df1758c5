"""Theorem 1 with the step (53), and with steps that need no constant: claims theorem1_step53 and theorem1_anytime."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

from schedproof.core.claim import Case, Claim, Finding, Planted, Reading, Regime
from schedproof.instances.multiserver import Instance
from schedproof.proofs_checks.multiserver.house import WITNESSES
from schedproof.proofs_checks.multiserver.model import nothing
from schedproof.proofs_checks.multiserver.oga import ZERO, any_time, current, largest, play
from schedproof.proofs_checks.multiserver.regret_bounds import bound39, diameter, diameter51
from schedproof.proofs_checks.multiserver.regret_cases import MANY, SHAPES, build_instance, hand_over, started, switch
from schedproof.proofs_checks.multiserver.roots import SHORT, NoRun, root_above
from schedproof.proofs_checks.strategies.multiserver import st
from schedproof.proofs_checks.writing import at, table

ONE = Fraction(1)


# --- (53) ------------------------------------------------------------------------------------------------------------


def step53(
    case: Case, wide: Callable[[Instance], Fraction] = diameter51, zero: bool = False, share: Fraction = ONE
) -> Finding | None:
    """R <= (39) for the step diam(Y)/(|grad q(x(t), y(t))| sqrt(T)); where the gradient is 0 no step matters.

    Parameters
    ----------
    wide
        diam(Y) squared, or its bound (51).
    zero
        Only runs from y(1) = 0.
    """
    instance, start = case.instance, case.data["start"]
    if zero and any(map(any, start)):
        return None
    try:
        run = play(instance, start, current(wide(instance), instance.horizon))
    except NoRun:
        return None
    return Finding(run.shown_regret, share * root_above(bound39(instance)), "at most", "the regret, and (39)")


def largest_so_far(case: Case, share: Fraction = ONE) -> Finding | None:
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
    try:
        run = play(instance, case.data["start"], largest(diameter51(instance), instance.horizon))
    except NoRun:
        return None
    most = root_above(diameter51(instance) * max(run.norms) * instance.horizon)
    return Finding(run.linear_regret, share * (1 + 1 / SHORT) / 2 * most, "at most", "the regret's bound, D G sqrt(T)")


def any_time_step(case: Case, share: Fraction = ONE) -> Finding | None:
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
    instance = case.instance
    try:
        run = play(instance, case.data["start"], any_time(diameter51(instance)))
    except NoRun:
        return None
    most = root_above(2 * diameter51(instance) * sum(run.norms, ZERO))
    return Finding(run.linear_regret, share * (1 + 1 / SHORT) / 2 * most, "at most", "the regret's bound, D sqrt(2 S)")


def drift(number: int, slots: int | None = None, spare: int | Decimal = 0) -> Case:
    """Two ports want one node's gpu; `p0` reaches three more nodes, which have ``spare``. T = 2 m^2 if not given.

    y(1) = 0. The second port comes m times, and then after every second job of the first.
    """
    late = [[1, 0] if n % 3 < 2 else [0, 1] for n in range((slots or 2 * number**2) - number)]
    instance = build_instance([1, spare, spare, spare], [range(4), [0]], [[0, 1]] * number + late)
    return Case(instance, {"start": nothing(instance)})


@st.composite
def _one_at_a_time(pick: Any) -> Case:
    """Two ports on one node, `p0` on one or three more; a job of one of them, or none, in each of 2 m^2 slots."""
    nodes, number = pick(st.sampled_from((1, 4))), pick(st.integers(1, 3))
    rows = pick(st.lists(st.sampled_from(((1, 0), (0, 1), (0, 0))), min_size=2 * number**2, max_size=2 * number**2))
    room = [1] + [pick(st.sampled_from((0, 0, 1)))] * (nodes - 1)
    instance = build_instance(room, [range(nodes), [0]], rows)
    part = pick(st.sampled_from((ZERO, Fraction(1, 2), ONE)))
    start = [[part]] + [[ZERO]] * (nodes - 1) + [[1 - part]]
    return Case(instance, {"start": nothing(instance) if pick(st.booleans()) else start})


LENGTHS = Regime("gradients of two lengths", lambda c: len({len(p.nodes) for p in c.instance.ports}) > 1)
_SQUARES = st.integers(1, 5).map(lambda m: hand_over(m * m))
_DRIVEN = st.one_of(_one_at_a_time(), _one_at_a_time(), st.integers(1, 10).map(drift), _SQUARES)
_ANY = st.one_of(started(), started(full=True, nodes=1), _one_at_a_time(), _SQUARES, st.just(switch(9, 11)))

STEP53 = Claim(
    id="multiserver.theorem1_step53",
    source="paper 002, section III-C, (53)",
    statement="With eta_t = diam(Y)/(|grad q(x(t), y(t))| sqrt(T)) the regret (11) is at most (39).",
    readings=(
        Reading("any y(1)", "diam(Y) by its bound (51), any y(1) in Y; no step where nobody arrives.", step53),
        Reading("the diameter", "diam(Y) itself.", at(step53, wide=diameter)),
        Reading("y(1) = 0", "The run starts with nothing allocated.", at(step53, zero=True)),
    ),
    regimes=(*SHAPES, LENGTHS, Regime("more than 50 slots", lambda c: c.instance.horizon > 50)),
    strategy=_DRIVEN,
    planted=(Planted("a fifth of it", at(step53, share=Fraction(1, 5))),),
    witnesses=WITNESSES,
    repaired_by="multiserver.theorem1_step53_repaired",
    small_repair=True,
)
STEP53_REPAIRED = Claim(
    id="multiserver.theorem1_step53_repaired",
    source="paper 002, section III-C, (53), repaired",
    statement=(
        "With eta_t = D/(max over s <= t of |grad q(x(s), y(s))| sqrt(T)), D of (51), the regret (11) is at most D "
        "max_t |grad q(x(t), y(t))| sqrt(T), and so at most (39), from any y(1) in Y."
    ),
    readings=(Reading("largest norm so far", "No step before the first gradient other than 0.", largest_so_far),),
    regimes=(*SHAPES, *MANY, LENGTHS),
    strategy=_ANY,
    planted=(Planted("two fifths of it", at(largest_so_far, share=Fraction(2, 5))),),
)
ANY_TIME = Claim(
    id="multiserver.theorem1_anytime",
    source="paper 002, section III-C, (53), for a horizon that is not known",
    statement="With eta_t = D/sqrt(2 sum over s <= t of |grad q|^2), D of (51), the regret is at most sqrt(2) (39).",
    readings=(Reading("from any y(1)", "After each slot T; no step before the first gradient.", any_time_step),),
    regimes=(*SHAPES, *MANY, LENGTHS),
    strategy=_ANY,
    planted=(Planted("a quarter of it", at(any_time_step, share=Fraction(1, 4))),),
)

CLAIMS = table(STEP53, STEP53_REPAIRED, ANY_TIME)
