from __future__ import annotations

import importlib.util
import json
import re
import shutil
import subprocess
from collections import Counter
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType

import pytest

from schedproof.core.claims import claims
from schedproof.core.claims.argument import Formal, Proof
from schedproof.core.errors import SchedproofError
from schedproof.experiments import formal
from tests.support import FAMILIES

ROOT = Path(__file__).parent.parent
PROOFS = ROOT / "proofs"
LABELS = {"formal core": 1, "formal": 2}
HELPERS = {"sum", "upto", "upto_nat", "total_nat", "count", "ceiling", "falling", "nonneg"}  # arithmetic, of no paper
NAMED = {id: f.claim for name in FAMILIES for id, f in claims.of_family(name).items() if formal.theorems(f.claim)}


def script() -> ModuleType:
    loader = SourceFileLoader("ci_proofs", str(ROOT / ".ci" / "proofs"))
    spec = importlib.util.spec_from_loader(loader.name, loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


CHECK = script()


@pytest.fixture
def planted(tmp_path: Path) -> Path:
    for file in PROOFS.glob("*.v"):
        shutil.copy(file, tmp_path)
    return tmp_path


@pytest.mark.parametrize("id", NAMED)
def test_each_theorem_that_a_claim_names_is_in_its_file(id: str) -> None:
    for file, theorem in formal.theorems(NAMED[id]):
        assert theorem in CHECK.theorem_names(PROOFS / file)


def test_the_page_shows_the_statements_as_the_files_have_them() -> None:
    page = formal.page()
    shown = re.findall(r"^## (\w+\.\w+)$", page.partition("\n# Definitions\n")[0], re.M)
    rows = {id: row for name in FAMILIES for id, row in claims.ledger(name).items()}
    assert {id for id, row in rows.items() if row["evidence"] in LABELS} == {*shown} <= NAMED.keys()
    for id in shown:
        for file, theorem in formal.theorems(NAMED[id]):
            stated = formal.used(file, theorem)[-1].text
            assert stated in page and stated in (PROOFS / file).read_text(encoding="utf-8")


def test_the_ledger_has_the_least_formal_label_of_the_readings_that_hold() -> None:
    for name in FAMILIES:
        for id, row in claims.ledger(name).items():
            claim = claims.claim(id)
            held = [r for r in row["readings"].values() if r["state"] in ("holds", "holds_under_assumption")]
            if row["evidence"] in LABELS:
                assert held and min(LABELS.get(r["evidence"], 0) for r in held) == LABELS[row["evidence"]], id
            for reading in claim.readings:
                said = row["readings"][reading.name]
                if said["evidence"] in (*LABELS, "prose proof"):
                    saved = said["state"] == "holds_under_assumption"
                    proof = claim.assumption.proof if saved and claim.assumption else reading.proof
                    assert proof is not None and proof.label == said["evidence"], id


def faults(proof: Formal) -> list[str]:
    """Return the violations of the rule for formal proofs in docs/contributing.md."""
    if proof.label == "formal core":
        return [] if re.fullmatch(r"[^.]+", proof.outside) else ["the rest is not one phrase"]
    meaning = {row: {name for one in formal.used(*row)[:-1] for name in one.names} for row in proof.theorems}
    defined = set().union(*meaning.values()) - HELPERS
    found = [f"{name} is no definition that the theorems use" for name in proof.objects if name not in defined]
    return found + [f"{row[1]} is about no object" for row, names in meaning.items() if not names & {*proof.objects}]


@pytest.mark.parametrize("id", NAMED)
def test_a_formal_claim_has_its_objects_in_coq_and_a_formal_core_names_the_rest(id: str) -> None:
    for proof in formal.proofs(NAMED[id]):
        assert proof.formal is not None and not faults(proof.formal)


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("Coq: rows.v gang_deterministic. Objects: row. Words.", "row is no definition that the theorems use"),
        ("Coq: jrp.v line19. Objects: sum. Words.", "sum is no definition that the theorems use"),
        ("Coq: jrp.v both_ways, line19. Objects: split16. Words.", "both_ways is about no object"),
        ("Coq, core: jrp.v both_ways. Outside: e.g. all. Words.", "the rest is not one phrase"),
    ],
)
def test_a_wrong_label_is_found(line: str, fault: str) -> None:
    assert fault in faults(Formal.parse(line))


