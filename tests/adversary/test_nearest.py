"""The nearest case to a contradiction: what is promised and attained has the share 1, what is refuted one above."""

from __future__ import annotations

from fractions import Fraction

import pytest

from schedproof.adversary.nearest import nearest, share
from schedproof.core import claims
from schedproof.core.claim import Finding
from tests.support import size

CASES = size(100, 100, 400)


@pytest.mark.parametrize(
    ("finding", "expected"),
    [
        (Finding(Fraction(1), Fraction(2)), Fraction(1, 2)),
        (Finding(Fraction(3), Fraction(2)), Fraction(3, 2)),
        (Finding(Fraction(3), Fraction(2), "at least"), Fraction(2, 3)),
        (Finding(Fraction(2), Fraction(2), "equal"), Fraction(1)),
        (Finding(Fraction(2), Fraction(3), "equal"), Fraction(3, 2)),
        (Finding(Fraction(0), Fraction(2)), None),
        (Finding(Fraction(2), Fraction(-1), "at least"), None),
    ],
)
def test_the_share_is_of_what_is_promised(finding: Finding, expected: Fraction | None) -> None:
    assert share(finding) == expected
    assert expected is None or (expected > 1) == finding.violated


def test_what_is_attained_is_found_and_what_is_refuted_is_above() -> None:
    claim = claims.claim("dmlrs.theorem5_ratio_repaired")
    found = nearest(claim, claim.reading("with D_0"), CASES)
    assert found is not None and Fraction(9, 10) < found.share <= 1 and 0 < found.compared <= CASES
    assert claim.reading("with D_0").check(found.case) == found.finding
    assert found[:2] == (nearest(claim, claim.reading("with D_0"), CASES) or ())[:2]
    refuted = claims.claim("dmlrs.theorem5_ratio")
    most = nearest(refuted, refuted.reading("any demand"), CASES)
    assert most is not None and most.share > 1 and most.finding.violated


def test_draws_are_steered() -> None:
    claim = claims.claim("dmlrs.deterministic_bound")
    before = nearest(claim, claim.readings[0], 1)
    after = nearest(claim, claim.readings[0], CASES)
    assert before is None or (after is not None and after.share >= before.share)
