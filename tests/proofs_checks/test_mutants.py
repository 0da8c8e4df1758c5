"""A changed case is rejected in one sentence, or judged without violating a claim."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

import pytest

from schedproof.core.claims import claims
from schedproof.core.claims.claims import Filed
from tests.proofs_checks.mutants import SECONDS, TooLong, at_most, judged, mutants
from tests.support import FAMILIES, PROFILE, size

CLAIMS = {id: filed for family in FAMILIES for id, filed in claims.of_family(family).items() if filed.claim.evaluable}
HOLD = {"holds", "holds_under"}


@pytest.mark.parametrize("filed", CLAIMS.values(), ids=list(CLAIMS))
def test_a_changed_case_is_refused_or_judged_and_breaks_no_claim_that_holds(filed: Filed) -> None:
    claim, admitted = filed.claim, 0
    holds = claims.ledger(claim.family)[claim.id]["verdict"] in HOLD
    for row in mutants(filed, size(4, 4, 2000), seed=0):
        try:
            with at_most(SECONDS):
                said = judged(claim, row)
        except TooLong:
            continue  # a large instance: it is neither refused nor judged in the time of a test
        admitted += isinstance(said, list)
        assert said if isinstance(said, str) else not (holds and said), f"{claim.id} fails on {row}"
    assert admitted or PROFILE != "deep", "every mutant was refused"


def test_mutants_differ_and_equal_seeds_give_equal_mutants() -> None:
    filed = CLAIMS["preemptive.lemma5"]
    first = list(islice(mutants(filed, 50, 1), 50))
    assert first == list(mutants(filed, 50, 1)) != list(mutants(filed, 50, 2))
    assert len({str(row) for row in first}) > 40


def test_a_mutant_refutes_a_claim_without_its_premise() -> None:
    # Without its premises theorem2_repaired fails where the horizon is short, or parameter servers are few.
    filed = CLAIMS["preemptive.theorem2_repaired"]
    loose = replace(filed.claim, domain=filed.claim.domain.but(premises=()))
    assert any(isinstance(said := judged(loose, row), list) and said for row in mutants(filed, 200, 0))
