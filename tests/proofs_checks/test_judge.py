"""No attempt to prove "n^2 + n + 41 is prime for all n" ends in `holds`."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import strategies as st

from schedproof.core.cards.sources import Paper
from schedproof.core.claims.claim import (
    Assumption,
    Claim,
    Domain,
    Exhaustive,
    FalseVariant,
    Finding,
    Open,
    Outside,
    Premise,
    Proof,
    Reading,
    Regime,
)
from schedproof.core.errors import SchedproofError
from schedproof.proofs_checks.judge import judge
from schedproof.proofs_checks.result import Result

NOTES = Paper("Me 2026", ("M. E.",), "Notes", "unpublished", 2026)
EASY = Proof("The reader will have no difficulty.\n- *Is it true?* Yes.")


@dataclass(frozen=True)
class Number:
    """A number."""

    n: int


DOMAIN = Domain(Number, st.builds(Number, st.integers(0, 2000)), (Regime("large", lambda case: case.n > 30),))
BELOW = DOMAIN.but(strategy=st.builds(Number, st.integers(0, 39)))
FALSE = FalseVariant("even", lambda case: Finding(Fraction((case.n**2 + case.n + 41) % 2), Fraction(0)))
PRIME = Premise("n^2 + n + 41 is prime", lambda case: not honest(case).violated)
NAMED = Premise("n is a number", lambda case: True)


def honest(case: Number) -> Finding:
    """The number of divisors other than 1 and the number itself."""
    value = case.n**2 + case.n + 41
    return Finding(Fraction(any(value % d == 0 for d in range(2, int(value**0.5) + 1))), Fraction(0))


def unless(answer: Any) -> Any:
    """A check with another finding for each counterexample."""
    return lambda case: answer() if honest(case).violated else honest(case)


def judged(*readings: Reading[Number], domain: Domain[Number] = DOMAIN, **more: Any) -> Result:
    """The result of the claim with these readings."""
    place, statement = NOTES.at("page 1"), "n^2 + n + 41 is prime for all n."
    return judge(Claim("notes.prime", place, statement, domain, None, list(readings), [FALSE], **more))


def test_a_counterexample_defeats_a_proof() -> None:
    assert judged(Reading("p", "all n", honest, EASY)).verdict == "undecided"


def test_a_counterexample_is_not_open_without_a_limit() -> None:
    with pytest.raises(SchedproofError, match="TypeError"):
        judged(Reading("p", "all n", unless(lambda: Open("the primality test gave no answer")), EASY))  # type: ignore[call-arg]


@pytest.mark.parametrize("words", ["", "n", "is prime"])
def test_a_part_of_a_sentence_is_no_premise(words: str) -> None:
    with pytest.raises(SchedproofError, match=r"notes\.prime"):
        judged(Reading("p", "all n", unless(lambda: Outside(words)), EASY))  # type: ignore[arg-type]


def test_a_counterexample_at_a_limit_leaves_the_reading_open() -> None:
    result = judged(Reading("p", "all n", unless(lambda: Open("a number to be divided", 2, 1)), EASY))
    assert (result.verdict, result.outcomes[0].state) == ("undecided", "open")


def test_a_premise_is_one_that_the_claim_declares() -> None:
    result = judged(Reading("p", "all n", unless(lambda: Outside(PRIME)), EASY))
    assert (result.verdict, len(result.blocks)) == ("undecided", 1)


def test_a_premise_is_one_that_the_case_misses() -> None:
    for domain in (DOMAIN, DOMAIN.but(premises=(NAMED,))):
        result = judged(Reading("p", "all n", unless(lambda: Outside(NAMED)), EASY, where=(NAMED,)), domain=domain)
        assert "satisfies the premise: n is a number" in result.blocks[0]


def test_a_declared_premise_is_stated() -> None:
    # This says no more than it may: if n^2 + n + 41 is prime, it is prime.
    result = judged(Reading("p", "all n", honest, EASY), domain=DOMAIN.but(premises=(PRIME,)))
    assert result.verdict == "argued" and f"  premise: {PRIME.sentence}" in result.lines()
    assert result.to_json()["premises"] == [PRIME.sentence]
    result = judged(Reading("p", "all n", honest, EASY, where=(PRIME,)))
    assert result.verdict == "argued" and any(f"where {PRIME.sentence}" in line for line in result.lines())


def test_a_finite_set_must_be_the_whole_domain() -> None:
    two = Exhaustive("all n", 2, lambda: [Number(0), Number(1)])
    for domain in (DOMAIN, BELOW):
        result = judged(Reading("p", "all n", honest, exhaustive=two), domain=domain)
        assert result.verdict == "undecided" and any("not in 'all n'" in block for block in result.blocks)
    of_two = BELOW.but(premises=(Premise("n <= 1", lambda case: case.n <= 1),), regimes=(Regime("any", bool),))
    result = judged(Reading("p", "all n", honest, exhaustive=two), domain=of_two)
    assert result.verdict == "holds" and "  premise: n <= 1" in result.lines()  # and it says so


def test_the_honest_reading_is_not_set_aside() -> None:
    first = Reading("n = 0", "", lambda case: honest(Number(0)), EASY)
    assert judged(Reading("all n", "all n", missing="what n is"), first).verdict == "ill_posed"


@pytest.mark.parametrize(("met", "how"), [(False, "no"), (True, "every")])
def test_an_assumption_is_met_by_some_and_missed_by_others(met: bool, how: str) -> None:
    result = judged(Reading("p", "all n", honest), assumption=Assumption("a", "n is odd", lambda case: met, EASY))
    assert result.verdict == "undecided" and f"{how} case meets the assumption: n is odd" in result.blocks
