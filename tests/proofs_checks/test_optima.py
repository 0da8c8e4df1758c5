from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import schedproof.proofs_checks as package
from tests import witnesses
from tests.recorder.optima import compared
from tests.witnesses import claim_of


def test_each_optimum_that_a_witness_is_compared_with_has_a_proof() -> None:
    files = set()
    for file, witness, optimum in compared():
        assert witness.proof == file, "python -m tests.recorder.optima writes it"
        files.add(file)
        found = witness.replay(claim_of(witness.claim)).values()
        assert any(
            f"proven, and the proof checked: {file.parents[1].name}.exact: the optimum is {optimum}" in f.where
            for f in found
        )
    assert files == {*Path(*package.__path__).glob("*/optima/*.json")}


def test_a_proof_of_another_optimum_is_refused(tmp_path: Path) -> None:
    claim, witness = claim_of("dmlrs.dual_value"), witnesses.witness("dmlrs.dual_value")
    assert witness.proof is not None
    for folder in ("witnesses", "optima"):
        (tmp_path / folder).mkdir()
    proof = tmp_path / "optima" / "dual_value.json"
    own = witness.proof.parents[1] / "witnesses" / "dual_value.json"
    (tmp_path / "witnesses" / "dual_value.json").write_bytes(own.read_bytes())
    proof.write_bytes((witness.proof.parent / "lemma8.json").read_bytes())
    with pytest.raises(ValueError, match="the optimum of the witness 'dual_value' is not proven: "):
        replace(witness, proof=proof).replay(claim)
    lemma8 = witness.proof.parents[1] / "witnesses" / "lemma8.json"
    (tmp_path / "witnesses" / "dual_value.json").write_bytes(lemma8.read_bytes())
    with pytest.raises(ValueError, match=r"is compared with 1, but dmlrs\.exact: the optimum is 16"):
        replace(witness, proof=proof).replay(claim)
    assert "proven" not in str(replace(witness, proof=None).replay(claim))
