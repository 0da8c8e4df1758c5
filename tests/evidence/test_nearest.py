from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import strategies as st
from hypothesis import target
from nearest import nearest, share

from schedproof.core.claims import claims
from schedproof.core.claims.claim import Finding
from schedproof.proofs_checks.trials import draw
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
def test_the_share_is_relative_to_the_guarantee(finding: Finding, expected: Fraction | None) -> None:
    assert share(finding) == expected
    assert expected is None or (expected > 1) == finding.violated


def test_attained_guarantees_have_share_1_and_refuted_ones_more() -> None:
    claim = claims.claim("dmlrs.theorem5_ratio_repaired")
    found = nearest(claim, claim.read_as("with D_0"), CASES)
    assert found is not None and Fraction(9, 10) < found.share <= 1 and 0 < found.compared <= CASES
    assert claim.read_as("with D_0").check(found.case) == found.finding
    refuted = claims.claim("dmlrs.theorem5_ratio")
    most = nearest(refuted, refuted.read_as("any demand"), 20)
    assert most is not None and most.share > 1 and most.finding.violated


def test_one_seed_gives_one_search_and_more_cases_come_closer() -> None:
    claim = claims.claim("dmlrs.deterministic_bound")
    shares = [found.share for n in (5, 5, 60) if (found := nearest(claim, claim.readings[1], n)) is not None]
    assert len(shares) == 3 and shares[0] == shares[1] <= shares[2] <= 1


def test_draws_concentrate_at_large_targets() -> None:
    twelve = st.tuples(*[st.integers(0, 99)] * 12).map(sum)
    seen: dict[bool, list[int]] = {False: [], True: []}
    draw(twelve, 200, 1, seen[False].append)
    draw(twelve, 200, 1, lambda total: (seen[True].append(total), target(float(total)))[0], steered=True)
    assert len(seen[True]) == len(seen[False]) == 200 and max(seen[True]) > 1100 > max(seen[False])
