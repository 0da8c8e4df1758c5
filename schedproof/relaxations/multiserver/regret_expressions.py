"""Formulas for the worst regret of projected ascent, in multiples of D G.

docs/evidence/regret_sdp.md proves the sharper formulas; for (53) the formula is an adversary's regret. s(eta) is the
gain per slot that a step eta >= D/G can sustain: the points alternate between the corners of an equilateral triangle
with sides D, and one corner is the best fixed point.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import sqrt
from typing import Literal, NamedTuple


class Expression(NamedTuple):
    """A formula in T and eta_t (D = G = 1), its value, and its relation to the regret."""

    text: str
    value: float
    sense: Literal["exactly", "at most", "at least"] = "at most"


def promise(step: str, slots: int, options: Mapping[str, Fraction]) -> Expression:
    """Return the bound of Theorem 1, or of its proof for other or any-time steps."""
    if step == "anytime":
        return Expression("sqrt(2 T)", sqrt(2 * slots))
    if step == "printed53" or not options:
        return Expression("sqrt(T)", sqrt(slots))
    first = float(options["initial"])
    steps = [first * float(options.get("decay", 1)) ** t for t in range(slots)]
    return Expression("1/(2 eta_T) + sum eta_t/2", 1 / (2 * min(steps)) + sum(steps) / 2)


def sharper(step: str, slots: int, options: Mapping[str, Fraction]) -> Expression:
    """Return the sharper proven expression; if there is none, the promise."""
    if step == "printed53":
        return _printed53(slots)
    if step == "anytime" and slots > 1:  # the sum in the proof, before its last step
        return Expression("sqrt(T/2) + sum 1/(2 sqrt(2 t))", (sqrt(slots) + _sum_of_roots(slots) / 2) / sqrt(2))
    if step == "decayed" and options["decay"] <= 1:
        steps = [float(options["initial"]) * float(options["decay"]) ** t for t in range(slots)]
        total, eta = sum(map(for_ever, steps[:-1])), steps[-1]
        if eta >= 1:
            return Expression("1 + sum over t < T of s(eta_t)", 1 + total, "exactly")
        return Expression("1/(2 eta_T) + eta_T/2 + sum over t < T of s(eta_t)", 1 / (2 * eta) + eta / 2 + total)
    if step == "constant":
        return _constant(slots, float(options["initial"]) if options else 1 / sqrt(slots))
    return Expression("1", 1.0, "exactly") if step == "anytime" else promise(step, slots, options)


def _sum_of_roots(slots: int) -> float:
    return sum(1 / sqrt(t) for t in range(1, slots + 1))


def for_ever(eta: float) -> float:
    """s(eta) = (sqrt(3 (4 eta^2 - 1)) - 1)/(4 eta), for eta < 1 eta/2."""
    return (sqrt(3 * (4 * eta**2 - 1)) - 1) / (4 * eta) if eta >= 1 else eta / 2


def _constant(slots: int, eta: float) -> Expression:
    """Short steps go straight to the best point, long steps cycle; else Theorem 1."""
    if eta * slots <= 1:
        return Expression("T - eta T (T - 1)/2", slots - eta * slots * (slots - 1) / 2, "exactly")
    if eta <= 1:
        return Expression("1/(2 eta) + eta T/2", 1 / (2 * eta) + eta * slots / 2, "exactly")
    text = "1 + (T - 1) s(eta), s = (sqrt(3 (4 eta^2 - 1)) - 1)/(4 eta)"
    return Expression(text, 1 + (slots - 1) * for_ever(eta), "exactly")


def _printed53(slots: int) -> Expression:
    """On a segment: alternately paid at distance D and unpaid, then r paid slots."""
    if slots == 2:  # two paid slots at right angles
        return Expression("sqrt(2)", sqrt(2), "at least")
    r = run_at_the_end(slots)
    value = (slots + r - r * (r - 1) / sqrt(slots)) / 2
    return Expression(f"T/2 + r/2 - r (r - 1)/(2 sqrt(T)), r = {r}", value, "at least")


def run_at_the_end(slots: int) -> int:
    """Return the number of paid slots at the end, after an even number of slots."""
    return max(range(2 - slots % 2, slots + 1, 2), key=lambda r: r - r * (r - 1) / sqrt(slots))
