"""What every family's claims are tested for: witnesses and their wrong copies, completeness, independence, pages."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from schedproof.core.claim import Case, Claim, Witness, has_proof
from schedproof.proofs_checks.trials import draw
from schedproof.proofs_checks.verify import ledger_verdicts

ROOT = Path(__file__).parents[2]
LONGEST = 50  # lines of a function that a witness runs
LIBRARY = {
    "__future__",
    "collections",
    "dataclasses",
    "decimal",
    "fractions",
    "functools",
    "itertools",
    "math",
    "pathlib",
    "typing",
}


def wrong_copies_do_not_replay(claim: Claim, witness: Witness) -> None:
    """The witness replays; with another number in its file it does not."""
    assert witness.replay(claim)
    for name, (measured, claimed) in witness.expected.items():
        for wrong in ((measured + 1, claimed), (measured, claimed + Fraction(1, 7))):
            with pytest.raises(ValueError, match="gives"):
                replace(witness, expected={name: wrong}).replay(claim)


def benign_copies_do_not_replay(claim: Claim, witness: Witness) -> list[str]:
    """A case that violates nothing is no witness; returns the readings for which the trials drew no such case."""
    always = []
    for name in witness.expected:
        reading = claim.reading(name)
        found: list[Case] = []

        def keep(case: Case, reading=reading, found=found) -> None:
            finding = reading.check(case)
            if finding is not None and not finding.violated:
                found.append(case)

        draw(claim.strategy, 60, 0, keep)
        if not found:
            always.append(name)
            continue
        finding = reading.check(found[0])
        benign = replace(witness, case=found[0], expected={name: (finding.measured, finding.claimed)})
        with pytest.raises(ValueError, match="does not violate"):
            benign.replay(claim)
    return always


def is_complete(claim: Claim, claims: Mapping[str, Claim]) -> None:
    """Readings, regimes, planted variants; a repaired claim is proved, and one that is not proved names its repair."""
    assert claim.readings and claim.regimes and claim.planted and claim.statement and claim.source
    assert not claim.repaired_by or claim.repaired_by in claims
    if claim.id.endswith("_repaired"):
        assert all(has_proof(reading.check) for reading in claim.readings)
    elif not all(has_proof(reading.check) for reading in claim.readings):
        assert claim.repaired_by == claim.id + "_repaired"
    for reading in claim.readings:
        assert len(inspect.getsource(inspect.unwrap(reading.check)).splitlines()) < LONGEST


def imports_nothing_it_checks(folder: Path) -> None:
    """The checks import the core, the instances and each other: no solver, no model, no policy."""
    allowed = {"schedproof.core", "schedproof.instances", "schedproof.proofs_checks"}
    for path in folder.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for name in names:
                top = name.partition(".")[0]
                assert top in LIBRARY | {"schedproof"}, f"{path.name}: {name}"
                assert top != "schedproof" or ".".join(name.split(".")[:2]) in allowed, f"{path.name}: {name}"
                assert not name.startswith("schedproof.core.solving"), f"{path.name}: {name}"


def functions_are_short(folder: Path) -> None:
    """What a witness runs can be read."""
    for path in folder.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef):
                assert node.end_lineno - node.lineno < LONGEST, f"{path.name}: {node.name}"


def has_its_page(claim: Claim) -> None:
    """The page of a refutation has all its headings and names every stored witness."""
    text = (ROOT / claim.page).read_text()
    for heading in ("## Statement", "## Readings", "## Witness", "## Repaired", "## Proof"):
        assert heading in text, f"{claim.page} lacks '{heading}'"
    for witness in claim.stored():
        assert witness.name in text, f"{claim.page} does not name {witness.name}"


def refuted(claims: Mapping[str, Claim]) -> list[Claim]:
    """The claims that the shipped ledger calls refuted."""
    verdicts = ledger_verdicts()
    return [claim for id, claim in claims.items() if verdicts.get(id, "").startswith("refuted")]
