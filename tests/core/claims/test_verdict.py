from __future__ import annotations

from dataclasses import replace

import pytest

from schedproof.core.claims.claim import Assumption, Outside, Premise, Proof, Reading
from schedproof.core.claims.verdict import ReadingOutcome, decide, outcome


def said(*states: str) -> list[ReadingOutcome]:
    return [ReadingOutcome(str(n), state, "trials") for n, state in enumerate(states)]


@pytest.mark.parametrize(
    ("states", "small_repair", "verdict"),
    [
        (("holds", "holds"), False, "holds"),
        (("holds", "open"), False, "undecided"),
        (("violated", "violated"), False, "refuted"),
        (("violated", "violated"), True, "refuted_as_printed"),
        (("violated", "holds"), False, "refuted_as_printed"),
        (("violated", "open"), False, "undecided"),
        (("violated", "open"), True, "undecided"),
        (("violated", "holds", "open"), True, "undecided"),
        (("violated", "holds_under_assumption"), False, "refuted"),
        (("holds_under_assumption", "holds_under_assumption"), False, "holds_under"),
        (("holds_under_assumption", "holds"), False, "holds_under"),
        (("holds_under_assumption", "open"), False, "undecided"),
        (("undefined",), False, "ill_posed"),
        (("undefined", "violated"), False, "ill_posed"),
        (("undefined", "violated"), True, "refuted_as_printed"),
        (("undefined", "violated", "holds"), False, "refuted_as_printed"),
        (("undefined", "holds"), False, "ill_posed"),
        (("undefined", "holds_under_assumption"), False, "ill_posed"),
        (("undefined", "open"), False, "undecided"),
        (("open",), False, "undecided"),
        (("argued", "holds"), False, "argued"),
        (("argued", "cited"), False, "argued"),
        (("cited", "holds"), False, "cited"),
        (("violated", "argued"), False, "refuted_as_printed"),
        (("violated", "argued_under_assumption"), False, "refuted"),
        (("argued_under_assumption", "holds"), False, "argued_under"),
        (("holds_under_assumption", "argued"), False, "argued_under"),
        (("cited", "open"), False, "undecided"),
        ((), False, "undecided"),
    ],
)
def test_the_table(states, small_repair, verdict):
    assert decide(said(*states), small_repair_holds=small_repair) == verdict
    assert decide(said(*states), small_repair_holds=small_repair, blocked=True) == "undecided"


PROOF = Proof("Each of the two cases is plain.\n- *Are there two?* Yes.")
FORMAL = Proof("It is plain.\nCoq: jrp.v line19. Objects: split16. The same.\n- *Is it?* Yes.")
REFERENCE = Proof("Cited: Nobody (1900), Theorem 1.")
SMALL = Outside(Premise("the case is small", lambda case: False))
BARE, PROVED = Reading("r", "", lambda case: SMALL), Reading("r", "", lambda case: SMALL, PROOF)
SAVED = Assumption("a", "a", lambda case: True, PROOF)


@pytest.mark.parametrize(
    ("reading", "found", "state", "evidence"),
    [
        (PROVED, {}, "argued", "argued by its author"),
        (PROVED, {"reviewed": True}, "holds", "prose proof"),
        (replace(PROVED, proof=FORMAL), {}, "argued", "argued by its author"),
        (replace(PROVED, proof=FORMAL), {"reviewed": True}, "holds", "formal"),
        (replace(PROVED, proof=REFERENCE), {}, "cited", "cited"),
        (replace(PROVED, proof=REFERENCE), {"reviewed": True}, "cited", "cited"),
        (BARE, {"witnessed": True, "assumption": replace(SAVED, proof=REFERENCE)}, "argued_under_assumption", "cited"),
        (PROVED, {"exhausted": True}, "holds", "exhaustive"),
        (PROVED, {"violated": True}, "open", "trials"),
        (PROVED, {"violated": True, "witnessed": True}, "violated", "exact certificate"),
        (BARE, {}, "open", "trials"),
        (BARE, {"exhausted": True}, "holds", "exhaustive"),
        (BARE, {"exhausted": True, "printed": True}, "holds", "printed numbers"),
        (BARE, {"violated": True, "witnessed": True, "printed": True}, "violated", "printed numbers"),
        (BARE, {"exhausted": True, "violated": True}, "open", "trials"),
        (BARE, {"witnessed": True, "assumption": SAVED}, "argued_under_assumption", "argued by its author"),
        (BARE, {"witnessed": True, "assumption": SAVED, "reviewed": True}, "holds_under_assumption", "prose proof"),
        (BARE, {"violated": True, "assumption": SAVED}, "open", "trials"),
        (BARE, {"witnessed": True, "assumption": SAVED, "under_assumption": True}, "violated", "exact certificate"),
        (BARE, {"assumption": SAVED}, "open", "trials"),
        (PROVED, {"unanswered": True}, "open", "trials"),
        (BARE, {"exhausted": True, "unanswered": True}, "open", "trials"),
        (BARE, {"witnessed": True, "unanswered": True}, "violated", "exact certificate"),
        (BARE, {"witnessed": True, "assumption": SAVED, "unanswered": True}, "open", "trials"),
        (Reading("r", "", missing="c_j is not defined"), {}, "undefined", "none"),
    ],
)
def test_outcomes(reading, found, state, evidence):
    outcomes = outcome(reading, **found)
    assert (outcomes.state, outcomes.evidence) == (state, evidence)
