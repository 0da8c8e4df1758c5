"""A stored counterexample of a claim, its file, and how it is evaluated anew."""

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

STORED = "witnesses"  # the folder beside a paper's claims; the proofs of their optima lie in one beside it


@dataclass(frozen=True)
class Witness:
    """A stored counterexample, with the exact numbers that each reading's check must find on it.

    Attributes
    ----------
    proof
        The file that proves the integer optimum with which they are compared, as `check-optimum` reads it; the
        witness's own file has the instance.
    """

    name: str
    claim: str
    note: str
    case: Case
    expected: Mapping[str, tuple[Fraction, Fraction]]
    proof: Path | None = None

    def replay(self, claim: Claim[Case]) -> dict[str, Finding]:
        """Evaluate it anew: reading -> finding.

        Raises
        ------
        ValueError
            When a reading is unknown, the numbers differ from the stored ones, nothing is violated, or the stored
            proof is not one of the optimum that the check compares with.
        """
        result = {}
        for name, numbers in self.expected.items():
            finding = claim.ask(claim.read_as(name), self.case)
            if not isinstance(finding, Finding) or (finding.measured, finding.claimed) != numbers:
                raise ValueError(f"{self.claim}: the witness '{self.name}' gives {finding}, stored is {numbers}")
            if not finding.violated:
                raise ValueError(f"{self.claim}: the witness '{self.name}' does not violate the reading '{name}'")
            proven = "" if finding.optimum is None else self._require_proven(finding.optimum)
            result[name] = replace(finding, where=finding.where + proven)
        return result

    def _require_proven(self, optimum: Fraction) -> str:
        """What the stored proof says, which must be that optimum; nothing where there is no proof."""
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
        """The witness file's JSON object."""
        numbers = {n: {"measured": as_text(m), "claimed": as_text(c)} for n, (m, c) in self.expected.items()}
        return {"claim": self.claim, "note": self.note, "violates": numbers} | cases.to_json(self.case)

    @classmethod
    def of(cls, name: str, claim: Claim[T], note: str, case: T, readings: Iterable[str] = ()) -> Witness:
        """A witness from a case, its numbers evaluated now; by default for every reading that it violates."""
        names = set(readings)
        result = {
            r.name: claim.ask(r, case) for r in claim.readings if not r.missing and (not names or r.name in names)
        }
        numbers = {n: (f.measured, f.claimed) for n, f in result.items() if isinstance(f, Finding) and f.violated}
        return cls(name, claim.id, note, case, numbers)

    def store(self, folder: Path) -> Path:
        """Write it into a folder of witnesses, whole or not at all."""
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
                raise ValueError(f"expected a note, and what it violates of {claim.id}")
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
        """The stored witnesses of a claim in a folder, by name: ``<name>.json`` or ``<name>-<what>.json``."""
        short = claim.id.partition(".")[2]
        files = (path for path in folder.glob("*.json") if path.stem.partition("-")[0] == short)
        return [cls.load(path, claim) for path in sorted(files, key=lambda path: path.stem)]
