"""The rule that turns outcomes into a verdict."""

from __future__ import annotations

import pytest

from schedproof.core.claim import Assumption, Reading
from schedproof.core.verdict import ReadingOutcome, decide, outcome


def said(*states: str) -> list[ReadingOutcome]:
    return [ReadingOutcome(str(n), state, "proof") for n, state in enumerate(states)]


@pytest.mark.parametrize(
    ("states", "small_repair", "verdict"),
    [
        (("holds", "holds"), False, "holds"),
        (("holds", "open"), False, "undecided"),
        (("violated", "violated"), False, "refuted"),
        (("violated", "violated"), True, "refuted_as_printed"),
        (("violated", "holds"), False, "refuted_as_printed"),
        (("violated", "open"), False, "undecided"),
        (("violated", "open"), True, "refuted_as_printed"),
        (("violated", "holds_under_assumption"), False, "refuted"),
        (("holds_under_assumption", "holds_under_assumption"), False, "holds_under"),
        (("holds_under_assumption", "holds"), False, "holds_under"),
        (("holds_under_assumption", "open"), False, "undecided"),
        (("undefined",), False, "ill_posed"),
        (("undefined", "violated"), False, "undecided"),
        (("open",), False, "undecided"),
        ((), False, "undecided"),
    ],
)
def test_the_table(states, small_repair, verdict):
    assert decide(said(*states), small_repair_holds=small_repair) == verdict
    assert decide(said(*states), small_repair_holds=small_repair, blocked=True) == "undecided"


def unproved(case: object) -> None:
    """No proof here."""


def argued(case: object) -> bool:
    """An assumption.

    Proof
    -----
    It is enough to look at the two cases in turn, and each is plain.
    """
    return True


BARE, PROVED = Reading("r", "", unproved), Reading("r", "", argued)
GOOD, EMPTY = Assumption("a", "a", argued, argued), Assumption("a", "a", argued, unproved)


@pytest.mark.parametrize(
    ("reading", "violated", "inside", "assumption", "exhausted", "state", "evidence"),
    [
        (PROVED, False, False, None, False, "holds", "proof"),
        (PROVED, True, False, None, False, "violated", "witness"),
        (BARE, False, False, None, False, "open", "tested"),
        (BARE, False, False, None, True, "holds", "exhaustive"),
        (BARE, True, False, GOOD, False, "holds_under_assumption", "proof"),
        (BARE, True, True, GOOD, False, "violated", "witness"),
        (BARE, True, False, EMPTY, False, "violated", "witness"),
        (BARE, False, False, GOOD, False, "open", "tested"),
        (Reading("r", "", unproved, missing="c_j is not defined"), False, False, None, False, "undefined", "tested"),
    ],
)
def test_outcomes(reading, violated, inside, assumption, exhausted, state, evidence):
    found = outcome(reading, violated=violated, under_assumption=inside, assumption=assumption, exhausted=exhausted)
    assert (found.state, found.evidence) == (state, evidence)
