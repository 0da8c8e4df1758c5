"""The ledger: stored results of `verify`, and the pages made from them.

``python -m schedproof.experiments ledger docs`` writes ``docs/refutations/README.md``. With ``--verify`` it first
judges every claim, with the numbers of trials of SCHEDPROOF_PROFILE, and stores the results. With ``--cases`` it first
searches for small cases and stores them; together they reach every regime and contradict every false variant.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from schedproof.core.claims import cases, claims
from schedproof.core.claims.claim import Finding
from schedproof.core.claims.claims import Filed
from schedproof.core.runtime.files import encode, write_bytes
from schedproof.experiments.formal import formal_lines
from schedproof.experiments.mathematics import documented_families
from schedproof.proofs_checks.formulas import markdown
from schedproof.proofs_checks.trials import draw, profile_size
from schedproof.proofs_checks.verify import verify

ROOT = Path(__file__).parents[2]
FRONT = """# Refutations

A refutation concerns a printed sentence; it does not judge the paper. Each has a page with the witness worked by hand
and the nearest true version, and a script that recomputes the violated number from the paper's formula with only the
standard library: `python -I docs/refutations/preemptive/lemma2.py`.

## Eight to begin with
"""
LEADING = {  # id -> the printed claim in plain words, for the most important refutations
    "preemptive.lemma2": "The prices that the policy sets as it goes satisfy every row of the dual program (6).",
    "preemptive.theorem3_minlp": "On workers that are 1 + eps times as fast, A_online's total completion time is at "
    "most D_max (1 + 1/eps) times the optimum, D_max being the most chunks of a job.",
    "dmlrs.theorem5_ratio": "The optimum is at most (6 G/delta) max(1, ln(U/L)) times what PD-ORS earns, whose prices "
    "lie between L and U.",
    "dmlrs.external23": "For a job on several machines the smaller program (23) has the optimum of (19).",
    "multiserver.algorithm1_projection": "Algorithm 1 finds the feasible allocation that is nearest to a point.",
    "jrp.theorem1": "The algorithm serves at least (1 - 1/(2 eta) - 1/sqrt(2 pi eta)) times the optimum of its linear "
    "program, where servers have room for eta data nodes.",
    "jrp.lp_i_upper_bound": "No schedule serves more jobs than the linear program LP_I.",
    "jrp.proposition1_accepts": "Each iteration of the algorithm accepts a job, until it ends.",
}
SEVERITIES = {"false theorem": "False theorems", "false proof step": "False proof steps", "slip": "Slips"}


def front_page() -> str:
    """Return the index of refutations: the most important, then all by severity."""
    rows = {id: row for family in documented_families() for id, row in claims.ledger(family).items()}
    lines = [FRONT, *(line for id in LEADING for line in _lead(rows[id], rows))]
    for severity, title in SEVERITIES.items():
        lines += ["", f"## {title}", "", "| page | statement | witness |", "|---|---|---|"]
        for row in rows.values():
            if is_refuted(row) and row["severity"] == severity:
                lines.append(f"| {_page(row)} | {_cell(row['statement'])} | {_cell(first_witness(row))} |")
    return "\n".join(lines) + "\n"


def _lead(row: dict[str, Any], rows: dict[str, dict[str, Any]]) -> Iterator[str]:
    yield from (f"### {row['id']}", "", f"*{row['source']}*: {markdown(row['statement'])}", "")
    yield from (f"Witness: {markdown(first_witness(row))} [The page]({_place(row)}).", "")
    if row["repaired_by"]:
        repaired = rows[row["repaired_by"]]
        yield from (f"Repair ({repaired['evidence']}): {markdown(repaired['statement'])}", "")


def first_witness(row: Mapping[str, Any]) -> str:
    return str(next(iter(row["witnesses"].values())))


def _place(row: dict[str, Any]) -> str:
    return f"{row['id'].replace('.', '/')}.md"


def _page(row: dict[str, Any]) -> str:
    return f"[{row['id']}]({_place(row)})"


def _cell(text: str) -> str:
    return markdown(text).replace("|", "\\|")


def is_refuted(row: dict[str, Any]) -> bool:
    return str(row["verdict"]).startswith("refuted")


def account(row: dict[str, Any], filed: Filed) -> Iterator[str]:
    """Yield a claim's entry in the ledger in Markdown, with links from ``docs``."""
    claim = filed.claim
    yield from (f"*{claim.source}*, {_lines(filed)}.", "")
    severity = f", {row['severity']}" if is_refuted(row) else ""
    evidence = row["evidence"] if row["evidence"] != "none" else "no evidence"
    yield f"- verdict: **{claims.in_words(row['verdict'])}** ({evidence}{severity})"
    if row["assumption"]:
        yield f"- assumption: {row['assumption']}"
    for reading in claim.readings:
        state = row["readings"][reading.name]
        worst = row["worst"].get(reading.name, "")
        tail = f"; {'witness' if '(violated' in worst else 'tightest trial'}: {worst}" if worst else ""
        tail += f"; missing: {reading.missing}" if reading.missing else ""
        tail += f"; all {reading.exhaustive.size} cases of {reading.exhaustive.domain}" if reading.exhaustive else ""
        yield f"- reading *{reading.name}* ({reading.sentence}): {state['state']}, {state['evidence']}{tail}"
    yield from (f"- witness `{name}`: {note}" for name, note in row["witnesses"].items())
    if claim.evaluable:
        hits = ", ".join(f"{name} {count}" for name, count in row["regimes"].items())
        yield f"- {row['instances']} cases, seed {row['seed']}; coverage cases hit: {hits}"
    yield from map(_skipped, row["passed_over"].items())
    if row["repaired_by"]:
        yield f"- nearest true version: [{row['repaired_by']}](claims/{row['repaired_by'].replace('.', '/')}.md)"
    yield from (f"- blocked: {block}" for block in row["blocked_by"])
    proofs = {id(p): p for p in (*(r.proof for r in claim.readings), claim.assumption and claim.assumption.proof) if p}
    for proof in proofs.values():
        text = re.sub(r"\n(?=([-+=>]|\d+\.)( |$))", " ", proof.text, flags=re.M)  # no line begins a list
        yield from ("", "Reference." if proof.label == "cited" else "Proof (prose).", "", text, "")
        yield from (f"- *{objection}* {answer}" for objection, answer in proof.answers.items())
        yield from formal_lines(claim, proof)


