"""Theorem 1 with the constant step of its proof."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

from schedproof.core.claim import Claim, Domain, FalseVariant, Finding, Reading, Regime, with_settings
from schedproof.families.multiserver import ZHAO24
from schedproof.proofs_checks.multiserver.shared import regimes
from schedproof.proofs_checks.multiserver.shared.exact_runs import of_exact_runs
from schedproof.proofs_checks.strategies import multiserver_runs as draw
from schedproof.proofs_checks.strategies.multiserver_runs import HALF, Started
from schedproof.reference import multiserver_oga as oga
from schedproof.reference.multiserver import ZERO, Gain
from schedproof.reference.multiserver_constants import Constants, bound39, bounds, diameter51, exact, proof_step


@of_exact_runs
def theorem1(
    case: Started, constants: Constants = bounds, gain: Gain = "node", share: Fraction = Fraction(1)
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
    run = oga.play(case.instance, case.start, oga.constant(proof_step(case.instance, constants, gain)), gain)
    most = share**2 * bound39(case.instance, gain)
    return Finding(max(run.linear_regret, ZERO) ** 2, most, "at most", "squares of the regret's bound and of (39)")


SQUARES = [draw.single_port(2 * m * m) for m in (1, 2, 3)] + [draw.two_port_contention(m * m) for m in (2, 3, 5)]
THEOREM1_CONSTANT = Claim(
    id="multiserver.theorem1_constant",
    source=ZHAO24.at("section III-C, Theorem 1, with the step of its proof"),
    statement="With eta = diam(Y)/(max |grad q| sqrt(T)) the regret (11) is at most (39), from any y(1) in Y.",
    readings=(
        Reading(
            "the constants",
            "diam(Y) and max |grad q| themselves; gain per node.",
            with_settings(theorem1, constants=exact),
        ),
        Reading("their bounds", "(51) and (48) in their place; gain per node.", theorem1),
        Reading(
            "gain per total",
            "(51) and (48); f_k of the total, varpi_k = f_k'(0).",
            with_settings(theorem1, gain="total"),
        ),
    ),
    domain=Domain(
        Started,
        st.one_of(
            draw.started(slots=draw.fitting(exact), kinds=("linear",)),
            draw.started(slots=draw.fitting(bounds)),
            draw.started(slots=draw.fitting(bounds), resources=1, full=True),
            st.sampled_from(SQUARES),
        ),
        (
            *regimes.RUNS,
            *regimes.MANY,
            regimes.CURVED,
            Regime("Y is a point", lambda case: not diameter51(case.instance)),
        ),
    ),
    false_variants=(
        FalseVariant("half of it", with_settings(theorem1, share=HALF)),
        FalseVariant("half of it, with the constants", with_settings(theorem1, constants=exact, share=HALF)),
    ),
)
