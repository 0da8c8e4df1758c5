"""The formula (30): claims gradient30 and derivative30."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from schedproof.core.claim import Assumption, Case, Claim, Finding, Planted, Reading, worst
from schedproof.proofs_checks.multiserver import regimes
from schedproof.proofs_checks.multiserver.house import WITNESSES
from schedproof.proofs_checks.multiserver.model import (
    Allocation,
    Gain,
    Gradient,
    Interval,
    Tie,
    every,
    maximisers,
    network,
    plus,
    present,
    reward,
    smallest,
    supergradient,
    totals,
)
from schedproof.proofs_checks.strategies import multiserver as draw
from schedproof.proofs_checks.strategies.multiserver import st
from schedproof.proofs_checks.writing import at, restricted, table

ZERO = Fraction(0)


def along(gradient: Gradient, y: Allocation, z: Allocation) -> Interval:
    """g . (z - y)."""
    return plus(
        (min(low * (b - a), high * (b - a)), max(low * (b - a), high * (b - a)))
        for row, at_y, at_z in zip(gradient, y, z, strict=True)
        for (low, high), a, b in zip(row, at_y, at_z, strict=True)
    )


def above(case: Case, gradient: Gradient, gain: Gain) -> Finding:
    """q(z) is at most q(y) + g . (z - y)."""
    x, (y, z) = present(case.instance, 0), case.data["ys"]
    tangent = reward(case.instance, x, y, gain)[1] + along(gradient, y, z)[1]
    return Finding(reward(case.instance, x, z, gain)[0], tangent, "at most", "q(z), q(y) + g . (z - y)")


def tangent(case: Case, ties: Iterable[Tie], gain: Gain = "node") -> Finding | None:
    """The worst over rules for ties of what `above` finds at the case's first point."""
    x, y = present(case.instance, 0), case.data["ys"][0]
    return worst(above(case, supergradient(case.instance, x, y, tie, gain), gain) for tie in ties)


def nth(n: int) -> Tie:
    """The rule that takes the n-th of the maximisers, counted round."""
    return lambda tied: (tied[n % len(tied)],)


def first_maximiser(case: Case) -> Finding | None:
    """With the smallest maximiser, (30) is a supergradient of q.

    Proof
    -----
    The case of `one_maximiser` in which each port's k* is the first.
    """
    return tangent(case, (smallest,))


def one_maximiser(case: Case, gain: Gain = "node") -> Finding | None:
    """With one maximiser k* per port, whichever, (30) is a supergradient of q; total gain: with f_k' at the total.

    Proof
    -----
    Node gain: f_r^k(z) <= f_r^k(y) + (f_r^k)'(y)(z - y), as f_r^k is concave and differentiable, at y = 0 from the
    right. Total gain: the same for f_k at the port's total, whose slope is shared by the port's channels. Penalty: the
    maximum at z is at least beta_k* sum_r z^k*, which is the maximum at y plus beta_k* sum_r (z - y)^k*. Add the two,
    times x_l >= 0, over the ports.
    """
    return tangent(case, (nth(n) for n in network(case.instance).resources), gain)


def each_maximiser(case: Case) -> Finding | None:
    """With 'k = k*' true at every maximiser of (27)."""
    return tangent(case, (every,))


def channel_slope(case: Case) -> Finding | None:
    """The reward (7) with f_k of the total, and in (30) the slope of f_k at each channel's own amount."""
    instance, x, y = case.instance, present(case.instance, 0), case.data["ys"][0]
    net, right = network(instance), supergradient(instance, x, y, gain="total")
    rows = []
    for e, (copy, _) in enumerate(net.edges):
        amounts = totals(instance, y, copy)
        shift = [
            (f.slope(y[e][k])[0] - f.slope(amounts[k])[1], f.slope(y[e][k])[1] - f.slope(amounts[k])[0])
            for k, f in enumerate(net.total)
        ]
        rows.append(tuple(plus((g, (x[copy] and s) or (ZERO, ZERO))) for g, s in zip(right[e], shift, strict=True)))
    return above(case, tuple(rows), "total")


