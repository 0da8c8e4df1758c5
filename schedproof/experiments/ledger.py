"""The ledger: what `verify` found, kept as JSON beside each family's claims, and printed as ``docs/ledger.md``.

``python -m schedproof.experiments.ledger docs`` prints the page anew; with ``--verify`` it judges every claim first,
at the sizes of SCHEDPROOF_PROFILE, and stores what it finds; with ``--cases`` it looks first for small cases that
together reach every regime and contradict every false variant, and stores them.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import schedproof
from schedproof.core import cases, claims, registry
from schedproof.core.claim import Finding, violates
from schedproof.core.claims import Filed
from schedproof.core.files import write_bytes, write_json
from schedproof.experiments.mathematics import documented
from schedproof.proofs_checks.trials import draw, profile, profile_size
from schedproof.proofs_checks.verify import Result, verify

ROOT = Path(schedproof.__file__).parent.parent
TITLE = """# Ledger of claims

Generated from the files `ledger.json` in `schedproof/proofs_checks` by `python -m schedproof.experiments.ledger docs`;
do not edit. No verdict is written by hand: `schedproof verify` derives each one from stored witnesses, proofs,
exhaustive checks and trials, and ends with exit code 1 when one differs from this ledger. A refutation concerns a
printed sentence, not a paper's worth.

| verdict | meaning |
|---|---|
| holds | proved, or checked on all of a finite domain, in every reading |
| holds_under | true under the assumption named, with a proof, and a stored witness that it is needed |
| refuted_as_printed | a stored witness against the printed form, and a reading or small repair in which it is proved |
| refuted | a stored witness against every reading |
| ill_posed | not defined as printed |
| undecided | no counterexample in the trials, and no proof |

| evidence | what was checked |
|---|---|
| exact certificate | the stored witness, evaluated anew in rationals or rigorous enclosures |
| exhaustive | every case of the finite domain named |
| prose proof | an argument with a sceptic's objections and answers; no machine has checked more than the cases |
| trials | drawn and stored cases alone: no verdict rests on them |

