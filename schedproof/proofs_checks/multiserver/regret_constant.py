"""Theorem 1 with a constant step, and (41), the inequality that it rests on. Claims inequality41, theorem1_constant."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import isqrt
from typing import Any

from schedproof.core.claim import Case, Claim, Finding, Planted, Reading, Regime
from schedproof.instances.multiserver import Instance
from schedproof.proofs_checks.multiserver.house import WITNESSES
from schedproof.proofs_checks.multiserver.model import Gain, Matrix
from schedproof.proofs_checks.multiserver.oga import ZERO, Run, add, best_linear, constant, dot, play, scaled, square
from schedproof.proofs_checks.multiserver.regret_bounds import (
    bound39,
    diameter,
    diameter51,
    largest_norm,
    norm48,
)
from schedproof.proofs_checks.multiserver.regret_cases import MANY, SHAPES, climb, hand_over, started
from schedproof.proofs_checks.multiserver.roots import NoRun, exact_root
from schedproof.proofs_checks.strategies.multiserver import st
from schedproof.proofs_checks.writing import at, table

Constants = Callable[[Instance, Gain], tuple[Fraction, Fraction]]  # diam(Y) and max |grad q|, squared

# --- (41) ------------------------------------------------------------------------------------------------------------


def telescope(case: Case, last: int = 0, best: bool = False) -> Finding | None:
    """sum_t g_t (y* - y(t)) <= (eta/2) sum ||g_t||^2 + (||y(1) - y*||^2 - ||y(T + last) - y*||^2)/(2 eta).

    Parameters
    ----------
    last
        0 for y(T), as printed; 1 for y(T + 1).
    best
        Whether y* is the optimum (10), for one resource and linear utilities; else any point of Y.
    """
    eta = case.data["step"]
    try:
        run = play(case.instance, case.data["start"], constant(eta))
    except NoRun:
        return None
    point = optimum(run) if best else case.data["fixed"]
    if point is None:
        return None
    gained = sum((dot(g, point) - dot(g, y) for g, y in zip(run.gradients, run.decided, strict=True)), ZERO)
    end = run.after if last else run.decided[-1]
    shrunk = apart(run.decided[0], point) - apart(end, point)
    most = eta / 2 * sum(run.norms, ZERO) + shrunk / (2 * eta)
    return Finding(gained, most, "at most", "sum of g_t (y* - y(t)), and the right side")


def telescoped(case: Case) -> Finding | None:
    """The sum telescopes to y(T + 1).

    Proof
    -----
    y(t + 1) is the projection of y(t) + eta g_t onto Y, a closed convex set with y* in it, and a projection brings no
    point of the set farther away: ||y(t + 1) - y*||^2 <= ||y(t) + eta g_t - y*||^2 = ||y(t) - y*||^2 + eta^2 ||g_t||^2
    - 2 eta g_t (y* - y(t)). Divide by 2 eta and sum over t = 1, ..., T: the distances telescope from y(1) to y(T + 1).
    Nothing but this is used of y* and of g_t.
    """
    return telescope(case, last=1)


def apart(one: Matrix, other: Matrix) -> Fraction:
    """The squared distance."""
    return square(add(one, scaled(Fraction(-1), other)))


def optimum(run: Run) -> Matrix | None:
    """The optimum (10) where there is one resource, and all is linear: no gradient depends on y then."""
    instance = run.instance
    if len(instance.resources) > 1 or any(f.kind != "linear" for f in all_utilities(instance)):
        return None
    return best_linear(instance, add(*run.gradients))


def all_utilities(instance: Instance) -> list[Any]:
    """Every f_k and f_r^k."""
    return [*instance.utilities.values(), *instance.node_utilities.values()]


# --- Theorem 1 -------------------------------------------------------------------------------------------------------


def exact(instance: Instance, gain: Gain) -> tuple[Fraction, Fraction]:
    """diam(Y) and max |grad q| themselves."""
    return diameter(instance), largest_norm(instance)


def bounds(instance: Instance, gain: Gain) -> tuple[Fraction, Fraction]:
    """(51) and (48)."""
    return diameter51(instance), norm48(instance, gain)


def theorem1(
    case: Case, constants: Constants = bounds, gain: Gain = "node", share: Fraction = Fraction(1)
) -> Finding | None:
    """R <= sup over y in Y of sum_t g_t (y - y(t)) <= (39), for the constant step diam(Y)/(max |grad q| sqrt(T)).

    Measured is the square of the sum in the middle, claimed that of (39); the step is rational in the cases looked at.

    Proof
    -----
    Let y* be the optimum of a trajectory. Each f is concave and differentiable: f(y*) - f(y) <= f'(y)(y* - y); and
    max_k beta_k s_k of y* is at least beta_k* s_k* of y*, for whichever maximiser k* of y the tie rule takes. So
    q(x, y*) - q(x, y) <= g (y* - y) with g of (30), and R <= sum_t g_t (y* - y(t)). By (41), repaired, this is at most
    ||y(1) - y*||^2/(2 eta) + (eta/2) sum ||g_t||^2 <= D^2/(2 eta) + eta T G^2/2, whatever y(1) in Y is, if D >= diam(Y)
    and G >= max |grad q|; and that is D G sqrt(T) for eta = D/(G sqrt(T)). Both are bounded by (51) and (48): (y - z)^2
    <= a |y - z| <= a (y + z), whose sum over the ports of (r, k) is at most 2 max(a) c; slopes are in [0, varpi], so
    that one entry of the K at a channel is at most max(varpi, beta)^2 <= varpi*^2 + beta*^2 and the others varpi*^2.
    With f_k of the total only the slopes' arguments differ. So D G sqrt(T) <= (39) for both constants. Where D or G is
    0, no y is better than another, and R = 0 with any step.
    """
    instance = case.instance
    try:
        wide, steep = constants(instance, gain)
        step = exact_root(wide / (steep * instance.horizon)) if steep else ZERO
        run = play(instance, case.data["start"], constant(step), gain)
    except NoRun:
        return None
    most = share**2 * bound39(instance, gain)
    return Finding(max(run.linear_regret, ZERO) ** 2, most, "at most", "squares of the regret's bound and of (39)")


def fitting(constants: Constants) -> Callable[[Instance, int], int]:
    """The largest number of slots up to a given one that makes the step rational: D^2/G^2 = p/q, and T p q a square."""

    def slots(instance: Instance, most: int) -> int:
        try:
            wide, steep = constants(instance, "node")
        except NoRun:
            return most
        ratio = wide / steep if wide and steep else Fraction(1)
        product = ratio.numerator * ratio.denominator
        least = product // max(d * d for d in range(1, isqrt(product) + 1) if product % (d * d) == 0)
        return min(most, least * max(1, isqrt(most // least)) ** 2)

    return slots


_CASES = st.one_of(
    started(slots=fitting(exact), kinds=("linear",)),
    started(slots=fitting(bounds)),
    started(slots=fitting(bounds), resources=1, full=True),
    st.sampled_from([climb(2 * m * m) for m in (1, 2, 3)] + [hand_over(m * m) for m in (2, 3, 5)]),
)
_REGIMES = (
    *SHAPES,
    *MANY,
    Regime("a curved utility", lambda c: any(f.kind != "linear" for f in all_utilities(c.instance))),
    Regime("Y is a point", lambda c: not diameter51(c.instance)),
)

INEQUALITY41 = Claim(
    id="multiserver.inequality41",
    source="paper 002, section III-C, (41)(i)",
    statement="sum_t grad q (y* - y(t)) <= (eta/2) sum |grad q|^2 + (|y(1) - y*|^2 - |y(T) - y*|^2)/(2 eta).",
    readings=(
        Reading("optimum", "y* is the optimum (10).", at(telescope, best=True)),
        Reading("any point", "y* is any point of Y.", telescope),
    ),
    regimes=(*SHAPES, *MANY),
    strategy=started(),
    planted=(Planted("without the first term", lambda c: _without_norms(c)),),
    witnesses=WITNESSES,
    repaired_by="multiserver.inequality41_repaired",
    small_repair=True,
)


def _without_norms(case: Case) -> Finding | None:
    found = telescope(case, last=1)
    if found is None:
        return None
    run = play(case.instance, case.data["start"], constant(case.data["step"]))
    return Finding(found.measured, found.claimed - case.data["step"] / 2 * sum(run.norms, ZERO))


INEQUALITY41_REPAIRED = Claim(
    id="multiserver.inequality41_repaired",
    source="paper 002, section III-C, (41)(i), repaired",
    statement="(41)(i) with y(T + 1) in place of y(T), for every y* in Y.",
    readings=(Reading("any point", "y* is any point of Y, the optimum (10) among them.", telescoped),),
    regimes=(*SHAPES, *MANY),
    strategy=started(),
    planted=(
        Planted("y(T) as printed", telescope),
        Planted("without the first term", _without_norms),
    ),
)
THEOREM1_CONSTANT = Claim(
    id="multiserver.theorem1_constant",
    source="paper 002, section III-C, Theorem 1, with the step of its proof",
    statement="With eta = diam(Y)/(max |grad q| sqrt(T)) the regret (11) is at most (39), from any y(1) in Y.",
    readings=(
        Reading("the constants", "diam(Y) and max |grad q| themselves; gain per node.", at(theorem1, constants=exact)),
        Reading("their bounds", "(51) and (48) in their place; gain per node.", theorem1),
        Reading("gain per total", "(51) and (48); f_k of the total, varpi_k = f_k'(0).", at(theorem1, gain="total")),
    ),
    regimes=_REGIMES,
    strategy=_CASES,
    planted=(
        Planted("half of it", at(theorem1, share=Fraction(1, 2))),
        Planted("half of it, with the constants", at(theorem1, constants=exact, share=Fraction(1, 2))),
    ),
)

CLAIMS = table(INEQUALITY41, INEQUALITY41_REPAIRED, THEOREM1_CONSTANT)
