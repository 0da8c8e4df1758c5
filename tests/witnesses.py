"""Stored witnesses by name, such as ``jrp.prune_safe-degrees``; a process reads each once."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import schedproof.proofs_checks as package
from schedproof.core.claims import claims
from schedproof.core.claims.claim import Claim
from schedproof.core.claims.witness import Witness

FOUND = {f"{path.parents[1].name}.{path.stem}": path for path in Path(*package.__path__).glob("*/witnesses/*.json")}
FILES = {name: FOUND[name] for name in sorted(FOUND)}  # of a claim the first is the one that its page shows first


def claim_of(name: str) -> Claim:
    return claims.find(name.partition("-")[0]).claim


@cache
def witness(name: str) -> Witness:
    return Witness.load(FILES[name], claim_of(name))
