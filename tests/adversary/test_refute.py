"""Attacks: a false claim is refuted from presets and from its domain, blindly; one that holds is not."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from schedproof.adversary.refute import REFUTED, doubt, from_domain, from_presets
from schedproof.core import claims
from schedproof.core.claim import Claim, Finding, Witness
from schedproof.core.errors import SchedproofError
from schedproof.experiments.recall import main, page, refuted, row_of


@pytest.fixture(autouse=True)
def blind(monkeypatch: pytest.MonkeyPatch) -> None:
    """No attack may read a stored witness or a stored case."""
    monkeypatch.setattr(claims.Filed, "cases", lambda self: pytest.fail("a stored case was read"))
    monkeypatch.setattr(Witness, "load", lambda *_: pytest.fail("a stored witness was read"))


def test_from_presets_to_a_small_case() -> None:
    claim = claims.claim("preemptive.lemma1")
    found = from_presets(claim, 60)
    assert found is not None and found.case is not None and doubt(claim, found.case) >= REFUTED
    assert len(found.case.instance.jobs) <= 2 and found.looked_at > 0


def test_from_the_domain() -> None:
    claim = claims.claim("jrp.split_equivalent")
    found = from_domain(claim, 60)
    assert found.case is not None and doubt(claim, found.case) >= REFUTED
    assert found.case == from_domain(claim, 60).case


def test_what_holds_is_not_refuted() -> None:
    for id in ("preemptive.lemma1_repaired", "dmlrs.largest_utility13_repaired"):
        assert from_domain(claims.claim(id), 0.3).case is None
    found = from_presets(claims.claim("preemptive.lemma1_repaired"), 0.3)
    assert found is not None and found.case is None


def test_cases_of_numbers_have_no_presets() -> None:
    assert from_presets(claims.claim("jrp.split_equivalent"), 1) is None


def told(claim: Claim[object], measured: int, claimed: int) -> Fraction:
    reading = replace(claim.readings[0], check=lambda case: Finding(Fraction(measured), Fraction(claimed)))
    return doubt(replace(claim, readings=(reading,)), None)


def test_nearer_to_a_contradiction_is_a_larger_number() -> None:
    claim = claims.claim("preemptive.lemma1")
    assert (
        told(claim, 1, 9)
        < told(claim, 8, 9)
        < told(claim, 9, 9)
        == 0
        < REFUTED
        < told(claim, 10, 9)
        < told(claim, 99, 9)
    )
    broken = replace(claim.readings[0], check=lambda case: 1 / 0)  # type: ignore[arg-type,return-value]
    with pytest.raises(SchedproofError, match="division"):
        doubt(replace(claim, readings=(broken,)), None)


def test_the_page_names_what_was_missed_and_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    ids = [word for id in ("jrp.split_equivalent", "dmlrs.largest_utility13") for word in ("--claim", id)]
    words = [str(tmp_path / "recall.md"), "--store", str(tmp_path / "recall.sqlite"), "--seconds", "5", *ids]
    main(words)
    first = (tmp_path / "recall.md").read_text()
    monkeypatch.setattr("schedproof.experiments.recall.from_domain", lambda *_: pytest.fail("attacked again"))
    main(words)
    assert (tmp_path / "recall.md").read_text() == first
    assert "by either way: 2 of 2 (100%)" in first and "missed by both: none" in first
    claim = claims.claim("jrp.split_equivalent")
    nothing = from_domain(claim, 0)._replace(case=None)
    assert "missed by both: jrp.split_equivalent" in page([row_of(claim, nothing, [7]) | {"way": "domain"}], 1, 0)


def test_every_refuted_claim_is_attacked() -> None:
    assert {"preemptive.theorem3_minlp", "jrp.prune_safe"} <= set(refuted()) and len(refuted()) > 100
