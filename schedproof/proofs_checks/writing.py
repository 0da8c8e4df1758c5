"""How claims are written, in every family: a check with settings, a claim restricted to its assumption, a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from schedproof.core.claim import Assumption, Case, Check, Claim, Finding, Reading, Regime


def under(assumption: Assumption, check: Check) -> Check:
    """A check that speaks about the cases of an assumption only, and carries its proof."""

    def restricted(case: Case) -> Finding | None:
        return check(case) if assumption.met(case) else None

    restricted.__doc__ = assumption.proof.__doc__
    return restricted


def restricted(claim: Claim, **changes: Any) -> Claim:
    """The repaired claim of one that holds under its assumption: the same statement, with the assumption in it."""
    assumption = claim.assumption
    assert assumption is not None
    settings: dict[str, Any] = {
        "id": claim.repaired_by,
        "source": claim.source,
        "statement": f"If {assumption.sentence}: {claim.statement}",
        "readings": [Reading(r.name, r.sentence, under(assumption, r.check)) for r in claim.readings],
        "regimes": claim.regimes,
        "strategy": claim.strategy,
        "planted": claim.planted,
        "witnesses": claim.witnesses,
    }
    return Claim(**(settings | changes))


def table(*claims: Claim) -> dict[str, Claim]:
    """Claims by id."""
    return {claim.id: claim for claim in claims}


def at(check: Callable[..., Finding | None], **settings: Any) -> Check:
    """A check with some of its parameters fixed; it keeps the docstring, and so the proof."""

    def fixed(case: Case) -> Finding | None:
        return check(case, **settings)

    fixed.__doc__ = check.__doc__
    return fixed


def of_data(name: str, reached: Callable[[Any], Any]) -> Regime:
    """A regime of a case's data alone."""
    return Regime(name, lambda case: bool(reached(case.data)))
