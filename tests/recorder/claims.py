"""Sections about claims: texts, answers of their checks, witnesses, stored files."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.recorder.product import EMBEDDED, Items


def claims() -> Items:
    """The data of each claim, without its code."""
    import schedproof as sp

    yield from ((id, functools.partial(lambda id: claim_row(sp.claim(id)), id)) for id in all_claims())


def all_claims() -> list[str]:
    from schedproof.core.claims.claims import of_family

    return [id for family in EMBEDDED for id in of_family(family)]


def claim_row(claim: Any) -> dict[str, Any]:
    return {
        "source": str(claim.source),
        "statement": claim.statement,
        "severity": claim.severity,
        "repaired by": claim.repaired_by,
        "readings": [
            {
                "name": reading.name,
                "sentence": reading.sentence,
                "missing": reading.missing,
                "proof": proof_row(reading.proof),
                "exhaustive": reading.exhaustive and [reading.exhaustive.domain, reading.exhaustive.size],
            }
            | ({"where": [premise.sentence for premise in reading.where]} if reading.where else {})
            for reading in claim.readings
        ],
        "case": claim.domain.case.__name__,
        "regimes": sorted(regime.name for regime in claim.domain.regimes),
        "false variants": sorted(variant.name for variant in claim.false_variants),
        "assumption": claim.assumption
        and [claim.assumption.name, claim.assumption.sentence, proof_row(claim.assumption.proof)],
    } | ({"premises": [one.sentence for one in claim.domain.premises]} if claim.domain.premises else {})


def proof_row(proof: Any) -> Any:
    if proof is None:
        return None
    return [
        " ".join(proof.text.split()),
        [[" ".join(words.split()) for words in pair] for pair in proof.answers.items()],
    ]


def answers() -> Items:
    """Findings of each reading, false variant, regime and assumption."""
    from schedproof.core.claims.claims import find

    def found(id: str) -> Any:
        filed = find(id)
        claim, cases = filed.claim, filed.cases()
        asked = (each for each in claim.readings if not each.missing)
        checks = {f"reading {each.name}": functools.partial(claim.ask, each) for each in asked}
        checks |= {f"false variant {each.name}": each.check for each in claim.false_variants}
        checks |= {f"regime {each.name}": each.reached for each in claim.domain.regimes}
        checks |= {"assumption": claim.assumption.met} if claim.assumption else {}
        return [{name: repr(check(case)) for name, check in checks.items()} for case in cases]

    yield from ((id, functools.partial(found, id)) for id in all_claims())


def witnesses() -> Items:
    """The current numbers of each stored witness, and its file."""
    from schedproof.core.claims.claims import find

    def replayed(id: str) -> Any:
        filed = find(id)
        return [
            [witness.to_json(), {name: str(found) for name, found in witness.replay(filed.claim).items()}]
            for witness in filed.witnesses()
        ]

    yield from ((id, functools.partial(replayed, id)) for id in all_claims())


def stored_in(pattern: str, name: Callable[[Path], str]) -> Items:
    import schedproof

    for file in sorted(Path(schedproof.__file__).parents[1].glob(pattern)):
        yield name(file), file.read_text


def stored() -> Items:
    """Stored files: coverage cases, ledgers, embedded instances, figures' numbers."""
    for name in ("cases.json", "ledger.json"):
        for where, read in stored_in(f"schedproof/proofs_checks/*/{name}", lambda file: file.parent.name):
            value = json.loads(read())
            found = value if name == "cases.json" else {row["id"]: row for row in value["claims"]}
            yield f"{name} of {where}: claims", functools.partial(list, found)
            for id, row in found.items():
                yield f"{name} {id}", lambda row=row: row
    yield from stored_in("schedproof/instances/embedded/*.json", lambda file: f"instance {file.name}")
    yield from stored_in("docs/**/*.csv", lambda file: f"numbers {file.parent.name}/{file.name}")
