"""The rule that derives a claim's verdict from the outcomes of its readings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from schedproof.core.base.untyped import Case
from schedproof.core.claims.argument import Label

if TYPE_CHECKING:
    from schedproof.core.claims.argument import Proof
    from schedproof.core.claims.claim import Assumption, Reading

Kind = Literal[
    "holds", "holds_under", "argued", "argued_under", "cited", "refuted", "refuted_as_printed", "ill_posed", "undecided"
]
State = Literal[
    "holds", "holds_under_assumption", "argued", "argued_under_assumption", "cited", "violated", "undefined", "open"
]
Known = Literal["exact certificate", "exhaustive", "printed numbers", "argued by its author", "trials", "none"]
Evidence = Known | Label
STANDING: tuple[Literal["holds", "argued", "cited"], ...] = ("holds", "argued", "cited")  # supported as stated


FROM_OUTSIDE: dict[Evidence, State] = {"argued by its author": "argued", "cited": "cited"}


@dataclass(frozen=True)
class ReadingOutcome:
    """The outcome of one reading.

    Attributes
    ----------
    state
        ``holds``: exhaustively checked, or proved in this package; never violated. ``argued``: proved by its author,
        outside this package. ``cited``: by a reference. ``holds_under_assumption``: violated, but proved under the
        claim's assumption and never violated under it; ``argued_under_assumption``: by a proof or reference from
        outside. ``violated``: by a stored witness. ``undefined``. ``open``.
    evidence
        ``exact certificate``: the witness, re-evaluated in rationals. ``exhaustive``: every case of a finite domain.
        ``printed numbers``: a witness or exhaustive check on numbers printed in the paper. ``formal``: a theorem about
        the claim's
        objects, checked by Coq. ``formal core``: Coq checked an inequality or a lemma of the argument, and the rest is
        named. ``prose proof``: an argument of this package, not checked by a machine. ``argued by its author``: a
        proof that this package has not reviewed. ``cited``: a reference. ``trials``: only random cases.
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
    reviewed: bool = False,
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
        The reading's finite domain was checked completely.
    unanswered
        The check reached a limit on some case. Such a reading may be violated but cannot hold.
    printed
        The reading's cases are printed numbers.
    reviewed
        The reading's proof has been reviewed in this package.
    """
    saved = witnessed and assumption is not None and not under_assumption
    if reading.missing:
        return ReadingOutcome(reading.name, "undefined", "none")
    if saved and assumption is not None and not unanswered:
        evidence = _of_proof(assumption.proof, reviewed)
        state: State = "argued_under_assumption" if evidence in FROM_OUTSIDE else "holds_under_assumption"
        return ReadingOutcome(reading.name, state, evidence)
    if witnessed and not saved:
        return ReadingOutcome(reading.name, "violated", "printed numbers" if printed else "exact certificate")
    if violated or unanswered:
        return ReadingOutcome(reading.name, "open", "trials")
    if exhausted:
        return ReadingOutcome(reading.name, "holds", "printed numbers" if printed else "exhaustive")
    if reading.proof is not None:
        evidence = _of_proof(reading.proof, reviewed)
        return ReadingOutcome(reading.name, FROM_OUTSIDE.get(evidence, "holds"), evidence)
    return ReadingOutcome(reading.name, "open", "trials")


def _of_proof(proof: Proof, reviewed: bool) -> Evidence:
    return proof.label if reviewed or proof.label == "cited" else "argued by its author"


def decide(outcomes: Sequence[ReadingOutcome], *, small_repair_holds: bool = False, blocked: bool = False) -> Kind:
    """Return the verdict for the readings' outcomes.

    ===================  ==========================================================================================
    verdict              when
    ===================  ==========================================================================================
    holds                every reading holds
    argued               every reading holds or is argued or cited, at least one is argued
    cited                every reading holds or is cited, at least one is cited
    holds_under          some reading is violated; each reading that does not hold is proved under the assumption
    argued_under         the same, with a proof or reference from outside
    refuted_as_printed   some reading is violated, and another stands or a small repair is proved
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
    if states <= {*STANDING}:
        return next(kind for kind in ("argued", "cited", "holds") if kind in states)
    if "violated" in states and (states & {*STANDING} or small_repair_holds):
        return "refuted_as_printed"
    if "undefined" in states:
        return "ill_posed"
    if "violated" not in states:
        return "holds_under" if states <= {"holds_under_assumption", "holds"} else "argued_under"
    return "refuted"
