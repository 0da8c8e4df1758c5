"""Section III-B, lines 26-28: the ports behind a negative one in the order."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claims.claim import Claim, Domain, Finding, Regime
from schedproof.families.multiserver import ZHAO24
from schedproof.proofs_checks.multiserver.shared import regimes
from schedproof.proofs_checks.strategies import multiserver as draw
from schedproof.proofs_checks.strategies.multiserver import OneRow
from schedproof.reference.multiserver_projection import ZERO

SUFFIX = Claim(
    "multiserver.negative_suffix",
    ZHAO24.at("section III-B, on lines 26-28 of Algorithm 1"),
    "Since z is sorted, if y_l < 0 for some l, then y_m < 0 for all m in {l, ..., |L_r|}.",
    Domain(
        OneRow,
        draw.any_rows(),
        (
            regimes.EQUAL_POINTS,
            regimes.ONE_PORT,
            Regime("a sign changes", lambda case: min(case.z) < case.c <= max(case.z)),
        ),
    ),
)

SUFFIX_PROOF = """
z_m <= z_l in the order of line 7, and rho is the same for both. So y_m <= y_l < 0.
Coq, core: rows.v negative_suffix. Outside: line 25 of Algorithm 1 and its order. Line 25 gives z_l - rho/2, and ports
are sorted by z.
- *Equal values may be in any order.* Then either both values are below 0 or both are not.
- *A later port may be in B1.* B1 is the first port or empty (lines 12 and 16).
"""


@SUFFIX.reading("ports of B3", "The ports that get a value in line 25.", SUFFIX_PROOF)
@SUFFIX.false_variant("in ascending order", backward=True)
def suffix(case: OneRow, backward: bool = False) -> Finding:
    """If z_l - rho/2 < 0, then z_m - rho/2 < 0 for each later m.

    rho/2 is the case's capacity here.
    """
    ordered = sorted(case.z, reverse=not backward)
    signs = [z < case.c for z in ordered]
    late = sum(signs[n] and not signs[m] for n in range(len(signs)) for m in range(n, len(signs)))
    return Finding(Fraction(late), ZERO, "at most", "later ports that are not below 0")
