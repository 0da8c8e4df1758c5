"""Proofs of stored witnesses' optima; run ``python -m tests.recorder.optima``."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

from schedproof.core.claims.answer import Finding
from schedproof.core.claims.claims import find
from schedproof.core.claims.witness import Witness
from schedproof.core.programs.exact.branching import prove
from schedproof.core.runtime.files import write_json
from tests.recorder.claims import all_claims

PROGRAMS = {"dmlrs": "dmlrs.exact", "jrp": "jrp.exact"}


def compared() -> Iterator[tuple[Path, Witness, Fraction]]:
    """Stored witnesses that refer to an integer optimum, with proof file and optimum."""
    for id in all_claims():
        filed = find(id)
        for witness in filed.witnesses():
            found = (filed.claim.ask(filed.claim.read_as(name), witness.case) for name in witness.expected)
            for finding in found:
                if isinstance(finding, Finding) and finding.optimum is not None:
                    yield filed.folder / "optima" / f"{witness.name}.json", witness, finding.optimum
                    break


def main() -> None:
    """Prove, and write."""
    for file, witness, optimum in compared():
        file.parent.mkdir(exist_ok=True)
        write_json(file, prove(PROGRAMS[file.parents[1].name], {}, witness.case.instance, float(optimum)))
        print(file.name)


if __name__ == "__main__":
    main()
