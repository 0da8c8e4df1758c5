"""Proposition 1: claims proposition1_convex and proposition1_concave."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from schedproof.core.claim import Case, Claim, Finding, Planted, Reading
from schedproof.proofs_checks.multiserver import regimes
from schedproof.proofs_checks.multiserver.model import (
    Gain,
    Matrix,
    excess,
    present,
    reward,
)
from schedproof.proofs_checks.strategies import multiserver as draw
from schedproof.proofs_checks.strategies.multiserver import st
from schedproof.proofs_checks.writing import at, table

ZERO = Fraction(0)


@st.composite
def _segments(pick: Any) -> Case:
    """Two points of Y and where to look between them."""
    case = pick(draw.placed(points=2))
    return Case(case.instance, {**case.data, "weight": pick(st.sampled_from([Fraction(n, 4) for n in (1, 2, 3)]))})


def between(case: Case) -> Matrix:
    """w y + (1 - w) z."""
    w, (y, z) = case.data["weight"], case.data["ys"]
    return tuple(tuple(w * a + (1 - w) * b for a, b in zip(*row, strict=True)) for row in zip(y, z, strict=True))


# --- (i) -------------------------------------------------------------------------------------------------------------


def mixture_allowed(case: Case) -> Finding:
    """w y + (1 - w) z meets (5) and (6) for y, z in Y and 0 <= w <= 1.

    Proof
    -----
    (5) and (6) are finitely many inequalities that are affine in y, for any graph, ports without nodes and nodes
    without ports included. With weights w and 1 - w >= 0 those of y and z add up to those of the mixture.
    """
    return Finding(excess(case.instance, between(case)), ZERO, "at most", "the mixture's excess")


def _sum_allowed(case: Case) -> Finding:
    y, z = case.data["ys"]
    both = tuple(tuple(a + b for a, b in zip(*row, strict=True)) for row in zip(y, z, strict=True))
    return Finding(excess(case.instance, both), ZERO, "at most")


CONVEX = Claim(
    id="multiserver.proposition1_convex",
    source="paper 002, Proposition 1 (i)",
    statement="The feasible solution space Y is convex.",
    readings=(Reading("any graph", "The proof treats complete graphs; any graph is meant.", mixture_allowed),),
    regimes=(*regimes.SHAPES, regimes.CONTENDED),
    strategy=_segments(),
    planted=(Planted("y + z is in Y", _sum_allowed),),
)

# --- (ii) ------------------------------------------------------------------------------------------------------------


def concave(case: Case, gain: Gain = "node") -> Finding:
    """w q(y) + (1 - w) q(z) is at most q(w y + (1 - w) z).

    Proof
    -----
    Node gain: each f_r^k(y) is concave. Total gain: f_k of a linear function of y is concave. Each beta_k sum_r y is
    linear, so their maximum over k is convex and the penalty's negative concave, whichever k attains it and wherever it
    changes. A port's reward is the sum of these, and q is the sum of the ports' rewards with weights x_l >= 0.
    """
    x, w, (y, z) = present(case.instance, 0), case.data["weight"], case.data["ys"]
    chord = w * reward(case.instance, x, y, gain)[0] + (1 - w) * reward(case.instance, x, z, gain)[0]
    return Finding(chord, reward(case.instance, x, between(case), gain)[1], "at most", "chord, value between")


def _affine(case: Case) -> Finding:
    x, w, (y, z) = present(case.instance, 0), case.data["weight"], case.data["ys"]
    chord = w * reward(case.instance, x, y)[1] + (1 - w) * reward(case.instance, x, z)[1]
    return Finding(chord, reward(case.instance, x, between(case))[0], "at least")


CONCAVE = Claim(
    id="multiserver.proposition1_concave",
    source="paper 002, Proposition 1 (ii)",
    statement="With a nice setup, the single-slot reward q(x, y) is a concave function of y.",
    readings=(
        Reading("gain per node", "The gain is the right side of (12), the sum over nodes of f_r^k.", concave),
        Reading("gain of the total", "The gain is that of (7), f_k of the port's total.", at(concave, gain="total")),
    ),
    regimes=(*regimes.SHAPES, *regimes.KINDS, regimes.OWN_UTILITY, regimes.ABSENT, regimes.TIE),
    strategy=_segments(),
    planted=(Planted("q is convex", _affine),),
)

CLAIMS = table(CONVEX, CONCAVE)
