"""Pages of the theorems that Coq checks, next to the claims that they prove.

``python -m schedproof.experiments formal docs`` writes ``docs/evidence/labels.md``, a table of labels,
``docs/evidence/reading.md``, the order of reading, and ``docs/evidence/formal.md`` for comparison by a human. For each
claim ``formal.md`` shows the statement, the readings, the part left to prose, and the formal statement. The definitions
follow, file by file. Comparisons are recorded in ``proofs/compared.json``: id -> name, date and the digest on the page.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from schedproof.core.base.untyped import Case
from schedproof.core.claims import claims
from schedproof.core.claims.argument import Formal, Proof
from schedproof.core.claims.claim import Claim, Reading
from schedproof.core.errors import SchedproofError
from schedproof.core.runtime.files import write_bytes
from schedproof.experiments.mathematics import documented_families
from schedproof.proofs_checks.formulas import markdown

FOLDER = Path(__file__).parents[2] / "proofs"
STATES = r"Theorem|Lemma|Corollary"
DEFINES = r"(?:Program )?Definition|Fixpoint|Inductive|Record|Notation"
SUPPOSES = r"Variables?|Hypothes[ie]s|Context|Let"
FRONT = """# Theorems that Coq checks

`.ci/proofs` checks the files of
[proofs](../../proofs/README.md). No machine can check whether a formal statement says the same as the printed one. This
page shows both for comparison by a human. Comparisons are recorded in [compared.json](../../proofs/compared.json) with
the digest below, which changes with every symbol of a statement, of the definitions, and of the part left to prose.

