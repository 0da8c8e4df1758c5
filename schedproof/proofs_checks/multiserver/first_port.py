"""What sorting tells about the other ports: claims first_port_enough and negative_suffix."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from schedproof.core.claim import Case, Claim, Finding, Planted, Reading, Regime
from schedproof.proofs_checks.multiserver import regimes
from schedproof.proofs_checks.multiserver.house import WITNESSES
from schedproof.proofs_checks.multiserver.literal import Letter, algorithm1
from schedproof.proofs_checks.multiserver.projection import row, text
from schedproof.proofs_checks.multiserver.rows import Numbers
from schedproof.proofs_checks.strategies import multiserver as draw
from schedproof.proofs_checks.writing import at, table

ZERO = Fraction(0)
ONCE = Letter(rounds=1)


def at_the_end(case: Case) -> Finding | None:
    """When line 18 breaks because the first port is within its demand, all are."""
    z, a, c = row(case)
    answer = algorithm1(z, a, c)
    return None if answer is None else Finding(_beyond(answer, a), ZERO, "at most", text(answer))


def at_the_test(case: Case) -> Finding | None:
    """When line 15 finds the first port within its demand in the first turn, all are."""
    z, a, c = row(case)
    answer = algorithm1(z, a, c, ONCE)
    first = z.index(max(z))
    if answer is None or answer[first] > a[first]:
        return None
    return Finding(_beyond(answer, a), ZERO, "at most", text(answer))


def _beyond(answer: Numbers, demand: Numbers) -> Fraction:
    return max(y - a for y, a in zip(answer, demand, strict=True))


def by_margin(case: Case) -> Finding:
    """Sorted by z - a, descending: if y_1 = z_1 - rho/2 is within a_1, each y_l = z_l - rho/2 is within a_l.

    Proof
    -----
    y_l - a_l = (z_l - a_l) - rho/2 with one rho for all ports of B3; it is largest where z_l - a_l is. The ports of B2
    have 0 <= a_l, those of B1 have a_l.
    """
    return _ordered(case, lambda z, a: z - a)


def _ordered(case: Case, key: Callable[[Fraction, Fraction], Fraction]) -> Finding:
    """The first port's excess over its demand in a given order, and the largest; rho = 0, for it shifts all alike."""
    z, a, _ = row(case)
    first = max(range(len(z)), key=lambda port: key(z[port], a[port]))
    return Finding(_beyond(z, a), z[first] - a[first], "at most", "the largest excess, the first port's")


FIRST_PORT = Claim(
    id="multiserver.first_port_enough",
    source="paper 002, section III-B, on lines 15-18 of Algorithm 1",
    statement="Only l = 1 needs to be checked against its demand, since the elements of z are sorted.",
    readings=(
        Reading("at the end", "When the while loop ends, every port is within its demand.", at_the_end),
        Reading("at the first test", "If the first port is within its demand in the first turn, all are.", at_the_test),
    ),
    regimes=regimes.ROWS,
    strategy=draw.any_rows(),
    planted=(Planted("by demand", lambda case: _ordered(case, lambda z, a: a)),),
    witnesses=WITNESSES,
    repaired_by="multiserver.first_port_enough_repaired",
    small_repair=True,
)
FIRST_PORT_REPAIRED = Claim(
    id="multiserver.first_port_enough_repaired",
    source="paper 002, section III-B, on lines 15-18 of Algorithm 1, repaired",
    statement="With the ports of B3 sorted by z - a, only the first of them needs to be checked against its demand.",
    readings=(Reading("any rho", "In each turn, whatever rho and B1 are.", by_margin),),
    regimes=regimes.ROWS,
    strategy=draw.any_rows(),
    planted=(Planted("by z, as printed", lambda case: _ordered(case, lambda z, a: z)),),
)

# --- the ports behind ------------------------------------------------------------------------------------------------


def suffix(case: Case, backward: bool = False) -> Finding:
    """If z_l - rho/2 < 0, then z_m - rho/2 < 0 for each later m; rho/2 is the case's capacity here.

    Proof
    -----
    z_m <= z_l in the order of line 7, and rho is the same for both.
    """
    ordered = sorted(case.data["z"], reverse=not backward)
    signs = [z < case.data["c"] for z in ordered]
    late = sum(signs[n] and not signs[m] for n in range(len(signs)) for m in range(n, len(signs)))
    return Finding(Fraction(late), ZERO, "at most", "later ports that are not below 0")


def _changes(case: Case) -> bool:
    return min(case.data["z"]) < case.data["c"] <= max(case.data["z"])


SUFFIX = Claim(
    id="multiserver.negative_suffix",
    source="paper 002, section III-B, on lines 26-28 of Algorithm 1",
    statement="Since z is sorted, if y_l < 0 for some l, then y_m < 0 for all m in {l, ..., |L_r|}.",
    readings=(Reading("ports of B3", "Those that line 25 gives a value.", suffix),),
    regimes=(regimes.EQUAL_POINTS, regimes.ONE_PORT, Regime("a sign changes", _changes)),
    strategy=draw.any_rows(),
    planted=(Planted("in ascending order", at(suffix, backward=True)),),
)

CLAIMS = table(FIRST_PORT, FIRST_PORT_REPAIRED, SUFFIX)
