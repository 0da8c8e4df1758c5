"""Every claim: its witnesses and their wrong copies, its planted variants, its page, its independence."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from schedproof.core import registry
from schedproof.core.claim import Claim, Witness
from schedproof.proofs_checks import dmlrs, jrp, multiserver, preemptive
from tests.proofs_checks import judging


@dataclass(frozen=True)
class Expected:
    """What a family's claims must be like.

    Attributes
    ----------
    listed
        Short ids of the statements that were to be judged; more may have been found.
    always_violated
        Readings that every case violates, so that no case is benign.
    """

    claims: dict[str, Claim]
    folder: Path
    listed: str
    always_violated: frozenset[str]


FAMILIES = {
    "preemptive": Expected(
        preemptive.CLAIMS,
        Path(preemptive.__file__).parent,
        """constraints_equivalent eq4e_redundant theorem1_reduction lemma1 eq5_marginal lemma2 lemma3 theorem2 lemma4
        lemma5 theorem3_lp theorem3_ilp theorem3_minlp theorem4 capacitated_program capacitated_dual
        capacitated_theorem3""",
        frozenset({"one machine at a time", "every t >= r_j"}),
    ),
    "dmlrs": Expected(
        dmlrs.CLAIMS,
        Path(dmlrs.__file__).parent,
        """fact1 ratio2 equivalence89 dual_value dp21 external23 price_blocks d0_half_opt dual_feasible theorem5_ratio
        theorem6_ratio theorem7 lemma8 lemma9 lemma10 lemma10_finite lemma1_cost lemma1_packing lemma1_cover_any
        lemma2_cost lemma2_cover lemma2_packing_any theorem3 theorem4 theorem5_probability theorem6_probability""",
        frozenset({"every state is solved", "step 11 as printed"}),
    ),
    "multiserver": Expected(
        multiserver.CLAIMS,
        Path(multiserver.__file__).parent,
        """proposition1_convex proposition1_concave utilities_nice gradient30 algorithm1_projection first_port_enough
        bound48 diameter51 theorem1_constant theorem1_step53 theorem1_decayed sublinear_ports complexity
        multiple_arrivals gang_sublinear""",
        frozenset({"j - i divides |R|", "K alone, one processor", "the printed Y"}),
    ),
    "jrp": Expected(
        jrp.CLAIMS,
        Path(jrp.__file__).parent,
        """mkp_special_case split_equivalent lp_i_upper_bound prune_safe proposition1_accepts proposition1_iterations
        storage_test_feasible chernoff23 expectation27 theorem1""",
        frozenset(),
    ),
}
CLAIMS = {id: claim for expected in FAMILIES.values() for id, claim in expected.claims.items()}
WITNESSES = {f"{claim.id}: {witness.name}": (claim, witness) for claim in CLAIMS.values() for witness in claim.stored()}
each_family = pytest.mark.parametrize("family", FAMILIES)
each_witness = pytest.mark.parametrize(("claim", "witness"), WITNESSES.values(), ids=list(WITNESSES))


@each_family
def test_every_listed_claim_is_there_and_registered(family: str) -> None:
    expected = FAMILIES[family]
    assert {f"{family}.{name}" for name in expected.listed.split()} <= set(expected.claims)
    assert expected.claims.items() <= registry.table("claims").items()
    assert all(claim.id == id and claim.family == family for id, claim in expected.claims.items())


@each_family
def test_every_witness_file_belongs_to_a_claim(family: str) -> None:
    stored = sorted(witness.name for claim, witness in WITNESSES.values() if claim.family == family)
    assert stored == sorted(path.stem for path in (FAMILIES[family].folder / "witnesses").glob("*.json"))


@each_witness
def test_a_stored_witness_replays_and_its_wrong_copies_do_not(claim: Claim, witness: Witness) -> None:
    judging.wrong_copies_do_not_replay(claim, witness)


@each_witness
def test_a_case_that_violates_nothing_is_no_witness(claim: Claim, witness: Witness) -> None:
    assert set(judging.benign_copies_do_not_replay(claim, witness)) <= FAMILIES[claim.family].always_violated


@pytest.mark.parametrize("claim", CLAIMS.values(), ids=list(CLAIMS))
def test_a_claim_is_complete(claim: Claim) -> None:
    judging.is_complete(claim, FAMILIES[claim.family].claims)


@each_family
def test_checks_import_no_solver_and_nothing_of_what_they_check(family: str) -> None:
    judging.imports_nothing_it_checks(FAMILIES[family].folder)


@each_family
def test_functions_that_witnesses_run_are_short(family: str) -> None:
    judging.functions_are_short(FAMILIES[family].folder)


@each_family
def test_every_refutation_has_its_page(family: str) -> None:
    refuted = judging.refuted(FAMILIES[family].claims)
    assert refuted
    for claim in refuted:
        judging.has_its_page(claim)


@each_family
def test_every_page_is_that_of_a_claim(family: str) -> None:
    names = sorted(page.stem for page in (judging.ROOT / "docs" / "refutations" / family).glob("*.md"))
    assert names
    for name in names:
        judging.has_its_page(FAMILIES[family].claims[f"{family}.{name}"])
