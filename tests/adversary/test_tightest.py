"""The tightest case of a ratio claim is found by the adversary's search, and shown next to the bound."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import strategies as st

import schedproof as sp
from schedproof.adversary import tightest
from schedproof.core.cards.sources import Paper
from schedproof.core.claims.claim import Claim, Domain, Finding
from schedproof.core.runtime.context import Context
from schedproof.proofs_checks.judge import judge
from tests.support import size

NOTES = Paper("Graham 1969", ("R. L. Graham",), "Bounds on multiprocessing timing anomalies", "SIAM", 1969)


@dataclass(frozen=True)
class Sizes:
    """The sizes of jobs on two machines."""

    sizes: list[int]


def longest_first(sizes: list[int]) -> int:
    loads = [0, 0]
    for one in sorted(sizes, reverse=True):
        loads[loads.index(min(loads))] += one
    return max(loads)


def least(sizes: list[int]) -> int:
    sums = {
        sum(one for one, taken in zip(sizes, row, strict=True) if taken) for row in product((0, 1), repeat=len(sizes))
    }
    return min(max(one, sum(sizes) - one) for one in sums)


def longest_first_claim(factor: Fraction) -> Claim[Sizes]:
    """The claim that longest processing time first has at most this ratio on two machines."""
    drawn = st.builds(Sizes, st.lists(st.integers(1, 5), min_size=1, max_size=5))
    domain = Domain.of(Sizes, drawn, {"three jobs": lambda case: len(case.sizes) > 2})
    claim = Claim("notes.longest_first", NOTES.at("Theorem 3"), "The ratio is at most 7/6.", domain)

    @claim.reading("as printed", "All sizes.", "Cited: Graham (1969), Theorem 3.")
    @claim.false_variant("best", most=Fraction(1))
    def check(case: Sizes, most: Fraction = factor) -> Finding:
        return Finding(Fraction(longest_first(case.sizes), least(case.sizes)), most, relative=True)

    return claim


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tightest, "CASES", size(600, 600, 2000))
    monkeypatch.setenv("SCHEDPROOF_PROFILE", "dev")  # more trials find the ratio without the search


def test_the_largest_ratio_is_found_and_shown_next_to_the_bound() -> None:
    first = judge(longest_first_claim(Fraction(7, 6)), seed=0)
    assert first.verdict == first.evidence == "cited" and first.tally.worst["as printed"].measured < Fraction(7, 6)
    found = tightest.tighten(first, 60, Context(0))
    assert found.tally.worst["as printed"].measured == Fraction(7, 6) and not found.found
    assert "  as printed: cited; tightest trial: 7/6 <= 7/6 (satisfied)" in found.lines()


def test_a_counterexample_of_the_search_is_a_witness(monkeypatch: pytest.MonkeyPatch) -> None:
    claim = longest_first_claim(Fraction(15, 13))
    assert not judge(claim, seed=0).tally.violated
    monkeypatch.setattr("schedproof.proofs_checks.verify.look_for_witnesses", lambda first, *_: first)
    (result,) = sp.verify(claim, budget=120, seed=0)
    assert result.found.keys() == {"as printed"} and result.witnesses and result.blocks  # of its citation
