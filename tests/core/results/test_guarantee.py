from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import pytest

import schedproof as sp
from schedproof.core.certificates.bound import Guarantee
from schedproof.core.claims import claims
from schedproof.core.errors import PolicyError
from schedproof.online.preemptive.a_online import AOnline
from schedproof.online.preemptive.srtf import ShortestRemainingTimeFirst

OURS = "preemptive.theorem3_minlp_repaired"
NOTES = "Me 2026, Theorem 1"


@dataclass
class Promising:
    """SRTF with a guarantee."""

    promise: Any
    speed: int = 1

    def __post_init__(self) -> None:
        srtf = ShortestRemainingTimeFirst(speed=Fraction(self.speed))
        self.start, self.arrive, self.advance = srtf.start, srtf.arrive, srtf.advance

    def guarantee(self, instance: Any) -> Any:
        return self.promise


def promised(promise: Any) -> Guarantee:
    return sp.policy(Promising(promise)).run(sp.embedded("day")).guarantee


def test_a_users_policy_quotes_its_author_with_premises() -> None:
    day, premises = sp.embedded("day"), {"one server": "no", "whole slots": "yes"}
    run = sp.policy(Promising(Guarantee(Fraction(3), NOTES, premises))).run(day)
    ratio = run.ratio(sp.bound("preemptive.lp4", day))
    assert (ratio.guarantee, ratio.promise) == (None, f"guaranteed: nothing, a premise fails ({NOTES})")
    run = sp.policy(Promising(Guarantee(Fraction(3), NOTES, {"whole slots": "yes"}))).run(day)
    ratio = run.ratio(sp.bound("preemptive.lp4", day))
    assert (ratio.guarantee, ratio.promise) == (3, f"guaranteed: 3, says {NOTES}")


@pytest.mark.parametrize(
    ("promise", "sentence"),
    [
        (Guarantee(Fraction(1), OURS, {}), f"quotes the claim {OURS}, which is not about this policy"),
        (Guarantee(Fraction(1), "preemptive.nothing", {}), r"quotes the claim preemptive\.nothing, which is not about"),
        (Guarantee(Fraction(1), "", {}), "needs a source: the id of a claim"),
        (Guarantee(Fraction(1), "none", {}), "needs a source"),
        (Guarantee(1.5, NOTES, {}), "expected a Guarantee whose value is a rational"),
        (1, "returned 1, expected a Guarantee"),
    ],
)
def test_an_unproven_guarantee_stops_the_run(promise: Any, sentence: str) -> None:
    with pytest.raises(PolicyError, match=sentence):
        promised(promise)


def test_a_claim_that_does_not_hold_is_not_quoted(monkeypatch: pytest.MonkeyPatch) -> None:
    day, fast = sp.embedded("day"), sp.policy("a_online", speed=2)
    assert fast.run(day).guarantee.source == OURS
    monkeypatch.setattr(claims, "ledger", lambda *_: {OURS: {"verdict": "refuted"}})
    with pytest.raises(PolicyError, match=f"quotes the claim {OURS}, whose verdict 'refuted' cannot be quoted"):
        fast.run(day)
    monkeypatch.setattr(claims, "ledger", lambda *_: {})
    with pytest.raises(PolicyError, match="whose verdict 'not judged yet' cannot be quoted"):
        fast.run(day)


def test_a_subclass_does_not_inherit_a_guarantee() -> None:
    class Mine(AOnline):
        """A modified A_online."""

    day = sp.embedded("day")
    assert sp.policy(Mine, speed=Fraction(2)).run(day).guarantee.value is None
    assert sp.policy(AOnline, speed=Fraction(2)).run(day).guarantee.value is not None


def test_a_guarantee_and_the_sides_of_a_ratio_are_rounded_to_the_safe_side() -> None:
    day = sp.embedded("day")
    ratio = sp.policy("a_online").run(day).ratio(sp.bound("preemptive.lp4", day))
    bottom = Fraction(ratio.sides.partition(" / ")[2].removesuffix(" slots"))
    assert ratio.bound.exact - Fraction(1, 10**8) < bottom <= ratio.bound.exact
    promised = replace(ratio, promised=Guarantee(Fraction(7, 3), "A. Nobody", {}))
    assert promised.promise == "guaranteed: 2.33334, says A. Nobody"