_PAIRS = st.one_of(draw.pairs_of_points(), draw.pairs_of_points(busy=True))
_REGIMES = (*regimes.SHAPES, *regimes.KINDS, regimes.OWN_UTILITY, regimes.ABSENT, regimes.TIE, regimes.NOTHING)
_ONE = Reading("any one maximiser", "k* is one of the maximisers of (27), for each port.", one_maximiser)
_TOTAL = Reading(
    "gain of the total", "(7) with f_k, whose slope is taken at the port's total.", at(one_maximiser, gain="total")
)

GRADIENT30 = Claim(
    id="multiserver.gradient30",
    source="paper 002, section III-A, (30), used in (42)",
    statement="(30) gives a supergradient of q(x, .) at every feasible y.",
    readings=(
        Reading("smallest maximiser", "Of several maximisers of (27), k* is the first.", first_maximiser),
        _ONE,
        Reading("every maximiser", "On a tie beta_k is subtracted wherever k is a maximiser of (27).", each_maximiser),
        _TOTAL,
        Reading("gain of the total, slope per channel", "(7) with f_k, (30) with f_k'(y_(l,r)).", channel_slope),
    ),
    regimes=_REGIMES,
    strategy=_PAIRS,
    planted=(Planted("beta is not subtracted", lambda case: tangent(case, (lambda tied: (),))),),
    witnesses=WITNESSES,
    repaired_by="multiserver.gradient30_repaired",
    small_repair=True,
)
GRADIENT30_REPAIRED = Claim(
    id="multiserver.gradient30_repaired",
    source="paper 002, section III-A, (30), repaired",
    statement=(
        "With one maximiser k* of (27) per port, (30) is a supergradient of q at every feasible y; for the gain of the "
        "total, with f_k' at the total in place of (f_r^k)'."
    ),
    readings=(_ONE, _TOTAL),
    regimes=_REGIMES,
    strategy=_PAIRS,
    planted=(*GRADIENT30.planted, Planted("every maximiser", each_maximiser)),
)

# --- the derivative --------------------------------------------------------------------------------------------------


def derivative(case: Case) -> Finding:
    """The one-sided derivative of q at y towards z is g . (z - y), with g of (30).

    The gains are differentiable, and their parts agree. Of the maximum over k of linear functions, the derivative
    towards z is the maximum over the maximisers k of (27) of beta_k sum_r (z - y)^k; (30) has one k* in its place.
    """
    instance, x, (y, z) = case.instance, present(case.instance, 0), case.data["ys"]
    net, true, printed = network(instance), ZERO, ZERO
    for copy in (copy for copy, n in enumerate(x) if n):
        before, after = totals(instance, y, copy), totals(instance, z, copy)
        tied = maximisers(instance, y, copy)
        growth = {k: net.overhead[k] * (after[k] - before[k]) for k in tied}
        true, printed = true + max(growth.values()), printed + growth[tied[0]]
    return Finding(printed, true, "equal", "growth of the penalty by (30), and in truth")


def no_tie(case: Case) -> bool:
    """No port with a job has two maximisers in (27).

    Proof
    -----
    The maximum of finitely many linear functions is, near a point where only one of them attains it, that function: its
    derivative is beta_k* for the channels of k* and 0 elsewhere. The gains are differentiable. Together that is (30).
    """
    instance, y = case.instance, case.data["ys"][0]
    there = [copy for copy, n in enumerate(present(instance, 0)) if n]
    return all(len(maximisers(instance, y, copy)) == 1 for copy in there)


def _no_penalty(case: Case) -> Finding:
    return Finding(ZERO, derivative(case).claimed, "equal")


DERIVATIVE30 = Claim(
    id="multiserver.derivative30",
    source="paper 002, section III-A, (30)",
    statement="The derivative of q(x, .) at y is (30).",
    readings=(Reading("smallest maximiser", "Of several maximisers of (27), k* is the first.", derivative),),
    regimes=_REGIMES[:-2],
    strategy=_PAIRS,
    planted=(Planted("beta is not subtracted", _no_penalty),),
    witnesses=WITNESSES,
    assumption=Assumption("no tie", "(27) has one maximiser at each port with a job", no_tie, no_tie),
    repaired_by="multiserver.derivative30_repaired",
)
DERIVATIVE30_REPAIRED = restricted(DERIVATIVE30, witnesses=None)

CLAIMS = table(GRADIENT30, GRADIENT30_REPAIRED, DERIVATIVE30, DERIVATIVE30_REPAIRED)