A refutation has a severity: a *false theorem*, a *false proof step*, or a *slip*; the pages stand [in that
order](refutations/README.md).
"""


def store(results: Iterable[Result], profile: str, path: Path) -> None:
    """Write a family's ledger: one row per claim, without seconds, so that the same run gives the same file.

    Parameters
    ----------
    profile
        Of the trials.
    path
        ``ledger.json`` beside the family's claims.
    """
    rows = [{k: v for k, v in r.to_json().items() if k not in ("seconds", "ledger", "found")} for r in results]
    write_json(path, {"profile": profile, "claims": rows})


def write_page(path: Path, families: Iterable[str]) -> None:
    """Write ``docs/ledger.md``: a table of verdicts, then one section per claim."""
    ledgers = {family: list(claims.ledger(family).values()) for family in families}
    lines = [TITLE, "| claim | verdict | evidence | cases | page |", "|---|---|---|---|---|"]
    lines += [_line(row) for rows in ledgers.values() for row in rows]
    for family, rows in ledgers.items():
        lines += ["", f"# {family}", "", f"Paper: {registry.family(family).paper}."]
        for row in rows:
            lines += ["", *_section(row, claims.find(row["id"]))]
    write_bytes(path, ("\n".join(lines) + "\n").encode())


def refuted(row: dict[str, Any]) -> bool:
    """Whether a row is a refutation, which has a page of its own."""
    return str(row["verdict"]).startswith("refuted")


def _line(row: dict[str, Any]) -> str:
    family, _, short = row["id"].partition(".")
    page = f"[{short}](refutations/{family}/{short}.md), {row['severity']}" if refuted(row) else ""
    link = f"[{row['id']}](#{row['id'].replace('.', '')})"
    return f"| {link} | {row['verdict']} | {row['evidence']} | {row['instances']} | {page} |"


def _section(row: dict[str, Any], filed: Filed) -> Iterator[str]:
    claim = filed.claim
    yield from (f"## {claim.id}", "", claim.statement, "")
    yield from (f"*{claim.source}* (text: {claim.text}), {_lines(filed)}.", "")
    severity = f", {row['severity']}" if refuted(row) else ""
    yield f"- verdict: **{row['verdict']}** ({row['evidence']}{severity})"
    if row["assumption"]:
        yield f"- assumption: {row['assumption']}"
    for reading in claim.readings:
        state = row["readings"][reading.name]
        tail = f"; closest in the cases: {row['worst'][reading.name]}" if reading.name in row["worst"] else ""
        tail += f"; missing: {reading.missing}" if reading.missing else ""
        tail += f"; all {reading.exhaustive.size} cases of {reading.exhaustive.domain}" if reading.exhaustive else ""
        yield f"- reading *{reading.name}* ({reading.sentence}): {state['state']}, {state['evidence']}{tail}"
    yield from (f"- witness `{name}`: {note}" for name, note in row["witnesses"].items())
    if claim.evaluable:
        hits = ", ".join(f"{name} {count}" for name, count in row["regimes"].items())
        yield f"- {row['instances']} cases, seed {row['seed']}; regimes hit: {hits}"
    yield from (f"- passed over {count} times: {why}" for why, count in row["passed_over"].items())
    if row["repaired_by"]:
        yield f"- nearest true version: [{row['repaired_by']}](#{row['repaired_by'].replace('.', '')})"
    yield from (f"- blocked: {block}" for block in row["blocked_by"])
    proofs = {id(p): p for p in (*(r.proof for r in claim.readings), claim.assumption and claim.assumption.proof) if p}
    for proof in proofs.values():
        yield from ("", "Proof (prose).", "", proof.text, "")
        yield from (f"- *{objection}* {answer}" for objection, answer in proof.answers.items())


def _lines(filed: Filed) -> str:
    """A link to the lines of the first reading's check, where it stands in the claim's own file."""
    check = inspect.unwrap(filed.claim.readings[0].check)
    text = filed.file.read_text().splitlines()
    name = next((n for n, line in enumerate(text, 1) if line.startswith(f"def {check.__name__}(")), None)
    path = filed.file.relative_to(ROOT)
    return f"[{path.name}](../{path}{'' if name is None else f'#L{name}'})"


def store_cases(family: str) -> None:
    """Write ``cases.json`` of a family: for every claim the small cases that tell most."""
    filed = claims.of_family(family)
    rows = {id: [cases.to_json(case) for case in telling_cases(claim)] for id, claim in filed.items()}
    folder = next(iter(filed.values())).folder
    write_bytes(folder / "cases.json", cases.text({id: row for id, row in rows.items() if row}))


def telling_cases(filed: Filed) -> list[Any]:
    """The smallest of the drawn cases for each regime and each false variant that the witnesses do not contradict."""
    claim, least = filed.claim, dict[str, Any]()
    if not claim.evaluable:
        return []
    seen = [*filed.cases()]
    draw(claim.domain.strategy, profile_size(), 0, seen.append)
    known = [witness.case for witness in filed.witnesses()]
    variants = [v for v in claim.false_variants if not any(violates(v.check, case) for case in known)]
    for case in sorted(seen, key=cases.size, reverse=True):
        least |= {variant.name: case for variant in variants if violates(variant.check, case)}
        if any(isinstance(r.check(case), Finding) for r in claim.readings if not r.missing):
            least |= {regime.name: case for regime in claim.domain.regimes if regime.reached(case)}
    return list({cases.text(cases.to_json(case)): case for case in least.values()}.values())


def main(folder: str, *words: str) -> None:
    """Print the page of this package's families into a folder; with ``--verify``, judge their claims first."""
    families = documented()
    for family in families if "--cases" in words else ():
        store_cases(family)
    for family in families if "--verify" in words else ():
        folder_of_claims = next(iter(claims.of_family(family).values())).folder
        store(verify(family=family), profile(), folder_of_claims / "ledger.json")
    write_page(Path(folder) / "ledger.md", families)


if __name__ == "__main__":
    main(*sys.argv[1:])
