"""Repair by search: the curve is what cases have, a wrong candidate is contradicted, a true one stands and is tight."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import strategies as st

import schedproof as sp
from schedproof.adversary import repair as module
from schedproof.adversary.envelope import USUAL, Candidate
from schedproof.adversary.refutation import Refutation
from schedproof.adversary.repair import repair, with_factor
from schedproof.core.cards.sources import Paper
from schedproof.core.claims.claim import Answer, Claim, Domain, Finding, Outside, Premise, Reading

NOTES = Paper("Me 2026", ("M. E.",), "Notes", "unpublished", 2026)
LATER = 20  # from where on the factor grows


@dataclass(frozen=True)
class Queue:
    """Jobs of one slot on one machine, of which some wait for a slot more than they should."""

    jobs: int
    late: int


JOBS: Premise[Queue] = Premise("there are jobs", lambda case: 0 < case.jobs >= case.late)


def at_most_one(case: Queue, jump: int = 0) -> Answer:
    """The mean of 1 + the share that is late; with a jump from `LATER` jobs on."""
    if not JOBS.met(case):
        return Outside(JOBS)
    more = jump if case.jobs >= LATER else 0
    return Finding(1 + Fraction(min(case.late, 1), case.jobs) + more, Fraction(1), "at most", "mean, 1")


def claim(jump: int = 0, most: int = 30) -> Claim[Queue]:
    return Claim(
        id="notes.mean",
        source=NOTES.at("page 1"),
        statement="The mean is at most 1.",
        readings=(Reading("mean", "Of all jobs.", lambda case: at_most_one(case, jump)),),
        domain=Domain(Queue, st.builds(Queue, st.integers(0, most), st.integers(0, 3)), ()),
    )


def test_the_expression_that_is_true_is_found_and_stands() -> None:
    found = repair(claim(), lambda case: case.jobs, range(1, 7), reading="mean", cases=60)
    assert found.curve == [(t, 1 + Fraction(1, t)) for t in range(1, 7)]
    assert [str(one) for one in found.candidates][-1] == "1 + 1/T" and found.candidates[-1].excess < 1e-9
    assert all(one.stands for one in found.attempts if one.candidate in found.candidates)
    assert "which nobody has proved" in [*found.lines()][-1]


def test_what_fits_the_curve_is_contradicted_by_an_attack_beyond_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The values that are searched say nothing of `LATER` jobs, which the attacks look at."""
    wide = claim().domain

    def attack(claim: Claim[Queue], **words: Any) -> Refutation:
        return sp.refute(replace(claim, domain=wide), **words)

    monkeypatch.setattr(module, "refute", attack)
    found = repair(claim(jump=9, most=9), lambda case: case.jobs, range(1, 7), reading="mean", cases=60)
    gone = [one for one in found.attempts if not one.stands]
    assert gone and all(one.refutation.case.jobs >= LATER for one in gone)
    assert not {str(one.candidate) for one in gone} & {*map(str, found.candidates)}
    assert f"{gone[0].candidate}: contradicted by the last of" in "\n".join(found.lines())
    assert "1 + 1/T" not in map(str, found.candidates)


@pytest.mark.parametrize(("terms", "coefficients"), [((0, 2), (1, 1)), ((0, 4), (3, -2)), ((2, 3), ("-1/3", "7/10"))])
def test_a_candidate_is_a_claim_that_compares_with_what_is_above_it(terms: list[int], coefficients: list[str]) -> None:
    one = Candidate(tuple(USUAL[n] for n in terms), tuple(map(Fraction, coefficients)), 0.0)
    check = with_factor(claim(), one, lambda case: case.jobs).readings[0].check
    for jobs in (1, 2, 3, 7, 16):
        answer = check(Queue(jobs, 1))
        assert isinstance(answer, Finding) and answer.measured == 1 + Fraction(1, jobs)
        assert one.above(Fraction(jobs), answer.claimed - Fraction(1, 10**9))
        assert not one.above(Fraction(jobs), answer.claimed + Fraction(1, 10**9))
        assert answer.violated <= (not one.above(Fraction(jobs), answer.measured))
    assert isinstance(check(Queue(0, 0)), Outside)