NOT_FORMAL = """dmlrs.external23_repaired multiserver.gang_deterministic dmlrs.lemma9 dmlrs.ratio2
dmlrs.d0_half_opt dmlrs.any_job_admitted jrp.mkp_special_case_repaired jrp.time23_communication_repaired
preemptive.theorem3_lp_repaired preemptive.theorem3_ilp_repaired preemptive.theorem3_ilp_fluid_repaired"""


@pytest.mark.parametrize("id", NOT_FORMAL.split())
def test_arithmetic_or_lemmas_alone_are_a_formal_core(id: str) -> None:
    assert {proof.label for proof in formal.proofs(NAMED[id])} == {"formal core"}


def symbols(text: str) -> list[int]:
    return [match.start() for match in re.finditer(r"<=|->|\+|\*", text)]


FILES = sorted({row[0] for claim in NAMED.values() for row in formal.theorems(claim)})


@pytest.mark.parametrize("file", FILES)
def test_a_statement_that_is_changed_by_one_symbol_is_caught(
    file: str, planted: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    claim, theorem = next(
        (claim, row[1]) for claim in NAMED.values() for row in formal.theorems(claim) if row[0] == file
    )
    digest = formal.digest(claim)
    stated = formal.used(file, theorem)[-1].text
    place = symbols(stated)[-1]
    changed = stated[:place] + stated[place + 1 :]
    text = (planted / file).read_text(encoding="utf-8")
    assert text.count(stated) == 1
    (planted / file).write_text(text.replace(stated, changed), encoding="utf-8")
    monkeypatch.setattr(formal, "FOLDER", planted)
    formal.vocabulary.cache_clear()
    try:
        assert formal.digest(claim) != digest
    finally:
        formal.vocabulary.cache_clear()


DEFINITION = (
    rf"(?:(?:Program )?Definition|Fixpoint|Inductive|Record|Let|Notation|Infix|{CHECK.IN_SECTIONS})\s+\W*([\w']+)"
)
OTHER = (
    r"(?:Section|End|From|(?:Local )?(?:Open|Close) Scope|Import|Export|Implicit Types|Arguments|Ltac|Opaque|Extract\w*"
    rf"|Extraction|Next Obligation|{formal.STATES})\b"
)


def outside_proofs(file: Path) -> list[tuple[str, tuple[str, ...]]]:
    """Return the sentences of a file outside proofs, each with the open sections."""
    found, sections, proving = list[tuple[str, tuple[str, ...]]](), list[str](), False
    for raw in re.split(r"(?<=\.)(?=\s)", CHECK.code(file)):
        words = raw.strip()
        if words.startswith("Section "):
            sections.append(words.split()[1].rstrip("."))
        elif sections and words == f"End {sections[-1]}.":
            sections.pop()
        proving |= words.startswith(("Proof", "Next Obligation"))
        if words and not proving:
            found.append((words, tuple(sections)))
        proving &= not re.search(r"\b(Qed|Defined)\.$", words)
    return found


@pytest.mark.parametrize("file", sorted(path.name for path in PROOFS.glob("*.v")))
def test_each_sentence_outside_proofs_is_of_a_known_kind(file: str) -> None:
    for words, _ in outside_proofs(PROOFS / file):
        assert re.match(f"{DEFINITION}|{OTHER}", words), words


def another_symbol(text: str) -> str:
    """Return a sentence with its last number, operator or letter changed."""
    last = [*re.finditer(r"\d+|<=|<|->|[-+*=]|[A-Za-z]", text)][-1]
    return f"{text[: last.start()]}{'7' if last[0] != '7' else '8'}{text[last.end() :]}"


@pytest.mark.parametrize("file", FILES)
def test_a_definition_that_is_changed_by_one_symbol_changes_the_digest(
    file: str, planted: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each definition, variable or hypothesis whose name the page shows with a claim's theorem."""
    monkeypatch.setattr(formal, "FOLDER", planted)
    sentences, changed, text = outside_proofs(PROOFS / file), set[str](), (planted / file).read_text(encoding="utf-8")
    shown = [(claim, row[1]) for claim in NAMED.values() for row in formal.theorems(claim) if row[0] == file]
    for claim, theorem in shown:
        words, digest = {*re.findall(r"[\w']+", formal.statement(file, theorem))}, formal.digest(claim)
        place = next(n for n, (one, _) in enumerate(sentences) if re.match(rf"(?:{formal.STATES})\s+{theorem}\b", one))
        for one, sections in sentences[:place]:
            name = re.match(DEFINITION, one)
            around = sentences[place][1][: len(sections)] == sections
            if name is None or name[1] not in words or not around or one in changed or text.count(one) != 1:
                continue
            (planted / file).write_text(text.replace(one, another_symbol(one)), encoding="utf-8")
            formal.vocabulary.cache_clear()
            assert formal.digest(claim) != digest, one
            changed.add(one)
            (planted / file).write_text(text, encoding="utf-8")
            formal.vocabulary.cache_clear()
    assert changed


def test_a_review_covers_the_current_text() -> None:
    for id, entry in formal.compared().items():
        assert entry.keys() == {"name", "date", "digest"} and entry["digest"] == formal.digest(NAMED[id]), id


def test_a_comparison_counts_only_for_the_statement_that_was_compared(
    planted: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = next(id for id in NAMED if claims.ledger(id.partition(".")[0])[id]["evidence"] in LABELS)
    monkeypatch.setattr(formal, "FOLDER", planted)
    for digest, count in ((formal.digest(NAMED[id]), 1), ("0" * 16, 0)):
        entry = {"name": "A reader", "date": "2026-11-24", "digest": digest}
        (planted / "compared.json").write_text(json.dumps({id: entry}))
        assert f"A human has compared {count} of the" in formal.page()


def test_the_table_of_labels_has_each_claim_with_a_theorem() -> None:
    labelled = {id for name in FAMILIES for id, row in claims.ledger(name).items() if row["evidence"] in LABELS}
    assert set(re.findall(r"^\| `([\w.]+)` \| \S", formal.labels(), re.MULTILINE)) == labelled


def test_the_ledgers_page_counts_prose_proofs() -> None:
    found = Counter(row["evidence"] for name in FAMILIES for row in claims.ledger(name).values())
    assert f"and {found['prose proof']} have a *prose proof*" in (ROOT / "docs/ledger.md").read_text(encoding="utf-8")


def test_the_page_for_a_reader_links_each_definition_to_its_line() -> None:
    page = formal.reading()
    assert (
        {*formal.AXIOMS}
        == CHECK.ALLOWED
        == {*re.findall(r"`(\w+\.\w+)`", page.partition("They are ")[2].split("\n")[0])}
    )
    links = re.findall(r"\[`([\w']+)`\]\(../../proofs/(\w+\.v)#L(\d+)\)", page)
    for name, file, line in links:
        assert name in re.findall(r"[\w']+", (PROOFS / file).read_text(encoding="utf-8").splitlines()[int(line) - 1])
    every = [row for rows in formal.BEHIND_CERTIFICATES.values() for row in rows]
    every += [row for id in formal.END_TO_END for row in formal.theorems(NAMED[id])]
    assert {(theorem, file) for file, theorem in every} <= {link[:2] for link in links}
    assert len({id.partition(".")[0] for id in formal.END_TO_END}) == len(FAMILIES)


@pytest.mark.parametrize("file", ["README.md", "docs/ledger.md", "CHANGELOG.md"])
def test_the_counts_of_labels_are_those_of_the_ledger(file: str) -> None:
    found = Counter(row["evidence"] for name in FAMILIES for row in claims.ledger(name).values())
    text = (ROOT / file).read_text(encoding="utf-8")
    (counts,) = re.findall(r"(\d+) claims (?:are )?\*?(?:formal|fully)\b\D+(\d+) (?:have|partly|with)", text)
    assert counts == (str(found["formal"]), str(found["formal core"]))


def test_every_theorem_is_proved() -> None:
    assert CHECK.main([str(PROOFS), "--text"]) == 0


@pytest.mark.parametrize(
    "planted_words",
    [
        "Lemma no : 0 = 1. Proof. Admitted.",
        "Lemma no : 0 = 1. Proof. admit. Qed.",
        "Axiom no : 0 = 1.",
        "Parameter no : 0 = 1.",
        "Hypothesis no : 0 = 1.",
        "Section S. End S. Variable no : 0 = 1.",
        "Unset Guard Checking.",
        "Require Import Elsewhere.",
        "Lemma yes : 0 = 0. Proof. try (simpl in *); reflexivity. Qed. Axiom no : 0 = 1.",
    ],
)
def test_planted_faults_are_found_by_text_search(
    planted_words: str, planted: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with (planted / "sums.v").open("a", encoding="utf-8") as file:
        file.write(f"\n{planted_words}\n")
    assert CHECK.main([str(planted), "--text"]) == 1
    assert "sums.v: " in capsys.readouterr().out


def test_a_comment_is_no_proof_and_no_fault(planted: Path) -> None:
    with (planted / "sums.v").open("a", encoding="utf-8") as file:
        file.write("\n(* nothing is (* Admitted *) here. Axiom a : 0 = 1. *)\n")
    assert CHECK.main([str(planted), "--text"]) == 0


@pytest.mark.parametrize(("ci", "code"), [("true", 1), ("", 0)])
def test_unchecked_proofs_are_a_fault_only_in_ci(
    ci: str, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CI", ci)
    monkeypatch.setattr(CHECK.shutil, "which", lambda _: None)
    monkeypatch.setattr(CHECK, "INSTALL", ["false"])
    monkeypatch.setattr(CHECK.subprocess, "run", lambda *_, **__: None)
    assert CHECK.main([str(PROOFS)]) == code
    assert capsys.readouterr().out == "Coq is not installed, and 'false' failed: the proofs are not checked\n"


def test_ci_checks_the_proofs() -> None:
    run = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert "\nbeside proofs nice .ci/proofs\n" in run and "\nfinish proofs\n" in run


def test_ci_ends_with_the_output_of_a_command_that_failed_beside_others() -> None:
    run = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    first = ("set ", "reports=", "declare ", "beside()", "finish()")
    lines = [line for line in run if line.startswith(first)]
    lines += [
        "beside right echo yes",
        "beside wrong bash -c 'echo why; exit 3'",
        "finish right",
        "finish wrong",
        "echo no",
    ]
    done = subprocess.run(["bash", "-c", "\n".join(lines)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "yes\nwhy\n")


@pytest.mark.skipif(shutil.which("coqc") is None, reason="Coq is not installed")
@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("Theorem no : 0 = 1. Proof. reflexivity. Qed.", "does not compile"),
        ("From Coq Require Import Eqdep. Theorem no : forall (A : Type) (P : A -> Type) (a : A) (p : P a) "
         "(e : a = a), p = eq_rect a P p a e. Proof. intros. apply Eq_rect_eq.eq_rect_eq. Qed.", "assumes"),
    ],
)  # fmt: skip
def test_coq_finds_false_statements_and_extra_assumptions(
    text: str, fault: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "one.v").write_text(text)
    assert CHECK.main([str(tmp_path)]) == 1
    assert fault in capsys.readouterr().out


# --- the line that names a theorem -----------------------------------------------------------------------------------


def test_a_proof_names_its_theorems() -> None:
    proof = Proof(
        "Easy.\nCoq: sums.v sum_le, sum_plus; ascent.v step. Objects: space,\nascent. It is clear.\n- *Is it?* Yes."
    )
    theorems = (("sums.v", "sum_le"), ("sums.v", "sum_plus"), ("ascent.v", "step"))
    assert proof.formal == Formal(theorems, ("space", "ascent"), "", "It is clear.")
    assert (proof.text, proof.label) == ("Easy.", "formal")
    core = Proof("Easy.\nCoq, core: sums.v sum_le. Outside: the policy. It is online.\n- *Is it?* Yes.")
    assert core.formal == Formal(theorems[:1], (), "the policy", "It is online.") and core.label == "formal core"
    assert Proof("Easy.\n- *Is it?* Yes.").label == "prose proof"
    assert Proof("Cited: Nobody (1900), Theorem 1.").label == "cited"


@pytest.mark.parametrize(
    "line",
    [
        "Coq: sums.v. Objects: row. No theorem.",
        "Coq: sum_le. Objects: row. No file.",
        "Coq: sums.v sum_le. No objects.",
        "Coq, core: sums.v sum_le. Nothing outside.",
    ],
)
def test_a_line_without_a_theorem_is_rejected(line: str) -> None:
    with pytest.raises(ValueError, match=r"expected 'Coq: file\.v theorem"):
        Proof(f"Easy.\n{line}\n- *Is it?* Yes.")


@pytest.mark.parametrize("row", [("sums.v", "nothing"), ("nothing.v", "sum_le")])
def test_an_unknown_theorem_is_rejected(row: tuple[str, str]) -> None:
    with pytest.raises(SchedproofError, match=r"there is no (theorem nothing in|file) proofs/"):
        formal.statement(*row)
