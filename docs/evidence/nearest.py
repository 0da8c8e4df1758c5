"""How near cases come to contradicting a claim that is proved: on which one least is left of what it promises.

The cases are what Hypothesis draws of the claim's domain, and so meet its premises; the draws are steered to where
the share of what is promised is largest. An attack (`refute`) ends with the first contradiction, this with the best.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from hypothesis import target

from schedproof.core.claims.claim import Claim, Finding, Reading
from schedproof.proofs_checks.trials import draw


class Nearest(NamedTuple):
    """The case that comes nearest to contradicting a reading of a claim.

    Attributes
    ----------
    share
        Of what is promised; above 1 where it contradicts the claim.
    compared
        On how many cases there was something to compare.
    """

    share: Fraction
    finding: Finding
    case: Any
    compared: int


def share(finding: Finding) -> Fraction | None:
    """How much of what is promised is used up: 1 where both sides are equal, more where they contradict the promise.

    None where a side is not positive, of which nothing is a share.
    """
    used, promised = Fraction(finding.measured), Fraction(finding.claimed)
    if min(used, promised) <= 0:
        return None
    part = used / promised
    return {"at most": part, "at least": 1 / part, "equal": max(part, 1 / part)}[finding.direction]


def nearest(claim: Claim[Any], reading: Reading[Any], cases: int, seed: int = 0) -> Nearest | None:
    """The nearest of so many cases; None where nothing could be compared on any of them."""
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
