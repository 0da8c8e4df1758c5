"""Every preemptive claim: its witnesses and their wrong copies, its planted variants, its page, its independence."""

from __future__ import annotations

import ast
import inspect
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from schedproof.core import registry
from schedproof.core.claim import Case, has_proof
from schedproof.proofs_checks import preemptive
from schedproof.proofs_checks.preemptive import CLAIMS
from schedproof.proofs_checks.trials import draw

HERE = Path(preemptive.__file__).parent
PAGES = Path(__file__).parents[3] / "docs" / "refutations"
WITNESSES = [(claim, witness) for claim in CLAIMS.values() for witness in claim.stored()]
NAMES = [witness.name for _, witness in WITNESSES]
STANDARD = {
    "__future__",
    "collections",
    "dataclasses",
    "decimal",
    "fractions",
    "functools",
    "itertools",
    "pathlib",
    "typing",
}
LISTED = """constraints_equivalent eq4e_redundant theorem1_reduction lemma1 eq5_marginal lemma2 lemma3 theorem2 lemma4
lemma5 theorem3_lp theorem3_ilp theorem3_minlp theorem4 capacitated_program capacitated_dual capacitated_theorem3"""


def test_every_listed_claim_is_there_and_registered():
    assert {f"preemptive.{name}" for name in LISTED.split()} <= set(CLAIMS)
    assert set(CLAIMS) <= set(registry.table("claims"))
    assert all(claim.id == id for id, claim in CLAIMS.items())


def test_every_witness_file_belongs_to_a_claim():
    assert sorted(NAMES) == sorted(path.stem for path in (HERE / "witnesses").glob("*.json"))


@pytest.mark.parametrize(("claim", "witness"), WITNESSES, ids=NAMES)
def test_a_stored_witness_replays_and_its_wrong_copies_do_not(claim, witness):
    assert witness.replay(claim)
    for name, (measured, claimed) in witness.expected.items():
        for wrong in ((measured + 1, claimed), (measured, claimed + Fraction(1, 7))):
            with pytest.raises(ValueError, match="gives"):
                replace(witness, expected={name: wrong}).replay(claim)


@pytest.mark.parametrize(("claim", "witness"), WITNESSES, ids=NAMES)
def test_a_case_that_violates_nothing_is_no_witness(claim, witness):
    found: list[Case] = []
    for name in witness.expected:
        reading = claim.reading(name)

        def keep(case: Case, reading=reading) -> None:
            finding = reading.check(case)
            if finding is not None and not finding.violated:
                found.append(case)

        found.clear()
        draw(claim.strategy, 60, 0, keep)
        if not found:
            assert name in ("one machine at a time", "every t >= r_j")  # always violated
            continue
        finding = reading.check(found[0])
        benign = replace(witness, case=found[0], expected={name: (finding.measured, finding.claimed)})
        with pytest.raises(ValueError, match="does not violate"):
            benign.replay(claim)


@pytest.mark.parametrize("claim", CLAIMS.values(), ids=list(CLAIMS))
def test_a_claim_is_complete(claim):
    assert claim.readings and claim.regimes and claim.planted and claim.statement and claim.source
    assert not claim.repaired_by or claim.repaired_by in CLAIMS
    if claim.id.endswith("_repaired"):
        assert all(has_proof(reading.check) for reading in claim.readings)
    elif not all(has_proof(reading.check) for reading in claim.readings):
        assert claim.repaired_by == claim.id + "_repaired"
    for reading in claim.readings:
        assert len(inspect.getsource(inspect.unwrap(reading.check)).splitlines()) < 50


def test_checks_import_no_solver_and_nothing_of_what_they_check():
    allowed = {"schedproof.core", "schedproof.instances", "schedproof.proofs_checks"}
    for path in HERE.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for name in names:
                top = name.partition(".")[0]
                assert top in STANDARD | {"schedproof"}, f"{path.name}: {name}"
                assert top != "schedproof" or ".".join(name.split(".")[:2]) in allowed, f"{path.name}: {name}"
                assert not name.startswith("schedproof.core.solving"), f"{path.name}: {name}"


def test_functions_that_witnesses_run_are_short():
    for path in HERE.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef):
                assert node.end_lineno - node.lineno < 50, f"{path.name}: {node.name}"


def test_every_refutation_has_its_page():
    from schedproof.proofs_checks.verify import ledger_verdicts

    for id, verdict in ledger_verdicts().items():
        if id.startswith("preemptive.") and verdict.startswith("refuted"):
            page = PAGES / f"{id.partition('.')[2]}.md"
            text = page.read_text()
            for heading in ("## Statement", "## Readings", "## Witness", "## Repaired", "## Proof"):
                assert heading in text, f"{page.name} lacks '{heading}'"
            for witness in CLAIMS[id].stored():
                assert witness.name in text, f"{page.name} does not name {witness.name}"
