"""The ledger: what `verify` found, kept as JSON beside the checks, and printed as ``docs/ledger.md``."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from schedproof.core import registry
from schedproof.core.files import write_bytes, write_json
from schedproof.proofs_checks.verify import LEDGER, Result

TITLE = """# Ledger of claims

Generated from `schedproof/proofs_checks/ledger.json` by `schedproof.experiments.ledger.write_ledger`; do not edit.
No verdict is written by hand: `schedproof verify` derives each one from stored witnesses, proofs, exhaustive checks and
trials, and ends with exit code 1 when one differs from this ledger. A refutation concerns a printed sentence, not a
paper's worth.

| verdict | meaning |
|---|---|
| holds | proved, or checked on all of a finite domain, in every reading |
| holds_under | true under the assumption named, with a proof, and a witness that it is needed |
| refuted_as_printed | a witness against the printed form, and a reading or small repair in which it is proved |
| refuted | a witness against every reading |
| ill_posed | not defined as printed |
| undecided | no counterexample in the trials, and no proof |
"""


def store(results: Iterable[Result], profile: str, path: Path = LEDGER) -> None:
    """Write the ledger file: one row per claim, without seconds, so that the same run gives the same file."""
    rows = [{k: v for k, v in r.to_json().items() if k not in ("seconds", "ledger", "found")} for r in results]
    write_json(path, {"profile": profile, "claims": rows})


def write_ledger(path: Path, ledger: Path = LEDGER) -> None:
    """Write ``docs/ledger.md`` from the ledger file."""
    write_bytes(path, markdown(json.loads(ledger.read_text())).encode())


def markdown(ledger: dict[str, Any]) -> str:
    """The ledger as a page: a table of verdicts, then one section per claim."""
    rows = ledger["claims"]
    lines = [TITLE, f"Trials: profile `{ledger['profile']}`.", ""]
    lines += ["| claim | verdict | evidence | instances | page |", "|---|---|---|---|---|"]
    lines += [_line(row) for row in rows]
    for row in rows:
        lines += ["", *_section(row)]
    return "\n".join(lines) + "\n"


def refuted(row: dict[str, Any]) -> bool:
    """Whether a row is a refutation, which has a page of its own."""
    return str(row["verdict"]).startswith("refuted")


def _line(row: dict[str, Any]) -> str:
    family, _, short = row["id"].partition(".")
    page = f"[{short}](refutations/{family}/{short}.md)" if refuted(row) else ""
    return (
        f"| [{row['id']}](#{_anchor(row['id'])}) | {row['verdict']} | {row['evidence']} | {row['instances']} | {page} |"
    )


def _section(row: dict[str, Any]) -> Sequence[str]:
    claim = registry.table("claims")[row["id"]]
    lines = [f"## {row['id']}", "", f"{claim.statement}", "", f"*{claim.source}* (text: {claim.text}).", ""]
    lines.append(f"- verdict: **{row['verdict']}** ({row['evidence']})")
    if row["assumption"]:
        lines.append(f"- assumption: {row['assumption']}")
    for reading in claim.readings:
        state = row["readings"][reading.name]
        tail = f"; worst in trials: {row['worst'][reading.name]}" if reading.name in row["worst"] else ""
        lines.append(f"- reading *{reading.name}* ({reading.sentence}): {state['state']}, {state['evidence']}{tail}")
    lines += [f"- witness `{name}`: {note}" for name, note in row["witnesses"].items()]
    hits = ", ".join(f"{name} {count}" for name, count in row["regimes"].items())
    lines.append(f"- {row['instances']} instances, seed {row['seed']}; regimes hit: {hits}")
    if row["repaired_by"]:
        lines.append(f"- nearest true version: [{row['repaired_by']}](#{_anchor(row['repaired_by'])})")
    lines += [f"- blocked: {block}" for block in row["blocked_by"]]
    return lines


def _anchor(id: str) -> str:
    return id.replace(".", "")
