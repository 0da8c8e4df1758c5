"""Section III-A, (30): a supergradient of the reward."""

from __future__ import annotations

from collections.abc import Iterable

from hypothesis import strategies as st

from schedproof.core.claims.claim import Answer, Claim, Domain, Finding, worst
from schedproof.families.multiserver import ZHAO24
from schedproof.proofs_checks.multiserver.shared import regimes
from schedproof.proofs_checks.strategies import multiserver as draw
from schedproof.proofs_checks.strategies.multiserver import Pair
from schedproof.reference import multiserver as model
from schedproof.reference.multiserver import ZERO

PAIRS = Domain(
    Pair,
    st.one_of(draw.pairs_of_points(), draw.pairs_of_points(busy=True)),
    (*regimes.SHAPES, *regimes.KINDS, regimes.OWN_UTILITY, regimes.ABSENT, regimes.TIE, regimes.NOTHING),
)

GRADIENT30 = Claim(
    "multiserver.gradient30",
    ZHAO24.at("section III-A, (30), used in (42)"),
    "(30), with one maximiser k* of (27) for each port, gives a supergradient of q(x, .) at every feasible y.",
    PAIRS,
)

ONE_MAXIMISER_PROOF = """
For the node gain f_r^k(z) <= f_r^k(y) + (f_r^k)'(y)(z - y), as f_r^k is concave and differentiable, at y = 0 from the
right. For the total gain the same holds for f_k at the port's total; the port's channels share its slope. For the
penalty, the maximum at z is at least beta_k* sum_r z^k*, which is the maximum at y plus beta_k* sum_r (z - y)^k*. Add
gain and penalty, times x_l >= 0, over the ports.
Coq: oga_regret.v gradient30_per_node, gradient30_of_total. Objects: graph, Y, gradient30, dominates, reward,
concave_gain. In words: k0 gives each port's k*, any maximiser of (27).
- *On a tie q has no derivative.* A supergradient needs one plane above q, and each linear function that attains the
maximum gives such a plane.
- *At y = 0 there is no slope from the left.* z - y >= 0 there, so the proof needs only the slope from the right.
"""


@GRADIENT30.reading(
    "gain per node",
    "k* is any one of the maximisers; the slope of f_r^k is taken at the channel's amount.",
    ONE_MAXIMISER_PROOF,
)
@GRADIENT30.reading(
    "gain of the total", "(7) with f_k, whose slope is taken at the port's total.", ONE_MAXIMISER_PROOF, gain="total"
)
def one_maximiser(case: Pair, gain: model.Gain = "node") -> Answer:
    return tangent(case, (nth(n) for n in model.network(case.instance).resources), gain)


@GRADIENT30.false_variant("beta is not subtracted", ties=(lambda tied: (),))
def tangent(case: Pair, ties: Iterable[model.Tie], gain: model.Gain = "node") -> Answer:
    """The worst value of `above` at the case's first point over tie-breaking rules."""
    x, y = model.present(case.instance, 0), case.ys[0]
    return worst(above(case, model.supergradient(case.instance, x, y, tie, gain), gain) for tie in ties)


@GRADIENT30.false_variant("beta is subtracted at every maximiser")
def each_maximiser(case: Pair) -> Answer:
    return tangent(case, (model.every,))


@GRADIENT30.false_variant("gain of the total, slope of f_k at the channel's amount")
def channel_slope(case: Pair) -> Answer:
    instance, x, y = case.instance, model.present(case.instance, 0), case.ys[0]
    net, right = model.network(instance), model.supergradient(instance, x, y, gain="total")
    rows = []
    for e, (copy, _) in enumerate(net.edges):
        amounts = model.totals(instance, y, copy)
        shift = [
            (f.slope(y[e][k])[0] - f.slope(amounts[k])[1], f.slope(y[e][k])[1] - f.slope(amounts[k])[0])
            for k, f in enumerate(net.total)
        ]
        shift = shift if x[copy] else [(ZERO, ZERO)] * len(shift)
        rows.append(tuple(map(model.plus, zip(right[e], shift, strict=True))))
    return above(case, tuple(rows), "total")


def nth(n: int) -> model.Tie:
    """The rule that takes the n-th maximiser, modulo the number of maximisers."""
    return lambda tied: (tied[n % len(tied)],)


def above(case: Pair, gradient: model.Gradient, gain: model.Gain) -> Finding:
    x, (y, z) = model.present(case.instance, 0), case.ys
    tangent = model.reward(case.instance, x, y, gain)[1] + along(gradient, y, z)[1]
    return Finding(model.reward(case.instance, x, z, gain)[0], tangent, "at most", "q(z), q(y) + g . (z - y)")


def along(gradient: model.Gradient, y: model.Allocation, z: model.Allocation) -> model.Interval:
    return model.plus(
        (min(low * (b - a), high * (b - a)), max(low * (b - a), high * (b - a)))
        for row, at_y, at_z in zip(gradient, y, z, strict=True)
        for (low, high), a, b in zip(row, at_y, at_z, strict=True)
    )
