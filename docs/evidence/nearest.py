"""Find the case that uses the largest share of a proven claim's promise.

Hypothesis draws cases of the claim's domain, steered towards large shares. An attack (`refute`) ends with the first
contradiction; this search returns the best case.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from hypothesis import target

from schedproof.core.claims.claim import Claim, Finding, Reading
from schedproof.proofs_checks.trials import draw


class Nearest(NamedTuple):
    """The case that is nearest to contradicting a reading of a claim.

    Attributes
    ----------
    share
        Of the promise; above 1 if it contradicts the claim.
    compared
        Number of cases with a comparison.
    """

    share: Fraction
    finding: Finding
    case: Any
    compared: int


def share(finding: Finding) -> Fraction | None:
    """Return the used share of the promise: 1 at equality, more for a contradiction.

    None if a side is not positive.
    """
    used, promised = Fraction(finding.measured), Fraction(finding.claimed)
    if min(used, promised) <= 0:
        return None
    part = used / promised
    return {"at most": part, "at least": 1 / part, "equal": max(part, 1 / part)}[finding.direction]


def nearest(claim: Claim[Any], reading: Reading[Any], cases: int, seed: int = 0) -> Nearest | None:
    """Return the nearest of this many cases, or None without a comparison."""
    found: list[Nearest] = []
    compared = 0

    def look(case: Any) -> None:
        nonlocal compared
        finding = reading.check(case)
        part = share(finding) if isinstance(finding, Finding) else None
        if part is None or not isinstance(finding, Finding):
            return
        compared += 1
        target(float(part))
        if not found or part > found[-1].share:
            found.append(Nearest(part, finding, case, compared))

    draw(claim.domain.strategy, cases, seed, look, steered=True)
    return found[-1]._replace(compared=compared) if found else None
