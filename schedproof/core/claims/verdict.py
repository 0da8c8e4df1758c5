"""The rule that derives a verdict from what was found out about each reading of a claim."""

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
    """What was found out about one reading.

    Attributes
    ----------
    state
        ``holds`` (proved or exhaustively checked, never violated), ``holds_under_assumption`` (violated, but proved
        under the claim's assumption and never violated there), ``violated`` (by a stored witness), ``undefined``, or
        ``open``.
    evidence
        An ``exact certificate`` is the witness, evaluated anew in rationals; ``exhaustive``, every case of a finite
        domain; ``printed numbers``, either of these where the cases are numbers typed in; ``machine-checked``, a
        theorem that Coq has checked; ``prose proof``, an argument that no machine has checked; ``trials``, drawn cases
        alone.
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
    """The state of one reading.

    Parameters
    ----------
    witnessed
        A stored witness contradicts it.
    violated
        A witness or any other case contradicts it.
    under_assumption
        So does one that meets the claim's assumption.
    exhausted
        Its finite domain was checked to the end.
    unanswered
        On some case the check reached a limit: such a reading can be violated, but nobody can say that it holds.
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
    """The verdict that follows from the readings' outcomes.

    ===================  ==========================================================================================
    verdict              when
    ===================  ==========================================================================================
    holds                every reading holds
    holds_under          some reading is violated, and the proved assumption saves each reading that does not hold
    refuted_as_printed   some reading is violated, and another holds or a small repair is proved
    refuted              every reading is violated
    ill_posed            some reading cannot be evaluated, and those that can do not settle it between them
    undecided            anything else: some reading is open; and whenever ``blocked``: a regime without a hit, a false
                         variant that got through, a witness that does not replay, a proof that a case contradicts, a
                         case that contradicts a reading and is not stored, an assumption that each case meets or none
    ===================  ==========================================================================================
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
