"""The family's verdicts follow at other seeds too."""

from __future__ import annotations

import pytest

from schedproof.core import claims
from schedproof.proofs_checks.verify import judge
from tests.support import size

FILED = {id: filed for id, filed in claims.of_family("jrp").items() if size(0, 0, 1) or not id.endswith("repaired")}


@pytest.mark.parametrize("id", list(FILED)[:: size(3, 1, 1)])
def test_a_verdict_follows_at_other_seeds_too(id: str) -> None:
    claim, known = FILED[id].claim, (FILED[id].witnesses(), FILED[id].cases())
    for seed in range(1, size(2, 2, 6)):
        result = judge(claim, *known, seed, repair_holds=claim.repaired is not None and claim.repaired.small)
        assert not result.blocks and result.verdict == claims.ledger("jrp")[id]["verdict"]