**{formal} claims are *formal*: the theorem is about the claim's objects, which the file defines. {core} have a *formal
core*: Coq has checked an inequality or a lemma of the argument, and the rest is named.
[The rule](../contributing.md#labels-of-proofs) is tested. A human has compared {compared} of the {all} claims with
their theorems.**
"""
LABELS = """# Labels of proofs

The claims with a theorem in Coq, by [the rule](../contributing.md#labels-of-proofs). A formal claim is proven for
objects that the files of [proofs](../../proofs/README.md) define. Of a formal core, the second column names the rest
of the argument. `python -m schedproof.experiments formal docs` writes this page from the claims and the ledger.
"""


READING = """# Read the formal proofs

**Order.** A statement needs its definitions only; they are linked below, in the order of the files. Start with
`sums.v`, then read the general theorems, then a family's file next to its paper. Proofs between `Proof.` and `Qed.` are
for Coq alone.

**Trusted.** Coq's kernel, and the axioms of the real numbers in Coq's standard library: `Print Assumptions` shows no
others for any theorem, and `.ci/proofs` fails otherwise. They are {axioms}.
That a definition says what the paper says is for a human to compare ([statements side by side](formal.md)).
The program `schedproof-verified` also rests on Coq's extraction to OCaml, on OCaml's compiler, and on
[verified.ml](../../proofs/verified.ml), which reads the files
([what it is told and what Python's checkers add](../../proofs/README.md)).

**Labels.** {formal} claims are *formal*, {core} have a *formal core*, {prose} have a *prose proof*
([ledger](../ledger.md), [all labels](labels.md)).
"""
AXIOMS = (  # of the real numbers in Coq's standard library
    "ClassicalDedekindReals.sig_forall_dec",
    "ClassicalDedekindReals.sig_not_dec",
    "FunctionalExtensionality.functional_extensionality_dep",
    "Classical_Prop.classic",
)
END_TO_END = (  # a claim of each family
    "preemptive.theorem3_minlp_repaired",
    "dmlrs.theorem5_ratio_repaired",
    "multiserver.theorem1_constant",
    "jrp.theorem1_repaired",
    "placement.online_ratio",
)
BEHIND_CERTIFICATES = {
    "Weak duality in sums, and the account of the gap": [("duality.v", "weak_duality"), ("duality.v", "accounting")],
    "A bound, with cones": [("checker.v", "check_bound_sound")],
    "A bound with unlisted columns, by a premise on their prices": [
        ("checker.v", "check_bound_generated"),
        ("checker.v", "check_bound_priced"),
    ],
    "Infeasibility (Farkas), also by branching": [("checker.v", "check_empty_sound")],
    "An optimum by branching": [("checker.v", "check_optimum_sound")],
    "An unbounded program": [("checker.v", "check_unbounded_sound")],
    "Potentials and cycles of any request-answer system": [
        ("potential.v", "competitive"),
        ("potential.v", "strict_upper"),
        ("potential.v", "not_competitive"),
    ],
    "A ratio of a listed system, from above and from below": [
        ("systems.v", "check_upper_sound"),
        ("systems.v", "check_lower_sound"),
        ("systems.v", "check_unlimited_sound"),
    ],
}


@dataclass(frozen=True)
class Sentence:
    """A sentence of a Coq file.

    Attributes
    ----------
    names
        The names that the sentence declares. A definition also declares the fields of a record or the rules of an
        inductive relation.
    sections
        The sections that are open at the sentence.
    """

    names: tuple[str, ...]
    kind: str
    sections: tuple[str, ...]
    text: str


def statement(file: str, theorem: str) -> str:
    """Return a theorem's text, after the definitions that the theorem uses.

    Raises
    ------
    SchedproofError
        For an unknown file or theorem.
    """
    return "\n".join(sentence.text for sentence in used(file, theorem))


def used(file: str, theorem: str) -> list[Sentence]:
    """Return the sentences of `statement`, the theorem last."""
    every = vocabulary(file)
    goal = next((s for s in every if theorem in s.names and s.kind == "states"), None)
    if goal is None:
        raise SchedproofError(f"there is no theorem {theorem} in proofs/{file}")
    wanted, grown = {goal}, True
    while grown:
        words = {word for sentence in wanted for word in _words(sentence.text)}
        around = {section for sentence in wanted for section in sentence.sections}
        more = {s for s in every if s.kind == "defines" and words & {*s.names}}
        more |= {s for s in every if s.kind == "supposes" and around & {*s.sections[-1:]}}
        wanted, grown = wanted | more, not more <= wanted
    return [sentence for sentence in every if sentence in wanted and sentence != goal] + [goal]


@cache
def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[\w']+", text))


@cache
def vocabulary(file: str) -> tuple[Sentence, ...]:
    """Return a file's sentences, after the sentences of the files that it imports."""
    path = FOLDER / file
    if not path.is_file():
        raise SchedproofError(f"there is no file proofs/{file}")
    sentences = dict[Sentence, None]()
    text = re.sub(r"\(\*.*?\*\)", "", path.read_text(encoding="utf-8"), flags=re.S)
    sections, proving = list[str](), False
    for raw in re.split(r"(?<=\.)(?=\s)", text):
        words = raw.strip("\n ")
        head = words.split(None, 2)
        if words.startswith("From Schedproof Require Import"):
            for name in words.removesuffix(".").split()[4:]:
                sentences |= dict.fromkeys(vocabulary(f"{name}.v"))
        elif head[:1] == ["Section"]:
            sections.append(head[1])
        elif head[:1] == ["End"] and sections:
            sections.pop()
        elif head[:1] == ["Proof."] or words.startswith(("Proof ", "Next Obligation")):
            proving = True
        elif re.search(r"\b(Qed|Defined)\.$", words):
            proving = False
        elif not proving and (kind := _kind(words)):
            sentences[Sentence(_names(words), kind, tuple(sections), words)] = None
    return tuple(sentences)


def _kind(words: str) -> str:
    kinds = {"states": STATES, "defines": DEFINES, "supposes": SUPPOSES}
    return next((kind for kind, heads in kinds.items() if re.match(rf"(?:{heads})\b", words)), "")


def _names(words: str) -> tuple[str, ...]:
    names = re.findall(rf"^(?:{STATES}|{DEFINES})\s+([\w']+)", words)
    if words.startswith("Record"):
        names += re.findall(r"[{;]\s*([\w']+)\s*:", words)
    if words.startswith("Inductive"):
        names += re.findall(r"\|\s*([\w']+)", words)
    return tuple(names)


# --- claims ----------------------------------------------------------------------------------------------------------


def proofs(claim: Claim[Case]) -> list[Proof]:
    """Return the different arguments of a claim that name a theorem."""
    every = [reading.proof for reading in claim.readings]
    every += [claim.assumption.proof] if claim.assumption else []
    return list({id(proof): proof for proof in every if proof is not None and proof.formal is not None}.values())


def theorems(claim: Claim[Case]) -> list[tuple[str, str]]:
    """Return file and name of each theorem that a claim names."""
    return list(dict.fromkeys(row for proof in proofs(claim) if proof.formal for row in proof.formal.theorems))


def digest(claim: Claim[Case]) -> str:
    """Return 16 digits that change with every symbol in statements or definitions."""
    said = [claim.statement, *(reading.sentence for reading in claim.readings)]
    said += [statement(*row) for row in theorems(claim)]
    said += [f"{_heading(proof.formal)} {proof.formal.bridge}" for proof in proofs(claim) if proof.formal]
    return hashlib.sha256("\n".join(said).encode()).hexdigest()[:16]


def formal_lines(claim: Claim[Case], proof: Proof) -> Iterator[str]:
    formal = proof.formal
    if formal is None:
        return
    yield from ("", f"{_heading(formal)} {formal.bridge}", "")
    for file, theorem in formal.theorems:
        yield from (f"`{theorem}` in `proofs/{file}`, and what it uses:", "", "```coq")
        yield from (statement(file, theorem), "```", "")


def _heading(formal: Formal) -> str:
    if formal.outside:
        return f"Formal core, checked by Coq. The Coq proof does not cover: {formal.outside}."
    return f"Formal, checked by Coq. Objects defined in Coq: {', '.join(f'`{name}`' for name in formal.objects)}."


def page() -> str:
    rows = {id: row for family in documented_families() for id, row in claims.ledger(family).items()}
    named = {id: claims.claim(id) for id, row in rows.items() if row["evidence"] in ("formal", "formal core")}
    seen = sum(entry["digest"] == digest(named[id]) for id, entry in compared().items() if id in named)
    count = Counter(rows[id]["evidence"] for id in named)
    lines = [FRONT.format(formal=count["formal"], core=count["formal core"], compared=seen, all=len(named))]
    for id, claim in named.items():
        lines += _entry(id, claim, rows[id]["evidence"])
    lines += ["## Definitions", "", "The definitions that the statements above use, file by file.", ""]
    for file in dict.fromkeys(row[0] for claim in named.values() for row in theorems(claim)):
        lines += _definitions(file, [row[1] for claim in named.values() for row in theorems(claim) if row[0] == file])
    return "\n".join(lines)


def _entry(id: str, claim: Claim[Case], evidence: str) -> Iterator[str]:
    yield from (
        f"## {id}",
        "",
        f"*{claim.source}*, {evidence}, digest `{digest(claim)}`.",
        "",
        f"> {markdown(claim.statement)}",
        "",
    )
    for reading in claim.readings:
        if reading.proof is not None:
            yield f"- Reading *{reading.name}*: {markdown(f'{reading.sentence} {_premises(reading)}'.strip())}"
    yield ""
    for proof in proofs(claim):
        for formal in [proof.formal] if proof.formal else []:
            yield from (f"{_heading(formal)} {formal.bridge}", "", "```coq")
            for file, theorem in formal.theorems:
                yield from (f"(* {file} *)", used(file, theorem)[-1].text)
            yield from ("```", "")


def _premises(reading: Reading[Case]) -> str:
    return f"Premises: {'; '.join(premise.sentence for premise in reading.where)}." if reading.where else ""


def _definitions(file: str, names: Sequence[str]) -> Iterator[str]:
    every = dict.fromkeys(sentence for name in names for sentence in used(file, name)[:-1])
    yield from (f"### {file}", "", "```coq", *(s.text for s in vocabulary(file) if s in every), "```", "")


def labels() -> str:
    """Return the page of labels of claims for which Coq has checked a theorem."""
    rows = {id: row for family in documented_families() for id, row in claims.ledger(family).items()}
    lines = [LABELS]
    for label, heading in (("formal", "objects in Coq"), ("formal core", "outside Coq")):
        here = {id: claims.claim(id) for id, row in rows.items() if row["evidence"] == label}
        lines += [f"## {label.capitalize()}: {len(here)} claims", "", f"| claim | {heading} |", "|---|---|"]
        lines += [f"| `{id}` | {_objects_or_rest(claim, label)} |" for id, claim in here.items()] + [""]
    return "\n".join(lines).rstrip() + "\n"


def _objects_or_rest(claim: Claim[Case], label: str) -> str:
    named = [proof.formal for proof in proofs(claim) if proof.formal and proof.formal.label == label]
    if label == "formal core":
        return "; ".join(dict.fromkeys(markdown(one.outside) for one in named))
    return ", ".join(dict.fromkeys(f"`{name}`" for one in named for name in one.objects))


def reading() -> str:
    """Return the page for a reader of Coq: order, trusted parts, main theorems."""
    rows = {id: row for family in documented_families() for id, row in claims.ledger(family).items()}
    count = Counter(row["evidence"] for row in rows.values())
    axioms = ", ".join(f"`{axiom}`" for axiom in AXIOMS)
    counts = {"formal": count["formal"], "core": count["formal core"], "prose": count["prose proof"]}
    lines = [READING.format(axioms=axioms, **counts), "## One guarantee of each family", ""]
    for id in END_TO_END:
        claim = claims.claim(id)
        outside = "; ".join(proof.formal.outside for proof in proofs(claim) if proof.formal and proof.formal.outside)
        rest = f" Outside Coq: {markdown(outside)}." if outside else ""
        lines += [f"### `{id}` ({rows[id]['evidence']})", "", f"{markdown(claim.statement)}{rest}", ""]
        lines += [*_to_read(theorems(claim)), ""]
    lines += ["## The theorems behind certificates", ""]
    for what, every in BEHIND_CERTIFICATES.items():
        lines += [f"### {what}", "", *_to_read(every), ""]
    return "\n".join(lines).rstrip() + "\n"


def _to_read(every: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Yield a line for each theorem, with its further definitions."""
    seen = dict[str, None]()
    for file, theorem in every:
        names = (s.names[0] for s in used(file, theorem)[:-1] if s.kind == "defines")
        new = [link for name in names if (link := declared(file, name)) not in seen]
        seen |= dict.fromkeys(new)
        yield f"- {declared(file, theorem)}" + (f": {', '.join(dict.fromkeys(new))}" if new else "")


def declared(file: str, name: str) -> str:
    """Return a link to the line of a file or its imports that declares a name.

    Raises
    ------
    SchedproofError
        If no line declares the name.
    """
    if link := _link(FOLDER / file, name):
        return link
    raise SchedproofError(f"no line of proofs/{file} or its imports declares {name}")


@cache
def _link(path: Path, name: str) -> str:
    """Return the link of `declared`, or an empty text."""
    text = path.read_text(encoding="utf-8")
    if found := re.search(rf"(?:^|\.\s)\s*(?:{STATES}|{DEFINES})\s+{re.escape(name)}(?![\w'])", text, re.MULTILINE):
        return f"[`{name}`](../../proofs/{path.name}#L{text.count(chr(10), 0, found.end()) + 1})"
    imported = re.findall(r"^From Schedproof Require Import ([\w ]+)\.", text, re.MULTILINE)
    links = (_link(path.with_name(f"{other}.v"), name) for words in imported for other in words.split())
    return next(filter(None, links), "")


def compared() -> dict[str, dict[str, str]]:
    """Return the comparisons by a human: name, date and digest by id."""
    rows: dict[str, dict[str, str]] = json.loads((FOLDER / "compared.json").read_text(encoding="utf-8"))
    return rows


def main(arguments: Sequence[str] = ()) -> None:
    folder = Path(*arguments[:1] or ("docs",))
    write_bytes(folder / "evidence" / "formal.md", page().encode())
    write_bytes(folder / "evidence" / "labels.md", labels().encode())
    write_bytes(folder / "evidence" / "reading.md", reading().encode())
