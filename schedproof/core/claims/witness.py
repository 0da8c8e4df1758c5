"""Stored counterexamples of claims: their files and their re-evaluation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from schedproof.core.base.numbers import as_text, from_text
from schedproof.core.base.untyped import Case, Json
from schedproof.core.claims import cases
from schedproof.core.claims.claim import Claim, Finding
from schedproof.core.claims.domain import T
from schedproof.core.data.reading import parse, read_text
from schedproof.core.errors import UNREADABLE, InputError, short
from schedproof.core.runtime.files import write_bytes

STORED = "witnesses"  # the folder next to a paper's claims; the folder `optima` has the proofs of integer optima


@dataclass(frozen=True)
class Witness:
    """A stored counterexample, with the exact numbers of each violated reading.

    Attributes
    ----------
    proof
        File for `check-optimum` that proves the integer optimum in the comparison; the witness file has the instance.
    """

    name: str
    claim: str
    note: str
    case: Case
    expected: Mapping[str, tuple[Fraction, Fraction]]
    proof: Path | None = None

    def replay(self, claim: Claim[Case]) -> dict[str, Finding]:
        """Re-evaluate the witness and return the finding of each reading.

        Raises
        ------
        ValueError
            If a reading is unknown, the numbers differ from the stored ones, no statement is violated, or the stored
            proof is not a proof of the optimum in the comparison.
        """
        result = {}
        for name, numbers in self.expected.items():
            finding = claim.ask(claim.read_as(name), self.case)
            if not isinstance(finding, Finding) or (finding.measured, finding.claimed) != numbers:
                raise ValueError(f"{self.claim}: the witness '{self.name}' gives {finding}, but its file has {numbers}")
            if not finding.violated:
                raise ValueError(f"{self.claim}: the witness '{self.name}' does not violate the reading '{name}'")
            proven = "" if finding.optimum is None else self._require_proven(finding.optimum)
            result[name] = replace(finding, where=finding.where + proven)
        return result

    def _require_proven(self, optimum: Fraction) -> str:
        from schedproof.check.optimum import Refused, check

        if self.proof is None:
            return ""
        try:
            said = check(str(self.proof.parent.with_name(STORED) / self.proof.name), str(self.proof))
        except Refused as refused:
            raise ValueError(
                f"{self.claim}: the optimum of the witness '{self.name}' is not proven: {refused}"
            ) from None
        if Fraction(said["value"]) != optimum:
            raise ValueError(
                f"{self.claim}: the witness '{self.name}' is compared with {optimum}, but {said['statement']}"
            )
        return f"; proven, and the proof checked: {said['statement']}"

    def to_json(self) -> dict[str, Json]:
        """Return the JSON object of the witness file."""
        numbers = {n: {"measured": as_text(m), "claimed": as_text(c)} for n, (m, c) in self.expected.items()}
        return {"claim": self.claim, "note": self.note, "violates": numbers} | cases.to_json(self.case)

    @classmethod
    def of(cls, name: str, claim: Claim[T], note: str, case: T, readings: Iterable[str] = ()) -> Witness:
        """Make a witness of a case, for the given readings or all violated ones."""
        names = set(readings)
        result = {
            r.name: claim.ask(r, case) for r in claim.readings if not r.missing and (not names or r.name in names)
        }
        numbers = {n: (f.measured, f.claimed) for n, f in result.items() if isinstance(f, Finding) and f.violated}
        return cls(name, claim.id, note, case, numbers)

    def store(self, folder: Path) -> Path:
        """Write the witness into a folder, atomically."""
        path = folder / f"{self.name}.json"
        write_bytes(path, cases.text(self.to_json()))
        return path

    @classmethod
    def load(cls, path: Path, claim: Claim[Case]) -> Witness:
        """Read a claim's witness file."""
        row = parse(read_text(path))
        try:
            numbers = {n: (from_text(v["measured"]), from_text(v["claimed"])) for n, v in row["violates"].items()}
            if not isinstance(row["note"], str) or row["claim"] != claim.id or not numbers:
                raise ValueError(f"expected a note and the violated readings of {claim.id}")
            case = claim.domain.read(row)
            claim.require(case, numbers)
        except InputError as error:
            raise error.in_file(str(path)) from None
        except UNREADABLE as error:
            raise InputError(f"expected a witness: {short(str(error) or repr(error))}", file=str(path)) from None
        proof = path.parent.with_name("optima") / path.name if path.parent.name == STORED else None
        return cls(path.stem, claim.id, row["note"], case, numbers, proof if proof and proof.exists() else None)

    @classmethod
    def load_all(cls, claim: Claim[Case], folder: Path) -> list[Witness]:
        """Read a claim's witnesses from a folder: ``<name>.json`` and variants.

        Variants are named ``<name>-<suffix>.json``.
        """
        short = claim.id.partition(".")[2]
        files = (path for path in folder.glob("*.json") if path.stem.partition("-")[0] == short)
        return [cls.load(path, claim) for path in sorted(files, key=lambda path: path.stem)]
