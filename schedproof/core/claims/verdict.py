"""The rule that derives a claim's verdict from the outcomes of its readings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from schedproof.core.base.untyped import Case

if TYPE_CHECKING:
    from schedproof.core.claims.claim import Assumption, Reading

Kind = Literal["holds", "holds_under", "refuted", "refuted_as_printed", "ill_posed", "undecided"]
State = Literal["holds", "holds_under_assumption", "violated", "undefined", "open"]
Evidence = Literal[
    "exact certificate", "exhaustive", "printed numbers", "machine-checked", "prose proof", "trials", "none"
]


@dataclass(frozen=True)
class ReadingOutcome:
    """The outcome of one reading.

    Attributes
    ----------
    state
        ``holds``: proved or exhaustively checked, never violated. ``holds_under_assumption``: violated, but proved
        under the claim's assumption and never violated under it. ``violated``: by a stored witness. ``undefined``.
        ``open``.
    evidence
        ``exact certificate``: the witness, re-evaluated in rationals. ``exhaustive``: every case of a finite domain.
        ``printed numbers``: either of these, on numbers printed in the paper. ``machine-checked``: a theorem checked by
        Coq. ``prose proof``: an argument not checked by a machine. ``trials``: only random cases.
    """

    reading: str
    state: State
    evidence: Evidence


def outcome(
    reading: Reading[Case],
    *,
    witnessed: bool = False,
    violated: bool = False,
    under_assumption: bool = False,
    assumption: Assumption[Case] | None = None,
    exhausted: bool = False,
    unanswered: bool = False,
    printed: bool = False,
) -> ReadingOutcome:
    """Return the outcome of one reading.

    Parameters
    ----------
    witnessed
        A stored witness contradicts the reading.
    violated
        A witness or any other case contradicts it.
    under_assumption
        A case that satisfies the claim's assumption contradicts it.
    exhausted
        Its finite domain was checked completely.
    unanswered
        The check reached a limit on some case. Such a reading may be violated but cannot hold.
    printed
        Its cases are printed numbers.
    """
    saved = witnessed and assumption is not None and not under_assumption
    if reading.missing:
        return ReadingOutcome(reading.name, "undefined", "none")
    if saved and assumption is not None and not unanswered:
        return ReadingOutcome(reading.name, "holds_under_assumption", assumption.proof.evidence)
    if witnessed and not saved:
        return ReadingOutcome(reading.name, "violated", "printed numbers" if printed else "exact certificate")
    if violated or unanswered:
        return ReadingOutcome(reading.name, "open", "trials")
    if exhausted:
        return ReadingOutcome(reading.name, "holds", "printed numbers" if printed else "exhaustive")
    if reading.proof is not None:
        return ReadingOutcome(reading.name, "holds", reading.proof.evidence)
    return ReadingOutcome(reading.name, "open", "trials")


def decide(outcomes: Sequence[ReadingOutcome], *, small_repair_holds: bool = False, blocked: bool = False) -> Kind:
    """Return the verdict for the readings' outcomes.

    ===================  ==========================================================================================
    verdict              when
    ===================  ==========================================================================================
    holds                every reading holds
    holds_under          some reading is violated; each reading that does not hold is proved under the assumption
    refuted_as_printed   some reading is violated, and another holds or a small repair is proved
    refuted              every reading is violated
    ill_posed            some reading cannot be evaluated, and the others do not settle the claim
    undecided            any other case, for example an open reading; always if ``blocked``
    ===================  ==========================================================================================

    ``blocked`` means one of: a regime that no case reached, an accepted false variant, a witness that cannot be
    reproduced, a proof contradicted by a case, an unstored counterexample, or an assumption that all cases or no case
    satisfies.
    """
    states = {o.state for o in outcomes}
    if blocked or not outcomes or "open" in states:
        return "undecided"
    if states == {"holds"}:
        return "holds"
    if "violated" in states and ("holds" in states or small_repair_holds):
        return "refuted_as_printed"
    if "undefined" in states:
        return "ill_posed"
    if states <= {"holds_under_assumption", "holds"}:
        return "holds_under"
    return "refuted"