def _skipped(passed_over: tuple[str, int]) -> str:
    why, count = passed_over
    premise = why.removeprefix("not ")
    return f"- {count} cases skipped: {why if premise == why else f'they violate the premise *{premise}*'}"


def _lines(filed: Filed) -> str:
    check = inspect.unwrap(filed.claim.readings[0].check)
    text = filed.file.read_text().splitlines()
    name = next((n for n, line in enumerate(text, 1) if line.startswith(f"def {check.__name__}(")), None)
    path = filed.file.relative_to(ROOT)
    return f"[`{path.name}`](../{path}{'' if name is None else f'#L{name}'})"


def store_cases(family: str) -> None:
    filed = claims.of_family(family)
    chosen = {id: [encode(cases.to_json(case)) for case in telling_cases(claim)] for id, claim in filed.items()}
    rows = (b'"%b": [\n%b\n]' % (id.encode(), b",\n".join(lines)) for id, lines in chosen.items() if lines)
    folder = next(iter(filed.values())).folder
    write_bytes(folder / "cases.json", b"{\n%b\n}\n" % b",\n".join(rows))


def telling_cases(filed: Filed) -> list[Any]:
    claim, least = filed.claim, dict[str, Any]()
    if not claim.evaluable:
        return []
    seen = [*filed.cases()]
    draw(claim.domain.strategy, profile_size(), 0, seen.append)
    known = [witness.case for witness in filed.witnesses()]
    variants = [v for v in claim.false_variants if not any(claim.rejects(v, case) for case in known)]
    for case in sorted(seen, key=cases.size, reverse=True):
        least |= {variant.name: case for variant in variants if claim.rejects(variant, case)}
        if any(isinstance(answer, Finding) for answer in claim.answers(case)):
            least |= {regime.name: case for regime in claim.domain.regimes if regime.reached(case)}
    return list({cases.text(cases.to_json(case)): case for case in least.values()}.values())


def main(arguments: Sequence[str] = ()) -> None:
    """Write the refutations' front page into a folder, ``docs`` by default.

    ``--cases`` first stores cases, and ``--verify`` first judges the claims.
    """
    folder, *words = arguments or ("docs",)
    families = documented_families()
    for family in families if "--cases" in words else ():
        store_cases(family)
    for family in families if "--verify" in words else ():
        folder_of_claims = next(iter(claims.of_family(family).values())).folder
        (folder_of_claims / "ledger.json").unlink(missing_ok=True)  # the store may have rows of deleted claims
        verify(family=family, store=folder_of_claims / "ledger.json")
    write_bytes(Path(folder) / "refutations" / "README.md", front_page().encode())
