from __future__ import annotations

import ast
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from schedproof.core.claims import claims
from schedproof.core.claims.claim import Finding
from schedproof.core.claims.claims import Filed
from schedproof.proofs_checks.trials import OutOfTime, draw
from tests.support import FAMILIES
from tests.witnesses import FILES, claim_of, witness

ROOT = Path(__file__).parents[2]
LISTED = {  # short ids of the statements that were to be judged; more may have been found
    "preemptive": """constraints_equivalent eq4e_redundant theorem1_reduction lemma1 eq5_marginal lemma2 lemma3 theorem2
        lemma4 lemma5 theorem3_lp theorem3_ilp theorem3_minlp theorem4 capacitated_program capacitated_dual
        capacitated_theorem3""",
    "dmlrs": """fact1 ratio2 equivalence89 dual_value dp21 external23 price_blocks d0_half_opt dual_feasible
        theorem5_ratio theorem6_ratio theorem7 lemma8 lemma9 lemma10 lemma10_finite lemma1_cost lemma1_packing
        lemma1_cover_any lemma2_cost lemma2_cover lemma2_packing_any theorem3
        theorem4 theorem5_probability theorem6_probability""",
    "multiserver": """proposition1_convex proposition1_concave utilities_nice gradient30 algorithm1_projection
        first_port_enough bound48 diameter51 theorem1_constant theorem1_step53 theorem1_decayed sublinear_ports
        complexity multiple_arrivals gang_sublinear""",
    "jrp": """mkp_special_case split_equivalent lp_i_upper_bound prune_safe proposition1_accepts proposition1_iterations
        storage_test_feasible chernoff23 expectation27 theorem1""",
    "placement": """closed_interval5 program_schedules max_constraints reward_identity bayes11 mask12 masked_gradient
        factor_m13 pointer_equivariance dummy_never_sampled mean_embedding z_dominates_y bayes_monotone own_features
        window_optimal no_starvation terminates skip_reward shortcut_reach action_space pg_scores headline_average
        over_the_baselines vanilla_struggles table1_ranges synthetic_2_17
        np_hard embedding_layers feature_width time_varying_region optimus_best_baseline lighter_workload""",
}
ALWAYS_VIOLATED = {  # readings that every case violates, so that no case is benign
    "preemptive": {"one machine at a time", "every t >= r_j"},
    "dmlrs": {"every state is solved", "step 11 as printed"},
    "multiserver": {"the same setting", "j - i divides |R|", "K alone, one processor", "the printed Y"},
    "jrp": {"above the middle", "above another", "on average", "n is large enough"},
    "placement": {
        "slots in the system",
        "closed",
        "it adds nothing",
        "(6)",
        "alive as in (5)",
        "a_n = (j, x)",
        "each baseline",
        "the input is G^(0)",
        "over all t",
    },
}
CLAIMS = {id: filed for family in FAMILIES for id, filed in claims.of_family(family).items()}
each_family = pytest.mark.parametrize("family", FAMILIES)
each_claim = pytest.mark.parametrize("filed", CLAIMS.values(), ids=list(CLAIMS))
each_witness = pytest.mark.parametrize("name", FILES)


@each_family
def test_every_listed_claim_exists(family: str) -> None:
    assert {f"{family}.{name}" for name in LISTED[family].split()} <= claims.of_family(family).keys()


@each_family
def test_every_witness_file_belongs_to_a_claim(family: str) -> None:
    assert {name.partition("-")[0] for name in FILES if name.startswith(f"{family}.")} <= claims.of_family(
        family
    ).keys()


@each_witness
def test_a_stored_witness_replays_and_wrong_copies_do_not(name: str) -> None:
    claim, stored = claim_of(name), witness(name)
    assert stored.replay(claim)
    for reading, (measured, claimed) in stored.expected.items():
        for wrong in ((measured + 1, claimed), (measured, claimed + Fraction(1, 7))):
            with pytest.raises(ValueError, match="gives"):
                replace(stored, expected={reading: wrong}).replay(claim)


@each_witness
def test_a_case_without_a_violation_is_no_witness(name: str) -> None:
    claim, stored = claim_of(name), witness(name)
    for violated in stored.expected.keys() - ALWAYS_VIOLATED[claim.family]:
        reading, found = claim.read_as(violated), []

        def keep_one(case: Any, reading: Any = reading, found: list[Any] = found) -> None:
            finding = claim.ask(reading, case)
            if isinstance(finding, Finding) and not finding.violated:
                found.append((case, finding))
                raise OutOfTime

        with suppress(OutOfTime):
            draw(claim.domain.strategy, 60, 0, keep_one)
        case, finding = found[0]
        benign = replace(stored, case=case, expected={violated: (finding.measured, finding.claimed)})
        with pytest.raises(ValueError, match="does not violate"):
            benign.replay(claim)


@each_claim
def test_a_claim_is_complete(filed: Filed) -> None:
    claim = filed.claim
    assert claim.readings and claim.statement and claim.source.place
    if claim.evaluable:
        assert claim.domain.regimes and claim.false_variants
        proved = all(reading.proof or reading.exhaustive for reading in claim.readings)
        assert proved or (claim.repaired is not None and not claim.id.endswith("_repaired"))


@each_claim
def test_the_stored_cases_of_a_claim_do_all_that_trials_must(filed: Filed) -> None:
    claim, stored = filed.claim, filed.cases()
    compared = [case for case in stored if any(isinstance(answer, Finding) for answer in claim.answers(case))]
    for regime in claim.domain.regimes:
        assert any(regime.reached(case) for case in compared), regime.name
    tried = [*stored, *(witness.case for witness in filed.witnesses())]
    for variant in claim.false_variants:
        assert any(claim.rejects(variant, case) for case in tried), variant.name


@each_family
def test_checks_import_neither_solvers_nor_the_checked_code(family: str) -> None:
    allowed = {"check", "core", "families", "instances", "proofs_checks", "reference"}
    files = [*(ROOT / "schedproof" / "proofs_checks" / family).rglob("*.py")]
    for path in [*files, ROOT / "schedproof" / "reference" / f"{family}.py"]:
        for node in ast.walk(ast.parse(path.read_text())):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            ours = [name for name in names if name.startswith("schedproof.")]
            assert {name.split(".")[1] for name in ours} <= allowed, f"{path.name}: {ours}"
            assert not any(name.startswith("schedproof.core.solvers") for name in ours), path.name


PARTS = ("## Statement", "## Witness", "## Repaired")
LEAD_PARTS = ("## The paper says", "## Take", "## Then", "## True instead")


@each_family
def test_every_refutation_has_a_page_and_every_page_a_claim(family: str) -> None:
    verdicts = {id: row["verdict"] for id, row in claims.ledger(family).items()}
    severe = {id for id, verdict in verdicts.items() if verdict.startswith("refuted") and CLAIMS[id].claim.severity}
    assert severe == {id for id, verdict in verdicts.items() if verdict.startswith("refuted")}
    pages = {f"{family}.{path.stem}": path for path in (ROOT / "docs" / "refutations" / family).glob("*.md")}
    assert {id for id, verdict in verdicts.items() if verdict.startswith("refuted")} <= pages.keys() <= CLAIMS.keys()
    for id, path in pages.items():
        text = path.read_text()
        lead = "## Take" in text
        for heading in (*(LEAD_PARTS if lead else PARTS), "## Readings"):
            assert heading in text, f"{path} lacks '{heading}'"
        for name, file in FILES.items():
            assert name.partition("-")[0] != id or file.stem in text, f"{path} does not name {file.stem}"
