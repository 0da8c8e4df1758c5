"""Every claim's verdict equals the shipped ledger's, for any seed."""

from __future__ import annotations

from typing import Any
from zlib import crc32

import pytest

from schedproof.core.claims import claims
from schedproof.core.claims.claim import Claim
from schedproof.proofs_checks import trials
from schedproof.proofs_checks.verify import verify
from tests.support import FAMILIES, size

PRINTED = [f.claim for name in FAMILIES for f in claims.of_family(name).values() if f.claim.repairs is None]
SEEDS = 10
JUDGINGS = [
    pytest.param(claim, seed, id=f"{claim.id}-{seed}")
    for claim in PRINTED
    for seed in ((crc32(claim.id.encode()) + k) % SEEDS for k in range(size(1, 1, SEEDS)))
]


@pytest.mark.parametrize(("claim", "seed"), JUDGINGS)
def test_every_verdict_is_the_ledgers(claim: Claim[Any], seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(trials.SIZES, trials.profile(), size(10, 15, 150))
    results = verify([one.id for one in (claim, claim.repaired) if one], seed=seed)
    ledger = claims.ledger(claim.family)
    assert [(r.claim.id, r.verdict, r.blocks) for r in results] == [
        (r.claim.id, ledger[r.claim.id]["verdict"], ()) for r in results
    ]
    assert not any(result.differs for result in results)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_ledger_has_a_row_for_each_claim(family: str) -> None:
    assert claims.ledger(family).keys() == claims.of_family(family).keys()


def test_a_family_without_a_ledger_is_judged_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claims, "ledger", lambda *_: {})
    results = {result.claim.id: (result.verdict, result.expected) for result in verify(family="toy")}
    assert results == {"toy.half": ("refuted_as_printed", None), "toy.half_repaired": ("argued", None)}
