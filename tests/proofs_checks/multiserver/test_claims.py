"""Every multiserver claim: its witnesses and their wrong copies, its planted variants, its page, its independence."""

from __future__ import annotations

from pathlib import Path

import pytest

from schedproof.core import registry
from schedproof.proofs_checks import multiserver
from schedproof.proofs_checks.multiserver import CLAIMS
from tests.proofs_checks import judging

HERE = Path(multiserver.__file__).parent
WITNESSES = [(claim, witness) for claim in CLAIMS.values() for witness in claim.stored()]
NAMES = [witness.name for _, witness in WITNESSES]
ALWAYS_VIOLATED = {"j - i divides |R|", "K alone, one processor", "the printed Y"}
LISTED = """proposition1_convex proposition1_concave utilities_nice gradient30 algorithm1_projection first_port_enough
bound48 diameter51 theorem1_constant theorem1_step53 theorem1_decayed sublinear_ports complexity multiple_arrivals
gang_sublinear"""


def test_every_listed_claim_is_there_and_registered():
    assert {f"multiserver.{name}" for name in LISTED.split()} <= set(CLAIMS)
    assert set(CLAIMS) <= set(registry.table("claims"))
    assert all(claim.id == id for id, claim in CLAIMS.items())


def test_every_witness_file_belongs_to_a_claim():
    assert sorted(NAMES) == sorted(path.stem for path in (HERE / "witnesses").glob("*.json"))


@pytest.mark.parametrize(("claim", "witness"), WITNESSES, ids=NAMES)
def test_a_stored_witness_replays_and_its_wrong_copies_do_not(claim, witness):
    judging.wrong_copies_do_not_replay(claim, witness)


@pytest.mark.parametrize(("claim", "witness"), WITNESSES, ids=NAMES)
def test_a_case_that_violates_nothing_is_no_witness(claim, witness):
    assert set(judging.benign_copies_do_not_replay(claim, witness)) <= ALWAYS_VIOLATED


@pytest.mark.parametrize("claim", CLAIMS.values(), ids=list(CLAIMS))
def test_a_claim_is_complete(claim):
    judging.is_complete(claim, CLAIMS)


def test_checks_import_no_solver_and_nothing_of_what_they_check():
    judging.imports_nothing_it_checks(HERE, judging.LIBRARY | {"flint"})


def test_functions_that_witnesses_run_are_short():
    judging.functions_are_short(HERE)


def test_every_refutation_has_its_page():
    for claim in judging.refuted(CLAIMS):
        judging.has_its_page(claim)


def test_every_page_is_that_of_a_claim():
    pages = (judging.ROOT / "docs" / "refutations" / "multiserver").glob("*.md")
    names = sorted(page.stem for page in pages)
    assert names
    for name in names:
        judging.has_its_page(CLAIMS[f"multiserver.{name}"])
